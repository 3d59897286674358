// SPDX-License-Identifier: MIT
// Uses inotify on the folders, because editors replace files; time stamps tell what has changed.
#include "file_watch.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "base/descriptor.hpp"

namespace cli {

namespace fs = std::filesystem;

FileWatch::FileWatch(std::vector<fs::path> files, bool events) : files_(std::move(files)) {
  seen_ = look();
  if (!events) return;
  inotify_ = base::Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify_) return;
  std::set<fs::path> folders;
  for (const fs::path& file : files_) folders.insert(file.parent_path());
  for (const fs::path& folder : folders) {
    ::inotify_add_watch(inotify_.get(), folder.c_str(),
                        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY);
  }
}

std::map<fs::path, FileWatch::Stamp> FileWatch::look() const {
  std::map<fs::path, Stamp> stamps;
  for (const fs::path& file : files_) {
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) continue;  // missing between an editor's two steps
    stamps[file] = {
        static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec,
        static_cast<std::uintmax_t>(status.st_size)};
  }
  return stamps;
}

void FileWatch::drain_events() const {
  char buffer[4096];
  while (inotify_ && ::read(inotify_.get(), buffer, sizeof buffer) > 0) {
  }
}

bool FileWatch::changed() {
  using namespace std::chrono_literals;
  drain_events();
  std::map<fs::path, Stamp> now = look();
  if (now == seen_) return false;
  for (;;) {
    // An editor empties a file before it fills it, so wait until it no longer changes.
    std::this_thread::sleep_for(60ms);
    std::map<fs::path, Stamp> later = look();
    if (later == now) break;
    now = std::move(later);
  }
  drain_events();
  seen_ = std::move(now);
  return true;
}

}  // namespace cli
