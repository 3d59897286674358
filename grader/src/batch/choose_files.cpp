// SPDX-License-Identifier: MIT
// Ranks the candidates for each required file.
#include "grader/batch/choose_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

#include "base/files.hpp"
#include "base/text.hpp"
#include "grader/exercise/answers.hpp"
#include "grader/program/sanitize.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// How a file was recognised; the first is the most specific.
enum class FoundBy { kByPath, kByTopicInPath, kByContent, kInOtherTopic };

/// A file that may be the required one.
struct Candidate {
  const FoundFile* file = nullptr;
  FoundBy found = FoundBy::kByContent;
  bool is_starter = false;
  std::ptrdiff_t place = 0;  ///< in the hand-in
};

std::string name_in(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream in(path);
  for (std::string part; std::getline(in, part, '/');) {
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

/// Whether is_it(folder) is true for one of the folders that a path leads through, from the whole
/// hand-in ("") on.
template <class IsIt>
bool any_folder_of(std::string_view path, const IsIt& is_it) {
  for (std::size_t end = 0; end != std::string_view::npos;) {
    if (is_it(path.substr(0, end))) return true;
    const std::size_t slash = path.find('/', end);
    end = slash == std::string_view::npos ? slash : slash + 1;
  }
  return false;
}

fs::path root_of(const std::vector<Topic>& topics) {
  return topics.empty() ? fs::path() : topics.front().folder.parent_path().parent_path();
}

/// The ending in lower case: ".toml", also for ANSWERS.TOML.
std::string ending_of(const std::string& path) {
  return base::lower_case(fs::path(name_in(path)).extension().string());
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The names that a source registers: "saxpy" and "LAB(saxpy" for HARNESS_LAB(saxpy, ...). Two
/// topics may have a lab with the same name and register it in different ways.
std::set<std::string> registered_names(const std::string& text) {
  constexpr std::string_view kMark = "HARNESS_";
  std::set<std::string> names;
  for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) {
    at += kMark.size();
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos) break;
    std::size_t begin = open + 1;
    while (begin < text.size() && text[begin] == ' ') ++begin;
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string name = text.substr(begin, end - begin);
    if (name.empty()) continue;
    names.insert(name);
    names.insert(text.substr(at, open + 1 - at) + name);
  }
  return names;
}

/// What a file is for, judging by its content.
std::set<std::string> names_in(const std::string& path, const std::string& content) {
  return ending_of(path) == ".toml" ? AnswerFile::parse(content).ids() : registered_names(content);
}

/// Everything that the course's topics ask for.
class Asked {
 public:
  using Matches = std::vector<std::pair<std::string, FoundBy>>;

  explicit Asked(const std::vector<Topic>& topics) : root_(root_of(topics)) {
    for (const Topic& topic : topics) {
      topics_.insert(topic.name);
      for (const Exercise& exercise : topic.exercises) {
        for (const std::string& file : exercise.files) add(topic, exercise, file);
      }
    }
  }

  /// The files that a path and its content match; several only if one file has the answers of
  /// several topics. Files of the topic whose folder is in the path come first.
  Matches files_of(const FoundFile& file) const {
    const std::vector<std::string> parts = parts_of(file.path);
    const auto topic = std::find_if(parts.rbegin(), parts.rend(), [&](const std::string& part) {
      return topics_.contains(part);
    });
    if (topic == parts.rend()) return by_content(file, files_);
    std::string rest = *topic;
    for (auto part = topic.base(); part != parts.end(); ++part) rest += "/" + *part;
    if (files_.contains(rest)) return {{rest, FoundBy::kByPath}};
    std::map<std::string, Wanted> own;
    std::copy_if(files_.begin(), files_.end(), std::inserter(own, own.end()),
                 [&](const auto& item) { return item.first.starts_with(*topic + "/"); });
    Matches result = by_content(file, own);
    for (auto& [name, found] : result) found = FoundBy::kByTopicInPath;
    if (!result.empty() || is_course_file(file.path)) return result;
    result = by_content(file, files_);
    for (auto& [name, found] : result) found = FoundBy::kInOtherTopic;
    return result;
  }

  /// In words, the required files of that name if the content does not tell which one it is:
  /// "sum.cu" of two topics. Empty unless there are several.
  std::string several(const FoundFile& file) const {
    std::vector<std::string> same;
    for (const auto& [name, what] : files_) {
      if (name_in(name) == name_in(file.path)) same.push_back(name);
    }
    std::string text;
    for (const std::string& name : same) text += (text.empty() ? "" : " or ") + name;
    return same.size() > 1 ? text : std::string();
  }

  /// Answers in a topic's file that belong to another topic and are not judged there: in words, one
  /// text for each file that they belong in.
  std::vector<std::string> misplaced(const FoundFile& file, const std::string& taken_as) const {
    std::map<std::string, std::string> by_file;
    const AnswerFile answers = AnswerFile::parse(file.content);
    for (const std::string& id : answers.ids()) {
      const StudentAnswer* answer = answers.find(id);
      if (answer == nullptr || answer->text.empty()) continue;
      for (const auto& [name, what] : files_) {
        if (name == taken_as || !name.ends_with(".toml") || !what.names.contains(id)) continue;
        std::string& ids = by_file[name];
        ids += (ids.empty() ? "" : ", ") + id;
      }
    }
    std::vector<std::string> notes;
    for (const auto& [name, ids] : by_file) {
      notes.push_back(sanitize_line(file.path) + " answers " + sanitize_line(ids) +
                      ", which is not read from that file: move it to topics/" + name);
    }
    return notes;
  }

  /// A file that every copy of the course has and that is not handed in.
  bool is_course_file(const std::string& path) const {
    const std::size_t at = path.find("topics/");
    return at != std::string::npos && fs::exists(root_ / path.substr(at));
  }

  bool is_starter(const std::string& name, const std::string& content) const {
    return files_.at(name).starter == content;
  }

 private:
  struct Wanted {
    std::set<std::string> names;  ///< ids of its exercises, and what its starter registers
    std::string starter;
  };

  void add(const Topic& topic, const Exercise& exercise, const std::string& file) {
    const auto [place, is_new] = files_.try_emplace(topic.name + "/" + file);
    if (is_new) {
      place->second.starter = base::read_file_if_any(topic.folder / file);
      place->second.names = names_in(file, place->second.starter);
    }
    const bool is_answer = file.ends_with(".toml");
    place->second.names.insert(is_answer ? exercise.id : exercise.entry);
  }

  static Matches by_content(const FoundFile& file, const std::map<std::string, Wanted>& wanted) {
    const std::set<std::string> names = names_in(file.path, file.content);
    const std::string ending = ending_of(file.path);
    std::map<double, std::vector<std::string>> by_likeness;
    std::vector<std::string> all;
    std::vector<std::string> same_name;
    for (const auto& [name, what] : wanted) {
      if (name_in(name) == name_in(file.path)) same_name.push_back(name);
      if (ending_of(name) != ending) continue;
      const double likeness = likeness_of(names, what.names);
      if (likeness == 0) continue;
      all.push_back(name);
      by_likeness[likeness].push_back(name);
    }
    if (ending == ".toml" && !all.empty()) return matches(all);
    std::vector<std::string> best = by_likeness.empty() ? same_name : by_likeness.rbegin()->second;
    if (best.size() > 1) {
      std::erase_if(best, [&](const auto& name) { return name_in(name) != name_in(file.path); });
    }
    return best.size() == 1 ? matches(best) : Matches{};
  }

  /// The number of common names relative to all names: a file that registers one lab is more like a
  /// file of one lab than like one of twenty.
  static double likeness_of(const std::set<std::string>& a, const std::set<std::string>& b) {
    const auto common = std::count_if(a.begin(), a.end(),
                                      [&](const std::string& name) { return b.contains(name); });
    const auto size = static_cast<double>(a.size() + b.size()) - static_cast<double>(common);
    return common == 0 ? 0 : static_cast<double>(common) / size;
  }

  static Matches matches(const std::vector<std::string>& names) {
    Matches result;
    for (const std::string& name : names) result.emplace_back(name, FoundBy::kByContent);
    return result;
  }

  fs::path root_;
  std::set<std::string> topics_;
  std::map<std::string, Wanted> files_;
};

/// Folders that contain topics/TOPIC: copies of the course.
Folders courses_in(const std::vector<FoundFile>& found, const std::vector<Topic>& topics) {
  Folders courses;
  for (const FoundFile& file : found) {
    for (const Topic& topic : topics) {
      const std::string place = "topics/" + topic.name + "/";
      const std::size_t at = file.path.find(place);
      if (at == 0 || (at != std::string::npos && file.path[at - 1] == '/')) {
        courses.insert(file.path.substr(0, at));
      }
    }
  }
  return courses;
}

/// Names of the course's own folders next to topics/, such as tests.
std::set<std::string, std::less<>> own_folders(const std::vector<Topic>& topics) {
  std::set<std::string, std::less<>> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root_of(topics), error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(error) && name != "topics") names.insert(name);
  }
  return names;
}

