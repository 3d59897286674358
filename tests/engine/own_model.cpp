// SPDX-License-Identifier: MIT
// The course's own model against what PyTorch computed with it.
#include <catch2/catch.hpp>
