// SPDX-License-Identifier: MIT
// Links and copies of a checkout in a temporary folder.
#include "example_course.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

namespace docs {
namespace {

namespace fs = std::filesystem;

/// Links the files of a folder; its subfolders are created anew, so that a page can replace a
/// program.
void link_programs(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    const fs::path place = to / entry.path().filename();
    if (entry.is_directory()) {
      fs::create_directory(place);
      link_programs(entry.path(), place);
    } else {
      fs::create_symlink(entry.path(), place);
    }
  }
}

fs::path new_folder() {
  std::string name = (fs::temp_directory_path() / "roofline-examples-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  return name;
}

}  // namespace

ExampleCourse::ExampleCourse(const fs::path& root, const fs::path& bin)
    : folder_(new_folder()), root_(folder_ / "roofline-labs") {
  // The command resolves links to its own location, and would otherwise work on the course itself.
  static const std::set<std::string> kNotLinked = {".git", ".lab", "build", "lab", "topics"};
  fs::create_directories(root_ / "build" / "cpu" / "bin");
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (!kNotLinked.contains(name)) fs::create_symlink(entry.path(), root_ / name);
  }
  fs::copy(root / "lab", root_ / "lab");
  fs::copy(root / "topics", root_ / "topics", fs::copy_options::recursive);
  link_programs(bin, root_ / "build" / "cpu" / "bin");
  const fs::path package = fs::absolute(bin).parent_path() / "sdk";
  if (fs::exists(package)) fs::create_directory_symlink(package, root_ / "build" / "cpu" / "sdk");
  // Marked as built, in the way ./lab expects: there is no commit here, and none was built.
  std::ofstream(root_ / "build" / "cpu" / ".built-from") << "\n";
}

ExampleCourse::~ExampleCourse() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string ExampleCourse::without_paths(std::string text) const {
  const std::string path = root_.string();
  for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
    text.replace(at, path.size(), "~/roofline-labs");
  }
  return text;
}

}  // namespace docs
