// SPDX-License-Identifier: MIT
// PROGRAM-checked --profile: one call of an entry on the virtual GPU.
#pragma once

namespace harness {

/// main() of a lab program whose first argument is --profile.
int profile_main(int argc, char** argv);

}  // namespace harness
