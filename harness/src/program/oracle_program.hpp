// SPDX-License-Identifier: MIT
// The program with the oracles of this program's topic, asked for tasks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/channel.hpp"
#include "harness/signing.hpp"
#include "harness/task.hpp"

namespace harness {

/// Runs while this object lives.
class OracleProgram {
 public:
  /// Starts bin/TOPIC/oracle of the build that this program, bin/.../TOPIC/NAME, belongs to.
  /// @throws std::runtime_error when it is not built.
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
