// SPDX-License-Identifier: MIT
// The standings on disk; the next run is compared with them.
#pragma once

#include <string>
#include <vector>

#include "term/score.hpp"

namespace term {

/// JSON with everything that a later run needs to report what has changed.
std::string stored(const std::vector<Standing>& standings);

/// The reverse; of students only the id and the name are kept, and no late days.
/// @throws std::runtime_error for text that stored() did not write.
std::vector<Standing> parse_stored(const std::string& json);

}  // namespace term
