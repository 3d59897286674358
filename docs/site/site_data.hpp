// SPDX-License-Identifier: MIT
// Machines, models and terms as the site's scripts read them.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/llm/model.hpp"

namespace docs {

/// Whether site/model.js supports a model's layers: grouped or latent attention to all tokens or to
/// a window.
bool is_drawn(const roofline::llm::Model& model);

/// A script that sets window.rlData to {"machines": [...], "models": [...], "glossary": {...}} of a
/// project.
std::string site_data(const std::filesystem::path& root);

}  // namespace docs
