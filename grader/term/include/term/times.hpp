// SPDX-License-Identifier: MIT
// Dates and times as courses write them.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace term {

using Time = std::chrono::sys_seconds;

/// Reads "2026-10-20T23:59:00+02:00" (RFC 3339; a blank may stand for the T). Nothing if the text
/// is something else, or lacks the offset from UTC.
std::optional<Time> parse_time(const std::string& text);

/// "2026-10-20 23:59:00 +02:00", by a clock that is `offset` from UTC; "2026-10-20 21:59:00 UTC".
std::string written(Time time, std::chrono::minutes offset = {});

/// When a student's attempts were handed in, by their names without .zip; "" stands for all others.
using AttemptTimes = std::map<std::string, Time>;

/// When each student handed in: a CSV with the columns id and time, and attempt where one student
/// handed in several times, separated as class lists may be.
/// @throws std::runtime_error naming file and line.
std::map<std::string, AttemptTimes> read_times(const std::filesystem::path& file);

}  // namespace term
