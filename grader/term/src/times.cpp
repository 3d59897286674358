// SPDX-License-Identifier: MIT
// TOML date-times are RFC 3339, so TOML's parser reads the times in lists too.
#include "term/times.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <stdexcept>

#include "grader/batch/archive.hpp"
#include "grader/batch/class_list.hpp"
#include "toml_time.hpp"

namespace term {

std::optional<Time> time_of(const toml::date_time& when) {
  if (!when.offset) return std::nullopt;
  using namespace std::chrono;
  const year_month_day day{year{when.date.year}, month{when.date.month},
                           std::chrono::day{when.date.day}};
  return sys_days{day} + hours{when.time.hour} + minutes{when.time.minute} +
         seconds{when.time.second} - minutes{when.offset->minutes};
}

std::optional<Time> parse_time(const std::string& text) {
  // Only one value and nothing else.
  if (text.find_first_not_of("0123456789-+:.TtZz ") != std::string::npos) return std::nullopt;
  try {
    const toml::table table = toml::parse("time = " + text);
    const auto when = table["time"].value<toml::date_time>();
    return when ? time_of(*when) : std::nullopt;
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

std::string written(Time time, std::chrono::minutes offset) {
  using namespace std::chrono;
  time += offset;
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  const auto from_utc = abs(offset).count();
  const std::string zone = from_utc == 0
                               ? std::string("UTC")
                               : fmt::format("{}{:02}:{:02}", offset.count() < 0 ? '-' : '+',
                                             from_utc / 60, from_utc % 60);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} {}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(), zone);
}

std::map<std::string, AttemptTimes> read_times(const std::filesystem::path& file) {
  std::map<std::string, AttemptTimes> times;
  for (const grader::ListRow& row : grader::read_list(file, {"id", "time"})) {
    const std::string& text = row.fields.at("time");
    const std::optional<Time> time = parse_time(text);
    if (!time) {
      throw std::runtime_error(row.place + "\"" + text +
                               "\" is not a time such as 2026-10-20T23:59:00+02:00");
    }
    const auto named = row.fields.find("attempt");
    const std::string attempt =
        named == row.fields.end() ? "" : grader::without_archive_ending(named->second);
    if (!times[row.fields.at("id")].emplace(attempt, *time).second) {
      throw std::runtime_error(row.place + (attempt.empty() ? "id" : "attempt") + " used twice");
    }
  }
  return times;
}

}  // namespace term
