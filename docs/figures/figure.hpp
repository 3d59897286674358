// SPDX-License-Identifier: MIT
// Registers a figure of the book: FIGURE("name", [](const Sources& sources) { ... return drawing;
// }).
//
// It is written as NAME.svg. Each file here is a group of figures; what they show is computed by
// the course's own code or read from data/, never typed in.
#pragma once

#include <map>
#include <string>

#include "drawing.hpp"
#include "value.hpp"

namespace figures {

using docs::Sources;
using Draw = Drawing (*)(const Sources&);

/// Called by FIGURE. @throws std::logic_error if the name is taken.
bool register_figure(std::string name, Draw draw);

/// All figures by name.
const std::map<std::string, Draw>& registered_figures();

}  // namespace figures

#define FIGURE(name, ...)                                                \
  [[maybe_unused]] static const bool DOC_VALUE_JOIN(figure_, __LINE__) = \
      ::figures::register_figure(name, __VA_ARGS__);
