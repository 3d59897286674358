// SPDX-License-Identifier: MIT
// Runs a kernel on an oracle's task in the same process.
#pragma once

#include <functional>
#include <string>

#include "harness/compare.hpp"
#include "harness/entry.hpp"
#include "harness/task.hpp"

namespace harness {

/// Returns an empty text if all is right, else what is wrong. The tolerance depends on the output's
/// element type. @throws Unsolved if the entry is a starter.
std::string check_entry(const LabEntry& entry, const Task& task,
                        const std::function<Tolerance(Element)>& tolerance_of);

}  // namespace harness
