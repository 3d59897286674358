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
  } catch (const nlohmann::json::out_of_range&) {
    throw std::runtime_error(file.string() + ": a number in it is too large");
  }
}

}  // namespace

ConfigKeys::ConfigKeys(const std::filesystem::path& file) : file_(file), object_(parse(file)) {}

void ConfigKeys::fail(std::string_view key, const std::string& what) const {
  throw std::runtime_error(file_.string() + ": " + path_ + std::string(key) + " " + what);
}

std::optional<ConfigKeys> ConfigKeys::object(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const nlohmann::json& value = required(key);
  if (!value.is_object()) fail(key, "must be an object, it is " + value.dump());
  return ConfigKeys(file_, value, path_ + std::string(key) + ".");
}

ConfigKeys ConfigKeys::inner(std::string_view key) const {
  ConfigKeys result = *object(key);
  for (const char* shared :
       {"dtype", "torch_dtype", "quantization_config", "tie_word_embeddings"}) {
    if (has(shared) && !result.has(shared)) result.object_[shared] = object_.at(shared);
  }
  result.read_.clear();
  return result;
}

std::vector<std::string> ConfigKeys::unread() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : object_.items()) {
    if (!read_.contains(name)) names.push_back(name);
  }
  return names;
}

bool ConfigKeys::switched_on(const std::string& key) const {
  const nlohmann::json& value = object_.at(key);
  if (value.is_null() || (value.is_boolean() && !value.get<bool>())) return false;
  if (value.is_number()) return value.get<double>() != 0;
  return !((value.is_array() || value.is_object() || value.is_string()) && value.empty());
}

std::vector<std::string> ConfigKeys::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : object_.items()) names.push_back(name);
  return names;
}

bool ConfigKeys::has(std::string_view key) const {
  read_.emplace(key);
  const auto found = object_.find(std::string(key));
  return found != object_.end() && !found->is_null();
}

bool ConfigKeys::names(std::string_view key) const {
  read_.emplace(key);
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
  // An unsigned number above 2^63 would turn negative, and so fails the range check as it should.
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

std::vector<std::int64_t> ConfigKeys::optional_sizes(std::string_view key,
                                                     std::int64_t most) const {
  return has(key) ? sizes(key, most) : std::vector<std::int64_t>();
}

}  // namespace roofline::llm
