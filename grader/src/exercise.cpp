// SPDX-License-Identifier: MIT
// Reads exercises.toml key by key, so that every mistake is named with its place.
#include "grader/exercise.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "grader/inputs.hpp"
#include "roofline/units.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, Kind>, 8> kKinds{
    {{"number", Kind::kNumber},
     {"choice", Kind::kChoice},
     {"function", Kind::kFunction},
     {"counted", Kind::kCounted},
     {"kernel", Kind::kKernel},
     {"speed", Kind::kSpeed},
     {"measurement", Kind::kMeasurement},
     {"prediction", Kind::kPrediction}}};

/// Collects mistakes with the place of the node that they are about.
class Complaints {
 public:
  Complaints(fs::path file, std::vector<SchemaError>& errors)
      : file_(std::move(file)), errors_(&errors) {}

  void add(const toml::node& node, const std::string& key, const std::string& message) {
    const auto begin = node.source().begin;
    add_at(static_cast<int>(begin.line), static_cast<int>(begin.column), key, message);
  }
  void add_at(int line, int column, const std::string& key, const std::string& message) {
    errors_->push_back({file_, line, column, key, message});
  }
  std::size_t count() const { return errors_->size(); }

 private:
  fs::path file_;
  std::vector<SchemaError>* errors_;
};

/// Reads the keys of one table, remembering which were asked for.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, Complaints& complaints)
      : table_(&table), path_(std::move(path)), complaints_(&complaints) {}

  std::string text(const std::string& key, bool required) {
    const toml::node* node = find(key, required);
    if (node == nullptr) return {};
    const auto value = node->value_exact<std::string>();
    if (!value) complain(*node, key, "must be text");
    if (value && required && value->empty()) complain(*node, key, "must not be empty");
    return value.value_or("");
  }
  double number(const std::string& key, bool required, double otherwise) {
    const toml::node* node = find(key, required);
    if (node == nullptr) return otherwise;
    if (!node->is_number()) {
      complain(*node, key, "must be a number");
      return otherwise;
    }
    const double value = node->value<double>().value_or(otherwise);
    if (!std::isfinite(value)) complain(*node, key, "must be finite");
    return value;
  }
  std::int64_t integer(const std::string& key, std::int64_t otherwise) {
    const toml::node* node = find(key, false);
    if (node == nullptr) return otherwise;
    if (!node->is_integer()) complain(*node, key, "must be an integer");
    return node->value_exact<std::int64_t>().value_or(otherwise);
  }
  bool flag(const std::string& key) {
    const toml::node* node = find(key, false);
    if (node == nullptr) return false;
    if (!node->is_boolean()) complain(*node, key, "must be true or false");
    return node->value_exact<bool>().value_or(false);
  }
  /// Calls read(item) for every item of the list `key`.
  void items(const std::string& key, bool required,
             const std::function<void(const toml::node&)>& read) {
    const toml::node* node = find(key, required);
    if (node == nullptr) return;
    if (const toml::array* array = node->as_array()) {
      for (const toml::node& item : *array) read(item);
    } else {
      complain(*node, key, "must be a list");
    }
  }
  std::vector<std::string> texts(const std::string& key, bool required) {
    std::vector<std::string> result;
    items(key, required, [&](const toml::node& item) {
      const auto value = item.value_exact<std::string>();
      if (!value) complain(item, key, "must be a list of texts");
      result.push_back(value.value_or(""));
    });
    return result;
  }
  template <class T>
  std::vector<T> numbers(const std::string& key, bool required) {
    std::vector<T> result;
    items(key, required, [&](const toml::node& item) {
      const auto value = item.value<T>();
      if (!value || !item.is_number()) complain(item, key, "must be a list of numbers");
      result.push_back(value.value_or(T{}));
    });
    return result;
  }
  const toml::table* table(const std::string& key) {
    const toml::node* node = find(key, false);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) complain(*node, key, "must be a table");
    return node->as_table();
  }
  bool has(const std::string& key) const { return table_->contains(key); }
  void complain(const toml::node& node, const std::string& key, const std::string& message) {
    complaints_->add(node, path_ + key, message);
  }
  /// A mistake of the value at `key`, or of the table when it has no such key.
  void complain(const std::string& key, const std::string& message) {
    const toml::node* node = table_->get(key);
    complain(node != nullptr ? *node : *table_, key, message);
  }
  void complain_about_unknown_keys() {
    for (const auto& [key, node] : *table_) {
      const std::string name(key.str());
      if (!asked_.contains(name)) complain(node, name, "is no key of an exercise of this kind");
    }
  }

 private:
  const toml::node* find(const std::string& key, bool required) {
    asked_.insert(key);
    const toml::node* node = table_->get(key);
    if (node == nullptr && required) complain(*table_, key, "is missing");
    return node;
  }

  const toml::table* table_;
  std::string path_;
  Complaints* complaints_;
  std::set<std::string> asked_;
};

