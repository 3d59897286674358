// SPDX-License-Identifier: MIT
// How published weights are stored, from the quantization_config of a config.json.
#pragma once

#include "config_keys.hpp"
#include "roofline/llm/model.hpp"

namespace roofline::llm {

/// Sets Model::quantized or, for what is not understood, Model::unknown_quantization. Does nothing
/// for a file without quantization_config.
void read_quantization(const ConfigKeys& keys, Model& model);

}  // namespace roofline::llm
