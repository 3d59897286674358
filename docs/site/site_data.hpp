// SPDX-License-Identifier: MIT
// Machines, models and terms as the site's scripts read them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "roofline/llm/model.hpp"
#include "roofline/machine.hpp"

namespace docs {

/// Bandwidth, capacity, and the best dense peak of each precision, widest first, with the size of
/// an element in bytes and the unit of its work.
nlohmann::json machine_data(const roofline::Machine& machine);

/// Whether site/model.js supports a model's layers: grouped or latent attention to all tokens or to
/// a window.
bool is_drawn(const roofline::llm::Model& model);

/// What site/model.js needs about such a model: how many numbers (not bytes) a step reads, and how
/// many are stored.
nlohmann::json model_data(const roofline::llm::Model& model);

/// The meaning of each term of the glossary, from its tables with a column "meaning".
nlohmann::json glossary_terms(const std::string& markdown);

/// {"machines": [...], "models": [...], "glossary": {...}} of a project.
nlohmann::json site_data(const std::filesystem::path& root);

}  // namespace docs
