// SPDX-License-Identifier: MIT
// Copies what a student needs, and seals what would give answers away.
#include "grader/handout/export_student.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "base/files.hpp"
#include "grader/exercise/starter.hpp"
#include "grader/exercise/variant.hpp"
#include "handout/exercises_text.hpp"
#include "handout/tracked_files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// Copied unchanged. Not in this list, and so not exported: solutions, the course's own tests, the
/// programs that compute the numbers in the texts, benchmarks, tools, CI.
constexpr std::array kCopied = {"CMakeLists.txt",
                                "CMakePresets.json",
                                "LICENSE",
                                ".clang-format",
                                ".gitignore",
                                ".vscode",
                                ".devcontainer",
                                "lab",
                                "cli",
                                "cmake",
                                "base",
                                "gpu",
                                "roofline",
                                "harness",
                                "grader",
                                "data",
                                "docs",
                                "topics",
                                "tests/support",
                                "templates/github-classroom"};

/// Excluded from the copied folders.
constexpr std::array kLeftOut = {"docs/values", "docs/figures"};

bool is_left_out(const fs::path& relative) {
  const std::string name = relative.generic_string();
  return std::any_of(kLeftOut.begin(), kLeftOut.end(),
                     [&](const char* prefix) { return name.starts_with(prefix); });
}

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  base::write_file_atomically(file, text);
}

bool is_copied(const fs::path& relative) {
  return !is_left_out(relative) &&
         std::any_of(kCopied.begin(), kCopied.end(), [&](const std::string& name) {
           return relative == name || relative.generic_string().starts_with(name + "/");
         });
}

/// Writes to one folder and counts files. A file that contains the secret is refused: somebody may
/// keep the secret in a folder that is copied.
class Writer {
 public:
  Writer(fs::path out, std::string secret, const std::optional<TrackedFiles>& known)
      : out_(std::move(out)), secret_(std::move(secret)), known_(known) {}

  void copy_tree(const fs::path& root, const fs::path& relative) {
    const fs::path source = root / relative;
    if (!fs::exists(source)) return;
    if (fs::is_regular_file(source)) return copy(root, relative);
    for (const auto& entry : fs::recursive_directory_iterator(source)) {
      const fs::path inside = entry.path().lexically_relative(root);
      if (known_ && !known_->tracked.contains(inside)) continue;
      if (entry.is_regular_file() && !is_left_out(inside)) copy(root, inside);
    }
  }
  void write(const fs::path& relative, const std::string& text) {
    refuse_secret(relative, text);
    write_text(out_ / relative, text);
    ++files_;
  }
  const fs::path& out() const { return out_; }
  std::size_t files() const { return files_; }

 private:
  void copy(const fs::path& root, const fs::path& relative) {
    if (!secret_.empty()) refuse_secret(relative, base::read_file(root / relative));
    fs::create_directories((out_ / relative).parent_path());
    fs::copy_file(root / relative, out_ / relative, fs::copy_options::overwrite_existing);
    ++files_;
  }

  void refuse_secret(const fs::path& relative, const std::string& text) const {
    if (secret_.empty() || text.find(secret_) == std::string::npos) return;
    throw std::runtime_error(relative.string() +
                             " has the secret in it and would be handed out; keep the secret "
                             "outside of the checkout, and delete " +
                             out_.string());
  }

  fs::path out_;
  std::string secret_;
  const std::optional<TrackedFiles>& known_;
  std::size_t files_ = 0;
};

/// @throws std::runtime_error when the folder is not empty or cannot be written.
void make_empty_folder(const fs::path& out) {
  std::error_code error;
  fs::create_directories(out, error);
  if (!error && !fs::is_empty(out, error) && !error) {
    throw std::runtime_error(out.string() + " is not empty; name a new folder");
  }
  if (error || ::access(out.c_str(), W_OK) != 0) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    throw std::runtime_error("cannot write the folder " + out.string() + " (" + reason +
                             "); name a new one where you may write");
  }
}

/// A file that a student may have left in topics/ of this checkout: not part of the course.
bool is_students_own(const fs::path& file, const Topic& topic) {
  if (file.filename().string().find(".mine-") != std::string::npos) return true;
  return std::any_of(topic.exercises.begin(), topic.exercises.end(), [&](const Exercise& e) {
    return !e.record().empty() && file == topic.folder / e.record();
  });
}

/// An instructor's notes and experiments may be among the course's files, and the grader cannot
/// tell which of them to hand out. @throws std::runtime_error naming them.
void refuse_unknown(const std::vector<Topic>& topics, const fs::path& root,
                    const TrackedFiles& known) {
  constexpr int kNamed = 10;
  std::string names;
  int count = 0;
  for (const fs::path& file : known.untracked) {
    const bool is_own = std::any_of(topics.begin(), topics.end(), [&](const Topic& topic) {
      return is_students_own(root / file, topic);
    });
    if (is_own || !is_copied(file)) continue;
    if (++count <= kNamed) names += (names.empty() ? "" : ", ") + file.string();
  }
  if (count == 0) return;
  if (count > kNamed) names += " and " + std::to_string(count - kNamed) + " more";
  throw std::runtime_error(names + (count == 1 ? " lies" : " lie") +
                           " in the course and git does not track " + (count == 1 ? "it" : "them") +
                           ": `git add` what belongs to the course, move the rest away");
}

/// The files that git tracks. @throws std::runtime_error if it tracks none, or not all.
TrackedFiles known_files(const std::vector<Topic>& topics, const fs::path& root) {
  std::optional<TrackedFiles> known = tracked_files(root);
  if (!known) {
    throw std::runtime_error(
        "git cannot say which files of " + root.string() +
        " belong to the course, and your own notes would be handed out with them: export a git "
        "checkout, or confirm with --all-files that every file in its folders is meant");
  }
  refuse_unknown(topics, root, *known);
  return std::move(*known);
}

