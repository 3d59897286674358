// SPDX-License-Identifier: MIT
// Decimal and binary prefixes, to be named where numbers are computed: `using namespace
// base::prefixes`.
#pragma once

namespace base::prefixes {

inline constexpr double kTera = 1e12;
inline constexpr double kGiga = 1e9;
inline constexpr double kMega = 1e6;
inline constexpr double kKilo = 1e3;
inline constexpr double kMilli = 1e-3;
inline constexpr double kMicro = 1e-6;
inline constexpr double kNano = 1e-9;
inline constexpr double kKibi = 1024;
inline constexpr double kMebi = 1024 * kKibi;
inline constexpr double kGibi = 1024 * kMebi;
inline constexpr double kPercent = 100;  ///< of one

}  // namespace base::prefixes
