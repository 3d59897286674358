// SPDX-License-Identifier: MIT
// The models of data/models: their published parameter totals, exactly.
#include <algorithm>
#include <set>

#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/parameters.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;

namespace {

const std::filesystem::path kModels = kData / "models";

struct Published {
  const char* id;
  std::int64_t total;
  std::int64_t active;          ///< with the embedding table
  std::int64_t read_per_token;  ///< without it, unless tied
  double kv_bytes_per_token;    ///< 16-bit cache, ignoring windows
};

// Totals according to the models' pages and checkpoints.
const std::vector<Published> kPublished = {
    {"llama-2-7b", 6738415616, 6738415616, 6607343616, 524288},
    {"llama-2-13b", 13015864320, 13015864320, 12852024320, 819200},
    {"llama-2-70b", 68976648192, 68976648192, 68714504192, 327680},
    {"llama-3-8b", 8030261248, 8030261248, 7504924672, 131072},
    {"llama-3.1-8b", 8030261248, 8030261248, 7504924672, 131072},
    {"llama-3.1-70b", 70553706496, 70553706496, 69503033344, 327680},
    {"llama-3.1-405b", 405853388800, 405853388800, 403752042496, 516096},
    {"mistral-7b-v0.1", 7241732096, 7241732096, 7110660096, 131072},
    {"mistral-7b-v0.3", 7248023552, 7248023552, 7113805824, 131072},
    {"mixtral-8x7b", 46702792704, 12879925248, 12748853248, 131072},
    {"qwen2.5-7b", 7615616512, 7615616512, 7070619136, 57344},
    {"qwen2.5-72b", 72706203648, 72706203648, 71460495360, 327680},
    {"qwen3-8b", 8190735360, 8190735360, 7568405504, 147456},
    {"qwen3-32b", 32762123264, 32762123264, 31984210944, 262144},
    {"qwen3-30b-a3b", 30532122624, 3353032704, 3041867776, 98304},
    {"gemma-2-9b", 9241705984, 9241705984, 9241705984, 344064},
    {"phi-3-mini-4k", 3821079552, 3821079552, 3722578944, 393216},
    {"deepseek-v3", 671026419200, 37552297472, 36625618432, 70272},
    {"kimi-k2", 1026408232448, 32861500928, 31687095808, 70272},
    {"gpt-oss-20b", 20914757184, 4187440704, 3608307264, 49152},
    {"gpt-oss-120b", 116829156672, 5711982912, 5132849472, 73728},
    {"gemma-3-1b", 999885952, 999885952, 999885952, 26624},
    {"qwen1.5-moe-a2.7b", 14315784192, 2689173504, 2378008576, 196608},
};

/// Models whose pages give only rounded counts, in billions; 0: not given.
struct Rounded {
  const char* id;
  double total;
  double active;
  double tolerance;  ///< for the rounding, and for the image encoder if the total includes it
};

const std::vector<Rounded> kRounded = {
    {"deepseek-v3.2", 671, 37, 0.05},  // active without the table; 685 with the additional layer
    {"falcon-40b", 41.3, 0, 0.002},         {"falcon-7b", 6.92, 0, 0.001},
    {"gemma-3-27b", 27, 0, 0.01},           {"glm-4.5", 355, 32, 0.06},
    {"glm-4.5-air", 106, 12, 0.12},         {"granite-4-h-small", 32, 9, 0.05},
    {"llama-4-maverick", 400, 17, 0.02},    {"llama-4-scout", 109, 17, 0.02},
    {"mistral-small-24b", 23.57, 0, 0.001}, {"phi-4", 14.7, 0, 0.005},
    {"qwen3-14b", 14.8, 0, 0.005},          {"qwen3-next-80b-a3b", 80, 3, 0.30},
};

}  // namespace

TEST_CASE("every model file has a published total, and the other way round") {
  std::set<std::string> files;
  for (const auto& file : model_files(kModels)) files.insert(file.stem().string());
  std::set<std::string> published;
  for (const Published& row : kPublished) published.insert(row.id);
  for (const Rounded& row : kRounded) published.insert(row.id);
  REQUIRE(files == published);
}

TEST_CASE("parameters come to the rounded counts of the models' pages") {
  for (const Rounded& row : kRounded) {
    INFO(row.id);
    const Model model = load_model(resolve_model(row.id, kModels));
    CHECK(static_cast<double>(count_parameters(model).total()) / 1e9 ==
          Approx(row.total).epsilon(std::min(row.tolerance, 0.02)));
    if (row.active > 0) {
      CHECK(static_cast<double>(count_active_parameters(model).total()) / 1e9 ==
            Approx(row.active).epsilon(row.tolerance));
    }
  }
}

TEST_CASE("parameters and cache bytes equal the published ones to the unit") {
  for (const Published& row : kPublished) {
    INFO(row.id);
    const Model model = load_model(resolve_model(row.id, kModels));
    CHECK(count_parameters(model).total() == row.total);
    CHECK(count_active_parameters(model).total() == row.active);
    Formats formats = stored_formats(model);
    CHECK(kv_bytes_per_token(model, formats) == row.kv_bytes_per_token);
    CHECK(weight_bytes(model, formats) == 2.0 * static_cast<double>(row.total));
    CHECK(streamed_weight_bytes(model, formats, 1) ==
          Approx(2.0 * static_cast<double>(row.read_per_token)).epsilon(1e-12));
  }
}

TEST_CASE("windows fall on the layers that the architecture says") {
  const auto windowed = [](const char* id) {
    std::int64_t count = 0;
    for (const LayerGroup& group : load_model(resolve_model(id, kModels)).layers) {
      if (group.window) count += group.count;
    }
    return count;
  };
  CHECK(windowed("gemma-2-9b") == 21);
  CHECK(windowed("gpt-oss-20b") == 12);
  CHECK(windowed("gpt-oss-120b") == 18);
  CHECK(windowed("mistral-7b-v0.1") == 32);
  CHECK(windowed("mistral-7b-v0.3") == 0);
  CHECK(windowed("llama-3.1-8b") == 0);
}

TEST_CASE("what a file leaves out is reported") {
  const Model model = load_model(resolve_model("deepseek-v3", kModels));
  bool said = false;
  for (const std::string& note : model.notes) {
    said = said || note.find("num_nextn_predict_layers") != std::string::npos;
  }
  REQUIRE(said);
  REQUIRE(model.layer_count() == 61);
}

TEST_CASE("a model is found by id, file or folder, and a missing one lists what there is") {
  REQUIRE(resolve_model("qwen3-8b", kModels) == kModels / "qwen3-8b.json");
  REQUIRE(resolve_model((kModels / "qwen3-8b.json").string(), "/nowhere") ==
          kModels / "qwen3-8b.json");
  CHECK_THROWS_WITH(resolve_model("gpt-5", kModels), Catch::Matchers::Contains("llama-3.1-8b"));
  CHECK_THROWS_WITH(model_files("/nowhere"), Catch::Matchers::Contains("/nowhere"));
}
