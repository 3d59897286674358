// SPDX-License-Identifier: MIT
// Letters, numbers and white space of Unicode, by which tokenizers split text.
#pragma once

namespace engine {

/// Unicode's general category L (\p{L} of regular expressions).
bool is_letter(char32_t code);
/// General category N (\p{N}): digits, but also fractions and Roman numerals.
bool is_number(char32_t code);
/// The property White_Space (\s).
bool is_space(char32_t code);

}  // namespace engine
