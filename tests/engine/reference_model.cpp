// SPDX-License-Identifier: MIT
// The formulas of Llama and Qwen as papers write them: loops over vectors of double.
#include "reference_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace engine::test {
namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

constexpr double kPi = 3.14159265358979323846;

/// Looks tensors of a model up by name.
struct Reference {
  const TinyModel& model;

  double number(const char* key) const { return model.config().at(key).get<double>(); }
  int size(const char* key) const { return model.config().at(key).get<int>(); }
  const NamedTensor* find(const std::string& name) const {
    const auto found = model.tensors().find(name);
    return found == model.tensors().end() ? nullptr : &found->second;
  }

  /// W x, plus b if there is one.
  Vector linear(const std::string& name, const Vector& x) const {
    const NamedTensor& w = *find(name + ".weight");
    const NamedTensor* b = find(name + ".bias");
    Vector y(static_cast<std::size_t>(w.shape[0]));
    for (std::size_t r = 0; r < y.size(); ++r) {
      y[r] = b == nullptr ? 0 : b->values[r];
      for (std::size_t c = 0; c < x.size(); ++c) y[r] += w.values[r * x.size() + c] * x[c];
    }
    return y;
  }
  Vector norm(const std::string& name, Vector x) const {
    double squares = 0;
    for (const double value : x) squares += value * value;
    const double root = std::sqrt(squares / static_cast<double>(x.size()) + number("rms_norm_eps"));
    const NamedTensor& weight = *find(name + ".weight");
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= weight.values[i] / root;
    return x;
  }
  /// A head, after its norm if there is one, rotated by its position.
  Vector turned(const std::string& norm_name, Vector x, std::size_t position) const {
    if (find(norm_name + ".weight") != nullptr) x = norm(norm_name, std::move(x));
    const std::size_t half = x.size() / 2;
    Vector y(x.size());
    for (std::size_t i = 0; i < half; ++i) {
      const double wavelength =
          2 * kPi *
          std::pow(number("rope_theta"), static_cast<double>(i) / static_cast<double>(half));
      const double angle = static_cast<double>(position) * 2 * kPi * stretched(wavelength);
      y[i] = x[i] * std::cos(angle) - x[i + half] * std::sin(angle);
      y[i + half] = x[i + half] * std::cos(angle) + x[i] * std::sin(angle);
    }
    return y;
  }
  /// One over a wavelength, changed as in Meta's code for Llama 3.1 if the config says so.
  double stretched(double wavelength) const {
    const auto scaling = model.config().find("rope_scaling");
    if (scaling == model.config().end()) return 1 / wavelength;
    const auto key = [&](const char* name) { return scaling->at(name).get<double>(); };
    const double trained = key("original_max_position_embeddings");
    if (wavelength < trained / key("high_freq_factor")) return 1 / wavelength;
    if (wavelength > trained / key("low_freq_factor")) return 1 / wavelength / key("factor");
    const double smooth = (trained / wavelength - key("low_freq_factor")) /
                          (key("high_freq_factor") - key("low_freq_factor"));
    return (1 - smooth) / wavelength / key("factor") + smooth / wavelength;
  }
  static Vector part(const Vector& x, std::size_t head, std::size_t dim) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(head * dim);
    return {begin, begin + static_cast<std::ptrdiff_t>(dim)};
  }

  /// The result of each position's attention to itself and all before it.
  Rows attention(const std::string& name, const Rows& x) const {
    const auto heads = static_cast<std::size_t>(size("num_attention_heads"));
    const auto kv_heads = static_cast<std::size_t>(size("num_key_value_heads"));
    const auto dim = static_cast<std::size_t>(size("head_dim"));
    Rows q;
    Rows k;
    Rows v;
    for (const Vector& row : x) {
      q.push_back(linear(name + "q_proj", row));
      k.push_back(linear(name + "k_proj", row));
      v.push_back(linear(name + "v_proj", row));
    }
    Rows out;
    for (std::size_t t = 0; t < x.size(); ++t) {
      Vector mixed;
      for (std::size_t h = 0; h < heads; ++h) {
        const std::size_t kv = h / (heads / kv_heads);
        const Vector query = turned(name + "q_norm", part(q[t], h, dim), t);
        Vector weights;
        for (std::size_t u = 0; u <= t; ++u) {
          const Vector key = turned(name + "k_norm", part(k[u], kv, dim), u);
          double score = 0;
          for (std::size_t i = 0; i < dim; ++i) score += query[i] * key[i];
          weights.push_back(std::exp(score / std::sqrt(static_cast<double>(dim))));
        }
        double total = 0;
        for (const double weight : weights) total += weight;
        Vector sum(dim, 0.0);
        for (std::size_t u = 0; u <= t; ++u) {
          const Vector value = part(v[u], kv, dim);
          for (std::size_t i = 0; i < dim; ++i) sum[i] += weights[u] / total * value[i];
        }
        mixed.insert(mixed.end(), sum.begin(), sum.end());
      }
      out.push_back(linear(name + "o_proj", mixed));
    }
    return out;
  }
  Vector feed_forward(const std::string& name, const Vector& x) const {
    Vector inner = linear(name + "gate_proj", x);
    const Vector up = linear(name + "up_proj", x);
    for (std::size_t i = 0; i < inner.size(); ++i) {
      inner[i] = inner[i] / (1 + std::exp(-inner[i])) * up[i];
    }
    return linear(name + "down_proj", inner);
  }
};

void add(Vector& to, const Vector& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i];
}

}  // namespace

std::vector<double> reference_logits(const TinyModel& model, std::span<const std::int32_t> tokens) {
  const Reference reference{model};
  const auto hidden = static_cast<std::size_t>(reference.size("hidden_size"));
  const NamedTensor& table = *reference.find("model.embed_tokens.weight");
  Rows x;
  for (const std::int32_t token : tokens) {
    const auto begin = table.values.begin() +
                       static_cast<std::ptrdiff_t>(static_cast<std::size_t>(token) * hidden);
    x.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(hidden));
  }
  for (int i = 0; i < reference.size("num_hidden_layers"); ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    Rows normed;
    for (const Vector& row : x) normed.push_back(reference.norm(layer + "input_layernorm", row));
    const Rows mixed = reference.attention(layer + "self_attn.", normed);
    for (std::size_t t = 0; t < x.size(); ++t) {
      add(x[t], mixed[t]);
      add(x[t], reference.feed_forward(layer + "mlp.",
                                       reference.norm(layer + "post_attention_layernorm", x[t])));
    }
  }
  const bool is_tied = model.config().at("tie_word_embeddings").get<bool>();
  return reference.linear(is_tied ? "model.embed_tokens" : "lm_head",
                          reference.norm("model.norm", x.back()));
}

}  // namespace engine::test
