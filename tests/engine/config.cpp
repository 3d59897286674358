// SPDX-License-Identifier: MIT
// What is read from config.json, and what the engine refuses to run.
#include "engine/model/config.hpp"

#include "support/catch.hpp"
#include "tiny_model.hpp"

using nlohmann::json;

namespace {

engine::ModelConfig read(const json& content) {
  const base::TemporaryFolder folder;
  base::write_file_atomically(folder.path() / "config.json", content.dump());
  return engine::read_config(folder.path());
}

}  // namespace

TEST_CASE("sizes and what decides the numbers are read", "[engine]") {
  const engine::ModelConfig qwen2 = read(engine::test::TinyModel("qwen2", 1).config());
  CHECK(qwen2.layers == 2);
  CHECK(qwen2.head_dim == 8);
  CHECK(qwen2.has_input_bias);
  CHECK_FALSE(qwen2.has_qk_norm);
  CHECK(qwen2.has_tied_head);
  CHECK(qwen2.rope_theta == 1000);
  CHECK(qwen2.norm_epsilon == 1e-5);
  const engine::ModelConfig qwen3 = read(engine::test::TinyModel("qwen3", 1).config());
  CHECK(qwen3.head_dim == 20);
  CHECK(qwen3.query_width() == 120);
  CHECK(qwen3.has_qk_norm);
  CHECK_FALSE(qwen3.has_input_bias);

  json content = engine::test::TinyModel("llama", 1).config();
  content["eos_token_id"] = 7;
  CHECK(read(content).stop_tokens == std::vector<std::int32_t>{7});
  content["eos_token_id"] = {7, 9};
  CHECK(read(content).stop_tokens == std::vector<std::int32_t>{7, 9});
  const base::TemporaryFolder folder;
  base::write_file_atomically(folder.path() / "config.json", content.dump());
  base::write_file_atomically(folder.path() / "generation_config.json",
                              R"({"eos_token_id": [9, 11]})");
  CHECK(engine::read_config(folder.path()).stop_tokens == std::vector<std::int32_t>{7, 9, 11});
  base::write_file_atomically(folder.path() / "generation_config.json", "[");
  CHECK_THROWS_WITH(engine::read_config(folder.path()),
                    Catch::Matchers::Contains("generation_config.json: is not a JSON object"));
  content.erase("rope_theta");
  content["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 500000.0}};
  CHECK(read(content).rope_theta == 500000);
}

TEST_CASE("rotary positions are scaled as Llama 3.1 does", "[engine]") {
  // Meta's rule for Llama-3.1-8B, by wavelength, computed with a calculator for four pairs.
  engine::ModelConfig config;
  config.head_dim = 128;
  config.rope_theta = 500000;
  config.rope_scaling = engine::RotaryScaling{8, 1, 4, 8192};
  CHECK(config.rotary_rate(0) == 1);
  CHECK(config.rotary_rate(28) ==
        Approx(3.211445994753e-03).epsilon(1e-9));  // shorter than 2048: kept
  CHECK(config.rotary_rate(31) == Approx(8.567514129196e-04).epsilon(1e-9));  // between
  CHECK(config.rotary_rate(63) == Approx(3.068925988915e-07).epsilon(1e-9));  // an eighth
}

TEST_CASE("a model that is not implemented is refused by key", "[engine]") {
  using Catch::Matchers::Contains;
  const json good = engine::test::TinyModel("llama", 1).config();
  const auto with = [&](const char* key, const json& value) {
    json content = good;
    content[key] = value;
    return content;
  };
  CHECK_THROWS_WITH(read(with("model_type", "mistral")),
                    Contains("mistral") || Contains("sliding"));
  CHECK_THROWS_WITH(read(with("rope_scaling", {{"rope_type", "yarn"}, {"factor", 4.0}})),
                    Contains("rope_scaling \"yarn\" is not implemented"));
  json scaling = {{"rope_type", "llama3"},
                  {"factor", 8.0},
                  {"low_freq_factor", 1.0},
                  {"high_freq_factor", 1.0},
                  {"original_max_position_embeddings", 8192}};
  CHECK_THROWS_WITH(read(with("rope_scaling", scaling)),
                    Contains("low_freq_factor must be below high_freq_factor"));
  scaling.erase("factor");
  CHECK_THROWS_WITH(read(with("rope_scaling", scaling)),
                    Contains("rope_scaling llama3 needs factor"));
  CHECK_THROWS_WITH(read(with("hidden_act", "gelu")), Contains("hidden_act \"gelu\""));
  CHECK_THROWS_WITH(read(with("attention_bias", true)), Contains("attention_bias"));
  CHECK_THROWS_WITH(read(with("mlp_bias", true)), Contains("mlp_bias"));
  CHECK_THROWS_WITH(read(with("rms_norm_eps", -1)), Contains("rms_norm_eps"));
  CHECK_THROWS_WITH(read(with("head_dim", 7)), Contains("head_dim must be even"));
  CHECK_THROWS_WITH(engine::read_config("/nowhere"),
                    Contains("config.json is missing") && Contains("--model"));
}
