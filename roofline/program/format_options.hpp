// SPDX-License-Identifier: MIT
// The options for the formats in which a model is stored and computed.
#pragma once

#include <string>

#include "roofline/llm/memory.hpp"

namespace CLI {
class App;
}

namespace roofline::program {

/// As typed; empty if not stated.
struct FormatOptions {
  std::string weights, experts, head, kv, activations, arithmetic, attention_arithmetic;
};

void add_format_options(CLI::App& command, FormatOptions& options);

/// The formats of a model on a machine. Throws std::invalid_argument for text that is not a format.
llm::Formats formats_from(const FormatOptions& options, const llm::Model& model,
                          const Machine& machine);

}  // namespace roofline::program
