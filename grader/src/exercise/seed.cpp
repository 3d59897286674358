// SPDX-License-Identifier: MIT
// The requested seed: option, then environment, then default.
#include "grader/exercise/seed.hpp"

#include <charconv>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "grader/batch/content.hpp"
#include "harness/random.hpp"

namespace grader {

std::uint64_t asked_seed(std::uint64_t option) {
  const char* text = std::getenv("ROOFLINE_SEED");
  if (option != 0 || text == nullptr || *text == '\0') return option;
  const std::string_view word(text);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (error != std::errc() || end != word.data() + word.size() || seed == 0) {
    throw std::invalid_argument("ROOFLINE_SEED must be a whole number greater than 0, not '" +
                                std::string(word) + "'");
  }
  return seed;
}

std::uint64_t chosen_seed(std::uint64_t option, std::uint64_t default_value) {
  const std::uint64_t asked = asked_seed(option);
  if (asked != 0) return asked;
  return default_value != 0 ? default_value : std::random_device{}();
}

std::uint64_t seed_of(std::string_view exercise, std::uint64_t run) {
  // std::hash would give a different number with another standard library.
  constexpr std::size_t kHexDigits = 16;
  const std::string digest = sha256(std::string(exercise)).substr(0, kHexDigits);
  return harness::Random(run ^ std::stoull(digest, nullptr, 16)).bits() >> 16;
}

}  // namespace grader
