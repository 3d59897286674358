// SPDX-License-Identifier: MIT
// One ./lab at a time builds, judges and writes in a checkout.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_lock.hpp"

namespace cli {

/// Held during work that two programs must not do at once. A second one says who holds it and
/// waits. `doing`, such as "check", is shown to whoever waits. @throws std::runtime_error.
base::FileLock lock_checkout(const std::filesystem::path& folder, std::string_view doing);

}  // namespace cli
