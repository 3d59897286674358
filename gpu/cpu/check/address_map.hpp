// SPDX-License-Identifier: MIT
// A map by address for what every basic block or access looks up.
#pragma once

#include <array>
#include <unordered_map>

#include "memory_map.hpp"

namespace gpu::cpu::check {

/// Values by address; they keep their place. The values looked up last are found without a search,
/// by some bits of their address: a loop cycles through a few of them.
template <class Value>
class AddressMap {
 public:
  AddressMap() = default;
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;

  Value& operator[](Address address) {
    Found& found = found_[(address ^ address / found_.size()) % found_.size()];
    if (found.address != address) found = {address, &values_[address]};
    return *found.value;
  }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  struct Found {
    Address address = 0;
    Value* value = nullptr;
  };

  std::unordered_map<Address, Value> values_;
  std::array<Found, 1024> found_{};
};

}  // namespace gpu::cpu::check
