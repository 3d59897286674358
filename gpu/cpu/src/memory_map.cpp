// SPDX-License-Identifier: MIT
// Asks the dynamic linker where variables are.
#include "memory_map.hpp"

#include <link.h>

namespace gpu::cpu {

void BufferMap::add(void* memory, std::size_t bytes, SourceLocation where) {
  const auto begin = reinterpret_cast<Address>(memory);
  buffers_[begin] = {.range = {begin, begin + bytes}, .allocated_at = where};
}

void BufferMap::remove(void* memory) {
  last_held_ = nullptr;
  buffers_.erase(reinterpret_cast<Address>(memory));
}

const Buffer* BufferMap::before(Address address) const {
  const auto next = buffers_.upper_bound(address);
  return next == buffers_.begin() ? nullptr : &std::prev(next)->second;
}

const Buffer* BufferMap::after(Address address) const {
  const auto next = buffers_.upper_bound(address);
  return next == buffers_.end() ? nullptr : &next->second;
}

const Buffer* BufferMap::holding(Address address) const {
  if (last_held_ != nullptr && last_held_->range.contains(address, 1)) return last_held_;
  const Buffer* buffer = before(address);
  if (buffer == nullptr || address >= buffer->range.end) return nullptr;
  return last_held_ = buffer;
}

const Buffer* BufferMap::near(Address address, std::size_t reach) const {
  const Buffer* below = before(address);
  const Buffer* above = after(address);
  const std::size_t from_below = below == nullptr ? reach : address - below->range.end;
  const std::size_t from_above = above == nullptr ? reach : above->range.begin - address;
  if (from_below >= reach && from_above >= reach) return nullptr;
  return from_below <= from_above ? below : above;
}

AddressRange thread_local_memory() {
  AddressRange range;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
          const auto begin = reinterpret_cast<Address>(info->dlpi_tls_data);
          *static_cast<AddressRange*>(result) = {begin, begin + info->dlpi_phdr[i].p_memsz};
        }
        return 1;  // the main program comes first, and only it has kernels
      },
      &range);
  return range;
}

namespace {

/// Adds the loaded segments that have these flags.
void add_segments(const dl_phdr_info& info, ElfW(Word) flags, std::vector<AddressRange>& ranges) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & flags) != flags) continue;
    const Address begin = info.dlpi_addr + segment.p_vaddr;
    ranges.push_back({begin, begin + segment.p_memsz});
  }
}

}  // namespace

std::vector<AddressRange> static_memory() {
  std::vector<AddressRange> ranges;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        add_segments(*info, 0, *static_cast<std::vector<AddressRange>*>(result));
        return 0;
      },
      &ranges);
  return ranges;
}

std::vector<AddressRange> writable_static_memory() {
  std::vector<AddressRange> ranges;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        add_segments(*info, PF_W, *static_cast<std::vector<AddressRange>*>(result));
        return 1;  // the main program comes first
      },
      &ranges);
  return ranges;
}

}  // namespace gpu::cpu
