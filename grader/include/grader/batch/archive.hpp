// SPDX-License-Identifier: MIT
// Reads the archives that students hand in, within limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

namespace grader {

/// Limits on what reading one archive may cost.
struct ArchiveLimits {
  double seconds = 20;
  std::int64_t kept_bytes = std::int64_t{64} << 20;    ///< of all files that are kept
  std::int64_t skipped_bytes = std::int64_t{4} << 30;  ///< unpacked only to be skipped
  int entries = 200000;
};

/// Thrown for a submission that cannot be read: the student's fault, not the grader's.
struct UnreadableSubmission : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One entry of an archive.
struct ArchiveEntry {
  std::string path;     ///< as stored, in UTF-8 if the archive says so, with / between folders
  std::string content;  ///< of a file that is kept
  std::string problem;  ///< why it is not kept: a link, too large, locked by a password
};

/// True for names with an archive's ending (.zip, .tar.gz, .7z ...), in any case.
bool is_archive_name(const std::string& name);
/// The name without that ending; the whole name if it has none.
std::string without_archive_ending(const std::string& name);

/// Passes every entry for which `is_wanted` holds (called with its path) to `take` and skips all
/// others. The formats are zip, tar, 7-Zip and RAR, compressed at most once. A file larger than
/// `largest_file` bytes is passed with a problem instead of its content.
/// @throws UnreadableSubmission for another format, a damaged archive, or one beyond a limit.
void read_archive(const std::filesystem::path& file, std::int64_t largest_file,
                  const std::function<bool(const std::string&)>& is_wanted,
                  const std::function<void(ArchiveEntry)>& take, const ArchiveLimits& limits = {});

}  // namespace grader
