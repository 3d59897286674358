// SPDX-License-Identifier: MIT
// The operators of a forward pass.
#include "roofline/llm/operators.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "roofline/checks.hpp"
#include "roofline/llm/parameters.hpp"

namespace roofline::llm {
namespace {

constexpr double kNormFlops = 5;      // as in rms_norm() of the operations library
constexpr double kResidualFlops = 1;  // one addition
constexpr double kRotaryFlops = 3;    // six for a pair of elements
constexpr double kGateFlops = 5;      // x sigmoid(x), times up
constexpr double kRouterFlops = 5;    // softmax over the experts

double number(std::int64_t value) {
  return static_cast<double>(value);
}

/// Builds the operators of one kind of layer.
class LayerOperators {
 public:
  LayerOperators(const Model& model, const Formats& formats, const Pass& pass)
      : formats_(formats),
        pass_(pass),
        hidden_(number(model.hidden)),
        norm_bias_(model.norm_bias),
        bytes_(bytes_per_element(formats.activations)) {}

  Operator product(std::string name, double rows, double in, double out, const Format& weights,
                   double bias = 0) const {
    return {.name = std::move(name),
            .flops = 2 * rows * in * out,
            .weight_bytes = in * out * weights.bytes_per_element() + bias * bytes_,
            .activation_bytes = rows * (in + out) * bytes_,
            .precision = formats_.arithmetic};
  }

  Operator elementwise(std::string name, double flops, double elements_moved) const {
    return {.name = std::move(name),
            .kind = OperatorKind::kElementwise,
            .flops = flops,
            .activation_bytes = elements_moved * bytes_,
            .precision = Precision::kFp32};
  }

  Operator norm(std::string name, double rows) const {
    Operator result = elementwise(std::move(name), rows * hidden_ * (kNormFlops + kResidualFlops),
                                  rows * hidden_ * 4);  // input and residual, both read and written
    result.weight_bytes = hidden_ * bytes_ * (norm_bias_ ? 2 : 1);
    return result;
  }

  Operator collective() const {
    return {.name = "all-reduce",
            .kind = OperatorKind::kCollective,
            .collective_bytes = pass_.tokens() * hidden_ * bytes_};
  }

  void attention(const GroupedAttention& a, std::optional<std::int64_t> window,
                 std::vector<Operator>& list) const;
  void attention(const LatentAttention& a, std::optional<std::int64_t> window,
                 std::vector<Operator>& list) const;
  void attention(const LinearAttention& a, std::optional<std::int64_t> window,
                 std::vector<Operator>& list) const;
  void feed_forward(const DenseFeedForward& f, const std::string& prefix,
                    std::vector<Operator>& list) const;
  void feed_forward(const ExpertFeedForward& f, std::vector<Operator>& list) const;

 private:
  double cached(std::optional<std::int64_t> window) const;
  Operator score(std::string name, std::optional<std::int64_t> window, double flops_per_pair,
                 double kv_bytes, double activation_elements) const;

