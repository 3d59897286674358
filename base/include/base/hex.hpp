// SPDX-License-Identifier: MIT
// Bytes as hexadecimal text.
#pragma once

#include <string>
#include <string_view>

namespace base {

/// Two lower-case digits a byte.
std::string to_hex(std::string_view bytes);

/// The bytes of such a text; digits may be upper-case. @throws std::invalid_argument for any other
/// text.
std::string from_hex(std::string_view text);

}  // namespace base
