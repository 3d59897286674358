// SPDX-License-Identifier: MIT
// Sizes, tolerances and output for PROGRAM --oracle.
#include "compare_program.hpp"

#include <cstdio>

#include "check_entry.hpp"
#include "harness/device.hpp"
#include "harness/oracle.hpp"
#include "harness/unsolved.hpp"
#include "oracle_program.hpp"
#include "registry.hpp"

namespace harness {
namespace {

/// The rounding error of long sums and chains in an element's type.
Tolerance tolerance_of(Element element) {
  if (element == Element::kF64) return {1e-9, 1e-300};
  if (element == Element::kF32) return {1e-3, 1e-37};
  return is_floating(element) ? Tolerance{2e-2, 1e-3} : Tolerance{};
}

constexpr int kExitUnsolved = 3;
constexpr int kExitSkipped = 77;
constexpr std::uint64_t kSeed = 1;
/// Sizes around those of packs, warps, tiles and blocks.
constexpr std::int64_t kSizes[] = {0,  1,  2,  3,  4,   5,   7,   8,    9,    31,  32,
                                   33, 64, 65, 97, 128, 129, 255, 1023, 1025, 4099};
/// No larger size is tried once a task has this many FLOPs or bytes: n may be the rows of a matrix.
constexpr double kEnoughWork = 1e7;
/// Larger tasks are meant for timing.
constexpr double kMostWork = 1e9;
constexpr std::int64_t kSpecialValuesSize = 101;

std::string compare_with_oracle(const LabEntry& entry, const Task& task, std::int64_t n,
                                const char* inputs) {
  const std::string wrong = check_entry(entry, task, tolerance_of);
  if (wrong.empty()) return wrong;
  return entry.name + ", n = " + std::to_string(n) + inputs + "\n" + wrong;
}

std::string first_mistake(const LabEntry& entry, OracleProgram& oracle) {
  for (const std::int64_t n : kSizes) {
    const Task task = oracle.task(entry.name, n, kSeed, false);
    const double work = task.flops + task.bytes_moved;
    if (work > kMostWork) break;
    if (std::string wrong = compare_with_oracle(entry, task, n, ""); !wrong.empty()) return wrong;
    if (work > kEnoughWork) break;
  }
  const Task task = oracle.task(entry.name, kSpecialValuesSize, kSeed, true);
  return compare_with_oracle(entry, task, kSpecialValuesSize,
                             ", with NaN and infinities among the inputs");
}

int compare_entries() {
  OracleProgram oracle;
  int wrong = 0;
  for (const LabEntry& entry : registry().labs) {
    if (entry.name.ends_with(".counted")) continue;  // the same kernel
    const std::string mistake = first_mistake(entry, oracle);
    if (mistake.empty()) std::printf("%s: right\n", entry.name.c_str());
    if (!mistake.empty()) std::printf("%s", mistake.c_str());
    wrong += mistake.empty() ? 0 : 1;
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int compare_program() {
  Device& device = *registry().labs.front().device;
  if (device.count() == 0) {
    std::printf("skipped: no %s device on this machine\n", device.backend().c_str());
    return kExitSkipped;
  }
  try {
    return compare_entries();
  } catch (const Unsolved& error) {
    std::printf("%s\n", error.what());
    return kExitUnsolved;
  }
}

}  // namespace harness