  const Formats& formats_;
  const Pass& pass_;
  double hidden_;
  bool norm_bias_;
  double bytes_;
};

// Tokens of one sequence whose keys and values a pass reads.
double LayerOperators::cached(std::optional<std::int64_t> window) const {
  return window ? std::min(pass_.context, number(*window) + pass_.new_tokens - 1) : pass_.context;
}

Operator LayerOperators::score(std::string name, std::optional<std::int64_t> window,
                               double flops_per_pair, double kv_bytes,
                               double activation_elements) const {
  if (window) name += ", window " + std::to_string(*window);
  return {.name = std::move(name),
          .attention = true,
          .flops = pass_.sequences * attention_pairs(pass_, window) * flops_per_pair,
          .kv_bytes = kv_bytes,
          .activation_bytes = activation_elements * bytes_,
          .precision = formats_.attention_arithmetic};
}

void LayerOperators::attention(const GroupedAttention& a, std::optional<std::int64_t> window,
                               std::vector<Operator>& list) const {
  const double rows = pass_.tokens();
  const double query_width = number(a.query_heads * a.head_dim);
  const double kv_width = number(2 * a.kv_heads * a.head_dim);
  const double per_token = kv_bytes_per_token(AttentionLayer(a), formats_);
  const double projected = query_width * (a.output_gate ? 2 : 1) + kv_width;
  list.push_back(product("qkv projection", rows, hidden_, projected, formats_.weights,
                         a.input_bias ? projected : 0));
  const double rotated = query_width + kv_width / 2;
  Operator rotary = elementwise("rotary and cache write",
                                rows * rotated * (kRotaryFlops + (a.qk_norm ? kNormFlops : 0)),
                                rows * (2 * query_width + kv_width));
  rotary.kv_bytes = rows * per_token;
  rotary.weight_bytes = a.qk_norm ? 2 * number(a.head_dim) * bytes_ : 0;
  list.push_back(rotary);
  Operator attention = score("attention", window, 4 * query_width,
                             pass_.sequences * cached(window) * per_token, 2 * rows * query_width);
  attention.weight_bytes = a.sinks ? number(a.query_heads) * bytes_ : 0;
  list.push_back(attention);
  list.push_back(product("output projection", rows, query_width, hidden_, formats_.weights,
                         a.output_bias ? hidden_ : 0));
}

void LayerOperators::attention(const LatentAttention& a, std::optional<std::int64_t> window,
                               std::vector<Operator>& list) const {
  const double rows = pass_.tokens();
  const double heads = number(a.heads);
  const double latent = number(a.kv_rank);
  const double rope = number(a.rope_dim);
  const double query_width = heads * number(a.nope_dim + a.rope_dim);
  const double value_width = heads * number(a.value_dim);
  const double per_token = kv_bytes_per_token(AttentionLayer(a), formats_);
  const double query_in = a.query_rank > 0 ? number(a.query_rank) : hidden_;
  const double index_width = number(a.index_heads > 0 ? a.index_dim + a.index_heads : 0);
  const double down_width = number(a.query_rank) + latent + rope + index_width;
  list.push_back(product("query and latent projection", rows, hidden_, down_width, formats_.weights,
                         a.bias ? down_width : 0));
  Operator norms =
      elementwise("latent norms and cache write",
                  rows * (kNormFlops * (number(a.query_rank) + latent) + kRotaryFlops * rope),
                  rows * (2 * number(a.query_rank) + latent + rope));
  norms.kv_bytes = rows * per_token;
  norms.weight_bytes = (number(a.query_rank) + latent + 2 * number(a.index_dim)) * bytes_;
  list.push_back(norms);
  list.push_back(product("query up-projection", rows, query_in, query_width, formats_.weights));
  if (a.index_heads > 0) {
    const double wide = number(a.index_heads * a.index_dim);
    list.push_back(product("indexer query", rows, query_in, wide, formats_.weights));
    Operator scores =
        score("indexer scores", {}, 2 * wide,
              pass_.sequences * pass_.context * (number(a.index_dim) + 4), rows * wide);
    list.push_back(scores);
    // Each new token attends only to the chosen ones, as in a window of that size.
    window = a.index_tokens;
  }
  if (pass_.new_tokens == pass_.context) {
    const double key_width = heads * number(a.nope_dim);
    list.push_back(product("key and value up-projection", rows, latent, key_width + value_width,
                           formats_.weights));
    list.push_back(score("attention, expanded", window, 2 * (query_width + value_width), 0,
                         rows * (2 * query_width + 2 * value_width)));
  } else {
    // One product per head: [rows, nope] x [nope, latent], then [rows, latent] x [latent, value].
    Operator absorb_key = product("absorbed key projection", rows, heads * number(a.nope_dim),
                                  latent, formats_.weights);
    absorb_key.activation_bytes = rows * heads * (number(a.nope_dim) + latent) * bytes_;
    list.push_back(absorb_key);
    const double attended = per_token - (a.index_heads > 0 ? number(a.index_dim) + 4 : 0);
    list.push_back(score("latent attention", window, 2 * heads * (2 * latent + rope),
                         pass_.sequences * cached(window) * attended,
                         rows * heads * (2 * latent + rope)));
    Operator absorb_value =
        product("absorbed value projection", rows, latent, value_width, formats_.weights);
    absorb_value.activation_bytes = rows * heads * (latent + number(a.value_dim)) * bytes_;
    list.push_back(absorb_value);
  }
  list.push_back(product("output projection", rows, value_width, hidden_, formats_.weights,
                         a.bias ? hidden_ : 0));
}

// Per token and head: decay of the state, its product with the key, the outer product that corrects
// it, and its product with the query: four multiply-adds for each number of the state.
void LayerOperators::attention(const LinearAttention& a, std::optional<std::int64_t>,
                               std::vector<Operator>& list) const {
  const double rows = pass_.tokens();
  const double value_width = number(a.value_width());
  list.push_back(
      product("linear attention input", rows, hidden_, number(a.projected()), formats_.weights));
  Operator convolution =
      elementwise("short convolution", 2 * rows * number(a.convolved() * a.convolution),
                  rows * 2 * number(a.convolved()));
  convolution.weight_bytes = number(a.convolved() * (a.convolution + (a.convolution_bias ? 1 : 0)) +
                                    a.head_vectors * a.heads) *
                             bytes_;
  list.push_back(convolution);
  list.push_back({.name = "state update",
                  .attention = true,
                  .flops = rows * 8 * value_width * number(a.key_dim),
                  .kv_bytes = 2 * pass_.sequences * state_bytes(AttentionLayer(a), formats_),
                  .activation_bytes = rows * (number(a.convolved()) + value_width) * bytes_,
                  .precision = formats_.attention_arithmetic});
  list.push_back(elementwise("norm and gate", rows * value_width * (kNormFlops + kGateFlops),
                             rows * value_width * 3));
  list.back().weight_bytes = number(a.output_norm) * bytes_;
  list.push_back(product("output projection", rows, value_width, hidden_, formats_.weights));
}

void LayerOperators::feed_forward(const DenseFeedForward& f, const std::string& prefix,
                                  std::vector<Operator>& list) const {
  const double rows = pass_.tokens();
  const double width = number(f.width);
  const double halves = f.gated ? 2 : 1;
  list.push_back(product(prefix + (f.gated ? "gate and up projection" : "up projection"), rows,
                         hidden_, halves * width, formats_.weights, f.bias ? halves * width : 0));
  list.push_back(elementwise(prefix + (f.gated ? "gating" : "activation"),
                             rows * width * kGateFlops, rows * width * (halves + 1)));
  list.push_back(product(prefix + "down projection", rows, width, hidden_, formats_.weights,
                         f.bias ? hidden_ : 0));
}

void LayerOperators::feed_forward(const ExpertFeedForward& f, std::vector<Operator>& list) const {
  const double rows = pass_.tokens();
  const double experts = number(f.experts);
  const double chosen = rows * number(f.experts_per_token);
  const double width = number(f.width);
  const double distinct = distinct_experts(experts, number(f.experts_per_token), rows);
  const auto of_experts = [&](const char* name, double in, double out) {
    Operator result = product(name, chosen, in, out, formats_.experts);
    const double bias = f.expert_bias ? out * bytes_ : 0;
    result.weight_bytes = distinct * (in * out * formats_.experts.bytes_per_element() + bias);
    return result;
  };
  Operator router = product("router", rows, hidden_, experts + (f.shared_gate ? 1 : 0),
                            formats_.weights, f.router_bias ? experts : 0);
  router.flops += rows * experts * kRouterFlops;
  list.push_back(router);
  list.push_back(of_experts("expert gate and up projection", hidden_, 2 * width));
  list.push_back(elementwise("expert gating", chosen * width * kGateFlops, chosen * width * 3));
  list.push_back(of_experts("expert down projection", width, hidden_));
  if (f.shared_width > 0) {
    feed_forward(DenseFeedForward{.width = f.shared_width, .bias = false}, "shared ", list);
  }
  list.push_back(
      elementwise("expert combination", 2 * chosen * hidden_, (chosen + rows) * hidden_));
}

bool alike(const Operator& a, const Operator& b) {
  return a.name == b.name && a.flops == b.flops && a.weight_bytes == b.weight_bytes &&
         a.kv_bytes == b.kv_bytes && a.activation_bytes == b.activation_bytes;
}

// Adds the operators of `count` layers, merging them with identical ones of other layers.
void merge(std::vector<Operator>& all, const std::vector<Operator>& layer, double count) {
  for (const Operator& one : layer) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Operator& other) { return alike(one, other); });
    if (found != all.end()) {
      found->calls += count * one.calls;
    } else {
      all.push_back(one);
      all.back().calls *= count;
    }
  }
}

