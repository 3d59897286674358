// SPDX-License-Identifier: MIT
// The report's information about the machine, its driver and this build.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "memory/ladder.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"

namespace roofline::measure {

/// The device that kernels run on; its clock is left empty.
DeviceInfo device_info();

/// Sizes of the caches; 0 if the machine does not report them.
CacheSizes cache_sizes();

/// The cache hierarchy of one core or SM: its own caches and the full size of those that it shares.
CacheSizes cache_sizes_of_one_core();

/// Compiler, flags and commit of this build.
BuildInfo build_info();

/// The current time in UTC, as 2026-01-31T12:00:00Z.
std::string utc_now();

/// The machine file whose reported_as text occurs in the device's name; the longest match wins.
std::optional<Machine> datasheet_of(const std::string& device_name,
                                    const std::filesystem::path& folder);

}  // namespace roofline::measure