std::optional<Kind> kind_of(std::string_view word) {
  for (const auto& [name, kind] : kKinds) {
    if (name == word) return kind;
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

bool is_plain_path(const std::string& text) {
  const fs::path path(text);
  return !text.empty() && path.is_relative() && path.lexically_normal() == path &&
         text.find("..") == std::string::npos;
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

/// A choice has misconceptions of words, each of its words one at most; other kinds have none.
void check_words(const Exercise& exercise, Complaints& complaints) {
  const bool is_choice = exercise.kind == Kind::kChoice;
  std::set<std::string> seen;
  for (const Misconception& m : exercise.misconceptions) {
    const auto complain = [&](const std::string& message) {
      complaints.add_at(m.line, 1, "misconceptions.word", message);
    };
    if (m.word.empty()) {
      if (is_choice) complain("is missing: a mistake of a choice is a word");
    } else if (!is_choice) {
      complain("is only for a choice; give value, factor or answer");
    } else if (std::find(exercise.choices.begin(), exercise.choices.end(), m.word) ==
               exercise.choices.end()) {
      complain("'" + m.word + "' is none of the choices");
    } else if (!seen.insert(m.word).second) {
      complain("'" + m.word + "' has two messages");
    }
  }
}

std::optional<CarriedForward> read_carried(TableReader& reader, Complaints& complaints) {
  const toml::table* table = reader.table("carried");
  if (table == nullptr) return std::nullopt;
  TableReader entry(*table, "carried.", complaints);
  CarriedForward carried{entry.text("from", true), entry.number("credit", true, 0.5), {}};
  entry.complain_about_unknown_keys();
  if (!(carried.credit > 0 && carried.credit < 1)) {
    entry.complain("credit", "must be greater than 0 and less than 1");
  }
  return carried;
}

void complain_about_missing_texts(TableReader& entry, const ExerciseParameter& parameter) {
  std::vector<double> values = parameter.choices;
  values.push_back(parameter.canonical);
  for (const double value : values) {
    if (parameter.texts.contains(value)) continue;
    std::ostringstream message;
    message << "has no text number " << value;
    return entry.complain("texts", message.str());
  }
}

/// Texts by number of a file with [[claim]] tables, its path counted from the checkout's root.
std::map<double, std::string> read_texts(TableReader& entry, const fs::path& root,
                                         const std::string& file) {
  std::map<double, std::string> texts;
  if (file.empty()) return texts;
  if (!is_plain_path(file)) {
    entry.complain("texts", "'" + file + "' is no path inside the checkout");
    return texts;
  }
  try {
    const toml::table table = toml::parse_file((root / file).string());
    const toml::array* claims = table["claim"].as_array();
    for (std::size_t i = 0; claims != nullptr && i < claims->size(); ++i) {
      const toml::table* claim = claims->get(i)->as_table();
      if (claim == nullptr) continue;
      const auto number = (*claim)["number"].value<double>();
      const auto text = (*claim)["claim"].value<std::string>();
      if (number && text) texts[*number] = *text;
    }
  } catch (const toml::parse_error& error) {
    entry.complain("texts", "cannot read " + file + ": " + std::string(error.description()));
  }
  return texts;
}

std::vector<ExerciseParameter> read_parameters(TableReader& reader, Complaints& complaints,
                                               const fs::path& root) {
  std::vector<ExerciseParameter> result;
  const toml::table* table = reader.table("parameters");
  if (table == nullptr) return result;
  for (const auto& [key, node] : *table) {
    ExerciseParameter parameter;
    parameter.name = std::string(key.str());
    if (const toml::table* details = node.as_table()) {
      TableReader entry(*details, "parameters." + parameter.name + ".", complaints);
      parameter.same_as = entry.text("same_as", false);
      if (entry.has("same_as")) {  // and load_topic() copies the rest from there
        entry.complain_about_unknown_keys();
        result.push_back(std::move(parameter));
        continue;
      }
      parameter.canonical = entry.number("canonical", true, 0);
      parameter.choices = entry.numbers<double>("choices", true);
      parameter.texts_file = entry.text("texts", false);
      parameter.texts = read_texts(entry, root, parameter.texts_file);
      entry.complain_about_unknown_keys();
      if (entry.has("texts")) complain_about_missing_texts(entry, parameter);
    } else if (node.is_number()) {
      parameter.canonical = node.value<double>().value_or(0);
    } else {
      reader.complain(node, "parameters", "must be a number or {canonical, choices}");
    }
    result.push_back(std::move(parameter));
  }
  return result;
}

std::vector<InputRange> read_ranges(TableReader& reader, const std::string& key, bool required,
                                    Complaints& complaints) {
  std::vector<InputRange> result;
  reader.items(key, required, [&](const toml::node& item) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return reader.complain(item, key, "must be tables");
    TableReader entry(*table, key + ".", complaints);
    InputRange range;
    range.name = entry.text("name", true);
    range.low = entry.number("low", false, 0);
    range.high = entry.number("high", false, 1);
    range.integer = entry.flag("integer");
    range.edges = entry.numbers<double>("edges", false);
    range.sorted = entry.flag("sorted");
    range.fields = read_ranges(entry, "fields", false, complaints);
    const std::string scale = entry.text("scale", false);
    range.logarithmic = scale == "log";
    if (!scale.empty() && scale != "log" && scale != "linear") {
      entry.complain("scale", "must be linear or log");
    }
    const auto length = entry.numbers<std::int64_t>("length", false);
    if (length.size() == 2) range.length = {length[0], length[1]};
    if (entry.has("length") && (length.size() != 2 || length[0] < 0 || length[0] > length[1])) {
      entry.complain("length", "must be [least, most]");
    }
    if (range.sorted && (!range.length || !range.fields.empty())) {
      entry.complain("sorted", "is only for a vector of numbers");
    }
    if (range.low > range.high) entry.complain("low", "must not exceed high");
    if (range.logarithmic && range.low <= 0) entry.complain("low", "a log scale needs low > 0");
    entry.complain_about_unknown_keys();
    result.push_back(std::move(range));
  });
  return result;
}

/// Reads one argument of a case as its range describes it: a number, or a list of items or fields.
class CaseReader {
 public:
  CaseReader(TableReader& reader) : reader_(&reader) {}

  harness::Value::List arguments(const toml::node& node, const std::vector<InputRange>& ranges) {
    harness::Value::List values;
    const toml::array* items = node.as_array();
    if (items == nullptr || items->size() != ranges.size()) {
      complain(node, "must be a list of " + std::to_string(ranges.size()));
      return values;
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      values.push_back(argument(*items->get(i), ranges[i]));
    }
    return values;
  }

 private:
  harness::Value argument(const toml::node& node, const InputRange& range) {
    if (!range.length) return item(node, range);
    harness::Value::List values;
    if (!node.is_array()) complain(node, range.name + " must be a list");
    if (const toml::array* items = node.as_array()) {
      for (const toml::node& one : *items) values.push_back(item(one, range));
    }
    return values;
  }
  harness::Value item(const toml::node& node, const InputRange& range) {
    if (!range.fields.empty()) return arguments(node, range.fields);
    const double number = node.value<double>().value_or(NAN);
    const bool in_edges =
        std::find(range.edges.begin(), range.edges.end(), number) != range.edges.end();
    // Written so that a NaN, of what is no number, is none of them.
    if (!(number >= range.low && number <= range.high) && !in_edges) {
      complain(node, range.name + " must be a number of its range");
      return {};
    }
    return number_value(range, number);
  }
  void complain(const toml::node& node, const std::string& message) {
    reader_->complain(node, "cases", message);
  }

  TableReader* reader_;
};

std::vector<harness::Value::List> read_cases(TableReader& reader,
                                             const std::vector<InputRange>& ranges) {
  std::vector<harness::Value::List> result;
  reader.items("cases", false, [&](const toml::node& node) {
    result.push_back(CaseReader(reader).arguments(node, ranges));
  });
  return result;
}

std::vector<ReturnedField> read_returns(TableReader& reader, Complaints& complaints) {
  std::vector<ReturnedField> result;
  reader.items("returns", false, [&](const toml::node& item) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return reader.complain(item, "returns", "must be tables");
    TableReader entry(*table, "returns.", complaints);
    ReturnedField field{entry.text("name", true), entry.text("unit", false)};
    entry.complain_about_unknown_keys();
    try {
      if (!field.unit.empty()) static_cast<void>(roofline::parse_quantity("1 " + field.unit));
    } catch (const std::invalid_argument& error) {
      entry.complain("unit", error.what());
    }
    result.push_back(std::move(field));
  });
  return result;
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

void read_tolerance(TableReader& reader, Exercise& exercise) {
  if (!reader.has("rtol") && !reader.has("atol")) {
    reader.complain("rtol", "is missing (a tolerance: rtol, atol or both)");
  }
  exercise.rtol = reader.number("rtol", false, 0);
  exercise.atol = reader.number("atol", false, 0);
  if (exercise.rtol < 0 || exercise.atol < 0) reader.complain("rtol", "must not be negative");
}

void read_program(TableReader& reader, Exercise& exercise) {
  exercise.program = reader.text("program", true);
  exercise.entry = reader.text("entry", false);
  if (exercise.entry.empty()) exercise.entry = exercise.program;
  exercise.files = reader.texts("files", true);
  for (const std::string& file : exercise.files) {
    if (!is_plain_path(file))
      reader.complain("files", "'" + file + "' is no path inside the topic");
  }
  exercise.wall_seconds = reader.number("wall_seconds", false, exercise.wall_seconds);
  const double megabytes = reader.number("memory_mb", false, 4096);
  exercise.memory_bytes = static_cast<std::uint64_t>(std::max(megabytes, 16.0) * 1e6);
}

void read_timed_size(TableReader& reader, Exercise& exercise) {
  exercise.size = reader.integer("size", 0);
  exercise.gpu_size = reader.integer("gpu_size", exercise.size);
  if (exercise.size <= 0) reader.complain("size", "is missing or not positive");
}

void read_kind(TableReader& reader, Exercise& exercise, Complaints& complaints,
               const fs::path& root) {
  switch (exercise.kind) {
    case Kind::kNumber:
      exercise.unit = reader.text("unit", false);  // "" is a plain number
      if (!reader.has("unit")) reader.complain("unit", "is missing");
      exercise.needs_machine = reader.flag("machine");
      exercise.parameters = read_parameters(reader, complaints, root);
      exercise.carried = read_carried(reader, complaints);
      exercise.files = {"answers.toml"};
      read_tolerance(reader, exercise);
      break;
    case Kind::kChoice:
      exercise.choices = reader.texts("choices", true);
      exercise.needs_machine = reader.flag("machine");
      exercise.parameters = read_parameters(reader, complaints, root);
      exercise.files = {"answers.toml"};
      break;
    case Kind::kFunction:
      read_program(reader, exercise);
      read_tolerance(reader, exercise);
      exercise.inputs = read_ranges(reader, "inputs", true, complaints);
      exercise.cases = read_cases(reader, exercise.inputs);
      exercise.returns = read_returns(reader, complaints);
      exercise.samples = reader.integer("samples", exercise.samples);
      break;
    case Kind::kKernel:
    case Kind::kCounted:
      read_program(reader, exercise);
      read_tolerance(reader, exercise);
      exercise.sizes = reader.numbers<std::int64_t>("sizes", true);
      if (exercise.kind == Kind::kCounted) exercise.counters = reader.texts("counters", true);
      if (exercise.sizes.empty()) reader.complain("sizes", "must name at least one size");
      break;
    case Kind::kSpeed:
      read_program(reader, exercise);
      read_tolerance(reader, exercise);
      read_timed_size(reader, exercise);
      exercise.full_ratio = reader.number("full_ratio", false, exercise.full_ratio);
      exercise.zero_ratio = reader.number("zero_ratio", false, exercise.zero_ratio);
      exercise.full_roof = reader.number("full_roof", false, exercise.full_roof);
      exercise.handout_roof = reader.number("handout_roof", false, exercise.full_roof);
      exercise.no_roof = reader.text("no_roof", false);
      if (reader.has("precision")) exercise.precision = reader.text("precision", true);
      if (exercise.zero_ratio >= exercise.full_ratio) {
        reader.complain("zero_ratio", "must be less than full_ratio");
      }
      break;
    case Kind::kMeasurement:
    case Kind::kPrediction:
      exercise.unit = reader.text("unit", true);
      exercise.quantity = reader.text("quantity", true);
      read_program(reader, exercise);
      read_tolerance(reader, exercise);
      read_timed_size(reader, exercise);
      if (exercise.kind == Kind::kMeasurement) exercise.record = reader.text("record", true);
      if (exercise.kind == Kind::kPrediction) exercise.needs_machine = reader.flag("machine");
      if (exercise.quantity != "bandwidth" && exercise.quantity != "flops" &&
          exercise.quantity != "time") {
        reader.complain("quantity", "must be bandwidth, flops or time");
      }
      break;
  }
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
    exercise.kind = *known;
    read_kind(reader, exercise, complaints, root);
    check_words(exercise, complaints);
    reader.complain_about_unknown_keys();
  } else if (!kind.empty()) {
    reader.complain("kind", "'" + kind + "' is no kind of exercise");
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
                          "'" + earlier + "' is no exercise"});
      }
    }
  }
}

