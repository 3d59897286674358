// SPDX-License-Identifier: MIT
// Draws parameters by HMAC.
#include "grader/exercise/variant.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <fstream>
#include <stdexcept>

namespace grader {
namespace {

std::array<unsigned char, 32> mac(const std::string& key, const std::string& message) {
  std::array<unsigned char, 32> digest{};
  unsigned length = digest.size();
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(message.data()), message.size(), digest.data(),
       &length);
  return digest;
}

/// Fields with their lengths, so that different lists never give the same message.
std::string message_of(std::initializer_list<std::string> fields) {
  std::string message;
  for (const std::string& field : fields) message += std::to_string(field.size()) + ":" + field;
  return message;
}

/// The values to draw from: for a class, without the value that its write-ups work out.
std::vector<double> values_for(const ExerciseParameter& parameter, const Variant& variant) {
  std::vector<double> values = parameter.choices;
  if (!variant.class_name.empty()) std::erase(values, parameter.canonical);
  return values;
}

}  // namespace

std::string read_secret(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string secret;
  if (!in || !std::getline(in, secret)) {
    throw std::runtime_error(file.string() +
                             ": no secret can be read from its first line; write one there");
  }
  if (secret.size() >= kShortestSecret) return secret;
  throw std::runtime_error(
      fmt::format("{}: the secret in the first line has {} characters and could be guessed; use {} "
                  "or more, such as what `openssl rand -hex 16` prints",
                  file.string(), secret.size(), kShortestSecret));
}

double value_of(const ExerciseParameter& parameter, const std::string& exercise,
                const Variant& variant) {
  const std::vector<double> values = values_for(parameter, variant);
  if (variant.secret.empty() || values.empty()) return parameter.canonical;
  const std::string& drawn_by = parameter.same_as.empty() ? exercise : parameter.same_as;
  const std::string version = std::to_string(variant.version);
  // The number of fields differs, so that a class never shares the numbers of a student of the same
  // name.
  const std::string message =
      variant.class_name.empty()
          ? message_of({variant.student, drawn_by, parameter.name, version})
          : message_of({"class", variant.class_name, drawn_by, parameter.name, version});
  const auto digest = mac(variant.secret, message);
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number = number << 8 | digest[static_cast<std::size_t>(i)];
  // 64 bits over at most some hundred choices: the bias is below 1e-16.
  return values[number % values.size()];
}

std::string task_text(const Exercise& exercise, const Variant& variant) {
  std::string task = exercise.task;
  for (const ExerciseParameter& parameter : exercise.parameters()) {
    const double value = value_of(parameter, exercise.id, variant);
    const auto text = parameter.texts.find(value);
    const std::string shown =
        text == parameter.texts.end() ? fmt::format("{:.15g}", value) : text->second;
    const std::string place = "{" + parameter.name + "}";
    for (std::size_t at = task.find(place); at != std::string::npos;
         at = task.find(place, at + shown.size())) {
      task.replace(at, place.size(), shown);
    }
  }
  return task;
}

std::string variant_sheet(const std::vector<Topic>& topics, const Variant& variant) {
  std::string whose = variant.student.empty() ? "everyone" : variant.student;
  if (!variant.class_name.empty()) whose = "the class " + variant.class_name;
  std::string sheet = fmt::format("Numbers of {} (edition {})\n", whose, variant.version);
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      if (exercise.parameters().empty()) continue;
      sheet += fmt::format("\n{}  {}\n  {}\n  Answer: {}\n", exercise.id, exercise.title,
                           task_text(exercise, variant), exercise.rules().answer_form(exercise));
      for (const ExerciseParameter& p : exercise.parameters()) {
        // The task contains the text of a claim; its number would mean nothing.
        if (!p.texts.empty()) continue;
        sheet += fmt::format("  {} = {:g}\n", p.name, value_of(p, exercise.id, variant));
      }
    }
  }
  return sheet;
}

}  // namespace grader
