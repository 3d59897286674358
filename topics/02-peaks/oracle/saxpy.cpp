// SPDX-License-Identifier: MIT
// The oracle of SAXPY.
#include "harness/oracle/saxpy.hpp"

HARNESS_ORACLE(saxpy, harness::saxpy_task);
