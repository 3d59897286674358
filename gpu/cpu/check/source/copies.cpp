// SPDX-License-Identifier: MIT
// Tells such functions by their names, which is asked for every access and therefore remembered.
#include "copies.hpp"

#include <array>
#include <string_view>

#include "source_lines.hpp"

namespace gpu::cpu::check {
namespace {

/// A constructor (C1, C2) or an assignment (aS) that takes a reference (RK, O) to its own type,
/// which a mangled name repeats by its number (S_, S0_).
bool copies_structure(std::string_view name) {
  if (!name.starts_with("_ZN") || !name.ends_with('_')) return false;
  const std::size_t type = name.rfind('S');
  if (type == name.npos) return false;
  const std::string_view number = name.substr(type + 1, name.size() - type - 2);
  if (number.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != number.npos) return false;
  const std::string_view before = name.substr(0, type);
  for (const std::string_view copy : {"C1ERK", "C2ERK", "C1EO", "C2EO", "aSERK", "aSEO"}) {
    if (before.ends_with(copy)) return true;
  }
  return false;
}

}  // namespace

bool is_in_copy(Address place) {
  return copies_structure(function_name(place - 1));
}

Address place_of_access(Address place, const void* frame) {
#if defined(__GNUC__) && !defined(__clang__)
  struct Known {
    Address place = 0;
    bool copies = false;
  };
  // The functions that copy need no lock: checked kernels run on one thread.
  static std::array<Known, 1 << 12> known;
  Known& one = known[(place ^ (place >> 12)) % known.size()];
  if (one.place != place) one = {place, is_in_copy(place)};
  if (!one.copies) return place;
  // Code that is not optimised keeps its caller's frame first in its own, and then the way back.
  return static_cast<const Address*>(frame)[1];
#else
  static_cast<void>(frame);
  return place;
#endif
}

}  // namespace gpu::cpu::check
