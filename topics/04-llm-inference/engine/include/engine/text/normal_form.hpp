// SPDX-License-Identifier: MIT
// Unicode's composed form of a text, which some tokenizers require.
#pragma once

#include <string>
#include <string_view>

namespace engine {

/// The text in normalization form C (Unicode Standard Annex 15): a letter followed by its marks
/// becomes one character if there is one, and marks come in canonical order. Bytes that are not
/// UTF-8 stay, and nothing is composed across them.
std::string normal_form_c(std::string_view text);

}  // namespace engine
