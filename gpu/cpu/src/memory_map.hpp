// SPDX-License-Identifier: MIT
// Which kind of memory an address belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "gpu/location.hpp"

namespace gpu::cpu {

using Address = std::uintptr_t;

/// Addresses from begin up to end.
struct AddressRange {
  Address begin = 0, end = 0;

  bool contains(Address first, std::size_t bytes) const {
    return first >= begin && first + bytes <= end;
  }
};

/// One device buffer.
struct Buffer {
  AddressRange range;
  SourceLocation allocated_at;
};

/// The device buffers of the process.
class BufferMap {
 public:
  void add(void* memory, std::size_t bytes, SourceLocation where);
  void remove(void* memory);
  template <class Action>
  void for_each(Action action) const {
    for (const auto& [begin, buffer] : buffers_) action(buffer);
  }
  /// The buffer that holds `address`, or nullptr.
  const Buffer* holding(Address address) const;
  /// The last buffer that begins at or before `address`, and the first one after it; or nullptr.
  const Buffer* before(Address address) const;
  const Buffer* after(Address address) const;
  /// The buffer nearest to `address` within `reach` bytes, or nullptr.
  const Buffer* near(Address address, std::size_t reach) const;

 private:
  std::map<Address, Buffer> buffers_;          // by begin
  mutable const Buffer* last_held_ = nullptr;  // the next lookup mostly hits the same buffer
};

/// The calling thread's thread-local variables of the main program, among them __shared__ arrays.
AddressRange thread_local_memory();
/// Global variables and constants of the main program and its libraries.
std::vector<AddressRange> static_memory();
/// The writable ones among the main program's variables.
std::vector<AddressRange> writable_static_memory();

}  // namespace gpu::cpu
