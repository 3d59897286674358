// SPDX-License-Identifier: MIT
// Asks the program with the oracles of this program's topic for tasks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/channel.hpp"
#include "harness/signing.hpp"
#include "harness/task.hpp"

namespace harness {

/// The oracle program; it runs while this object lives.
class OracleProgram {
 public:
  /// Starts bin/TOPIC/oracle of the build that contains this program, bin/.../TOPIC/NAME.
  /// @throws std::runtime_error if it has not been built.
  OracleProgram();
  ~OracleProgram();
  OracleProgram(const OracleProgram&) = delete;
  OracleProgram& operator=(const OracleProgram&) = delete;

  /// The task that the oracle `name` makes. @throws std::runtime_error when there is no such
  /// oracle.
  Task task(std::string_view name, std::int64_t n, std::uint64_t seed, bool special_values);

 private:
  Value request(const Value& message, int attached = -1);

  Channel channel_;
  Asker asker_;
  int process_ = -1;
};

}  // namespace harness
