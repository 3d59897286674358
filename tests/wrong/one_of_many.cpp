// SPDX-License-Identifier: MIT
// Chooses among the wrong solutions of a program by the folder that it was started from.
#include "one_of_many.hpp"

#include <errno.h>  // program_invocation_name

#include <filesystem>
#include <utility>

#include "registry.hpp"

namespace wrong {
namespace {

harness::Registry& chosen() {
  static harness::Registry registered;
  return registered;
}

}  // namespace

bool end_of(const char* name) {
  harness::Registry registered = std::exchange(harness::registry(), {});
  const std::filesystem::path program = program_invocation_name;
  if (program.parent_path().parent_path().filename() == name) chosen() = std::move(registered);
  return true;
}

bool register_chosen() {
  harness::registry() = std::move(chosen());
  return true;
}

}  // namespace wrong
