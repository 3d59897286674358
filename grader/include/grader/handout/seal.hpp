// SPDX-License-Identifier: MIT
// Answers that can be checked but not read: ciphertexts that open only with a value near the right
// one, or near a known wrong one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// How the number line is cut into bins. The key is derived from a bin's name, so a value opens a
/// ciphertext if a bin within `reach` of its own is the ciphertext's.
struct Grid {
  bool logarithmic = true;
  double width = 0;  ///< of a bin: in ln|x|, or in x
  int reach = 1;     ///< bins tried on each side
};

/// A grid on which everything within rtol and atol of `reference` opens, and little more. It
/// depends only on the tolerances, so it reveals nothing about the reference.
Grid grid_for(double reference, double rtol, double atol);

/// Name of the bin `steps` away from the one that x falls into.
std::string bin_name(const Grid& grid, double x, int steps = 0);

/// The ciphertexts of one question: the right answer and the known mistakes, in an order that
/// reveals nothing. Each holds a value and the message for it, encrypted with a key that is derived
/// from the name of the value's bin.
struct Seal {
  std::string label;  ///< part of every key: the id of the exercise
  std::string salt;   ///< hexadecimal
  int iterations = 0;
  Grid grid;
  std::vector<std::string> ciphertexts;  ///< hexadecimal
};

/// A mistake and the message for it.
struct SealedMistake {
  double value = 0;
  std::string message;
  bool is_exact = false;  ///< for this value only, such as one with too few digits
};

/// A wrong word and the message for it.
struct SealedWord {
  std::string word;
  std::string message;
};

/// PBKDF2 rounds per key: in a repository for students, and on a page that a phone may check.
inline constexpr int kExportIterations = 40000;
inline constexpr int kPageIterations = 10000;

/// Seals a number with its tolerance. Mistakes within tolerance of the right value are left out,
/// and so are those that an earlier one cannot be told from.
Seal seal_number(const std::string& label, double reference, double rtol, double atol,
                 const std::vector<SealedMistake>& mistakes, int iterations);
/// Seals a word. A mistake equal to the word is left out.
Seal seal_word(const std::string& label, const std::string& word,
               const std::vector<SealedWord>& mistakes, int iterations);

/// The result of opening a seal.
struct Opened {
  bool is_right = false;
  std::string message;  ///< for a mistake
  double value = 0;     ///< the mistake's, near the value that opened it
};

/// What a number opens, the nearest of several mistakes; nothing when it is neither the right one
/// nor a known mistake.
std::optional<Opened> open_number(const Seal& seal, double value);
/// What a word opens: not right and without a message when it opens nothing.
Opened open_word(const Seal& seal, const std::string& word);

}  // namespace grader
