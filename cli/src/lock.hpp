// SPDX-License-Identifier: MIT
// One ./lab at a time builds, judges and writes in a checkout.
#pragma once

#include <filesystem>
#include <string_view>

#include "harness/channel.hpp"

namespace cli {

/// Held while something that two programs must not do at once is done. A second one says who is at
/// work and waits. The system lets go of it when the program ends, however it ends.
class Lock {
 public:
  /// `doing` is told to whoever waits, such as "check". @throws std::runtime_error.
  Lock(const std::filesystem::path& folder, std::string_view doing);

 private:
  harness::Descriptor descriptor_;
};

}  // namespace cli
