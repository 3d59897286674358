// SPDX-License-Identifier: MIT
// Draws parameters by HMAC.
#include "grader/variant.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

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

/// Fields with their lengths, so that no two different lists give the same message.
std::string message_of(std::initializer_list<std::string> fields) {
  std::string message;
  for (const std::string& field : fields) message += std::to_string(field.size()) + ":" + field;
  return message;
}

}  // namespace

std::string hmac_sha256(const std::string& key, const std::string& message) {
  std::string hex;
  for (const unsigned char byte : mac(key, message)) hex += fmt::format("{:02x}", byte);
  return hex;
}

double value_of(const ExerciseParameter& parameter, const std::string& exercise,
                const Variant& variant) {
  if (variant.secret.empty() || parameter.choices.empty()) return parameter.canonical;
  const std::string& drawn_by = parameter.same_as.empty() ? exercise : parameter.same_as;
  const auto digest =
      mac(variant.secret,
          message_of({variant.student, drawn_by, parameter.name, std::to_string(variant.version)}));
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number = number << 8 | digest[static_cast<std::size_t>(i)];
  // 64 bits over at most some hundred choices: the bias is below 1e-16.
  return parameter.choices[number % parameter.choices.size()];
}

std::string task_text(const Exercise& exercise, const Variant& variant) {
  std::string task = exercise.task;
  for (const ExerciseParameter& parameter : exercise.parameters) {
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
  std::string sheet =
      fmt::format("Numbers of {} (edition {})\n",
                  variant.student.empty() ? "everyone" : variant.student, variant.version);
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      if (exercise.parameters.empty()) continue;
      sheet += fmt::format("\n{}  {}\n  {}\n", exercise.id, exercise.title,
                           task_text(exercise, variant));
      for (const ExerciseParameter& p : exercise.parameters) {
        // The text of a claim stands in the task; its number would say nothing.
        if (!p.texts.empty()) continue;
        sheet += fmt::format("  {} = {:g}\n", p.name, value_of(p, exercise.id, variant));
      }
    }
  }
  return sheet;
}

}  // namespace grader
