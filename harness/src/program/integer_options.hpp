// SPDX-License-Identifier: MIT
// Integer scalars of a program's entries as command-line options.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "harness/entry.hpp"

namespace harness {

/// The values given for each integer scalar; empty if the entry's own value is to be used.
using IntegerOptions =
    std::array<std::vector<std::int64_t>, std::tuple_size_v<decltype(LabOptions::integer_names)>>;

/// Adds one option for each named integer scalar of the program's first entry. All entries of a
/// program that name their scalars must use the same names.
void add_integer_options(CLI::App& app, IntegerOptions& integers);

}  // namespace harness
