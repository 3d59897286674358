// SPDX-License-Identifier: MIT
// A fourth machine for roofline.cu (ROOFLINE_MACHINE): a GPU's geometry, with numbers that count
// the operations done on them. Included in the namespace of the code that counts; see
// roofline_counted.cu.
#pragma once

#define ROOFLINE_NUMBER gpu::Counting<float>
#include "harness/machine/checked.hpp"
