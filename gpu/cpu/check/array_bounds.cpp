// SPDX-License-Identifier: MIT
// The function that GCC calls in kernels built with -fsanitize=bounds when an index is outside the
// declared bounds of an array: __shared__ arrays, arrays at file scope, and a thread's own. Going
// by its address alone, such an access would look like one to the neighbouring variable.
#include <cstdint>
#include <string>

#include "checker.hpp"

using gpu::cpu::Address;
using gpu::cpu::check::Checker;

namespace {

/// The layout of the compiler's type descriptions.
struct Type {
  std::uint16_t kind;
  std::uint16_t integer;  ///< lowest bit: signed; the bits above: log2 of the width
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
  const int above = 64 - (1 << (type.integer >> 1));  // narrower types are not sign-extended
  if (above < 0) return std::to_string(value);
  return std::to_string(static_cast<std::int64_t>(value << above) >> above);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-reserved-identifier): the compiler's name
extern "C" void __ubsan_handle_out_of_bounds(const OutOfBounds* what, std::uintptr_t index) {
  Checker& checker = Checker::instance();
  if (!checker.in_kernel()) return;
  // Leave first: formatting text may call string functions that were compiled, instrumented, with
  // the kernel's file.
  checker.leave_kernel_code();
  checker.on_index_outside(index_text(*what->index, index), what->array->name,
                           reinterpret_cast<Address>(__builtin_return_address(0)));
}
