// SPDX-License-Identifier: MIT
// Reads folders and archives, and keeps files that may be needed.
#include "grader/batch/submission.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "grader/batch/content.hpp"
#include "grader/program/process.hpp"
#include "grader/program/sanitize.hpp"
#include "harness/channel.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestFile = 1 << 20;
constexpr int kMostEntries = 200000;
constexpr int kDeepestFolder = 24;

bool is_source_name(const std::string& name) {
  const std::string ending = base::lower_case(fs::path(name).extension().string());
  return ending == ".cu" || ending == ".cpp" || ending == ".toml";
}

/// Endings that editors and mail programs turn .cu, .cpp and .toml into.
constexpr std::array<std::string_view, 9> kEndingsOfText = {".c",   ".cc", ".cxx", ".c++", ".cuda",
                                                            ".txt", ".md", ".rtf", ".docx"};

/// A student's own folder may have a name that is never handed in. Then the files skipped in it are
/// reported.
bool may_hide_work(const std::string& path) {
  const std::string in = "/" + path + "/";
  return in.find("/solutions/") != std::string::npos || in.find("/build/") != std::string::npos ||
         in.find("/cmake-build-") != std::string::npos;
}

bool is_utf16(const std::string& content) {
  return content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff");
}

/// Reads a submission into memory. All its content, in archives or not, shares one set of limits.
class Collector {
 public:
  explicit Collector(const std::vector<Topic>& topics) : topics_(topics) {
    for (const Topic& topic : topics) {
      for (const Exercise& exercise : topic.exercises) {
        for (const std::string& file : exercise.files) {
          names_.insert(fs::path(file).filename().string());
        }
      }
    }
  }

  void read_folder(const fs::path& folder) {
    int entries = 0;
    // The iterator does not follow links to folders by itself.
    for (auto it = fs::recursive_directory_iterator(folder,
                                                    fs::directory_options::skip_permission_denied);
         it != fs::recursive_directory_iterator(); ++it) {
      if (++entries > kMostEntries) throw UnreadableSubmission("it has too many files");
      std::string name = it->path().lexically_relative(folder).generic_string();
      std::replace(name.begin(), name.end(), '\\',
                   '/');  // some programs unpack Windows archives this way
      if (it->is_directory() && !it->is_symlink()) {
        const bool is_build = fs::exists(it->path() / "CMakeCache.txt");
        // Descends into solutions too, to report what was skipped there.
        const std::string leaf = it->path().filename().string();
        const bool is_left = is_never_handed_in(leaf) && !may_hide_work(leaf);
        if (it.depth() > kDeepestFolder || is_build || is_left) {
          it.disable_recursion_pending();
        }
      } else if (it->is_symlink() && it->is_directory()) {
        if (!is_never_handed_in(name)) note(name, "is a link to a folder, and is not followed");
      } else if (is_archive_name(name) && it->is_regular_file() && !it->is_symlink()) {
        read_inner_archive(it->path(), name);
      } else if (may_be_asked_for(name)) {
        read_file(it->path(), name);
      }
    }
  }

