// SPDX-License-Identifier: MIT
// Copies what a student needs, and seals what would give answers away.
#include "grader/export_student.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "grader/number.hpp"
#include "grader/starter.hpp"
#include "reference_value.hpp"
#include "roofline/measurement.hpp"
#include "roofline/text_file.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// Stored cases of one function: enough for every edge, few enough to be read in no time.
constexpr std::size_t kStoredCases = 300;

/// What is copied as it is. Not in the list and so not in the export: solutions, the course's own
/// tests, the programs that compute the numbers of the texts, benchmarks, tools, CI.
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
                                "gpu",
                                "roofline",
                                "harness",
                                "grader",
                                "data",
                                "docs",
                                "topics",
                                "tests/support",
                                "templates/github-classroom"};

/// Left out of what is copied.
constexpr std::array kLeftOut = {"docs/values"};

bool is_left_out(const fs::path& relative) {
  const std::string name = relative.generic_string();
  return std::any_of(kLeftOut.begin(), kLeftOut.end(),
                     [&](const char* prefix) { return name.starts_with(prefix); });
}

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  roofline::write_file_atomically(file, text);
}

/// Writes to one folder and counts files.
class Writer {
 public:
  explicit Writer(fs::path out) : out_(std::move(out)) {}

  void copy_tree(const fs::path& root, const fs::path& relative) {
    const fs::path source = root / relative;
    if (!fs::exists(source)) return;
    if (fs::is_regular_file(source)) return copy(root, relative);
    for (const auto& entry : fs::recursive_directory_iterator(source)) {
      const fs::path inside = entry.path().lexically_relative(root);
      if (entry.is_regular_file() && !is_left_out(inside)) copy(root, inside);
    }
  }
  void write(const fs::path& relative, const std::string& text) {
    write_text(out_ / relative, text);
    ++files_;
  }
  const fs::path& out() const { return out_; }
  std::size_t files() const { return files_; }

 private:
  void copy(const fs::path& root, const fs::path& relative) {
    fs::create_directories((out_ / relative).parent_path());
    fs::copy_file(root / relative, out_ / relative, fs::copy_options::overwrite_existing);
    ++files_;
  }

  fs::path out_;
  std::size_t files_ = 0;
};

/// What a student of this checkout may have left in topics/: not part of the course.
bool is_students_own(const fs::path& file, const Topic& topic) {
  if (file.filename().string().find(".mine-") != std::string::npos) return true;
  return std::any_of(topic.exercises.begin(), topic.exercises.end(), [&](const Exercise& e) {
    return !e.record.empty() && file == topic.folder / e.record;
  });
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

/// Starters as they are derived, whatever is in the checkout's topics/, and once more for ./lab
/// reset.
void write_starters_to(Writer& writer, const fs::path& root) {
  for (const Starter& starter : plan_starters(root)) {
    const fs::path relative = starter.file.lexically_relative(root);
    writer.write(relative, starter.content);
    if (starter.solution.empty()) continue;
    writer.write(kStartersFolder / relative.lexically_relative("topics"), starter.content);
  }
}

bool is_header(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string::npos && line[first] == '[';
}

/// exercises.toml without its misconceptions: a wrong value and what is wrong with it are the
/// answer.
std::string without_misconceptions(const std::string& toml, const std::string& name) {
  std::istringstream in(toml);
  std::string result;
  bool inside = false;
  bool in_array = false;
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find_first_not_of(" \t");
    const std::string text = first == std::string::npos ? "" : line.substr(first);
    if (text.starts_with("misconceptions") && text.find('=') != std::string::npos) in_array = true;
    if (in_array) {
      if (text.ends_with("]")) in_array = false;
      continue;
    }
    if (is_header(line)) inside = text.starts_with("[[exercise.misconceptions]]");
    if (!inside) result += line + '\n';
  }
  if (in_array || result.find("misconception") != std::string::npos) {
    throw std::runtime_error(name + ": its misconceptions could not be taken out");
  }
  return result;
}

/// Texts as read_texts() of exercise.cpp reads them, without whatever else their file says: whether
/// a claim holds is the answer.
std::string texts_only(const std::map<double, std::string>& texts) {
  std::ostringstream out;
  out << "# Claims as one meets them in texts about performance; exercises ask which of them "
         "hold.\n";
  for (const auto& [number, text] : texts) {
    out << "\n[[claim]]\nnumber = " << number << "\nclaim = " << std::quoted(text) << "\n";
  }
  return out.str();
}