std::vector<Operator> layer_operators(const LayerOperators& build, const LayerGroup& group,
                                      double tokens, bool collectives) {
  std::vector<Operator> list;
  list.push_back(build.norm("norm and residual", tokens));
  list.back().calls = number(group.norms);
  std::visit([&](const auto& a) { build.attention(a, group.window, list); }, group.attention);
  if (collectives) list.push_back(build.collective());
  if (const auto* dense = std::get_if<DenseFeedForward>(&group.feed_forward)) {
    build.feed_forward(*dense, "", list);
  } else {
    build.feed_forward(std::get<ExpertFeedForward>(group.feed_forward), list);
  }
  if (collectives) list.push_back(build.collective());
  return list;
}

void check(const Pass& pass) {
  require_positive(pass.sequences, "number of sequences");
  require_positive(pass.new_tokens, "new tokens per sequence");
  require_positive(pass.context, "context in tokens");
  require_positive(pass.outputs_per_sequence, "outputs per sequence");
  if (pass.new_tokens > pass.context) {
    throw std::invalid_argument("the context holds the new tokens too, so it cannot be shorter");
  }
  if (pass.outputs_per_sequence > pass.new_tokens) {
    throw std::invalid_argument("a pass cannot have more outputs than new tokens");
  }
}

}  // namespace

