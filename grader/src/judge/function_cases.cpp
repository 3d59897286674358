// SPDX-License-Identifier: MIT
// Keeps cases for as long as they may be needed again.
#include "grader/judge/function_cases.hpp"

namespace grader {

std::shared_ptr<const FunctionCases> KnownCases::find(const std::string& exercise,
                                                      std::uint64_t seed,
                                                      const std::function<FunctionCases()>& make) {
  std::shared_ptr<Place> place;
  {
    const std::lock_guard guard(mutex_);
    std::shared_ptr<Place>& own = places_[{exercise, seed}];
    if (!own) own = std::make_shared<Place>();
    place = own;
  }
  const std::lock_guard guard(place->mutex);
  if (!place->cases) place->cases = std::make_shared<const FunctionCases>(make());
  return place->cases;
}

}  // namespace grader