  /// An inner archive that cannot be read does not affect other files of the folder, and none of
  /// its content counts.
  void read_inner_archive(const fs::path& file, const std::string& name) {
    const std::size_t before = found_.size();
    const std::int64_t kept_before = kept_bytes_;
    try {
      read_archive_in(file, without_archive_ending(name) + "/");
    } catch (const UnreadableSubmission& error) {
      found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(before), found_.end());
      kept_bytes_ = kept_before;
      unread_.push_back(sanitize_line(name) + " cannot be read: " + error.what());
    }
  }

  void read_archive_in(const fs::path& file, const std::string& prefix) {
    ArchiveLimits left = limits_;
    left.kept_bytes -= kept_bytes_;
    left.seconds -= std::chrono::duration<double>(Clock::now() - start_).count();
    read_archive(
        file, kLargestFile, [&](const std::string& path) { return may_be_asked_for(path); },
        [&](ArchiveEntry entry) {
          if (entry.problem.empty()) {
            add(prefix + entry.path, std::move(entry.content));
          } else {
            note(prefix + entry.path, entry.problem);
          }
        },
        left);
  }

  /// Reads a regular file; the last part of its path must not be a link.
  void read_file(const fs::path& path, const std::string& name) {
    const base::Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
      return note(name, "is a link or not a regular file");
    }
    if (status.st_size > kLargestFile) return note(name, "is larger than 1 MB");
    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t count = ::read(file.get(), content.data(), content.size());
    if (count != static_cast<ssize_t>(content.size())) return note(name, "cannot be read");
    add(name, std::move(content));
  }

  Collected take() {
    drop_build_folders();
    Collected collected = choose_files(std::move(found_), topics_);
    if (!collected.files.empty()) note_others();
    collected.notes.insert(collected.notes.end(), notes_.begin(), notes_.end());
    collected.unread = std::move(unread_);
    cut(collected.notes);
    cut(collected.unread);
    if (collected.files.empty()) {
      collected.notes.push_back("it contains none of the required files" +
                                (others_.empty() ? "" : "; it holds " + list_of(others_)));
    }
    return collected;
  }

 private:
  void add(const std::string& name, std::string content) {
    if (is_utf16(content))
      note(name, "is written in UTF-16; save it as UTF-8, as compilers read it");
    kept_bytes_ += static_cast<std::int64_t>(content.size());
    if (kept_bytes_ > limits_.kept_bytes)
      throw UnreadableSubmission("its files are too large in total");
    found_.push_back({name, std::move(content)});
  }

  bool may_be_asked_for(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    if (name.empty()) return false;
    if (name == "CMakeCache.txt") builds_.insert(path.substr(0, path.size() - name.size()));
    if (is_source_name(name) || names_.contains(name) || is_given_header(path)) {
      if (!is_never_handed_in(path)) return true;
      if (names_.contains(name) && may_hide_work(path)) hidden_.insert(path);
    } else if (!is_never_handed_in(path) && !note_misnamed(path, name)) {
      others_.insert(path);
    }
    return false;
  }

  /// A header of the course: a student's changes to it are ignored, and reported.
  bool is_given_header(const std::string& path) const {
    return fs::path(path).extension() == ".hpp" && !file_of_course(path, topics_).empty();
  }

  /// Names files probably meant as part of the hand-in: formulas.cpp.txt, or an archive in an
  /// archive.
  bool note_misnamed(const std::string& path, const std::string& name) {
    if (is_archive_name(name)) {
      note(path, "is an archive in an archive, and is not opened");
      return true;
    }
    const std::string stem = base::lower_case(fs::path(name).stem().string());
    const std::string ending = base::lower_case(fs::path(name).extension().string());
    for (const std::string& asked : names_) {
      const bool has_other_ending =
          std::ranges::find(kEndingsOfText, ending) != kEndingsOfText.end() &&
          stem == base::lower_case(fs::path(asked).stem().string());
      if (!name.starts_with(asked) && !has_other_ending) continue;
      note(path, "is not taken; is it meant as " + asked + "?");
      return true;
    }
    return false;
  }

  /// Reports the other files of a hand-in, except files of the course.
  void note_others() {
    std::set<std::string> own;
    for (const std::string& path : others_) {
      if (!file_of_course(path, topics_).empty()) continue;
      own.insert(path);
      if (own.size() > kShownNames) break;
    }
    if (own.empty()) return;
    notes_.push_back(not_asked_for(own));
  }

  void drop_build_folders() {
    const auto is_built = [&](const std::string& path) { return lies_in(path, builds_); };
    std::erase_if(found_, [&](const FoundFile& file) { return is_built(file.path); });
    std::erase_if(hidden_, is_built);
    std::erase_if(others_, is_built);
    // A copy of the course contains its own solutions.
    const bool is_course = std::any_of(found_.begin(), found_.end(), [](const FoundFile& file) {
      return ("/" + file.path).find("/topics/") != std::string::npos;
    });
    if (hidden_.empty() || is_course) return;
    notes_.push_back("folders named solutions or build are not graded; ignored in them: " +
                     list_of(hidden_));
  }

  /// One hand-in must not fill the list of everybody's problems.
  static void cut(std::vector<std::string>& notes) {
    constexpr std::size_t kMostNotes = 20;
    if (notes.size() <= kMostNotes) return;
    const std::size_t left = notes.size() - kMostNotes;
    notes.resize(kMostNotes);
    notes.push_back("and " + std::to_string(left) + " more like these");
  }

  void note(const std::string& name, const std::string& problem) {
    notes_.push_back(sanitize_line(name) + " " + problem);
  }

  const std::vector<Topic>& topics_;
  std::set<std::string> names_;  ///< of the required files, without folders
  using Clock = std::chrono::steady_clock;
  const ArchiveLimits limits_;
  const Clock::time_point start_ = Clock::now();
  std::int64_t kept_bytes_ = 0;
  std::vector<FoundFile> found_;
  std::vector<std::string> notes_;
  std::vector<std::string> unread_;  ///< archives in a folder
  std::set<std::string> others_;
  std::set<std::string> hidden_;  ///< required by name, see may_hide_work()
  Folders builds_;                ///< folders of an archive that hold a CMakeCache.txt
};