Pass decode_pass(double batch, double context) {
  return {.sequences = batch, .new_tokens = 1, .context = context, .outputs_per_sequence = 1};
}

Pass prefill_pass(double batch, double prompt) {
  return {.sequences = batch, .new_tokens = prompt, .context = prompt, .outputs_per_sequence = 1};
}

Pass verify_pass(double batch, double context, double tokens) {
  return {
      .sequences = batch, .new_tokens = tokens, .context = context, .outputs_per_sequence = tokens};
}

double attention_pairs(const Pass& pass, std::optional<std::int64_t> window) {
  const double past = pass.context - pass.new_tokens;
  const double all = pass.new_tokens * past + pass.new_tokens * (pass.new_tokens + 1) / 2;
  if (!window || pass.context <= number(*window)) return all;
  // Token i of the new ones attends to min(past + i, window): subtract the excess of those past the
  // window.
  const double beyond = std::min(pass.new_tokens, pass.context - number(*window));
  const double last_excess = pass.context - number(*window);
  return all - beyond * last_excess + beyond * (beyond - 1) / 2;
}

std::vector<Operator> pass_operators(const Model& model, const Formats& formats, const Pass& pass,
                                     bool collectives) {
  check(pass);
  const LayerOperators build(model, formats, pass);
  std::vector<Operator> all;
  const double hidden = number(model.hidden);
  Operator lookup = build.elementwise("embedding lookup", 0, pass.tokens() * hidden);
  lookup.weight_bytes = pass.tokens() * hidden * formats.head.bytes_per_element();
  all.push_back(lookup);
  if (collectives) all.push_back(build.collective());
  for (const LayerGroup& group : model.layers) {
    merge(all, layer_operators(build, group, pass.tokens(), collectives), number(group.count));
  }
  const double outputs = pass.sequences * pass.outputs_per_sequence;
  all.push_back(build.norm("last norm", outputs));
  all.push_back(
      build.product("output head", outputs, hidden, number(model.vocabulary), formats.head));
  return all;
}

const Operator& operator_named(const std::vector<Operator>& operators, std::string_view name) {
  const auto found = std::find_if(operators.begin(), operators.end(),
                                  [&](const Operator& op) { return op.name == name; });
  if (found != operators.end()) return *found;
  throw std::invalid_argument("no operator is named " + std::string(name));
}

}  // namespace roofline::llm
