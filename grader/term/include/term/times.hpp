// SPDX-License-Identifier: MIT
// Dates and times in the formats that courses use.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace term {

using Time = std::chrono::sys_seconds;

/// Reads "2026-10-20T23:59:00+02:00" (RFC 3339; a blank may replace the T). Nothing for any other
/// text, and for one without the UTC offset.
std::optional<Time> parse_time(const std::string& text);

/// "2026-10-20 23:59:00 +02:00", with the given UTC offset; "2026-10-20 21:59:00 UTC" without one.
std::string written(Time time, std::chrono::minutes offset = {});

/// When a student's attempts were handed in, by their names without .zip; "" means all others.
using AttemptTimes = std::map<std::string, Time>;

/// When each student handed in: a CSV file with the columns id and time, and attempt if a student
/// handed in several times. The separators are those of class lists.
/// @throws std::runtime_error naming file and line.
std::map<std::string, AttemptTimes> read_times(const std::filesystem::path& file);

}  // namespace term
