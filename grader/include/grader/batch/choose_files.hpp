// SPDX-License-Identifier: MIT
// Which files of a submission count: the topic of each file, and which of several copies.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// A file as found in a submission.
struct FoundFile {
  std::string path;  ///< from the submission's folder, with / between folders
  std::string content;
};

/// The content of the files that the exercises allow, by path relative to topics/.
struct Collected {
  std::map<std::string, std::string> files;  ///< "02-peaks/code/saxpy.cu" -> content
  std::vector<std::string> notes;            ///< what was refused or found twice, in words
  std::vector<std::string> unread{};         ///< "a.zip cannot be read: it is damaged"
};

/// True for paths below folders that are never handed in: solutions, hidden folders (.starters,
/// .git), build folders, what macOS adds.
bool is_never_handed_in(const std::string& path);

/// Paths of folders, each with a slash at its end; the empty one stands for the whole hand-in.
using Folders = std::set<std::string, std::less<>>;

/// True for paths below one of the folders. However many there are, it takes no longer than the
/// path is deep: a hand-in may have thousands of each.
bool lies_in(std::string_view path, const Folders& folders);

/// The course's own file whose path is the end of this one, as in "my copy/docs/pages/setup.md";
/// empty if there is none.
std::filesystem::path file_of_course(const std::string& path, const std::vector<Topic>& topics);

inline constexpr std::size_t kShownNames = 5;  ///< by list_of()

/// The first few of these paths, safe to print.
std::string list_of(const std::set<std::string>& paths);

/// The note on files that no topic asks for; without a full stop, so that it can be continued.
std::string not_asked_for(const std::set<std::string>& paths);

/// Chooses among files found anywhere in a submission, whatever their order. `topics` are all of
/// the course, because a file may belong to one that is not graded.
///
/// The topic is the one whose folder is in the path. If none is, or that topic does not ask for the
/// file, the content decides: the ids in an answers.toml, the names that a source registers; then
/// the file's name, if only one topic asks for it. A file taken from another topic's folder is
/// named in the notes, and so is one that no topic asks for, unless the course has the same.
///
/// The copy is chosen by the first rule that tells two apart: work before an untouched starter; a
/// path that ends in TOPIC/FILE, then one with the topic in it, then one without, then one with
/// another topic; fewer folders; the alphabet. A copy with other content is named in the notes,
/// unless it is the starter.
Collected choose_files(std::vector<FoundFile> found, const std::vector<Topic>& topics);

}  // namespace grader