/// Whether a source differs from the course's file at this path in more than its line ends. Tables
/// do not count, because a handout has its own.
bool is_changed(const FoundFile& file, const fs::path& of_course) {
  if (ending_of(file.path) == ".toml") return false;
  const auto without_returns = [](std::string text) {
    std::erase(text, '\r');
    return text;
  };
  std::error_code error;
  return !fs::is_regular_file(of_course, error) ||
         without_returns(file.content) != without_returns(base::read_file_if_any(of_course));
}

/// In a copy of the course only topics/ is the student's work; its tests, for example, contain
/// wrong solutions. Returns the paths of files that differ from the course's.
std::set<std::string> drop_course_files(std::vector<FoundFile>& found,
                                        const std::vector<Topic>& topics) {
  const Folders courses = courses_in(found, topics);
  const std::set<std::string, std::less<>> folders = own_folders(topics);
  std::set<std::string> changed;
  std::erase_if(found, [&](const FoundFile& file) {
    return any_folder_of(file.path, [&](std::string_view folder) {
      const std::string_view rest = std::string_view(file.path).substr(folder.size());
      const std::size_t slash = rest.find('/');
      if (slash == std::string_view::npos || !folders.contains(rest.substr(0, slash)) ||
          !courses.contains(folder)) {
        return false;
      }
      if (is_changed(file, root_of(topics) / rest)) changed.insert(file.path);
      return true;
    });
  });
  return changed;
}

