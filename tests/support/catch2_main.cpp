// SPDX-License-Identifier: MIT
// The main function of Catch2 2.x, compiled once for all test programs.
#define CATCH_CONFIG_MAIN
#include "support/catch.hpp"
