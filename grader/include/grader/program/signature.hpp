// SPDX-License-Identifier: MIT
// The parameters of a function as a source file declares them, so that messages can use their
// names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// One parameter: "const float* x" and "x".
struct SourceParameter {
  std::string declaration;  ///< without __restrict__ and default value
  std::string name;         ///< letters, digits and underscores; empty when it has none
};

/// The parameters of `function` where `source` defines it; empty when it does not. Source is read
/// as text, not compiled: what a macro makes is not seen.
std::vector<SourceParameter> parameters_of(std::string_view source, std::string_view function);

/// `text` cut at the commas that stand outside of all brackets, blanks at the ends taken off.
std::vector<std::string> split_arguments(std::string_view text);

}  // namespace grader