void remove_students_work(const std::vector<Topic>& topics, const fs::path& root,
                          const fs::path& out) {
  for (const Topic& topic : topics) {
    for (const auto& entry : fs::recursive_directory_iterator(topic.folder)) {
      if (entry.is_regular_file() && is_students_own(entry.path(), topic)) {
        fs::remove(out / entry.path().lexically_relative(root));
      }
    }
  }
}

/// Writes derived starters, whatever the checkout's topics/ contain, and a second copy for ./lab
/// reset.
void write_starters_to(Writer& writer, const fs::path& root, const Variant& variant) {
  for (const Starter& starter : plan_starters(root, variant)) {
    const fs::path relative = starter.file.lexically_relative(root);
    writer.write(relative, starter.content);
    if (starter.solution.empty()) continue;
    writer.write(kStartersFolder / relative.lexically_relative("topics"), starter.content);
  }
}

/// Checks that the handout asks for the numbers that are sealed. @throws std::runtime_error if not.
void check_numbers(const Topic& topic, const fs::path& written, const Variant& variant) {
  std::vector<SchemaError> errors;
  const Topic read = load_topic(written, errors);
  if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
  for (std::size_t i = 0; i < topic.exercises.size(); ++i) {
    const Exercise& own = topic.exercises[i];
    for (std::size_t p = 0; p < own.parameters().size(); ++p) {
      const double sealed = value_of(own.parameters()[p], own.id, variant);
      if (read.exercises.at(i).parameters().at(p).canonical == sealed) continue;
      throw std::runtime_error(own.id + ": the handout would ask with another number " +
                               own.parameters()[p].name + " than is sealed; " + written.string() +
                               " must not be handed out");
    }
  }
}

/// Texts in the form that read_texts() of declaration.cpp reads, without the rest of their file:
/// whether a claim holds is the answer.
std::string texts_only(const std::map<double, std::string>& texts) {
  std::ostringstream out;
  out << "# Claims as one meets them in texts about performance; exercises ask which of them "
         "hold.\n";
  for (const auto& [number, text] : texts) {
    out << "\n[[claim]]\nnumber = " << number << "\nclaim = " << std::quoted(text) << "\n";
  }
  return out.str();
}

void write_readme(Writer& writer, const fs::path& templates, bool has_own_numbers) {
  if (!fs::exists(templates / "README.md")) return;
  std::string text = base::read_file(templates / "README.md");
  if (has_own_numbers) text += "\n" + base::read_file(templates / "own_numbers.md");
  writer.write("README.md", text);
}

/// Writes what replaces an exercise's solution; a sealed answer is added to `seals`.
void hand_out(Session& session, const Exercise& exercise, Writer& writer, std::vector<Seal>& seals,
              ExportSummary& summary) {
  const auto rule = exercise.rules().hand_out;
  if (rule == nullptr) return;
  HandedOut result = rule(session, exercise, kExportIterations);
  if (result.answer) seals.push_back(std::move(*result.answer));
  if (result.function) {
    writer.write(fs::path(kHandoutFolder) / "functions" / (exercise.id + ".txt"),
                 function_text(*result.function));
    ++summary.functions;
  }
  if (!result.unchecked.empty()) {
    summary.unchecked.push_back(exercise.id + ": " + result.unchecked);
  }
}

}  // namespace

bool has_other_numbers(const Exercise& exercise, const Variant& variant) {
  return std::any_of(
      exercise.parameters().begin(), exercise.parameters().end(),
      [&](const ExerciseParameter& p) { return value_of(p, exercise.id, variant) != p.canonical; });
}

bool can_be_sealed(const Exercise& exercise) {
  const KindRules& rules = exercise.rules();
  return rules.has_answer && rules.hand_out != nullptr && !exercise.needs_machine();
}

Seal seal_answer(Session& session, const Exercise& exercise, int iterations) {
  return exercise.rules().hand_out(session, exercise, iterations).answer.value();
}

ExportSummary export_student(Session& session, const fs::path& out, CourseFiles files) {
  const fs::path& root = session.workspace().root;
  const Variant& variant = session.workspace().variant;
  std::vector<SchemaError> errors;
  const std::vector<Topic> topics = load_topics(root, errors);
  if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
  std::optional<TrackedFiles> known;
  if (files == CourseFiles::kTracked) known = known_files(topics, root);
  make_empty_folder(out);
  Writer writer(out, variant.secret, known);
  for (const char* name : kCopied) writer.copy_tree(root, name);
  remove_students_work(topics, root, out);
  write_starters_to(writer, root, variant);
  write_readme(writer, root / "templates" / "student", !variant.secret.empty());

  ExportSummary summary;
  std::vector<Seal> seals;
  for (const Topic& topic : topics) {
    const fs::path toml = fs::path("topics") / topic.name / "exercises.toml";
    const ExercisesText text(topic, base::read_file(root / toml), toml.string());
    writer.write(toml, text.with_numbers_of(variant));
    for (const Exercise& exercise : topic.exercises) {
      for (const ExerciseParameter& parameter : exercise.parameters()) {
        if (parameter.texts.empty()) continue;
        writer.write(parameter.texts_file, texts_only(parameter.texts));
      }
      hand_out(session, exercise, writer, seals, summary);
      summary.drawn += has_other_numbers(exercise, variant) ? 1 : 0;
    }
    check_numbers(topic, out / "topics" / topic.name, variant);
  }
  writer.write(fs::path(kHandoutFolder) / "answers.json", seals_json(seals));
  summary.sealed = seals.size();
  summary.files = writer.files();
  return summary;
}

}  // namespace grader
