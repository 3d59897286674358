// SPDX-License-Identifier: MIT
// Hand-ins in odd shapes, and attacks, for a fifth of the generated class.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace odd {

/// What a student hands in, and where.
struct Student {
  std::string id;
  std::filesystem::path in;    ///< folder of all submissions
  std::filesystem::path root;  ///< the course
  /// Nobody may change it: a file of the class.
  std::filesystem::path canary;
  /// Right answers and sources by their places in the topic, such as "code/saxpy.cu".
  std::map<std::string, std::string> work;
};

/// What the student deserves.
struct Outcome {
  /// Files that earn all points of their exercises, as they are judged; others earn none.
  std::map<std::string, std::string> earns;
  std::map<std::string, std::string> refused = {};  ///< sources that are compiled and earn nothing
  bool is_unreadable = false;                       ///< nothing of it can be read
  std::set<std::string> lost = {};                  ///< exercises that earn nothing all the same
};

struct HandIn {
  std::string name;
  std::function<Outcome(const Student&)> write;
  /// Whose work it is: that of the roster's id with this suffix, which gets the outcome; the id
  /// itself handed in nothing.
  std::string id_goes_on = {};
};

/// Those of this folder, and what tests/adversarial and tests/honest have for this topic.
const std::vector<HandIn>& all();

/// All of them, each once, in an order in which any few in a row are of every kind.
const HandIn& drawn(std::size_t number);

}  // namespace odd
