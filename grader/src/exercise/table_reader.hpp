// SPDX-License-Identifier: MIT
// Reads TOML key by key and reports every mistake with its place.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// Collects mistakes with the place of the affected node.
class Complaints {
 public:
  Complaints(std::filesystem::path file, std::vector<SchemaError>& errors)
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
  std::filesystem::path file_;
  std::vector<SchemaError>* errors_;
};

/// Reads the keys of one table and remembers which were read.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, Complaints& complaints)
      : table_(&table), path_(std::move(path)), complaints_(&complaints) {}

  std::string text(const std::string& key, bool required);
  double number(const std::string& key, bool required, double default_value);
  std::int64_t integer(const std::string& key, std::int64_t default_value);
  bool flag(const std::string& key);
  /// Calls read(item) for every item of the list `key`.
  void items(const std::string& key, bool required,
             const std::function<void(const toml::node&)>& read);
  std::vector<std::string> texts(const std::string& key, bool required);
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
  const toml::table* table(const std::string& key);
  bool has(const std::string& key) const { return table_->contains(key); }
  void complain(const toml::node& node, const std::string& key, const std::string& message) {
    complaints_->add(node, path_ + key, message);
  }
  /// Reports a mistake in the value of `key`, or in the table if it has no such key.
  void complain(const std::string& key, const std::string& message);
  void complain_about_unknown_keys();

 private:
  const toml::node* find(const std::string& key, bool required);

  const toml::table* table_;
  std::string path_;
  Complaints* complaints_;
  std::set<std::string> asked_;
};

}  // namespace grader
