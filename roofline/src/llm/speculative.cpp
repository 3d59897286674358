// SPDX-License-Identifier: MIT
// Speculative decoding.
#include "roofline/llm/speculative.hpp"

#include <cmath>
#include <stdexcept>

#include "roofline/checks.hpp"

namespace roofline::llm {

double expected_tokens(double acceptance, int drafted) {
  if (drafted < 0) throw std::invalid_argument("the number of drafted tokens is negative");
  if (require_not_negative(acceptance, "acceptance") > 1) {
    throw std::invalid_argument("acceptance is a probability; it cannot be above 1");
  }
  if (acceptance == 1) return drafted + 1;
  return (1 - std::pow(acceptance, drafted + 1)) / (1 - acceptance);
}

double speculative_speedup(double acceptance, int drafted, double draft_cost, double check_cost) {
  return expected_tokens(acceptance, drafted) /
         (drafted * require_not_negative(draft_cost, "cost of a drafted token") +
          require_positive(check_cost, "cost of a check"));
}

int best_draft_length(double acceptance, double draft_cost, int most) {
  int best = 0;
  for (int drafted = 1; drafted <= most; ++drafted) {
    if (speculative_speedup(acceptance, drafted, draft_cost) >
        speculative_speedup(acceptance, best, draft_cost)) {
      best = drafted;
    }
  }
  return best;
}

}  // namespace roofline::llm
