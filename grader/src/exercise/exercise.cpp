// SPDX-License-Identifier: MIT
// Reads exercises.toml: the fields of all kinds, and constraints between exercises.
#include "grader/exercise/exercise.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <type_traits>
#include <variant>

#include "exercise/declaration.hpp"
#include "exercise/table_reader.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

std::optional<Kind> kind_of(std::string_view word) {
  for (const Kind kind : all_kinds()) {
    if (name_of(kind) == word) return kind;
  }
  return std::nullopt;
}

bool is_id(const std::string& text) {
  const bool characters = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::islower(c) || std::isdigit(c) || c == '.' || c == '-' || c == '_';
  });
  return characters && text.size() >= 4 && std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::isdigit(static_cast<unsigned char>(text[1])) && text[2] == '.';
}

std::vector<Misconception> read_misconceptions(TableReader& reader, Complaints& complaints) {
  std::vector<Misconception> result;
  reader.items("misconceptions", false, [&](const toml::node& item) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return reader.complain(item, "misconceptions", "must be tables");
    TableReader entry(*table, "misconceptions.", complaints);
    Misconception m;
    if (entry.has("value")) m.value = entry.number("value", false, 0);
    if (entry.has("factor")) m.factor = entry.number("factor", false, 1);
    m.answer = entry.text("answer", false);
    m.word = entry.text("word", false);
    m.message = entry.text("message", true);
    entry.complain_about_unknown_keys();
    const int given = (m.value ? 1 : 0) + (m.factor ? 1 : 0) + (m.answer.empty() ? 0 : 1) +
                      (m.word.empty() ? 0 : 1);
    if (given != 1) entry.complain("value", "give exactly one of value, factor, answer and word");
    m.line = static_cast<int>(item.source().begin.line);
    result.push_back(std::move(m));
  });
  return result;
}

/// A choice's misconceptions are words, each at most once; those of other kinds have no word.
void check_words(const Exercise& exercise, Complaints& complaints) {
  const std::vector<std::string>& choices = exercise.choices();
  std::set<std::string> seen;
  for (const Misconception& m : exercise.misconceptions) {
    const auto complain = [&](const std::string& message) {
      complaints.add_at(m.line, 1, "misconceptions.word", message);
    };
    if (m.word.empty()) {
      if (!choices.empty()) complain("is missing: a mistake of a choice is a word");
    } else if (choices.empty()) {
      complain("is only for a choice; give value, factor or answer");
    } else if (std::find(choices.begin(), choices.end(), m.word) == choices.end()) {
      complain("'" + m.word + "' is not one of the choices");
    } else if (!seen.insert(m.word).second) {
      complain("'" + m.word + "' has two messages");
    }
  }
}

void read_common(TableReader& reader, Exercise& exercise, Complaints& complaints) {
  exercise.id = reader.text("id", true);
  exercise.title = reader.text("title", true);
  exercise.task = reader.text("task", true);
  exercise.points = reader.number("points", true, 1);
  exercise.writeup = reader.text("writeup", true);
  exercise.hints = reader.texts("hints", true);
  exercise.builds_on = reader.texts("builds_on", false);
  exercise.misconceptions = read_misconceptions(reader, complaints);
  exercise.needs_gpu = reader.flag("gpu");
  if (!exercise.id.empty() && !is_id(exercise.id)) {
    reader.complain("id", "must look like 02.saxpy.ai (two digits, then lower-case words)");
  }
  if (exercise.points <= 0) reader.complain("points", "must be greater than 0");
}

std::optional<Exercise> read_exercise(const toml::table& table, Complaints& complaints,
                                      const fs::path& root) {
  const std::size_t before = complaints.count();
  Exercise exercise;
  exercise.line = static_cast<int>(table.source().begin.line);
  TableReader reader(table, "", complaints);
  read_common(reader, exercise, complaints);
  const std::string kind = reader.text("kind", true);
  if (const auto known = kind_of(kind)) {
    Declaration declaration(reader, complaints, root);
    rules_of(*known).read(declaration, exercise);
    check_words(exercise, complaints);
    reader.complain_about_unknown_keys();
  } else if (!kind.empty()) {
    reader.complain("kind", "'" + kind + "' is not a kind of exercise");
  }
  if (complaints.count() != before) return std::nullopt;
  return exercise;
}

