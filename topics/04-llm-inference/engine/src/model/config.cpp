// SPDX-License-Identifier: MIT
// config.json: the predictor's reader for sizes, and the keys that only running a model needs.
#include "engine/model/config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>
#include <string>

#include "base/files.hpp"
#include "roofline/llm/config.hpp"

namespace engine {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what);
}

int narrow(std::int64_t size) {
  return static_cast<int>(size);  // the predictor's reader limits sizes to less than 2^30
}

/// The value of a key that is present and not null; otherwise null.
const json* stated(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

double number(const std::filesystem::path& file, const json& object, const char* key,
              double default_value) {
  const json* value = stated(object, key);
  if (value == nullptr) return default_value;
  if (!value->is_number() || !(value->get<double>() > 0)) {
    fail(file, std::string(key) + " must be a number above 0");
  }
  return value->get<double>();
}

RotaryScaling read_scaling(const std::filesystem::path& file, const json& object,
                           const std::string& name) {
  const auto needed = [&](const char* key) {
    if (stated(object, key) == nullptr) fail(file, name + " llama3 needs " + key);
    return number(file, object, key, 0);
  };
  const RotaryScaling scaling{needed("factor"), needed("low_freq_factor"),
                              needed("high_freq_factor"),
                              needed("original_max_position_embeddings")};
  if (!(scaling.low_turns < scaling.high_turns)) {
    fail(file, name + ": low_freq_factor must be below high_freq_factor");
  }
  return scaling;
}

/// Newer files put theta into an object together with the kind of scaling.
void read_rotary(const std::filesystem::path& file, const json& keys, ModelConfig& config) {
  config.rope_theta = number(file, keys, "rope_theta", config.rope_theta);
  for (const char* name : {"rope_scaling", "rope_parameters"}) {
    const json* object = stated(keys, name);
    if (object == nullptr) continue;
    if (!object->is_object()) fail(file, std::string(name) + " must be an object");
    const json* type = stated(*object, "rope_type");
    if (type == nullptr) type = stated(*object, "type");
    if (type != nullptr && *type == "llama3") {
      config.rope_scaling = read_scaling(file, *object, name);
    } else if (type != nullptr && *type != "default") {
      fail(file,
           std::string(name) + " " + type->dump() + " is not implemented, only llama3 and default");
    }
    config.rope_theta = number(file, *object, "rope_theta", config.rope_theta);
  }
}

void read_stop_tokens(const std::filesystem::path& file, const json& keys, ModelConfig& config) {
  const json* stop = stated(keys, "eos_token_id");
  if (stop == nullptr) return;
  const json list = stop->is_array() ? *stop : json::array({*stop});
  std::vector<std::int32_t>& known = config.stop_tokens;
  for (const json& id : list) {
    if (!id.is_number_integer()) fail(file, "eos_token_id must be a token id, or a list of them");
    const auto token = id.get<std::int32_t>();
    if (std::find(known.begin(), known.end(), token) == known.end()) known.push_back(token);
  }
}

/// Models that chat end a turn with another token than a text; only this file names both.
void read_more_stop_tokens(const std::filesystem::path& file, ModelConfig& config) {
  if (!std::filesystem::exists(file)) return;
  const json keys = json::parse(base::read_file(file), nullptr, false);
  if (!keys.is_object()) fail(file, "is not a JSON object");
  read_stop_tokens(file, keys, config);
}

}  // namespace

double ModelConfig::rotary_rate(int pair) const {
  const double rate = std::pow(rope_theta, -2.0 * pair / head_dim);
  if (!rope_scaling) return rate;
  const RotaryScaling& s = *rope_scaling;
  const double turns = s.trained_context * rate / (2 * std::numbers::pi);
  const double kept = std::clamp((turns - s.low_turns) / (s.high_turns - s.low_turns), 0.0, 1.0);
  return rate * (kept + (1 - kept) / s.factor);
}

ModelConfig read_config(const std::filesystem::path& folder) {
  namespace llm = roofline::llm;
  const std::filesystem::path file = folder / "config.json";
  if (!std::filesystem::exists(file)) {
    throw std::runtime_error(file.string() +
                             " is missing; --model takes a folder with config.json, "
                             "model.safetensors and tokenizer.json");
  }
  const llm::Model model = llm::load_model(file);
  const std::string& type = model.architecture;
  if (type != "llama" && type != "qwen2" && type != "qwen3") {
    fail(file, "model_type " + type + " is not implemented; llama, qwen2 and qwen3 are");
  }
  if (model.layers.size() != 1) fail(file, "layers that differ are not implemented");
  const llm::LayerGroup& layers = model.layers.front();
  const auto& attention = std::get<llm::GroupedAttention>(layers.attention);
  const auto& feed_forward = std::get<llm::DenseFeedForward>(layers.feed_forward);
  if (layers.window) fail(file, "sliding_window is not implemented");
  if (attention.output_bias) fail(file, "attention_bias is not implemented for llama");
  if (feed_forward.bias) fail(file, "mlp_bias is not implemented");
  const json keys = json::parse(base::read_file(file));
  if (const json* activation = stated(keys, "hidden_act");
      activation != nullptr && *activation != "silu") {
    fail(file, "hidden_act " + activation->dump() + " is not implemented, only silu");
  }
  ModelConfig config;
  config.layers = narrow(layers.count);
  config.hidden = narrow(model.hidden);
  config.query_heads = narrow(attention.query_heads);
  config.kv_heads = narrow(attention.kv_heads);
  config.head_dim = narrow(attention.head_dim);
  config.inner = narrow(feed_forward.width);
  config.vocabulary = narrow(model.vocabulary);
  config.max_positions = narrow(model.max_positions);
  config.has_input_bias = attention.input_bias;
  config.has_qk_norm = attention.qk_norm;
  config.has_tied_head = model.tied_embeddings;
  if (config.head_dim % 2 != 0) fail(file, "head_dim must be even: rotary positions turn pairs");
  config.norm_epsilon = number(file, keys, "rms_norm_eps", config.norm_epsilon);
  read_rotary(file, keys, config);
  read_stop_tokens(file, keys, config);
  read_more_stop_tokens(folder / "generation_config.json", config);
  return config;
}

}  // namespace engine
