// SPDX-License-Identifier: MIT
// The course's models and machines, by name.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/llm/config.hpp"
#include "roofline/machine.hpp"

inline const std::filesystem::path kData = RL_DATA_FOLDER;

inline roofline::llm::Model model(const std::string& id) {
  return roofline::llm::load_model(roofline::llm::resolve_model(id, kData / "models"));
}

inline roofline::Machine machine(const std::string& id) {
  return roofline::load_machine(roofline::resolve_machine(id, kData / "machines"));
}