void read_file(const fs::path& file, Topic& topic, std::vector<SchemaError>& errors) {
  Complaints complaints(file, errors);
  const fs::path checkout = topic.folder.parent_path().parent_path();
  try {
    const toml::table root = toml::parse_file(file.string());
    TableReader reader(root, "", complaints);
    topic.budget_seconds = 60 * reader.number("budget_minutes", false, 10);
    if (!(topic.budget_seconds > 0)) reader.complain("budget_minutes", "must be positive");
    reader.items("exercise", true, [&](const toml::node& item) {
      const toml::table* table = item.as_table();
      if (table == nullptr) return reader.complain(item, "exercise", "must be [[exercise]]");
      if (auto exercise = read_exercise(*table, complaints, checkout)) {
        exercise->topic = topic.name;
        topic.exercises.push_back(std::move(*exercise));
      }
    });
    reader.complain_about_unknown_keys();
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    complaints.add_at(static_cast<int>(begin.line), static_cast<int>(begin.column), "file",
                      std::string(error.description()));
  }
}

void check_ids(const std::vector<Topic>& topics, std::vector<SchemaError>& errors) {
  std::map<std::string, const Exercise*> seen;
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      const auto [place, is_new] = seen.emplace(exercise.id, &exercise);
      if (is_new) continue;
      errors.push_back({topic.folder / "exercises.toml", exercise.line, 1, "id",
                        "'" + exercise.id + "' is used twice (first in " + place->second->topic +
                            ", line " + std::to_string(place->second->line) + ")"});
    }
  }
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      for (const std::string& earlier : exercise.builds_on) {
        if (seen.contains(earlier)) continue;
        errors.push_back({topic.folder / "exercises.toml", exercise.line, 1, "builds_on",
                          "'" + earlier + "' is not an exercise"});
      }
    }
  }
}

/// Links each exercise about how a kernel works to the one that judges the kernel's results.
void find_kernels(Topic& topic) {
  for (Exercise& exercise : topic.exercises) {
    if (!exercise.rules().judges_how) continue;
    for (const Exercise& other : topic.exercises) {
      if (other.rules().judges_results && other.program == exercise.program &&
          other.entry == exercise.entry) {
        exercise.kernel = std::make_shared<const Exercise>(other);
        break;
      }
    }
  }
}

/// A parameter with same_as has the other exercise's value, choices and texts.
void copy_shared_parameters(Topic& topic, std::vector<SchemaError>& errors) {
  const auto original = [&](const std::string& id, const std::string& name) {
    const ExerciseParameter* found = nullptr;
    for (const Exercise& exercise : topic.exercises) {
      for (const ExerciseParameter& p : exercise.parameters()) {
        if (exercise.id == id && p.name == name && p.same_as.empty()) found = &p;
      }
    }
    return found;
  };
  for (Exercise& exercise : topic.exercises) {
    std::vector<ExerciseParameter>* parameters = exercise.drawn_parameters();
    if (parameters == nullptr) continue;
    for (ExerciseParameter& parameter : *parameters) {
      if (parameter.same_as.empty()) continue;
      const std::string from = parameter.same_as;
      if (const ExerciseParameter* other = original(from, parameter.name)) {
        parameter = *other;
        parameter.same_as = from;
      } else {
        errors.push_back(
            {topic.folder / "exercises.toml", exercise.line, 1,
             "parameters." + parameter.name + ".same_as",
             "'" + from + "' is not an exercise of this topic that draws this parameter"});
      }
    }
  }
}

bool is_topic_name(const std::string& name) {
  return name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::isdigit(static_cast<unsigned char>(name[1])) && name[2] == '-';
}

/// What `get` returns for the fields of a kind; an empty value if it is for fields of other kinds.
template <class Value, class Get>
const Value& field_or_empty(const KindFields& fields, Get get) {
  static const Value kEmpty;
  return std::visit(
      [&](const auto& own) -> const Value& {
        if constexpr (std::is_invocable_v<Get, decltype(own)>) return get(own);
        return kEmpty;
      },
      fields);
}

}  // namespace

const std::string& Exercise::unit() const {
  return field_or_empty<std::string>(fields,
                                     [](auto& own) -> decltype((own.unit)) { return own.unit; });
}

