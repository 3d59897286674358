// SPDX-License-Identifier: MIT
// For a lab that is a complete program: its own main() runs when people start it.
#pragma once

namespace harness {

using MainFunction = int (*)(int argc, char** argv);

/// Called by HARNESS_MAIN. @throws std::logic_error when the program has one already.
bool register_main(MainFunction function);

}  // namespace harness

/// HARNESS_MAIN(roofline_main): started by a person, the program runs `function`; started by the
/// grader (--serve) it answers the grader as every lab does.
#define HARNESS_MAIN(function)                                    \
  [[maybe_unused]] static const bool harness_main_is_registered = \
      ::harness::register_main(&(function));
