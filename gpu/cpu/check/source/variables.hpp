// SPDX-License-Identifier: MIT
// The variables of kernel files that have memory of their own: __device__ ones and __shared__ ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memory_map.hpp"

namespace gpu::cpu::check {

/// One variable. An array of arrays has an extent for each dimension.
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

/// The variables that this program declares in kernel files, as its debug information has them. So
/// what belongs to the C++ library and to the course's is not among them, whatever linked the
/// program. Read when it is first asked for.
const Variables& static_variables();
/// Its thread-local variables, __shared__ ones, in any file; addresses count from the beginning of
/// a thread's memory of this kind.
const Variables& shared_variables();

/// "tile[3][5]" for the byte of a variable.
std::string element_name(const Variable& variable, std::size_t offset);

}  // namespace gpu::cpu::check
