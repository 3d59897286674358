// SPDX-License-Identifier: MIT
// The published claims of data/errata with the correct values, computed by the library.
#pragma once

#include <optional>
#include <string>
#include <vector>

/// One claim. A claim about a number has `claimed` and `correct`; one about a concept has `is_so`.
struct Claim {
  int number = 0;  ///< as in data/errata
  std::string id;
  std::optional<double> claimed;
  std::string unit;
  double (*correct)() = nullptr;
  bool (*is_so)() = nullptr;

  /// Whether the claim is right: for a number, within half a percent.
  bool holds() const;
};

/// All claims, in the order of their numbers.
const std::vector<Claim>& all_claims();

/// The claim with a number. @throws std::out_of_range when there is none.
const Claim& claim_numbered(double number);
