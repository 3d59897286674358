// SPDX-License-Identifier: MIT
// A date-time of a TOML file as a point in time.
#pragma once

#include <toml++/toml.h>

#include <optional>

#include "term/times.hpp"

namespace term {

/// Nothing for one that does not say how far its clock is from UTC.
std::optional<Time> time_of(const toml::date_time& when);

}  // namespace term