/// Why an entry of the folder is not a submission; empty for one that is.
std::string why_no_submission(const fs::directory_entry& entry, const std::string& name) {
  if (entry.is_symlink()) return "is a link";
  if (entry.is_directory() || (entry.is_regular_file() && is_archive_name(name))) return {};
  if (entry.is_regular_file() && is_source_name(name)) return {};
  return "is neither a folder nor an archive nor a source";
}

}  // namespace

Found find_submissions(const fs::path& folder) {
  Found result;
  if (!fs::is_directory(folder)) {
    throw std::runtime_error(folder.string() +
                             (fs::exists(folder) ? " is not a folder" : " does not exist") +
                             "; name the folder that holds the submissions");
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".") || name == "__MACOSX") continue;
    const std::string reason = why_no_submission(entry, name);
    if (!reason.empty()) {
      result.others.push_back({base::utf8_or_escaped(entry.path().stem().string()),
                               sanitize_line(name) + " " + reason});
      continue;
    }
    const bool is_source = !entry.is_directory() && !is_archive_name(name);
    const std::string stem = entry.is_directory() ? name
                             : is_source          ? entry.path().stem().string()
                                                  : without_archive_ending(name);
    result.submissions.push_back({base::utf8_or_escaped(stem), entry.path()});
  }
  std::sort(result.submissions.begin(), result.submissions.end(),
            [](const Submission& a, const Submission& b) {
              return base::natural_less(a.path.filename().string(), b.path.filename().string());
            });
  std::sort(result.others.begin(), result.others.end(),
            [](const Other& a, const Other& b) { return a.problem < b.problem; });
  return result;
}

bool is_single_file(const Submission& submission) {
  return !fs::is_directory(submission.path) &&
         !is_archive_name(submission.path.filename().string());
}

Collected collect(const Submission& submission, const std::vector<Topic>& topics) {
  Collector collector(topics);
  if (fs::is_directory(submission.path)) {
    collector.read_folder(submission.path);
  } else if (is_single_file(submission)) {
    collector.read_file(submission.path, submission.path.filename().string());
    for (const fs::path& file : submission.beside) {
      collector.read_file(file, file.filename().string());
    }
  } else {
    collector.read_archive_in(submission.path, "");
  }
  return collector.take();
}

void keep_asked_for(Collected& collected, const std::vector<Topic>& topics) {
  std::set<std::string> asked;
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      for (const std::string& file : exercise.files) asked.insert(topic.name + "/" + file);
    }
  }
  std::erase_if(collected.files, [&](const auto& file) { return !asked.contains(file.first); });
}

std::string content_hash(const Collected& collected) {
  std::string all;
  for (const auto& [name, content] : collected.files) {
    all += name + '\0' + std::to_string(content.size()) + '\0' + content;
  }
  return sha256(all);
}

}  // namespace grader
