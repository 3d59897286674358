// SPDX-License-Identifier: MIT
// Extracts machines, models and terms from the data files and the glossary.
#include "site_data.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "base/files.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/machine.hpp"

namespace docs {
namespace {

namespace fs = std::filesystem;
namespace llm = roofline::llm;
using nlohmann::json;

/// Cells of a row of a Markdown table, without surrounding spaces.
std::vector<std::string> cells(const std::string& row) {
  static const std::regex kCell(R"(\| *([^|]*?) *(?=\|))");
  std::vector<std::string> result;
  for (std::sregex_iterator it(row.begin(), row.end(), kCell), end; it != end; ++it) {
    result.push_back((*it)[1]);
  }
  return result;
}

std::vector<std::string> split(const std::string& text, const std::regex& between) {
  return {std::sregex_token_iterator(text.begin(), text.end(), between, -1), {}};
}

/// Bandwidth, capacity, and the best dense peak of each precision, widest first, with the size of
/// an element in bytes and the unit of its work.
json machine_data(const roofline::Machine& machine) {
  json peaks = json::array();
  for (const roofline::Precision precision : roofline::all_precisions()) {
    const auto has = [&](const roofline::Peak& peak) {
      return peak.precision == precision && !peak.sparse;
    };
    if (std::none_of(machine.peaks.begin(), machine.peaks.end(), has)) continue;
    peaks.push_back({{"precision", roofline::display_name(precision)},
                     {"rate", roofline::best_peak(machine, precision).operations_per_second},
                     {"bytes", roofline::bytes_per_element(precision)},
                     {"unit", roofline::is_integer(precision) ? "OP" : "FLOP"}});
  }
  const roofline::MemoryLevel& dram = roofline::memory_level(machine, "DRAM");
  return {{"id", machine.id},
          {"name", machine.name},
          {"bandwidth", roofline::bandwidth(machine)},
          {"capacity", dram.capacity_bytes ? json(*dram.capacity_bytes) : json()},
          {"peaks", peaks}};
}

/// What site/model.js needs about such a model: how many numbers (not bytes) a step reads, and how
/// many are stored.
json model_data(const llm::Model& model) {
  const llm::ParameterCount active = llm::count_active_parameters(model);
  const llm::ParameterCount all = llm::count_parameters(model);
  json layers = json::array();
  for (const llm::LayerGroup& group : model.layers) {
    json one = {{"count", group.count}, {"window", group.window ? json(*group.window) : json()}};
    if (const auto* grouped = std::get_if<llm::GroupedAttention>(&group.attention)) {
      one["cached"] = 2 * grouped->kv_heads * grouped->head_dim;
      one["rotary"] = 0;
    } else {
      const auto& latent = std::get<llm::LatentAttention>(group.attention);
      one["cached"] = latent.kv_rank;
      one["rotary"] = latent.rope_dim;
    }
    if (const auto* experts = std::get_if<llm::ExpertFeedForward>(&group.feed_forward)) {
      one["experts"] = {{"all", experts->experts},
                        {"each", experts->experts_per_token},
                        {"numbers", 3 * model.hidden * experts->width},
                        {"biases", experts->expert_bias ? 2 * experts->width + model.hidden : 0}};
    }
    layers.push_back(one);
  }
  return {{"name", model.name},
          {"matrices", active.matrices},
          {"tables", active.head + (model.tied_embeddings ? active.embedding : 0)},
          {"vectors", active.vectors},
          {"stored",
           {{"matrices", all.matrices + all.experts + all.embedding + all.head},
            {"vectors", all.vectors}}},
          {"layers", layers}};
}

/// The meaning of each term of the glossary, from its tables with a column "meaning".
json glossary_terms(const std::string& markdown) {
  static const std::regex kComma(", "), kSemicolon("; ");
  static const std::regex kShort(R"((.*) \(([^)]*)\))");
  json terms = json::object();
  std::size_t meaning = 0;  // its column; 0: this table has none
  std::istringstream in(markdown);
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> row = cells(line);
    if (row.empty()) {
      meaning = 0;
      continue;
    }
    if (line.starts_with("|---")) continue;
    const auto found = std::find(row.begin(), row.end(), "meaning");
    if (found != row.end()) {
      meaning = static_cast<std::size_t>(found - row.begin());
      continue;
    }
    if (meaning == 0 || row.size() <= meaning) continue;
    // "TTFT, TPOT" has a meaning for each, "roof, ceiling" one for both; "warp, 32 lanes" is a
    // single term.
    std::vector<std::string> names = split(row[0], kComma);
    if (names.size() > 1 && names[1].find("lanes") != std::string::npos) names.resize(1);
    const std::vector<std::string> meanings = split(row[meaning], kSemicolon);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& says =
          meanings.size() == names.size() && names.size() > 1 ? meanings[i] : row[meaning];
      std::smatch match;
      if (std::regex_match(names[i], match, kShort)) {
        terms[match[1]] = says;
        terms[match[2]] = match[1].str() + ": " + says;
      } else {
        terms[names[i]] = says;
      }
    }
  }
  return terms;
}

}  // namespace

bool is_drawn(const llm::Model& model) {
  return std::all_of(model.layers.begin(), model.layers.end(), [](const llm::LayerGroup& group) {
    const auto* latent = std::get_if<llm::LatentAttention>(&group.attention);
    return std::holds_alternative<llm::GroupedAttention>(group.attention) ||
           (latent != nullptr && latent->index_heads == 0);
  });
}

std::string site_data(const fs::path& root) {
  json data = {{"machines", json::array()}, {"models", json::array()}};
  for (const fs::path& file : roofline::machine_files(root / "data" / "machines")) {
    const roofline::Machine machine = roofline::load_machine(file);
    data["machines"].push_back(machine_data(machine));
  }
  for (const fs::path& file : llm::model_files(root / "data" / "models")) {
    const llm::Model model = llm::load_model(file);
    if (!is_drawn(model)) continue;
    json entry = model_data(model);
    entry["id"] = file.stem().string();
    data["models"].push_back(entry);
  }
  data["glossary"] = glossary_terms(base::read_file(root / "docs" / "pages" / "glossary.md"));
  return "window.rlData = " + data.dump() + ";\n";
}

}  // namespace docs
