// SPDX-License-Identifier: MIT
// Random weights under the names of Hugging Face's models.
#include "tiny_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace engine::test {
namespace {

using nlohmann::json;

NamedTensor random_tensor(std::vector<std::int64_t> shape, double centre, double spread,
                          std::mt19937& random) {
  NamedTensor tensor{std::move(shape), {}};
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.shape) count *= size;
  for (std::int64_t i = 0; i < count; ++i) {
    const double unit = static_cast<double>(random()) / 0xFFFFFFFFu * 2 - 1;
    tensor.values.push_back(static_cast<float>(centre + spread * unit));
  }
  return tensor;
}

}  // namespace

std::string safetensors_bytes(const json& header, const std::string& data) {
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + text + data;
}

std::string safetensors_bytes(const Tensors& tensors, Dtype dtype) {
  json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t begin = data.size();
    for (const float value : tensor.values) {
      const auto* bytes = reinterpret_cast<const char*>(&value);
      data.append(dtype == Dtype::kBf16 ? bytes + 2 : bytes, bytes + 4);
    }
    header[name] = {
        {"dtype", name_of(dtype)}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  return safetensors_bytes(header, data);
}

TinyModel::TinyModel(const std::string& type, unsigned seed) {
  constexpr std::int64_t kHidden = 48;
  constexpr std::int64_t kHeads = 6;
  constexpr std::int64_t kKvHeads = 2;
  constexpr std::int64_t kInner = 56;
  constexpr std::int64_t kVocabulary = 99;
  constexpr int kLayers = 2;
  // In Qwen3 the total width of the heads need not equal that of the model.
  const std::int64_t dim = type == "qwen3" ? 20 : kHidden / kHeads;
  const bool is_tied = type != "llama";
  config_ = {{"model_type", type},
             {"hidden_size", kHidden},
             {"num_hidden_layers", kLayers},
             {"num_attention_heads", kHeads},
             {"num_key_value_heads", kKvHeads},
             {"head_dim", dim},
             {"intermediate_size", kInner},
             {"vocab_size", kVocabulary},
             {"max_position_embeddings", 160},
             {"tie_word_embeddings", is_tied},
             {"rope_theta", 1000.0},
             {"rms_norm_eps", 1e-5},
             {"hidden_act", "silu"},
             {"use_sliding_window", false},
             {"attention_bias", false},
             {"torch_dtype", "float32"}};
  std::mt19937 random(seed);
  const auto matrix = [&](const std::string& name, std::int64_t rows, std::int64_t columns) {
    const double spread = 2 / std::sqrt(static_cast<double>(columns));
    tensors_[name + ".weight"] = random_tensor({rows, columns}, 0, spread, random);
  };
  const auto norm = [&](const std::string& name, std::int64_t size) {
    tensors_[name + ".weight"] = random_tensor({size}, 1, 0.5, random);
  };
  matrix("model.embed_tokens", kVocabulary, kHidden);
  if (!is_tied) matrix("lm_head", kVocabulary, kHidden);
  norm("model.norm", kHidden);
  for (int i = 0; i < kLayers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    const std::string attention = layer + "self_attn.";
    norm(layer + "input_layernorm", kHidden);
    norm(layer + "post_attention_layernorm", kHidden);
    matrix(attention + "q_proj", kHeads * dim, kHidden);
    matrix(attention + "k_proj", kKvHeads * dim, kHidden);
    matrix(attention + "v_proj", kKvHeads * dim, kHidden);
    matrix(attention + "o_proj", kHidden, kHeads * dim);
    matrix(layer + "mlp.gate_proj", kInner, kHidden);
    matrix(layer + "mlp.up_proj", kInner, kHidden);
    matrix(layer + "mlp.down_proj", kHidden, kInner);
    if (type == "qwen2") {
      for (const auto& [name, heads] : {std::pair("q", kHeads), {"k", kKvHeads}, {"v", kKvHeads}}) {
        tensors_[attention + name + "_proj.bias"] = random_tensor({heads * dim}, 0, 1, random);
      }
    }
    if (type == "qwen3") {
      norm(attention + "q_norm", dim);
      norm(attention + "k_norm", dim);
    }
  }
  base::write_file_atomically(folder() / "config.json", config_.dump(1));
  base::write_file_atomically(folder() / "model.safetensors",
                              safetensors_bytes(tensors_, Dtype::kF32));
}

void TinyModel::set(const std::string& key, const json& value) {
  config_[key] = value;
  base::write_file_atomically(folder() / "config.json", config_.dump(1));
}

void TinyModel::round_to_four_bits() {
  for (auto& [name, tensor] : tensors_) {
    if (tensor.shape.size() != 2) continue;
    const auto columns = static_cast<std::size_t>(tensor.shape[1]);
    for (std::size_t first = 0; first < tensor.values.size();) {
      const std::size_t end =
          std::min(first + 128 - first % columns % 128, (first / columns + 1) * columns);
      double largest = 0;
      for (std::size_t i = first; i < end; ++i) {
        largest = std::max(largest, std::fabs(double{tensor.values[i]}));
      }
      int exponent = 0;
      const double fraction = std::frexp(largest / 7, &exponent);
      const double step = std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
      for (std::size_t i = first; i < end && step > 0; ++i) {
        tensor.values[i] = static_cast<float>(step * std::nearbyint(tensor.values[i] / step));
      }
      first = end;
    }
  }
}

}  // namespace engine::test