std::vector<SealedMistake> mistakes_of(Session& session, const Exercise& exercise,
                                       double reference) {
  const std::vector<KnownMistake> listed = listed_mistakes(session, exercise);
  std::vector<SealedMistake> result;
  const auto add = [&](double value) {
    const std::string message =
        diagnose(value, reference, exercise.rtol, dimension_of(exercise), listed);
    if (!message.empty()) result.push_back({value, message});
  };
  for (const KnownMistake& mistake : listed) {
    add(mistake.value ? *mistake.value : mistake.factor.value_or(1) * reference);
  }
  for (const double factor : usual_factors()) add(factor * reference);
  if (reference != 0) add(1 / reference);
  return result;
}

void seal_exercise(Session& session, const Exercise& exercise, Writer& writer, StoredCounts& stored,
                   ExportSummary& summary) {
  switch (exercise.kind) {
    case Kind::kNumber:
    case Kind::kChoice:
      if (can_be_sealed(exercise)) {
        stored.seals.push_back(seal_answer(session, exercise, kExportIterations));
      } else {
        summary.unchecked.push_back(exercise.id + ": its answer depends on the machine");
      }
      return;
    case Kind::kCounted: {
      StoredCounts counts = store_counts(session, exercise, kExportIterations);
      std::move(counts.seals.begin(), counts.seals.end(), std::back_inserter(stored.seals));
      stored.limits.merge(counts.limits);
      return;
    }
    case Kind::kFunction:
      writer.write(fs::path(kHandoutFolder) / "functions" / (exercise.id + ".txt"),
                   function_text(store_function(session, exercise, kStoredCases)));
      ++summary.functions;
      return;
    case Kind::kSpeed:
      if (exercise.gpu_handout_roof <= 0) {
        summary.unchecked.push_back(exercise.id + ": " + exercise.no_roof);
      } else if (exercise.handout_roof <= 0 && !exercise.needs_gpu) {
        summary.unchecked.push_back(exercise.id + ": " + exercise.no_roof +
                                    " (a GPU's does judge)");
      }
      return;
    case Kind::kKernel:
    case Kind::kMeasurement:
    case Kind::kPrediction:
      return;  // truths and the student's own programs are all they need
  }
}

}  // namespace

bool can_be_sealed(const Exercise& exercise) {
  return (exercise.kind == Kind::kNumber || exercise.kind == Kind::kChoice) &&
         !exercise.needs_machine;
}

Seal seal_answer(Session& session, const Exercise& exercise, int iterations) {
  const ReferenceAnswer answer = session.reference(exercise, exercise.id);
  if (exercise.kind == Kind::kChoice) {
    std::vector<SealedWord> mistakes;
    for (const Misconception& m : exercise.misconceptions) mistakes.push_back({m.word, m.message});
    return seal_word(exercise.id, answer.word, mistakes, iterations);
  }
  const double reference = in_base_units(answer, exercise.unit);
  const double unit = in_base_units({1, exercise.unit, {}}, {});
  return seal_number(exercise.id, reference, exercise.rtol, exercise.atol * unit,
                     mistakes_of(session, exercise, reference), iterations);
}

ExportSummary export_student(Session& session, const fs::path& out) {
  const fs::path& root = session.workspace().root;
  if (fs::exists(out) && !fs::is_empty(out)) {
    throw std::runtime_error(out.string() + " is not empty; name a new folder");
  }
  std::vector<SchemaError> errors;
  const std::vector<Topic> topics = load_topics(root, errors);
  if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
  Writer writer(out);
  for (const char* name : kCopied) writer.copy_tree(root, name);
  remove_students_work(topics, root, out);
  write_starters_to(writer, root);
  const fs::path readme = root / "templates" / "student" / "README.md";
  if (fs::exists(readme)) writer.write("README.md", roofline::read_text_file(readme));

  ExportSummary summary;
  StoredCounts stored;
  for (const Topic& topic : topics) {
    const fs::path toml = fs::path("topics") / topic.name / "exercises.toml";
    writer.write(toml,
                 without_misconceptions(roofline::read_text_file(root / toml), toml.string()));
    for (const Exercise& exercise : topic.exercises) {
      for (const ExerciseParameter& parameter : exercise.parameters) {
        if (parameter.texts.empty()) continue;
        writer.write(parameter.texts_file, texts_only(parameter.texts));
      }
      seal_exercise(session, exercise, writer, stored, summary);
    }
  }
  writer.write(fs::path(kHandoutFolder) / "answers.json", seals_json(stored.seals));
  writer.write(fs::path(kHandoutFolder) / "limits.json", limits_json(stored.limits));
  summary.sealed = stored.seals.size();
  summary.files = writer.files();
  return summary;
}

}  // namespace grader
