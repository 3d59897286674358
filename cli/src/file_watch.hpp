// SPDX-License-Identifier: MIT
// Notices that files were saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "base/descriptor.hpp"
#include "harness/channel.hpp"

namespace cli {

/// Watches files for changes of their content. The system's events (inotify) make it fast.
/// Comparing times and sizes makes it reliable, also on network folders and container mounts, where
/// events do not arrive.
class FileWatch {
 public:
  /// With `events` false, it only polls.
  FileWatch(std::vector<std::filesystem::path> files, bool events);

  /// A descriptor to wait on: readable if something in the files' folders happened; -1 without
  /// events.
  int descriptor() const { return inotify_.get(); }
  /// True when a file has changed since the last call (or since the start) and no longer changes.
  bool changed();

 private:
  struct Stamp {
    std::int64_t nanoseconds = 0;
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  std::map<std::filesystem::path, Stamp> look() const;
  void drain_events() const;

  std::vector<std::filesystem::path> files_;
  base::Descriptor inotify_;
  std::map<std::filesystem::path, Stamp> seen_;
};

}  // namespace cli
