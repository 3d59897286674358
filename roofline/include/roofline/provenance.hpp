// SPDX-License-Identifier: MIT
// Where a figure of a machine comes from.
#pragma once

#include <string>

namespace roofline {

/// How far a figure can be trusted.
enum class Confidence {
  kCrossChecked,  ///< read in the named document and confirmed by a second source or a derivation
  kUnchecked,     ///< plausible, but not checked against the document: suspect it first
  kMeasured,      ///< measured on the machine itself
};

const char* to_string(Confidence confidence);

struct Provenance {
  std::string source;
  Confidence confidence = Confidence::kUnchecked;
  std::string note;
};

}  // namespace roofline
