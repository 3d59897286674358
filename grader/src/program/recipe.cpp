// SPDX-License-Identifier: MIT
// Reads and fills recipes.
#include "grader/program/recipe.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "base/files.hpp"
#include "base/text.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_arguments(const fs::path& file, const fs::path& build) {
  if (!fs::exists(file)) {
    throw std::runtime_error("the build tree " + build.string() + " does not say how " +
                             file.stem().string() + " of a submission is built (" + file.string() +
                             " is missing); run: cmake --build " + build.string() +
                             " --target sdk");
  }
  return base::lines_of(base::read_file(file));
}

void replace(std::string& text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

fs::path sdk_of(const fs::path& build) {
  return build / "sdk";
}

std::vector<fs::path> Recipe::libraries() const {
  std::vector<fs::path> libraries;
  for (const std::string& argument : link) {
    const bool is_library = argument.ends_with(".a") || argument.find(".so") != std::string::npos;
    if (is_library && argument.starts_with('/')) libraries.emplace_back(argument);
  }
  return libraries;
}

Recipe read_recipe(const fs::path& build, const std::string& topic, const std::string& name) {
  const fs::path file = sdk_of(build) / "programs" / topic / name;
  return {read_arguments(file.string() + ".compile", build),
          read_arguments(file.string() + ".link", build)};
}

std::vector<std::string> filled(const std::vector<std::string>& arguments, const std::string& place,
                                const std::string& object, const std::string& program) {
  std::vector<std::string> result = arguments;
  for (std::string& argument : result) {
    replace(argument, Recipe::kPlace, place);
    replace(argument, Recipe::kObject, object);
    replace(argument, Recipe::kProgram, program);
  }
  return result;
}

std::vector<std::string> options_of(const std::vector<std::string>& compile) {
  std::vector<std::string> options;
  for (std::size_t i = 0; i < compile.size(); ++i) {
    const std::string& argument = compile[i];
    const bool takes_next =
        argument == "-o" || argument == "-c" || argument == "-MT" || argument == "-MF";
    if (takes_next) {
      ++i;
    } else if (argument != "-MD") {
      options.push_back(argument);
    }
  }
  return options;
}

std::string source_of(const std::vector<std::string>& compile) {
  const auto option = std::find(compile.begin(), compile.end(), "-c");
  if (option == compile.end() || option + 1 == compile.end()) {
    throw std::runtime_error("a compile command without a source");
  }
  return *(option + 1);
}

}  // namespace grader
