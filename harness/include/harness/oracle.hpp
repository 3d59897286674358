// SPDX-License-Identifier: MIT
// Registers the trusted double-precision oracle of a kernel exercise (topics/NN/oracle/*.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/random.hpp"
#include "harness/task.hpp"

namespace harness {

/// Creates a task of size `n`: random inputs, right outputs, FLOPs and bytes. It must work for n =
/// 0, and propagate NaN and infinities as the kernel should.
using OracleFunction = Task (*)(std::int64_t n, Random& random);

/// Called by HARNESS_ORACLE. @throws std::logic_error when the name is taken.
bool register_oracle(std::string_view name, OracleFunction function);

/// The task that the oracle `name` makes. @throws std::out_of_range when there is no such oracle.
Task make_task(std::string_view name, std::int64_t n, std::uint64_t seed,
               bool special_values = false);

/// Runs entry `name` of this program (HARNESS_LAB) on the task that the oracle of the same name
/// creates, which must be linked in too. Returns an empty text if all is right, else what is wrong.
std::string check_entry(std::string_view name, std::int64_t n, std::uint64_t seed,
                        double relative_tolerance, bool special_values = false);

}  // namespace harness

/// Registers `function` (Task(std::int64_t n, harness::Random&)) as the oracle of kernel `name`.
#define HARNESS_ORACLE(name, function)                          \
  [[maybe_unused]] static const bool harness_oracle_of_##name = \
      ::harness::register_oracle(#name, function);
