// SPDX-License-Identifier: MIT
// A set of addresses, or of other numbers that come in runs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>

#include "base/siphash.hpp"
#include "memory_map.hpp"

namespace gpu::cpu::check {

class AddressSet {
 public:
  AddressSet() = default;
  AddressSet(const AddressSet&) = delete;
  AddressSet& operator=(const AddressSet&) = delete;

  /// Adds `count` addresses from `first` on.
  void add(Address first, std::size_t count) {
    const Address end = first + count;
    while (first < end) {
      const Address next_word = (first / kWordBits + 1) * kWordBits;
      const Address stop = std::min(end, next_word);
      const std::uint64_t run = ~std::uint64_t{0} >> (kWordBits - (stop - first));
      page_of(first)[first % kPageBits / kWordBits] |= run << (first % kWordBits);
      first = stop;
    }
  }

  std::uint64_t size() const {
    std::uint64_t total = 0;
    for (const auto& [number, page] : pages_) {
      for (const std::uint64_t word : page) total += static_cast<unsigned>(std::popcount(word));
    }
    return total;
  }

  /// Calls visit(address) in ascending order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& [number, page] : pages_) {
      for (std::size_t i = 0; i < page.size(); ++i) {
        for (std::uint64_t left = page[i]; left != 0; left &= left - 1) {
          visit(number * kPageBits + i * kWordBits + static_cast<unsigned>(std::countr_zero(left)));
        }
      }
    }
  }

  /// Equal for equal sets.
  std::uint64_t digest(const base::SipKey& key) const {
    std::uint64_t sum = 0;
    for (const auto& [number, page] : pages_) {
      base::SipKey of_page = key;
      of_page[0] ^= number;
      sum += base::siphash(of_page, {reinterpret_cast<const char*>(page.data()), sizeof page});
    }
    return sum;
  }

  void clear() {
    last_ = nullptr;
    pages_.clear();
  }

 private:
  static constexpr Address kWordBits = 64;
  static constexpr Address kPageBits = 4096;
  using Page = std::array<std::uint64_t, kPageBits / kWordBits>;

  Page& page_of(Address address) {
    const Address number = address / kPageBits;
    if (last_ == nullptr || number != last_number_) {
      last_ = &pages_[number];
      last_number_ = number;
    }
    return *last_;
  }

  std::map<Address, Page> pages_;
  Page* last_ = nullptr;  ///< the one used last: neighbours follow
  Address last_number_ = 0;
};

}  // namespace gpu::cpu::check
