// SPDX-License-Identifier: MIT
// Integer scalars of a program's entries as options of its command line.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "harness/entry.hpp"

namespace harness {

/// Values asked for, of each integer scalar; none where the entry's own is to be taken.
using IntegerOptions =
    std::array<std::vector<std::int64_t>, std::tuple_size_v<decltype(LabOptions::integer_names)>>;

/// One option for each named integer scalar of the program's first entry: entries of one program
/// that name their scalars name the same ones.
void add_integer_options(CLI::App& app, IntegerOptions& integers);

}  // namespace harness
