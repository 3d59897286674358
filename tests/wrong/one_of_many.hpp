// SPDX-License-Identifier: MIT
// One program holds every wrong solution of a lab. Each has a folder with a link to that program,
// and the name of the folder says which of them runs: .../forgets_y/02-peaks/saxpy.
#pragma once

// The code that a wrong solution leaves out may contain the only use of a name.
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-local-typedefs"

namespace wrong {

/// Comes after the last line of solution `name`: its registrations are set aside, and discarded
/// unless this is the solution that runs. The next one registers the same names.
bool end_of(const char* name);

/// Comes after all solutions: registers what the one that runs had registered.
bool register_chosen();

}  // namespace wrong
