// SPDX-License-Identifier: MIT
// Only one ./lab at a time builds, judges and writes in a checkout.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_lock.hpp"

namespace cli {

/// Hold this lock during work that two programs must not do at once. A second program waits and
/// says who holds it. `doing`, such as "check", is shown in that message. @throws
/// std::runtime_error.
base::FileLock lock_checkout(const std::filesystem::path& folder, std::string_view doing);

}  // namespace cli
