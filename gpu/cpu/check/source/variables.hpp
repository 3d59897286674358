// SPDX-License-Identifier: MIT
// The variables of kernel files that have static storage: __device__ and __shared__ ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memory_map.hpp"

namespace gpu::cpu::check {

/// One variable. A multi-dimensional array has an extent for each dimension.
struct Variable {
  std::string name;
  std::size_t bytes = 0;
  std::vector<std::size_t> extents;
};

/// Variables by their addresses.
class Variables {
 public:
  void add(Address begin, Variable variable);
  /// The variable that holds `address`, and where it begins; nullptr if none does.
  const std::pair<const Address, Variable>* holding(Address address) const;

 private:
  std::map<Address, Variable> by_begin_;
};

/// The variables that this program declares in kernel files, according to its debug information.
/// Variables of the C++ library and of the course are therefore not among them, whatever linked the
/// program. Read on first use.
const Variables& static_variables();
/// The program's thread-local variables, __shared__ ones, in any file; addresses count from the
/// beginning of a thread's block of thread-local storage.
const Variables& shared_variables();

/// "tile[3][5]" for a byte offset in a variable.
std::string element_name(const Variable& variable, std::size_t offset);

}  // namespace gpu::cpu::check
