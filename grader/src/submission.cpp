// SPDX-License-Identifier: MIT
// Collects allowed files from folders and archives.
#include "grader/submission.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "grader/content.hpp"
#include "grader/process.hpp"
#include "harness/channel.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestFile = 1 << 20;
constexpr std::int64_t kLargestArchive = std::int64_t{64} << 20;
constexpr int kMostEntries = 20000;
constexpr int kDeepestFolder = 12;

std::string archive_stem(const std::string& name) {
  for (const char* ending : {".tar.gz", ".tgz", ".tar", ".zip"}) {
    const std::string text(ending);
    if (name.size() > text.size() && name.ends_with(text)) {
      return name.substr(0, name.size() - text.size());
    }
  }
  return {};
}

/// Finds which allowed file a path in a submission is.
class AllowedFiles {
 public:
  explicit AllowedFiles(const std::vector<Topic>& topics) {
    for (const Topic& topic : topics) {
      for (const Exercise& exercise : topic.exercises) {
        for (const std::string& file : exercise.files) full_.insert(topic.name + "/" + file);
      }
    }
  }
  /// "TOPIC/FILE", or nothing for a file that is not asked for.
  std::optional<std::string> match(const std::string& path) const {
    for (const std::string& full : full_) {
      if (path == full || path.ends_with("/" + full)) return full;
    }
    std::optional<std::string> found;
    for (const std::string& full : full_) {
      const std::string file = full.substr(full.find('/') + 1);
      if (path != file && !path.ends_with("/" + file)) continue;
      if (found) return std::nullopt;  // two topics ask for a file of that name
      found = full;
    }
    return found;
  }

 private:
  std::set<std::string> full_;
};

void keep(Collected& collected, const std::string& name, std::string content) {
  const auto [place, is_new] = collected.files.emplace(name, std::move(content));
  if (!is_new) collected.notes.push_back(name + " is there twice; the first is taken");
}

/// Reads a regular file without following a link in its last part.
std::optional<std::string> read_plain_file(const fs::path& path) {
  const harness::Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (status.st_size > kLargestFile) return std::nullopt;
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  const ssize_t count = ::read(file.get(), content.data(), content.size());
  if (count != static_cast<ssize_t>(content.size())) return std::nullopt;
  return content;
}

void collect_folder(const fs::path& folder, const AllowedFiles& allowed, Collected& collected) {
  int entries = 0;
  // The iterator does not follow links to folders by itself.
  for (auto it =
           fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied);
       it != fs::recursive_directory_iterator(); ++it) {
    if (++entries > kMostEntries) throw std::runtime_error("the submission has too many files");
    if (it.depth() > kDeepestFolder) it.disable_recursion_pending();
    const std::string name = it->path().lexically_relative(folder).string();
    const auto match = allowed.match(name);
    if (!match) continue;
    if (auto content = read_plain_file(it->path())) {
      keep(collected, *match, std::move(*content));
    } else if (!it->is_directory()) {
      collected.notes.push_back(harmless(name, 1) + " is a link, no plain file, or too large");
    }
  }
}

using Archive = std::unique_ptr<archive, decltype(&archive_read_free)>;

std::string read_entry(archive* reader, std::int64_t& total) {
  std::string content;
  std::array<char, 65536> chunk{};
  while (true) {
    const la_ssize_t count = archive_read_data(reader, chunk.data(), chunk.size());
    if (count < 0) throw std::runtime_error("the archive is damaged");
    if (count == 0) return content;
    total += count;
    content.append(chunk.data(), static_cast<std::size_t>(count));
    if (static_cast<std::int64_t>(content.size()) > kLargestFile || total > kLargestArchive) {
      throw std::runtime_error("the archive holds too much");
    }
  }
}

void collect_archive(const fs::path& path, const AllowedFiles& allowed, Collected& collected) {
  const Archive reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_format_zip(reader.get());
  archive_read_support_format_tar(reader.get());
  if (archive_read_open_filename(reader.get(), path.c_str(), 65536) != ARCHIVE_OK) {
    throw std::runtime_error("the archive cannot be read");
  }
  archive_entry* entry = nullptr;
  std::int64_t total = 0;
  int entries = 0;
  while (true) {
    const int result = archive_read_next_header(reader.get(), &entry);
    if (result == ARCHIVE_EOF) return;
    if (result < ARCHIVE_WARN) throw std::runtime_error("the archive is damaged");
    if (++entries > kMostEntries) throw std::runtime_error("the archive has too many entries");
    const char* name = archive_entry_pathname(entry);
    const auto match = name == nullptr ? std::nullopt : allowed.match(name);
    if (!match) continue;
    const bool plain = archive_entry_filetype(entry) == AE_IFREG &&
                       archive_entry_hardlink(entry) == nullptr &&
                       archive_entry_symlink(entry) == nullptr;
    if (plain) {
      keep(collected, *match, read_entry(reader.get(), total));
    } else {
      collected.notes.push_back(*match + " is a link or no plain file");
    }
  }
}

}  // namespace

std::vector<Submission> find_submissions(const fs::path& folder) {
  std::vector<Submission> result;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".") || entry.is_symlink()) continue;
    const std::string stem = entry.is_directory() ? name : archive_stem(name);
    if (!stem.empty()) result.push_back({stem, entry.path()});
  }
  std::sort(result.begin(), result.end(),
            [](const Submission& a, const Submission& b) { return a.path < b.path; });
  return result;
}

Collected collect(const Submission& submission, const std::vector<Topic>& topics) {
  const AllowedFiles allowed(topics);
  Collected collected;
  if (fs::is_directory(submission.path)) {
    collect_folder(submission.path, allowed, collected);
  } else {
    collect_archive(submission.path, allowed, collected);
  }
  return collected;
}

std::string content_hash(const Collected& collected) {
  std::string all;
  for (const auto& [name, content] : collected.files) {
    all += name + '\0' + std::to_string(content.size()) + '\0' + content;
  }
  return sha256(all);
}

}  // namespace grader
