// SPDX-License-Identifier: MIT
// Describes a count that is too high or too low.
#include "kind/count_limits.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace grader {

namespace {

/// The contribution of each argument to a count, one per line; empty if that is not counted.
std::string by_argument(const std::string& counter, const Counts& counts) {
  std::string text;
  const std::string beginning = counter + " of ";
  for (auto at = counts.lower_bound(beginning);
       at != counts.end() && at->first.starts_with(beginning); ++at) {
    if (at->second == 0) continue;
    text += (text.empty() ? "  (" : "; ") + at->first.substr(counter.size() + 1) + ": " +
            plain_number(at->second);
  }
  return text.empty() ? text : text + ")\n";
}

}  // namespace

double count_of(const Counts& counts, const std::string& counter) {
  const auto found = counts.find(counter);
  if (found != counts.end()) return found->second;
  throw std::runtime_error("there is no counter named " + counter);
}

std::string judge_limit(const harness::CountLimit& limit, const Counts& counts) {
  const double count = count_of(counts, limit.counter);
  if (count <= limit.most && count >= limit.least) return {};  // false for a NaN
  std::string text = limit.counter + ": " + plain_number(count);
  const std::string advice = limit.advice.empty() ? "" : limit.advice + "\n";
  if (count < limit.least) {
    return text + ", and " + plain_number(limit.least) +
           (advice.empty() ? " are required by the exercise\n" : " or more are asked for\n") +
           advice;
  }
  if (limit.needed <= 0) {
    return text + ", and none is needed\n" + by_argument(limit.counter, counts);
  }
  char factor[80];
  std::snprintf(factor, sizeof factor, ", which is %.3g times the %.0f needed\n",
                count / limit.needed, std::ceil(limit.needed));
  text += factor;
  if (limit.most > limit.needed) {
    text += "  (allowed: " + plain_number(std::floor(limit.most)) + ")\n";
  }
  return text + by_argument(limit.counter, counts) + advice;
}

std::string plain_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

}  // namespace grader
