// SPDX-License-Identifier: MIT
// A date-time of a TOML file as a point in time.
#pragma once

#include <toml++/toml.h>

#include <optional>

#include "term/times.hpp"

namespace term {

/// Nothing if it has no UTC offset.
std::optional<Time> time_of(const toml::date_time& when);

}  // namespace term
