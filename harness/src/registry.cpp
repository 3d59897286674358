// SPDX-License-Identifier: MIT
// Registration and look-up of entries, functions, oracles and answers.
#include "registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace harness {
namespace {

const std::string& name_of(const LabEntry& entry) {
  return entry.name;
}
const std::string& name_of(const FunctionEntry& entry) {
  return entry.name;
}
template <class T>
const std::string& name_of(const std::pair<std::string, T>& item) {
  return item.first;
}

template <class Items>
auto find_in(Items& items, std::string_view name) {
  return std::find_if(items.begin(), items.end(),
                      [&](const auto& item) { return name_of(item) == name; });
}

template <class Items>
bool add(Items& items, typename Items::value_type item) {
  if (find_in(items, name_of(item)) != items.end()) {
    throw std::logic_error("registered twice: " + name_of(item));
  }
  items.push_back(std::move(item));
  return true;
}

template <class Items>
const auto& find_or_throw(const Items& items, std::string_view name, const char* what) {
  const auto found = find_in(items, name);
  if (found == items.end()) {
    throw std::out_of_range("this program has no " + std::string(what) + " named " +
                            std::string(name));
  }
  return *found;
}

}  // namespace

Registry& registry() {
  static Registry instance;
  return instance;
}

bool register_lab(LabEntry entry) {
  return add(registry().labs, std::move(entry));
}
bool register_function(FunctionEntry entry) {
  return add(registry().functions, std::move(entry));
}
bool register_oracle(std::string_view name, OracleFunction function) {
  return add(registry().oracles, {std::string(name), function});
}
bool register_answer(std::string_view id, AnswerFunction function) {
  return add(registry().answers, {std::string(id), function});
}
bool register_main(MainFunction function) {
  if (registry().own_main != nullptr) throw std::logic_error("registered twice: main");
  registry().own_main = function;
  return true;
}

const LabEntry& find_lab(std::string_view name) {
  return find_or_throw(registry().labs, name, "kernel");
}
const FunctionEntry& find_function(std::string_view name) {
  return find_or_throw(registry().functions, name, "function");
}
AnswerFunction find_answer(std::string_view id) {
  return find_or_throw(registry().answers, id, "answer").second;
}

Task make_task(std::string_view name, std::int64_t n, std::uint64_t seed, bool special_values) {
  const OracleFunction oracle = find_or_throw(registry().oracles, name, "oracle").second;
  Random random(seed, special_values);
  return oracle(n, random);
}

double Parameters::operator[](std::string_view name) const {
  return find_or_throw(values_, name, "parameter").second;
}

const std::string& Parameters::machine_file() const {
  if (machine_file_.empty()) {
    throw std::runtime_error("this machine has not been measured; run: ./lab start");
  }
  return machine_file_;
}

std::string course_file(std::string_view path) {
  return std::string(RL_COURSE_FOLDER) + "/" + std::string(path);
}

Work work_of(const LabOptions& options, std::int64_t n, std::span<const std::int64_t> integers) {
  if (options.work_with != nullptr) return options.work_with(n, integers);
  if (options.work != nullptr) return options.work(n);
  const auto count = static_cast<double>(n);
  return {options.flops_per_element * count, options.bytes_per_element * count};
}

}  // namespace harness
