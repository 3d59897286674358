// SPDX-License-Identifier: MIT
// Decompose, put marks in order, compose: the three steps of Annex 15.
#include "engine/text/normal_form.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "decompositions.hpp"

namespace engine {
namespace {

using Codes = std::u32string;

// A Hangul syllable consists of a leading consonant, a vowel, and possibly a trailing consonant.
constexpr char32_t kSyllables = 0xAC00, kLeading = 0x1100, kVowels = 0x1161, kTrailing = 0x11A7;
constexpr char32_t kLeadingCount = 19, kVowelCount = 21, kTrailingCount = 28;
constexpr char32_t kSyllableCount = kLeadingCount * kVowelCount * kTrailingCount;

/// Below this nothing changes: there are no marks, and every character is already composed.
constexpr char32_t kFirstMark = 0x300;

void append_utf8(std::string& text, char32_t code) {
  const auto put = [&](char32_t bits) { text += static_cast<char>(bits); };
  const auto rest = [&](int shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    rest(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    rest(6);
    rest(0);
  } else {
    put(0xF0 | code >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

unsigned char class_of(char32_t code) {
  const auto ranges = combining_ranges();
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t c, const CombiningRange& range) { return c < range.first; });
  if (after == ranges.begin() || code > std::prev(after)->last) return 0;
  return std::prev(after)->combining_class;
}

void decompose(char32_t code, Codes& to) {
  if (code >= kSyllables && code < kSyllables + kSyllableCount) {
    const char32_t number = code - kSyllables;
    to += kLeading + number / (kVowelCount * kTrailingCount);
    to += kVowels + number / kTrailingCount % kVowelCount;
    if (number % kTrailingCount > 0) to += kTrailing + number % kTrailingCount;
    return;
  }
  const auto all = decompositions();
  const auto found =
      std::lower_bound(all.begin(), all.end(), code,
                       [](const Decomposition& known, char32_t c) { return known.whole < c; });
  if (found == all.end() || found->whole != code) {
    to += code;
    return;
  }
  decompose(found->first, to);
  if (found->second != 0) decompose(found->second, to);
}

/// The character that two characters compose to; 0 if there is none.
char32_t composed(char32_t first, char32_t second) {
  if (first >= kLeading && first < kLeading + kLeadingCount && second >= kVowels &&
      second < kVowels + kVowelCount) {
    return kSyllables + ((first - kLeading) * kVowelCount + second - kVowels) * kTrailingCount;
  }
  if (first >= kSyllables && first < kSyllables + kSyllableCount &&
      (first - kSyllables) % kTrailingCount == 0 && second > kTrailing &&
      second < kTrailing + kTrailingCount) {
    return first + second - kTrailing;
  }
  static const auto kPairs = [] {
    std::map<std::pair<char32_t, char32_t>, char32_t> pairs;
    for (const Decomposition& known : decompositions()) {
      if (known.is_composed) pairs[{known.first, known.second}] = known.whole;
    }
    return pairs;
  }();
  const auto found = kPairs.find({first, second});
  return found == kPairs.end() ? 0 : found->second;
}

void put_marks_in_order(Codes& codes) {
  for (auto begin = codes.begin(); begin != codes.end();) {
    const auto is_mark = [](char32_t code) { return class_of(code) != 0; };
    const auto first = std::find_if(begin, codes.end(), is_mark);
    const auto last = std::find_if_not(first, codes.end(), is_mark);
    std::stable_sort(first, last, [](char32_t a, char32_t b) { return class_of(a) < class_of(b); });
    begin = last;
  }
}

/// Each character is composed with the last starter before it, unless a mark that stays blocks it:
/// one of its own class or of a higher one.
void compose(Codes& codes) {
  Codes result;
  std::size_t starter = Codes::npos;
  int last_class = 0;  // of the marks that stay after the starter
  for (const char32_t code : codes) {
    const int own_class = class_of(code);
    const bool is_next = starter != Codes::npos && result.size() == starter + 1;
    if (starter != Codes::npos && (is_next || last_class < own_class)) {
      if (const char32_t both = composed(result[starter], code); both != 0) {
        result[starter] = both;
        continue;
      }
    }
    if (own_class == 0) starter = result.size();
    last_class = own_class;
    result += code;
  }
  codes = std::move(result);
}

}  // namespace

std::string normal_form_c(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    Codes codes;
    std::size_t bytes = 0;
    bool changes = false;
    while (bytes < text.size()) {
      const base::Character next = base::first_character(text.substr(bytes));
      if (next.code == base::kInvalid) break;
      changes = changes || next.code >= kFirstMark;
      codes += next.code;
      bytes += next.bytes;
    }
    if (changes) {
      Codes parts;
      for (const char32_t code : codes) decompose(code, parts);
      put_marks_in_order(parts);
      compose(parts);
      for (const char32_t code : parts) append_utf8(result, code);
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
    if (text.empty()) break;
    result += text.front();  // not UTF-8
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace engine
