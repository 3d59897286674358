// SPDX-License-Identifier: MIT
// Typed access to the keys of a config.json.
#include "config_keys.hpp"

#include <fstream>
#include <stdexcept>

namespace roofline::llm {
namespace {

nlohmann::json parse(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot open the model file " + file.string());
  try {
    nlohmann::json value = nlohmann::json::parse(stream);
    if (!value.is_object()) {
      throw std::runtime_error(file.string() + ": a model file is one JSON object, this is a " +
                               value.type_name());
    }
    return value;
  } catch (const nlohmann::json::parse_error& error) {
    throw std::runtime_error(file.string() + ": not valid JSON at byte " +
                             std::to_string(error.byte));
  }
}

}  // namespace

ConfigKeys::ConfigKeys(const std::filesystem::path& file) : file_(file), object_(parse(file)) {}

void ConfigKeys::fail(std::string_view key, const std::string& what) const {
  throw std::runtime_error(file_.string() + ": " + std::string(key) + " " + what);
}

bool ConfigKeys::has(std::string_view key) const {
  const auto found = object_.find(std::string(key));
  return found != object_.end() && !found->is_null();
}

bool ConfigKeys::names(std::string_view key) const {
  return object_.contains(std::string(key));
}

const nlohmann::json& ConfigKeys::required(std::string_view key) const {
  if (!has(key)) fail(key, "is missing; add it, it is not guessed");
  return object_.at(std::string(key));
}

std::string ConfigKeys::text(std::string_view key) const {
  const nlohmann::json& value = required(key);
  if (!value.is_string()) fail(key, "must be a string, it is " + value.dump());
  return value.get<std::string>();
}

std::vector<std::string> ConfigKeys::texts(std::string_view key) const {
  const nlohmann::json& value = required(key);
  if (!value.is_array()) fail(key, "must be a list of strings");
  std::vector<std::string> result;
  for (const nlohmann::json& entry : value) {
    if (!entry.is_string()) fail(key, "must hold strings only, not " + entry.dump());
    result.push_back(entry.get<std::string>());
  }
  return result;
}

std::optional<bool> ConfigKeys::flag(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const nlohmann::json& value = required(key);
  if (!value.is_boolean()) fail(key, "must be true or false, it is " + value.dump());
  return value.get<bool>();
}

std::int64_t ConfigKeys::integer(std::string_view key, const nlohmann::json& value,
                                 std::int64_t least, std::int64_t most) const {
  if (!value.is_number_integer()) {
    fail(key,
         "must be an integer, it is the " + std::string(value.type_name()) + " " + value.dump());
  }
  // An unsigned number above 2^63 would turn negative, and so fails the range as it should.
  const auto number = value.get<std::int64_t>();
  if (number < least || number > most) {
    fail(key, "must be from " + std::to_string(least) + " to " + std::to_string(most) + ", it is " +
                  value.dump());
  }
  return number;
}

std::int64_t ConfigKeys::size(std::string_view key, std::int64_t most, std::int64_t least) const {
  return integer(key, required(key), least, most);
}

std::optional<std::int64_t> ConfigKeys::optional_size(std::string_view key, std::int64_t most,
                                                      std::int64_t least) const {
  if (!has(key)) return std::nullopt;
  return size(key, most, least);
}

std::vector<std::int64_t> ConfigKeys::sizes(std::string_view key, std::int64_t most) const {
  const nlohmann::json& value = required(key);
  if (!value.is_array()) fail(key, "must be a list of integers");
  std::vector<std::int64_t> result;
  for (const nlohmann::json& entry : value) result.push_back(integer(key, entry, 0, most));
  return result;
}

}  // namespace roofline::llm
