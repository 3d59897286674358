// SPDX-License-Identifier: MIT
// Reading a model from a Hugging Face config.json.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/llm/model.hpp"

namespace roofline::llm {

/// Reads a config.json of a supported architecture. A size that the file does not state is derived
/// only if the architecture itself defines it by another key (head_dim = hidden_size /
/// num_attention_heads in llama); each such step is listed in Model::notes.
/// Throws std::runtime_error naming file and key: unknown architecture, missing key, wrong type,
/// size below 1, sizes that contradict one another.
Model load_model(const std::filesystem::path& file);

/// The values of model_type that load_model() understands.
std::vector<std::string> supported_architectures();

/// The model files of a folder, sorted by name. Throws std::runtime_error if it is missing.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& folder);

/// A file path as given, a folder that contains a config.json, or otherwise the id of a file in
/// `folder` ("llama-3.1-8b"). Throws std::runtime_error listing the ids if there is no such model.
std::filesystem::path resolve_model(std::string_view name_or_path,
                                    const std::filesystem::path& folder);

}  // namespace roofline::llm
