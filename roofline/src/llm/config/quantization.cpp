// SPDX-License-Identifier: MIT
// Formats of published weights.
//
// Sources: the quantisers' classes in transformers/utils/quantization_config.py; OCP Microscaling
// Formats (MX) v1.0 for mxfp4; the checkpoints' own configuration files.
#include "quantization.hpp"

#include <stdexcept>

namespace roofline::llm {
namespace {

constexpr std::int64_t kMostBits = 16;
constexpr std::int64_t kMostGroup = 1 << 20;

/// Integers with a 16-bit scale for each group and, if they have one, a zero point with as many
/// bits.
Format grouped_integers(std::int64_t bits, std::int64_t group, bool zero_points) {
  std::string text = "int" + std::to_string(bits);
  if (bits != 4 && bits != 8) text = std::to_string(bits) + "bit";
  if (group <= 0 || (bits != 4 && bits != 8)) return parse_format(text);
  return parse_format(text + "/" + std::to_string(group) + ":" +
                      std::to_string(16 + (zero_points ? bits : 0)));
}

/// The first group of compressed-tensors, which is taken for all.
Format compressed(const ConfigKeys& keys) {
  const auto groups = keys.object("config_groups");
  const auto names = groups ? groups->keys() : std::vector<std::string>();
  if (names.size() != 1) throw std::invalid_argument("config_groups must hold one group");
  const auto weights = groups->object(names.front())->object("weights");
  if (!weights) throw std::invalid_argument("config_groups has no weights");
  const std::int64_t bits = weights->size("num_bits", kMostBits);
  const std::string type = weights->text("type");
  if (type == "float" && bits == 8) return parse_format("fp8");
  if (type == "float" && bits == 4) return parse_format("fp4/16:8");
  if (type != "int") throw std::invalid_argument("weights of type '" + type + "'");
  return grouped_integers(bits, weights->optional_size("group_size", kMostGroup).value_or(0),
                          !weights->flag("symmetric").value_or(true));
}

Format modelopt(const ConfigKeys& keys) {
  const std::string algorithm = keys.text("quant_algo");
  if (algorithm == "FP8") return parse_format("fp8");
  if (algorithm == "NVFP4") return parse_format("fp4/16:8");
  throw std::invalid_argument("quant_algo '" + algorithm + "'");
}

Format bitsandbytes(const ConfigKeys& keys) {
  if (keys.flag("load_in_8bit").value_or(false)) return parse_format("int8");
  if (keys.flag("load_in_4bit").value_or(false)) return parse_format("int4/64:32");
  throw std::invalid_argument("neither load_in_8bit nor load_in_4bit is true");
}

/// Throws std::invalid_argument if the method is not understood.
StoredWeights stored_weights(const ConfigKeys& keys, const Format& plain) {
  if (!keys.has("quant_method")) throw std::invalid_argument("quant_method is missing");
  const std::string method = keys.text("quant_method");
  // Embedding and head keep their precision in all of these.
  if (method == "mxfp4") return {plain, parse_format("fp4/32:8"), plain};
  if (method == "fp8" || method == "fbgemm_fp8") {
    const Format fp8 = parse_format("fp8");
    return {fp8, fp8, plain};
  }
  if (method == "gptq" || method == "awq") {
    const bool zero_points = method == "awq" ? keys.flag("zero_point").value_or(true)
                                             : !keys.flag("sym").value_or(false);
    const Format format =
        grouped_integers(keys.size("bits", kMostBits),
                         keys.optional_size("group_size", kMostGroup, -1).value_or(0), zero_points);
    return {format, format, plain};
  }
  if (method == "compressed-tensors" || method == "modelopt" || method == "bitsandbytes") {
    const Format format = method == "modelopt"       ? modelopt(keys)
                          : method == "bitsandbytes" ? bitsandbytes(keys)
                                                     : compressed(keys);
    return {format, format, plain};
  }
  throw std::invalid_argument("quant_method '" + method + "'");
}

}  // namespace

void read_quantization(const ConfigKeys& keys, Model& model) {
  const auto stated = keys.object("quantization_config");
  if (!stated) return;
  try {
    model.quantized = stored_weights(*stated, plain_format(model.stored_as));
    model.notes.push_back("quantization_config: weights are stored as " +
                          model.quantized->weights.name + ", experts as " +
                          model.quantized->experts.name + ", embedding and head as " +
                          model.quantized->head.name);
  } catch (const std::invalid_argument& error) {
    model.unknown_quantization = error.what();
    model.notes.push_back("quantization_config is not understood (" + model.unknown_quantization +
                          "): state --weights and --experts");
  }
}

}  // namespace roofline::llm
