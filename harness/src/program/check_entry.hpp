// SPDX-License-Identifier: MIT
// Runs a kernel on an oracle's task in the same process.
#pragma once

#include <functional>
#include <string>

#include "harness/compare.hpp"
#include "harness/entry.hpp"
#include "harness/task.hpp"

namespace harness {

/// Returns an empty text when all is right, else what is wrong, for people. The tolerance is that
/// of an output's element type. @throws Unsolved when the entry is a starter.
std::string check_entry(const LabEntry& entry, const Task& task,
                        const std::function<Tolerance(Element)>& tolerance_of);

}  // namespace harness