/// A parameter that is the same as another exercise's has its value, choices and texts.
void copy_shared_parameters(Topic& topic, std::vector<SchemaError>& errors) {
  const auto original = [&](const std::string& id, const std::string& name) {
    const ExerciseParameter* found = nullptr;
    for (const Exercise& exercise : topic.exercises) {
      for (const ExerciseParameter& p : exercise.parameters) {
        if (exercise.id == id && p.name == name && p.same_as.empty()) found = &p;
      }
    }
    return found;
  };
  for (Exercise& exercise : topic.exercises) {
    for (ExerciseParameter& parameter : exercise.parameters) {
      if (parameter.same_as.empty()) continue;
      const std::string from = parameter.same_as;
      if (const ExerciseParameter* other = original(from, parameter.name)) {
        parameter = *other;
        parameter.same_as = from;
      } else {
        errors.push_back({topic.folder / "exercises.toml", exercise.line, 1,
                          "parameters." + parameter.name + ".same_as",
                          "'" + from + "' is no exercise of this topic that draws this parameter"});
      }
    }
  }
}

/// What a number carries forward is a number of its own topic; its unit is noted.
void check_carried(Topic& topic, std::vector<SchemaError>& errors) {
  for (Exercise& exercise : topic.exercises) {
    if (!exercise.carried) continue;
    const auto earlier =
        std::find_if(topic.exercises.begin(), topic.exercises.end(), [&](const Exercise& other) {
          return other.id == exercise.carried->from && other.kind == Kind::kNumber &&
                 other.id != exercise.id;
        });
    if (earlier == topic.exercises.end()) {
      errors.push_back({topic.folder / "exercises.toml", exercise.line, 1, "carried.from",
                        "'" + exercise.carried->from + "' is no other number of this topic"});
    } else {
      exercise.carried->unit = earlier->unit;
    }
  }
}

bool is_topic_name(const std::string& name) {
  return name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::isdigit(static_cast<unsigned char>(name[1])) && name[2] == '-';
}

}  // namespace

bool is_timed(Kind kind) {
  return kind == Kind::kSpeed || kind == Kind::kMeasurement || kind == Kind::kPrediction;
}

bool is_graded_on(const Exercise& exercise, std::string_view backend) {
  return exercise.kind != Kind::kSpeed || backend != "cpu";
}

bool is_chosen(const Exercise& exercise, const std::vector<std::string>& chosen) {
  return chosen.empty() || std::any_of(chosen.begin(), chosen.end(), [&](const std::string& p) {
           return exercise.id.starts_with(p) &&
                  (exercise.id.size() == p.size() || exercise.id[p.size()] == '.');
         });
}

std::string_view name_of(Kind kind) {
  for (const auto& [name, known] : kKinds) {
    if (known == kind) return name;
  }
  return "unknown";
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
  for (Topic& topic : topics) check_carried(topic, errors);
  check_ids(topics, errors);
  return topics;
}

}  // namespace grader
