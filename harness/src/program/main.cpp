// SPDX-License-Identifier: MIT
// main() of every program that registers something: lab programs, formulas, oracles, answers.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>

#include "benchmark.hpp"
#include "check_program.hpp"
#include "profile_program.hpp"
#include "registry.hpp"
#include "serve.hpp"

namespace {

constexpr int kExitUsage = 2;

int list_contents() {
  const harness::Registry& all = harness::registry();
  for (const auto& entry : all.functions) std::printf("function %s\n", entry.name.c_str());
  for (const auto& entry : all.oracles) std::printf("oracle %s\n", entry.first.c_str());
  for (const auto& entry : all.answers) std::printf("answer %s\n", entry.first.c_str());
  std::printf("This program is run by the grader: ./lab check\n");
  return 0;
}

/// Whether --check is among the arguments of a program that can be checked.
bool asks_for_check(int argc, char** argv) {
  return !harness::registry().labs.empty() &&
         std::any_of(argv + 1, argv + argc,
                     [](const char* word) { return std::string_view(word) == "--check"; });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--serve") {
      // A student's last output before a crash shows where it was, so flush every line.
      std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
      return harness::serve(harness::Channel(base::Descriptor(harness::kServeDescriptor)));
    }
    const bool is_check = asks_for_check(argc, argv);
    if (is_check && argc == 2) return harness::check_program();
    if (is_check && harness::registry().own_main == nullptr) {
      std::fprintf(stderr,
                   "--check stands alone, because it chooses the sizes itself: %s --check\n",
                   argv[0]);
      return kExitUsage;
    }
    if (argc > 1 && std::string_view(argv[1]) == "--profile" &&
        harness::registry().own_main == nullptr) {
      return harness::profile_main(argc, argv);
    }
    if (harness::registry().own_main != nullptr) return harness::registry().own_main(argc, argv);
    if (!harness::registry().labs.empty()) return harness::benchmark_main(argc, argv);
    return list_contents();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}
