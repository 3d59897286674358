// SPDX-License-Identifier: MIT
// Builds the text of gpu::Error.
#include "gpu/error.hpp"

#include <utility>

namespace gpu {
namespace {

/// The cause first, and the place below it: the kernel and its launch, or the call.
std::string message_of(const ErrorDetails& details) {
  const std::string place = details.where.line == 0 ? "" : " at " + place_of(details.where);
  const std::string text = details.driver_message + "\n";
  if (details.expression.starts_with("launch<")) {
    return text + "kernel " + details.kernel + ", launched" + place;
  }
  const std::string kernel = details.kernel.empty() ? "" : "kernel " + details.kernel + ", seen ";
  return text + kernel + "in " + details.expression + place;
}

}  // namespace

std::string place_of(SourceLocation where) {
  const std::string_view file = where.file;
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(where.line);
}

Error::Error(ErrorDetails details)
    : std::runtime_error(message_of(details)), details_(std::move(details)) {}

namespace detail {

void throw_usage_error(std::string_view expression, std::string message, SourceLocation where) {
  throw Error({.expression = std::string(expression),
               .where = where,
               .driver_message = std::move(message),
               .kernel = {}});
}

void require_same_size(std::string_view expression, std::size_t destination, std::size_t source,
                       SourceLocation where) {
  if (destination == source) return;
  throw_usage_error(expression,
                    "the destination holds " + std::to_string(destination) +
                        " elements and the source " + std::to_string(source) +
                        "; use subspan() so that both are equal",
                    where);
}

}  // namespace detail
}  // namespace gpu
