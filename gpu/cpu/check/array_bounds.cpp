// SPDX-License-Identifier: MIT
// What GCC calls in kernels that are built with -fsanitize=bounds, for an index beyond the bounds
// that an array is declared with: __shared__ arrays, arrays of the file, and a thread's own. By its
// address alone such an access looks like one to the variable behind.
#include <cstdint>
#include <string>

#include "checker.hpp"

using gpu::cpu::Address;
using gpu::cpu::check::Checker;

namespace {

/// The layouts that the compiler gives its descriptions.
struct Type {
  std::uint16_t kind;
  std::uint16_t integer;  ///< lowest bit: it has a sign; above: the logarithm of its bits
  char name[1];
};
struct OutOfBounds {
  const char* file;
  std::uint32_t line, column;
  const Type* array;
  const Type* index;
};

std::string index_text(const Type& type, std::uintptr_t value) {
  if ((type.integer & 1) == 0) return std::to_string(value);
  const int above = 64 - (1 << (type.integer >> 1));  // narrower ones come without their sign
  if (above < 0) return std::to_string(value);
  return std::to_string(static_cast<std::int64_t>(value << above) >> above);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-reserved-identifier): the compiler's name
extern "C" void __ubsan_handle_out_of_bounds(const OutOfBounds* what, std::uintptr_t index) {
  Checker& checker = Checker::instance();
  if (!checker.in_kernel()) return;
  // Before any text is made: strings of the library may be those that the kernel's file compiled.
  checker.leave_kernel_code();
  checker.on_index_outside(index_text(*what->index, index), what->array->name,
                           reinterpret_cast<Address>(__builtin_return_address(0)));
}
