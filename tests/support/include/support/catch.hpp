// SPDX-License-Identifier: MIT
// Catch2 under one name: the header moved between its versions 2 and 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
