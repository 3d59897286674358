// SPDX-License-Identifier: MIT
// main() of every program that registers something: lab programs, formulas, oracles, answers.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>

#include "benchmark.hpp"
#include "compare_program.hpp"
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

/// Whether a program with kernels was called with `option`.
bool asks_for(std::string_view option, int argc, char** argv) {
  return !harness::registry().labs.empty() &&
         std::find(argv + 1, argv + argc, option) != argv + argc;
}

int usage(const char* message, const char* program) {
  std::fprintf(stderr, "%s: %s --oracle\n", message, program);
  return kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--serve") {
      // A student's last output before a crash shows where it was, so flush every line.
      std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
      return harness::serve(harness::Channel(base::Descriptor(harness::kServeDescriptor)));
    }
    // A program with a main of its own may give these words another meaning beside other arguments.
    if (argc == 2 || harness::registry().own_main == nullptr) {
      if (asks_for("--check", argc, argv)) {
        return usage("./lab check ID gives points; to only compare with the oracle", argv[0]);
      }
      if (asks_for("--oracle", argc, argv)) {
        if (argc == 2) return harness::compare_program();
        return usage("--oracle stands alone, because it chooses the sizes itself", argv[0]);
      }
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
