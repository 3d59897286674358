// SPDX-License-Identifier: MIT
// The exception that every failing call to the GPU library throws.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "gpu/location.hpp"

namespace gpu {

/// "saxpy.cu:41": the file's name without its folders.
std::string place_of(SourceLocation where);

/// Which call failed, where, what the driver reported, and which kernel is to blame.
struct ErrorDetails {
  std::string expression;  ///< the call that failed, for example "cudaMalloc(&memory, bytes)"
  SourceLocation
      where;  ///< the caller's file and line; line 0 if the place would not help the reader
  std::string driver_message;  ///< the driver's own words, or this library's explanation
  std::string kernel;          ///< kernel (or kernels) that may have caused it; empty if none
};

/// Thrown by every call of this library that fails. what() holds all parts: the cause in the first
/// line, the place in the second.
class Error : public std::runtime_error {
 public:
  explicit Error(ErrorDetails details);

  const std::string& expression() const noexcept { return details_.expression; }
  const char* file() const noexcept { return details_.where.file; }
  int line() const noexcept { return details_.where.line; }
  const std::string& driver_message() const noexcept { return details_.driver_message; }
  const std::string& kernel() const noexcept { return details_.kernel; }

 private:
  ErrorDetails details_;
};

namespace detail {
/// Throws Error for a call with invalid arguments, before any driver is called.
[[noreturn]] void throw_usage_error(std::string_view expression, std::string message,
                                    SourceLocation where);
/// Throws Error unless both sizes are equal; `expression` names the copy.
void require_same_size(std::string_view expression, std::size_t destination, std::size_t source,
                       SourceLocation where);
}  // namespace detail
}  // namespace gpu
