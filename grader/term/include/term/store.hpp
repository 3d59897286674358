// SPDX-License-Identifier: MIT
// The standings on disk, against which the next run is compared.
#pragma once

#include <string>
#include <vector>

#include "term/score.hpp"

namespace term {

/// JSON with everything that a later run needs to say what became different.
std::string stored(const std::vector<Standing>& standings);

/// The reverse; of students only the id and the name are kept, of late days nothing is.
/// @throws std::runtime_error for text that stored() did not write.
std::vector<Standing> parse_stored(const std::string& json);

}  // namespace term
