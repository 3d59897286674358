// SPDX-License-Identifier: MIT
// One run of the program: a model, its prompts, and what is printed.
#pragma once

#include "options.hpp"

namespace engine::program {

/// Text goes to standard output as it is generated, everything about it to standard error. Returns
/// the exit status. @throws std::exception saying in one sentence what is wrong.
int run(const Options& options);

}  // namespace engine::program
