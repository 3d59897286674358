// SPDX-License-Identifier: MIT
// Reading formats from the command line.
#include "format_options.hpp"

#include <CLI/CLI.hpp>
#include <optional>

#include "commands.hpp"

namespace roofline::program {
namespace {

template <class Parse>
auto stated(const std::string& text, Parse parse) -> std::optional<decltype(parse(text))> {
  if (text.empty()) return std::nullopt;
  return parse(text);
}

}  // namespace

void add_format_options(CLI::App& command, FormatOptions& a) {
  command.option_defaults()->group("Formats (bf16, fp8, int4/128, fp4/32:8, q4_0, 4.9bit)");
  command.add_option("--weights", a.weights,
                     "Format of the matrices (default: from the model's file)");
  command.add_option("--experts", a.experts, "Format of routed experts (default: --weights)");
  command.add_option("--head", a.head, "Format of embedding and output head (default: --weights)");
  command.add_option("--kv", a.kv, "Format of keys and values (default: --activations)");
  command.add_option("--activations", a.activations, "Format of activations");
  command.add_option(
      "--arithmetic", a.arithmetic,
      "Precision of products with weights (default: fp8 for fp8 weights if the machine "
      "has it, otherwise --activations)");
  command.add_option("--attention-arithmetic", a.attention_arithmetic,
                     "Precision of attention (default: --activations)");
}

llm::Formats formats_from(const FormatOptions& a, const llm::Model& model, const Machine& machine) {
  const auto format = [](const std::string& text) { return llm::parse_format(text); };
  const auto precision = [](const std::string& text) { return parse_precision(text); };
  return llm::choose_formats(model, machine,
                             {.weights = stated(a.weights, format),
                              .experts = stated(a.experts, format),
                              .head = stated(a.head, format),
                              .kv = stated(a.kv, format),
                              .activations = stated(a.activations, precision),
                              .arithmetic = stated(a.arithmetic, precision),
                              .attention_arithmetic = stated(a.attention_arithmetic, precision)});
}

}  // namespace roofline::program
