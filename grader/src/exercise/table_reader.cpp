// SPDX-License-Identifier: MIT
// Reads TOML values and reports what is wrong with them.
#include "exercise/table_reader.hpp"

#include <cmath>

namespace grader {

std::string TableReader::text(const std::string& key, bool required) {
  const toml::node* node = find(key, required);
  if (node == nullptr) return {};
  const auto value = node->value_exact<std::string>();
  if (!value) complain(*node, key, "must be text");
  if (value && required && value->empty()) complain(*node, key, "must not be empty");
  return value.value_or("");
}

double TableReader::number(const std::string& key, bool required, double default_value) {
  const toml::node* node = find(key, required);
  if (node == nullptr) return default_value;
  if (!node->is_number()) {
    complain(*node, key, "must be a number");
    return default_value;
  }
  const double value = node->value<double>().value_or(default_value);
  if (!std::isfinite(value)) complain(*node, key, "must be finite");
  return value;
}

std::int64_t TableReader::integer(const std::string& key, std::int64_t default_value) {
  const toml::node* node = find(key, false);
  if (node == nullptr) return default_value;
  if (!node->is_integer()) complain(*node, key, "must be an integer");
  return node->value_exact<std::int64_t>().value_or(default_value);
}

bool TableReader::flag(const std::string& key) {
  const toml::node* node = find(key, false);
  if (node == nullptr) return false;
  if (!node->is_boolean()) complain(*node, key, "must be true or false");
  return node->value_exact<bool>().value_or(false);
}

void TableReader::items(const std::string& key, bool required,
                        const std::function<void(const toml::node&)>& read) {
  const toml::node* node = find(key, required);
  if (node == nullptr) return;
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& item : *array) read(item);
  } else {
    complain(*node, key, "must be a list");
  }
}

std::vector<std::string> TableReader::texts(const std::string& key, bool required) {
  std::vector<std::string> result;
  items(key, required, [&](const toml::node& item) {
    const auto value = item.value_exact<std::string>();
    if (!value) complain(item, key, "must be a list of strings");
    result.push_back(value.value_or(""));
  });
  return result;
}

const toml::table* TableReader::table(const std::string& key) {
  const toml::node* node = find(key, false);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) complain(*node, key, "must be a table");
  return node->as_table();
}

void TableReader::complain(const std::string& key, const std::string& message) {
  const toml::node* node = table_->get(key);
  complain(node != nullptr ? *node : *table_, key, message);
}

void TableReader::complain_about_unknown_keys() {
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (!asked_.contains(name)) complain(node, name, "is unknown for an exercise of this kind");
  }
}

const toml::node* TableReader::find(const std::string& key, bool required) {
  asked_.insert(key);
  const toml::node* node = table_->get(key);
  if (node == nullptr && required) complain(*table_, key, "is missing");
  return node;
}

}  // namespace grader