auto rank_of(const Candidate& candidate) {
  const std::string& path = candidate.file->path;
  // If an archive has a path twice, unpacking keeps the later entry.
  return std::tuple(candidate.is_starter, candidate.found,
                    std::count(path.begin(), path.end(), '/'), std::string_view(path),
                    -candidate.place);
}

/// Reports the copies that were not taken.
void note_copies(const std::string& name, const std::vector<Candidate>& ranked, Collected& out) {
  std::set<std::string> others;
  for (const Candidate& other : ranked) {
    if (other.is_starter || other.file->content == ranked.front().file->content) continue;
    others.insert(other.file->path);
  }
  if (others.empty()) return;
  out.notes.push_back(name + " exists several times with different content; used: " +
                      sanitize_line(ranked.front().file->path) + "; left: " + list_of(others));
}

}  // namespace

bool is_never_handed_in(const std::string& path) {
  const std::vector<std::string> parts = parts_of(path);
  return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
    return (part.starts_with(".") && part != "..") || part == "solutions" || part == "build" ||
           part.starts_with("cmake-build-") || part == "__MACOSX";
  });
}

bool lies_in(std::string_view path, const Folders& folders) {
  return any_folder_of(path, [&](std::string_view folder) { return folders.contains(folder); });
}

fs::path file_of_course(const std::string& path, const std::vector<Topic>& topics) {
  constexpr std::ptrdiff_t kDeepest = 12;  // no file of the course lies in as many folders
  const fs::path root = root_of(topics);
  const std::vector<std::string> parts = parts_of(path);
  std::error_code error;
  fs::path end;
  for (auto part = parts.rbegin(); part != parts.rend() && part - parts.rbegin() < kDeepest;
       ++part) {
    end = end.empty() ? fs::path(*part) : fs::path(*part) / end;
    if (fs::is_regular_file(root / end, error)) return root / end;
  }
  return {};
}

std::string list_of(const std::set<std::string>& paths) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string& path : paths) {
    if (++shown > kShownNames) return text + " and others";
    text += (text.empty() ? "" : ", ") + sanitize_line(path);
  }
  return text;
}

std::string not_asked_for(const std::set<std::string>& paths) {
  return list_of(paths) + (paths.size() == 1 ? " is not taken: no topic asks for it"
                                             : " are not taken: no topic asks for them");
}

Collected choose_files(std::vector<FoundFile> found, const std::vector<Topic>& topics) {
  std::set<std::string> changed = drop_course_files(found, topics);
  const Asked asked(topics);
  Collected out;
  std::map<std::string, std::vector<Candidate>> candidates;
  for (const FoundFile& file : found) {
    const auto names = asked.files_of(file);
    const fs::path of_course = names.empty() ? file_of_course(file.path, topics) : fs::path();
    if (!of_course.empty()) {
      if (is_changed(file, of_course)) changed.insert(file.path);
    } else if (names.empty()) {
      const std::string several = asked.several(file);
      out.notes.push_back(several.empty() ? not_asked_for({file.path})
                                          : sanitize_line(file.path) + " is not taken: it may be " +
                                                several + "; put it into the folder of its topic");
    }
    for (const auto& [name, how] : names) {
      candidates[name].push_back(
          {&file, how, asked.is_starter(name, file.content), &file - found.data()});
    }
  }
  if (!changed.empty()) {
    out.notes.push_back(not_asked_for(changed) +
                        (changed.size() == 1 ? ", and it is not" : ", and they are not") +
                        " as in the course");
  }
  for (auto& [name, ranked] : candidates) {
    std::sort(ranked.begin(), ranked.end(),
              [](const Candidate& a, const Candidate& b) { return rank_of(a) < rank_of(b); });
    out.files[name] = ranked.front().file->content;
    if (name.ends_with(".toml") && ranked.front().found != FoundBy::kByContent) {
      for (std::string& note : asked.misplaced(*ranked.front().file, name)) {
        out.notes.push_back(std::move(note));
      }
    }
    if (ranked.front().found == FoundBy::kInOtherTopic) {
      out.notes.push_back(sanitize_line(ranked.front().file->path) + " is taken as " + name +
                          ", where it belongs");
    }
    note_copies(name, ranked, out);
  }
  std::sort(out.notes.begin(), out.notes.end());
  return out;
}

}  // namespace grader
