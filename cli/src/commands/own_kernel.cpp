// SPDX-License-Identifier: MIT
// Builds a kernel file of the user's own with the commands for submissions.
#include "own_kernel.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include "grader/program/build.hpp"
#include "grader/program/process.hpp"
#include "grader/program/recipe.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr double kCompileSeconds = 300;

/// Some linkers reject a second main() instead of ignoring the harness's.
bool has_two_mains(std::string_view errors) {
  return errors.find("multiple definition of `main'") != std::string_view::npos ||
         (errors.find("duplicate symbol") != std::string_view::npos &&
          errors.find(": main\n") != std::string_view::npos);
}

/// Runs a compiler. @throws std::runtime_error with its first errors.
void run_compiler(const std::vector<std::string>& arguments, const fs::path& file) {
  grader::Command command;
  command.arguments = arguments;
  command.environment = grader::clean_environment();
  grader::Limits limits;
  limits.wall_seconds = kCompileSeconds;
  limits.cpu_seconds = 0;
  limits.kept_output_bytes = 1U << 20;
  grader::Child child(command, limits);
  if (child.wait() == 0) return;
  if (has_two_mains(child.raw_output())) {
    throw std::runtime_error(file.filename().string() + " does not link. " + kOwnMain);
  }
  std::string errors = grader::first_errors(child.raw_output(), file.parent_path());
  if (errors.empty()) errors = child.output();
  throw std::runtime_error(file.filename().string() + " does not compile:\n" + errors);
}

}  // namespace

fs::path build_own_kernel(const fs::path& build, const fs::path& file, const fs::path& folder) {
  const grader::Recipe recipe = grader::read_recipe(build, "own", "kernel-checked");
  const fs::path source = fs::absolute(file);
  const fs::path object = folder / "own.o";
  const fs::path program = folder / "own";
  std::vector<std::string> compile = grader::options_of(recipe.compile);
  for (const std::string& argument :
       {std::string("-c"), source.string(), std::string("-o"), object.string()}) {
    compile.push_back(argument);
  }
  run_compiler(compile, source);
  run_compiler(grader::filled(recipe.link, "", object.string(), program.string()), source);
  return program;
}

std::vector<fs::path> files_beside(const fs::path& file) {
  std::vector<fs::path> files = {file};
  for (const auto& entry : fs::directory_iterator(fs::absolute(file).parent_path())) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".hpp" || ending == ".cuh" || ending == ".h") files.push_back(entry.path());
  }
  return files;
}

}  // namespace cli
