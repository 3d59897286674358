// SPDX-License-Identifier: MIT
// Unicode's composed form of a text, which some tokenizers ask for.
#pragma once

#include <string>
#include <string_view>

namespace engine {

/// The text in normalization form C (Unicode Standard Annex 15): characters that are written as a
/// letter and its marks become one where there is one, and marks come in their canonical order.
/// Bytes that are not UTF-8 stay, and nothing is composed over them.
std::string normal_form_c(std::string_view text);

}  // namespace engine
