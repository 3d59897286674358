// SPDX-License-Identifier: MIT
// For a lab that is a complete program, with its own main() for people.
#pragma once

namespace harness {

using MainFunction = int (*)(int argc, char** argv);

/// Called by HARNESS_MAIN. @throws std::logic_error if the program already has one.
bool register_main(MainFunction function);

}  // namespace harness

/// HARNESS_MAIN(roofline_main): if a person starts the program, it runs `function`; if the grader
/// does (--serve), it answers the grader like every lab.
#define HARNESS_MAIN(function)                                    \
  [[maybe_unused]] static const bool harness_main_is_registered = \
      ::harness::register_main(&(function));
