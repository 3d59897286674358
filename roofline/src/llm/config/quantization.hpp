// SPDX-License-Identifier: MIT
// How published weights are stored, from the quantization_config of a config.json.
#pragma once

#include "config_keys.hpp"
#include "roofline/llm/model.hpp"

namespace roofline::llm {

/// Fills in Model::quantized, or Model::unknown_quantization with what is not understood. Does
/// nothing for a file without quantization_config.
void read_quantization(const ConfigKeys& keys, Model& model);

}  // namespace roofline::llm
