// SPDX-License-Identifier: MIT
// Everything that this program's source files registered before main() began.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/answer.hpp"
#include "harness/entry.hpp"
#include "harness/function.hpp"
#include "harness/main.hpp"
#include "harness/oracle.hpp"

namespace harness {

struct Registry {
  std::vector<LabEntry> labs;
  std::vector<FunctionEntry> functions;
  std::vector<std::pair<std::string, OracleFunction>> oracles;
  std::vector<std::pair<std::string, AnswerFunction>> answers;
  MainFunction own_main = nullptr;  ///< of a lab that is a complete program
};

/// The registry of this program, made on first use because registration runs before main().
Registry& registry();

/// The registered item, by name. @throws std::out_of_range naming it when it does not exist.
const LabEntry& find_lab(std::string_view name);
const FunctionEntry& find_function(std::string_view name);
AnswerFunction find_answer(std::string_view id);

}  // namespace harness
