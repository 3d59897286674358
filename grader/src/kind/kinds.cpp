// SPDX-License-Identifier: MIT
// The rules of all kinds, in the order of Kind.
#include "grader/kind/kinds.hpp"

#include <array>

namespace grader {
namespace {

constexpr std::array kRules = {&kNumberRules,  &kChoiceRules,      &kFunctionRules,
                               &kCountedRules, &kProfileRules,     &kKernelRules,
                               &kSpeedRules,   &kMeasurementRules, &kPredictionRules};
static_assert(kRules.size() == std::variant_size_v<KindFields>);

constexpr auto kKinds = [] {
  std::array<Kind, kRules.size()> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<Kind>(i);
  return kinds;
}();

}  // namespace

const KindRules& rules_of(Kind kind) {
  return *kRules.at(static_cast<std::size_t>(kind));
}

std::span<const Kind> all_kinds() {
  return kKinds;
}

std::string_view name_of(Kind kind) {
  return rules_of(kind).name;
}

bool is_timed(Kind kind) {
  return rules_of(kind).is_timed;
}

}  // namespace grader
