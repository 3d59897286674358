// SPDX-License-Identifier: MIT
// The course's own model, compared with PyTorch's results in FP32: expected.json in its folder.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "engine/generate/generator.hpp"
#include "engine/text/tokenizer.hpp"
#include "support/catch.hpp"

using engine::CacheFormat;
using engine::Generated;
using engine::Generator;
using engine::LabKernels;
using engine::Request;
using engine::WeightFormat;

namespace {

using Ids = std::vector<std::int32_t>;

const std::filesystem::path kModel = RL_MODEL;

const nlohmann::json& expected() {
  static const nlohmann::json content =
      nlohmann::json::parse(base::read_file(kModel / "expected.json"));
  return content;
}

/// Greedy tokens up to the end of text, where the engine stops and PyTorch went on.
Ids until_stop(Ids ids, const engine::ModelConfig& config) {
  const auto& stops = config.stop_tokens;
  const auto end = std::find_first_of(ids.begin(), ids.end(), stops.begin(), stops.end());
  ids.erase(end, ids.end());
  return ids;
}

/// A way to run the model, and how far its logits may differ from those in FP32. Two logits that
/// are further apart than twice that keep their order.
struct Way {
  WeightFormat weights;
  CacheFormat cache;
  double logit_tolerance;
};

/// FP16 represents all but the smallest BF16 weights exactly; INT8 does not, so its tokens differ.
constexpr Way kWays[] = {{WeightFormat::kFp32, CacheFormat::kFp32, 1e-4},
                         {WeightFormat::kFp32, CacheFormat::kBf16, 2e-2},
                         {WeightFormat::kFp16, CacheFormat::kBf16, 2e-2}};

/// Compares logits and tokens of every prompt; returns for how many prompts the tokens were
/// compared.
int check_prompts(const LabKernels& kernels, const Way& way) {
  Generator generator(kModel, kernels, {.weights = way.weights, .cache = way.cache});
  int compared = 0;
  for (const auto& prompt : expected().at("prompts")) {
    INFO("prompt: " << prompt.at("text") << ", weights " << engine::name_of(way.weights)
                    << ", cache " << engine::name_of(way.cache));
    const Ids ids = prompt.at("ids").get<Ids>();
    const std::vector<float> logits = generator.logits(ids);
    const auto top_ids = prompt.at("top_ids").get<Ids>();
    const auto top_logits = prompt.at("top_logits").get<std::vector<double>>();
    for (std::size_t i = 0; i < top_ids.size(); ++i) {
      CHECK(std::fabs(logits.at(static_cast<std::size_t>(top_ids[i])) - top_logits[i]) <
            way.logit_tolerance);
    }
    if (prompt.at("min_margin").get<double>() <= 2 * way.logit_tolerance) continue;
    const Ids greedy = prompt.at("greedy_ids").get<Ids>();
    const Generated result = generator.generate({ids, static_cast<int>(greedy.size())});
    CHECK(result.tokens == until_stop(greedy, generator.config()));
    ++compared;
  }
  return compared;
}

}  // namespace

TEST_CASE("texts of the course's model are divided as its training did", "[engine][model]") {
  const engine::Tokenizer tokenizer(kModel / "tokenizer.json");
  REQUIRE(expected().at("tokenizer").size() >= 10);
  for (const auto& entry : expected().at("tokenizer")) {
    const auto text = entry.at("text").get<std::string>();
    INFO(text);
    CHECK(tokenizer.encode(text) == entry.at("ids").get<Ids>());
    if (text.find("<|endoftext|>") == std::string::npos) {
      CHECK(tokenizer.decode(entry.at("ids").get<Ids>()) == text);
    }
  }
  for (const auto& prompt : expected().at("prompts")) {
    CHECK(tokenizer.encode(prompt.at("text").get<std::string>()) == prompt.at("ids").get<Ids>());
    CHECK(tokenizer.decode(prompt.at("greedy_ids").get<Ids>()) ==
          prompt.at("greedy_text").get<std::string>());
  }
}

TEST_CASE("logits and greedy tokens are PyTorch's", "[engine][model]") {
  for (const Way& way : kWays) {
    CHECK(check_prompts(engine::linked_kernels(), way) > 0);
    CHECK(check_prompts(engine::plain_kernels(), way) > 0);
  }
}

TEST_CASE("weights in few bits give nearly the logits of the model", "[engine][model]") {
  for (const auto& [format, margin] :
       {std::pair(WeightFormat::kInt8, 0.1), {WeightFormat::kInt4, 0.8}}) {
    Generator generator(kModel, engine::linked_kernels(), {.weights = format});
    for (const auto& prompt : expected().at("prompts")) {
      const std::vector<float> logits = generator.logits(prompt.at("ids").get<Ids>());
      const auto best = prompt.at("top_ids").at(0).get<std::size_t>();
      INFO(engine::name_of(format));
      CHECK(logits[best] == Approx(prompt.at("top_logits").at(0).get<double>()).margin(margin));
    }
  }
}

TEST_CASE("a batch of the model's prompts gives what each gives alone", "[engine][model]") {
  std::vector<Request> requests;
  for (const auto& prompt : expected().at("prompts")) {
    // Later on, one prompt has a near tie in INT8, which the order of a sum decides.
    requests.push_back({prompt.at("ids").get<Ids>(), 16});
  }
  // The prompts' tokens also come in steps of several: batch products on both sides.
  for (const WeightFormat format :
       {WeightFormat::kFp32, WeightFormat::kFp16, WeightFormat::kInt8, WeightFormat::kInt4}) {
    INFO(engine::name_of(format));
    Generator together(kModel, engine::linked_kernels(),
                       {.weights = format, .batch = static_cast<int>(requests.size())});
    Generator alone(kModel, engine::linked_kernels(), {.weights = format});
    LabKernels one_by_one = engine::linked_kernels();
    one_by_one.gemv_int8_batch = nullptr;
    one_by_one.gemv_int4_batch = nullptr;
    one_by_one.attention_paged_half = nullptr;
    Generator labs_alone(kModel, one_by_one, {.weights = format});
    const std::vector<Generated> results = together.generate(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      CHECK(results[i].tokens == alone.generate(requests[i]).tokens);
      CHECK(results[i].tokens == labs_alone.generate(requests[i]).tokens);
    }
  }
}
