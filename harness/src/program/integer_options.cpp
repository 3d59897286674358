// SPDX-License-Identifier: MIT
#include "integer_options.hpp"

#include <string>

#include "registry.hpp"

namespace harness {

void add_integer_options(CLI::App& app, IntegerOptions& integers) {
  if (registry().labs.empty()) return;
  const auto& names = registry().labs.front().options.integer_names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == nullptr) continue;
    app.add_option(std::string("--") + names[i], integers[i],
                   "One value, or several separated by commas")
        ->delimiter(',')
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  }
}

}  // namespace harness
