// SPDX-License-Identifier: MIT
// The config.json reader: what it derives, and what it refuses with which message.
#include "roofline/llm/config.hpp"

#include "base/files.hpp"
#include "roofline/llm/parameters.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

using support::replaced;

const std::string kLlama = R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 96,
  "num_hidden_layers": 2, "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 100,
  "max_position_embeddings": 512, "torch_dtype": "bfloat16"})";

const std::string kGemma = R"({"model_type": "gemma2", "hidden_size": 64, "intermediate_size": 96,
  "num_hidden_layers": 3, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 16,
  "vocab_size": 100, "max_position_embeddings": 512, "sliding_window": 32, "dtype": "bfloat16"})";

const std::string kQwenMoe = R"({"model_type": "qwen3_moe", "hidden_size": 64,
  "intermediate_size": 96, "num_hidden_layers": 4, "num_attention_heads": 8,
  "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 100, "max_position_embeddings": 512,
  "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 24,
  "decoder_sparse_step": 2, "mlp_only_layers": [1], "torch_dtype": "bfloat16"})";

Model read(const std::string& content) {
  const auto file = support::scratch_folder() / "roofline-llm-config-test.json";
  base::write_file_atomically(file, content);
  const auto remove = [&] { std::filesystem::remove(file); };
  try {
    Model model = load_model(file);
    remove();
    return model;
  } catch (...) {
    remove();
    throw;
  }
}

