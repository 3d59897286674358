// SPDX-License-Identifier: MIT
// One program holds every wrong solution of a lab. Each has a folder with a link to that program,
// and the name of the folder says which of them runs: .../forgets_y/02-peaks/saxpy.
#pragma once

namespace wrong {

/// Comes after the last line of solution `name`: what it registered is put aside, and is forgotten
/// unless this is the solution that runs. The next one registers the same names.
bool end_of(const char* name);

/// Comes after all solutions: registers what the one that runs had registered.
bool register_chosen();

}  // namespace wrong
