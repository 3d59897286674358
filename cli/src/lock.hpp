// SPDX-License-Identifier: MIT
// One ./lab at a time builds, judges and writes in a checkout.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_lock.hpp"

namespace cli {

/// Held while something that two programs must not do at once is done. A second one says who is at
/// work and waits. `doing` is told to whoever waits, such as "check". @throws std::runtime_error.
base::FileLock lock_checkout(const std::filesystem::path& folder, std::string_view doing);

}  // namespace cli