std::string error_of(const std::string& content) {
  try {
    read(content);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("derived sizes are used and reported") {
  const Model model = read(kLlama);
  const auto& attention = std::get<GroupedAttention>(model.layers.at(0).attention);
  CHECK(attention.head_dim == 8);
  CHECK(model.notes.size() == 3);  // head_dim, tie_word_embeddings, attention_bias
  CHECK_THAT(model.notes.at(1), Contains("head_dim") && Contains("8"));
  const Model multi_head = read(replaced(kLlama, R"("num_key_value_heads": 2, )", ""));
  CHECK(std::get<GroupedAttention>(multi_head.layers.at(0).attention).kv_heads == 8);
  const Model null_heads =
      read(replaced(kLlama, R"("num_key_value_heads": 2)", R"("num_key_value_heads": null)"));
  CHECK(std::get<GroupedAttention>(null_heads.layers.at(0).attention).kv_heads == 8);
  const Model stated = read(replaced(kLlama, "{", R"({"head_dim": 32, )"));
  CHECK(std::get<GroupedAttention>(stated.layers.at(0).attention).head_dim == 32);
}

TEST_CASE("biases, tied tables and norms change the total by what they hold") {
  const std::int64_t plain = count_parameters(read(kLlama)).total();
  // q, k, v and o of two layers: 64 + 16 + 16 + 64.
  CHECK(count_parameters(read(replaced(kLlama, "{", R"({"attention_bias": true, )"))).total() ==
        plain + 2 * 160);
  CHECK(count_parameters(read(replaced(kLlama, "{", R"({"mlp_bias": true, )"))).total() ==
        plain + 2 * (96 + 96 + 64));
  CHECK(
      count_parameters(read(replaced(kLlama, "{", R"({"tie_word_embeddings": true, )"))).total() ==
      plain - 6400);
  const Model gemma = read(kGemma);
  CHECK(gemma.tied_embeddings);
  CHECK(gemma.layers.at(0).norms == 4);
  CHECK(gemma.layers.at(0).window.value() == 32);
  CHECK(gemma.layers.at(0).count == 2);  // layers 0 and 2
  CHECK_FALSE(gemma.layers.at(1).window);
}

TEST_CASE("layer_types overrides the rule of the architecture") {
  const Model gemma =
      read(replaced(kGemma, "{", R"({"layer_types": ["full_attention", "full_attention",
                                     "sliding_attention"], )"));
  CHECK_FALSE(gemma.layers.at(0).window);
  CHECK(gemma.layers.at(0).count == 2);
  CHECK_THAT(error_of(replaced(kGemma, "{", R"({"layer_types": ["full_attention"], )")),
             Contains("layer_types must have num_hidden_layers entries"));
  CHECK_THAT(error_of(replaced(kGemma, "{", R"({"layer_types": ["linear_attention"], )")),
             Contains("linear_attention"));
}

TEST_CASE("sparse layers follow decoder_sparse_step and mlp_only_layers") {
  const Model model = read(kQwenMoe);  // layers 1 and 3 would be sparse, 1 is listed as dense
  std::int64_t sparse = 0;
  for (const LayerGroup& group : model.layers) {
    if (std::holds_alternative<ExpertFeedForward>(group.feed_forward)) sparse += group.count;
  }
  CHECK(sparse == 1);
  CHECK(std::get<GroupedAttention>(model.layers.at(0).attention).qk_norm);
}

TEST_CASE("a wrong or foreign file is refused, naming file and key") {
  REQUIRE(error_of(kLlama) == "accepted");
  for (const char* key :
       {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
        "vocab_size", "max_position_embeddings", "torch_dtype", "model_type"}) {
    const std::string renamed = replaced(kLlama, "\"" + std::string(key) + "\"", "\"other\"");
    CHECK_THAT(error_of(renamed), Contains(std::string(key) + " is missing") &&
                                      Contains("roofline-llm-config-test.json"));
  }
  CHECK_THAT(error_of(replaced(kLlama, "\"llama\"", "\"mamba\"")),
             Contains("model_type 'mamba' is not an architecture") && Contains("qwen3_moe"));
  CHECK_THAT(error_of(replaced(kLlama, "64", "\"64\"")),
             Contains("hidden_size must be an integer, it is the string \"64\""));
  CHECK_THAT(error_of(replaced(kLlama, "64", "64.0")), Contains("hidden_size must be an integer"));
  CHECK_THAT(error_of(replaced(kLlama, "64", "true")), Contains("boolean"));
  CHECK_THAT(error_of(replaced(kLlama, "64", "0")), Contains("hidden_size must be from 1 to"));
  CHECK_THAT(error_of(replaced(kLlama, "64", "-64")), Contains("hidden_size must be from 1 to"));
  CHECK_THAT(error_of(replaced(kLlama, "64", "18446744073709551615")), Contains("hidden_size"));
  CHECK_THAT(error_of(replaced(kLlama, "64", "1e300")), Contains("hidden_size"));
  CHECK_THAT(error_of(replaced(kLlama, "64", "66")), Contains("head_dim is missing"));
  CHECK_THAT(error_of(replaced(kLlama, "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3")),
             Contains("num_key_value_heads must divide num_attention_heads"));
  CHECK_THAT(error_of(replaced(kLlama, "bfloat16", "int8")), Contains("torch_dtype must be"));
  CHECK_THAT(error_of(replaced(kLlama, "{", R"({"num_local_experts": 8, )")),
             Contains("num_local_experts does not belong"));
  CHECK_THAT(error_of(replaced(kLlama, "{", R"({"architectures": ["LlamaForTokenTagging"], )")),
             Contains("architectures must name"));
  CHECK_THAT(error_of(replaced(kLlama, "{", R"({"attention_bias": "no", )")),
             Contains("attention_bias must be true or false"));
  CHECK_THAT(error_of("[1]"), Contains("one JSON object"));
  CHECK_THAT(error_of("{"), Contains("not valid JSON at byte"));
  CHECK_THAT(error_of("{\"hidden_size\": 1e400}"), Contains("a number in it is too large"));
  CHECK_THROWS_WITH(load_model("/nowhere.json"), Contains("cannot open"));
}

TEST_CASE("a quantised checkpoint may leave the type of the rest unstated, which is reported") {
  const std::string untyped = replaced(kLlama, ", \"torch_dtype\": \"bfloat16\"", "");
  CHECK_THAT(error_of(untyped), Contains("torch_dtype is missing"));
  const Model model = read(replaced(untyped, "{", R"({"quantization_config": {}, )"));
  CHECK(model.stored_as == Precision::kBf16);
  CHECK_THAT(model.notes.at(1), Contains("torch_dtype is not stated"));
}

TEST_CASE("a value that only a class default would give must be stated") {
  const std::string mistral = replaced(kLlama, "llama", "mistral");
  CHECK_THAT(error_of(mistral), Contains("sliding_window is missing; write null"));
  CHECK(error_of(replaced(mistral, "{", R"({"sliding_window": null, )")) == "accepted");
  CHECK_THAT(error_of(replaced(kGemma, R"("head_dim": 16,)", "")), Contains("head_dim is missing"));
  CHECK_THAT(error_of(replaced(kGemma, R"("num_key_value_heads": 2, )", "")),
             Contains("num_key_value_heads is missing"));
  CHECK_THAT(
      error_of(replaced(kQwenMoe, R"("num_experts_per_tok": 2)", R"("num_experts_per_tok": 9)")),
      Contains("num_experts_per_tok must be from 1 to 8"));
}

TEST_CASE("a key that changes the cost and is not understood is refused, not ignored") {
  const auto with = [](const char* key) { return replaced(kLlama, "{", key); };
  CHECK_THAT(error_of(with(R"({"layer_types": ["sliding_attention", "full_attention"], )")),
             Contains("layer_types may change what the model costs"));
  CHECK_THAT(error_of(with(R"({"sliding_window": 4096, )")), Contains("sliding_window may change"));
  CHECK_THAT(error_of(with(R"({"num_memory_layers": 3, )")), Contains("num_memory_layers"));
  // Switched off, or unrelated.
  CHECK(error_of(with(R"({"sliding_window": null, "num_memory_layers": 0, )")) == "accepted");
  CHECK(error_of(with(R"({"rope_theta": 10000.0, "hidden_act": "silu", "attention_dropout": 0.1,
                          "rms_norm_eps": 1e-5, "bos_token_id": 1, )")) == "accepted");
}

TEST_CASE("wrappers of several inputs: the language model inside counts") {
  const std::string wrapped =
      R"({"model_type": "llava_next", "architectures": ["LlavaNextForConditionalGeneration"],
          "torch_dtype": "bfloat16", "vision_config": {"hidden_size": 9}, "text_config": )" +
      replaced(kLlama, R"(, "torch_dtype": "bfloat16")", "") + "}";
  const Model model = read(wrapped);
  CHECK(model.architecture == "llama");
  CHECK(count_parameters(model).total() == count_parameters(read(kLlama)).total());
  CHECK_THAT(model.notes.back(), Contains("text part of llava_next"));
  CHECK_THAT(error_of(replaced(wrapped, "\"llama\"", "\"mystery\"")),
             Contains("model_type 'mystery' is not an architecture"));
  CHECK_THAT(error_of(R"({"model_type": "mystery"})"), Contains("'mystery'"));
  CHECK_THAT(error_of(R"({"model_type": "jamba"})"), Contains("it has Mamba-1 layers"));
}

TEST_CASE("windows of Gemma-3: five layers with one, the sixth without") {
  const std::string gemma = replaced(replaced(kGemma, "gemma2", "gemma3_text"),
                                     R"("num_hidden_layers": 3)", R"("num_hidden_layers": 12)");
  const Model model = read(gemma);
  CHECK(model.layers.at(0).count == 10);
  CHECK(model.layers.at(0).window.value() == 32);
  CHECK(model.layers.at(1).count == 2);
  CHECK_FALSE(model.layers.at(1).window);
  CHECK(std::get<GroupedAttention>(model.layers.at(0).attention).qk_norm);
}

TEST_CASE("quantisers' configurations become formats") {
  const auto bits = [](const std::string& config) {
    return read(replaced(kLlama, "{", R"({"quantization_config": )" + config + ", "))
        .quantized.value()
        .weights.bits_per_element;
  };
  CHECK(bits(R"({"quant_method": "fp8"})") == 8);
  CHECK(bits(R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true})") ==
        4 + 20.0 / 128);
  CHECK(bits(R"({"quant_method": "gptq", "bits": 4, "group_size": 64, "sym": true})") ==
        4 + 16.0 / 64);
  CHECK(bits(R"({"quant_method": "modelopt", "quant_algo": "NVFP4"})") == 4.5);
  CHECK(bits(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights":
             {"num_bits": 8, "type": "float"}}}})") == 8);
  CHECK(bits(R"({"quant_method": "bitsandbytes", "load_in_4bit": true})") == 4.5);
  const Model unknown =
      read(replaced(kLlama, "{", R"({"quantization_config": {"quant_method": "abacus"}, )"));
  CHECK_FALSE(unknown.quantized);
  CHECK_THAT(unknown.unknown_quantization, Contains("abacus"));
}
