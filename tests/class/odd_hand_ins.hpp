// SPDX-License-Identifier: MIT
// Oddly packed hand-ins, and attacks, for a fifth of the generated class.
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
  /// A file of the class that nobody may change.
  std::filesystem::path canary;
  /// Correct answers and sources by their path in the topic, such as "code/saxpy.cu".
  std::map<std::string, std::string> work;
};

/// What the student deserves.
struct Outcome {
  /// Files that earn all points of their exercises, as judged; others earn none.
  std::map<std::string, std::string> earns;
  std::map<std::string, std::string> refused = {};  ///< sources that are compiled and earn nothing
  bool is_unreadable = false;                       ///< no part of it can be read
  std::set<std::string> lost = {};                  ///< exercises that earn nothing nevertheless
};

struct HandIn {
  std::string name;
  std::function<Outcome(const Student&)> write;
  /// Whose work it is: that of the student whose id on the roster has this suffix, who gets the
  /// outcome; the id without it handed in nothing.
  std::string id_goes_on = {};
};

/// Those of this folder, and those of tests/adversarial and tests/honest for this topic.
const std::vector<HandIn>& all();

/// Goes through all of them, in an order in which any few in a row are of every kind.
const HandIn& drawn(std::size_t number);

}  // namespace odd