const std::vector<std::string>& Exercise::choices() const {
  return field_or_empty<std::vector<std::string>>(
      fields, [](auto& own) -> decltype((own.choices)) { return own.choices; });
}

const std::string& Exercise::record() const {
  return field_or_empty<std::string>(
      fields, [](auto& own) -> decltype((own.record)) { return own.record; });
}

const std::string& Exercise::precision() const {
  return field_or_empty<std::string>(
      fields, [](auto& own) -> decltype((own.precision)) { return own.precision; });
}

const std::string& Exercise::no_roof() const {
  return field_or_empty<std::string>(
      fields, [](auto& own) -> decltype((own.no_roof)) { return own.no_roof; });
}

bool Exercise::needs_machine() const {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.needs_machine; }) return own.needs_machine;
        return false;
      },
      fields);
}

std::vector<ExerciseParameter>* Exercise::drawn_parameters() {
  return std::visit(
      [](auto& own) -> std::vector<ExerciseParameter>* {
        if constexpr (requires { own.parameters; }) return &own.parameters;
        return nullptr;
      },
      fields);
}

const std::vector<ExerciseParameter>& Exercise::parameters() const {
  return field_or_empty<std::vector<ExerciseParameter>>(
      fields, [](auto& own) -> decltype((own.parameters)) { return own.parameters; });
}

const std::vector<std::int64_t>& Exercise::sizes() const {
  return field_or_empty<std::vector<std::int64_t>>(
      fields, [](auto& own) -> decltype((own.sizes)) { return own.sizes; });
}

TimedSize Exercise::timed_size() const {
  return std::visit(
      [](const auto& own) -> TimedSize {
        if constexpr (requires { own.size.on_cpu; }) {
          return own.size;
        } else if constexpr (requires { own.size; }) {
          return {own.size, own.size};
        }
        return {};
      },
      fields);
}

std::optional<VirtualProblem> Exercise::virtual_problem() const {
  return std::visit(
      [](const auto& own) -> std::optional<VirtualProblem> {
        if constexpr (requires { own.virtual_gpu; }) {
          return VirtualProblem{own.size, 0};
        } else if constexpr (requires { own.virtual_race; }) {
          if (own.virtual_race) {
            return VirtualProblem{own.virtual_race->size, own.virtual_race->multiprocessors};
          }
        }
        return std::nullopt;
      },
      fields);
}

bool is_graded_on(const Exercise& exercise, std::string_view backend) {
  return backend != "cpu" || std::visit(
                                 [](const auto& own) {
                                   if constexpr (requires { own.virtual_race; }) {
                                     return own.virtual_race.has_value();
                                   }
                                   return true;
                                 },
                                 exercise.fields);
}

bool is_chosen(const Exercise& exercise, const std::vector<std::string>& chosen) {
  return chosen.empty() || std::any_of(chosen.begin(), chosen.end(), [&](const std::string& p) {
           return exercise.id.starts_with(p) &&
                  (exercise.id.size() == p.size() || exercise.id[p.size()] == '.');
         });
}

std::string describe(const SchemaError& error) {
  return error.file.string() + ":" + std::to_string(error.line) + ":" +
         std::to_string(error.column) + ": " + error.key + ": " + error.message;
}

Topic load_topic(const fs::path& folder, std::vector<SchemaError>& errors) {
  Topic topic;
  topic.folder = folder;
  topic.name = folder.filename().string();
  read_file(folder / "exercises.toml", topic, errors);
  copy_shared_parameters(topic, errors);
  find_kernels(topic);
  return topic;
}

std::vector<Topic> load_topics(const fs::path& root, std::vector<SchemaError>& errors) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(root / "topics")) {
    const bool is_topic = entry.is_directory() && is_topic_name(entry.path().filename().string());
    if (is_topic && fs::exists(entry.path() / "exercises.toml")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  std::vector<Topic> topics;
  for (const fs::path& folder : folders) topics.push_back(load_topic(folder, errors));
  for (Topic& topic : topics)
    for (Exercise& exercise : topic.exercises) {
      if (const auto link = exercise.rules().link) link(exercise, topic, errors);
    }
  check_ids(topics, errors);
  return topics;
}

}  // namespace grader
