// SPDX-License-Identifier: MIT
// Keys of exercises.toml that several kinds have.
#include "exercise/declaration.hpp"

#include <algorithm>
#include <sstream>

namespace grader {
namespace {

namespace fs = std::filesystem;

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

/// The texts of a file with [[claim]] tables, by number. Its path is relative to the checkout's
/// root.
std::map<double, std::string> read_texts(TableReader& entry, const fs::path& root,
                                         const std::string& file) {
  std::map<double, std::string> texts;
  if (file.empty()) return texts;
  if (!is_plain_path(file)) {
    entry.complain("texts", "'" + file + "' is not a path inside the checkout");
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

}  // namespace

bool is_plain_path(const std::string& text) {
  const fs::path path(text);
  return !text.empty() && path.is_relative() && path.lexically_normal() == path &&
         text.find("..") == std::string::npos;
}

void Declaration::read_tolerance(Exercise& exercise) {
  if (!keys_->has("rtol") && !keys_->has("atol")) {
    keys_->complain("rtol", "is missing (a tolerance: rtol, atol or both)");
  }
  exercise.rtol = keys_->number("rtol", false, 0);
  exercise.atol = keys_->number("atol", false, 0);
  if (exercise.rtol < 0 || exercise.atol < 0) keys_->complain("rtol", "must not be negative");
}

void Declaration::read_program(Exercise& exercise) {
  exercise.program = keys_->text("program", true);
  exercise.entry = keys_->text("entry", false);
  if (exercise.entry.empty()) exercise.entry = exercise.program;
  exercise.files = keys_->texts("files", true);
  for (const std::string& file : exercise.files) {
    if (!is_plain_path(file))
      keys_->complain("files", "'" + file + "' is not a path inside the topic");
  }
  exercise.wall_seconds = keys_->number("wall_seconds", false, exercise.wall_seconds);
  const double megabytes = keys_->number("memory_mb", false, 4096);
  exercise.memory_bytes = static_cast<std::uint64_t>(std::max(megabytes, 16.0) * 1e6);
}

std::vector<ExerciseParameter> Declaration::read_parameters() {
  std::vector<ExerciseParameter> result;
  const toml::table* table = keys_->table("parameters");
  if (table == nullptr) return result;
  for (const auto& [key, node] : *table) {
    ExerciseParameter parameter;
    parameter.name = std::string(key.str());
    if (const toml::table* details = node.as_table()) {
      TableReader entry(*details, "parameters." + parameter.name + ".", *complaints_);
      parameter.same_as = entry.text("same_as", false);
      if (entry.has("same_as")) {  // load_topic() copies the rest from there
        entry.complain_about_unknown_keys();
        result.push_back(std::move(parameter));
        continue;
      }
      parameter.canonical = entry.number("canonical", true, 0);
      parameter.choices = entry.numbers<double>("choices", true);
      parameter.texts_file = entry.text("texts", false);
      parameter.texts = read_texts(entry, root_, parameter.texts_file);
      entry.complain_about_unknown_keys();
      if (entry.has("texts")) complain_about_missing_texts(entry, parameter);
    } else if (node.is_number()) {
      parameter.canonical = node.value<double>().value_or(0);
    } else {
      keys_->complain(node, "parameters", "must be a number or {canonical, choices}");
    }
    result.push_back(std::move(parameter));
  }
  return result;
}

TimedSize Declaration::read_timed_size() {
  TimedSize size;
  size.on_cpu = read_size();
  size.on_gpu = keys_->integer("gpu_size", size.on_cpu);
  return size;
}

std::int64_t Declaration::read_size() {
  const std::int64_t size = keys_->integer("size", 0);
  if (size <= 0) keys_->complain("size", "is missing or not positive");
  return size;
}

std::string Declaration::read_quantity() {
  std::string quantity = keys_->text("quantity", true);
  if (quantity != "bandwidth" && quantity != "flops" && quantity != "time") {
    keys_->complain("quantity", "must be bandwidth, flops or time");
  }
  return quantity;
}

std::vector<std::int64_t> Declaration::read_sizes() {
  std::vector<std::int64_t> sizes = keys_->numbers<std::int64_t>("sizes", true);
  if (sizes.empty()) keys_->complain("sizes", "must name at least one size");
  return sizes;
}

}  // namespace grader
