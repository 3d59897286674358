// SPDX-License-Identifier: MIT
// Builds the text of gpu::Error.
#include "gpu/error.hpp"

#include <utility>

namespace gpu {
namespace {

std::string message_of(const ErrorDetails& details) {
  std::string text = details.expression + " failed at " + details.where.file + ":" +
                     std::to_string(details.where.line) + ": " + details.driver_message;
  if (!details.kernel.empty()) text += " [kernel: " + details.kernel + "]";
  return text;
}

}  // namespace

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
