// SPDX-License-Identifier: MIT
// The expected performance of a machine, besides the bound that it cannot beat: kernels as measured
// one by one, launched as an engine launches them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/llm/predict.hpp"

namespace roofline::llm {

/// The rates that the kernels of one generation of machines reach, measured alone.
struct KernelCosts {
  std::string id;
  std::vector<std::string> generations;  ///< how architectures begin; "*": any GPU, "cpu": any CPU
  std::string machine;                   ///< measured on; empty: on none
  Efficiencies reached;                  ///< of the data sheet's roofs
  double product_seconds = 0;            ///< a product beside its work
  double attention_seconds = 0;
  double elementwise_seconds = 0;
  AllReduce all_reduce;
  std::string borrowed;  ///< which figures come from another generation; empty: none
  std::string source;
};

/// Factors of a time between which most measured rows lie.
struct Band {
  double low = 1;
  double high = 1;
};

/// The launches of an engine, and the time that it adds to its kernels.
struct Engine {
  std::string id;
  std::string title;
  std::vector<std::string> names;  ///< how the engines of measured rows begin
  double elementwise_kernels = 1;  ///< that make up one element-wise operator
  Efficiencies share;              ///< of what the generation's kernels reach
  /// Rates that its kernels do not exceed on any machine: some run out of instructions before a
  /// fast memory or matrix unit is busy. Empty: no such rate.
  std::optional<double> most_weights = {};   ///< B/s
  std::optional<double> most_products = {};  ///< FLOP/s
  double step_seconds = 0;                   ///< scheduling and sampling, once per pass
  double layer_seconds = 0;
  double kernel_share = 1;  ///< of the starts: 1 where a graph replays each kernel by itself
  Band decode;              ///< on a generation whose kernels were measured
  Band prefill;
  double elsewhere = 1;  ///< factor by which the bands widen on others
  std::string source;
};

struct ExpectationData {
  std::vector<KernelCosts> kernels;
  std::vector<Engine> engines;  ///< the first is that of a question that names none
};

/// Reads kernels.csv and engines.csv of a folder (data/expected).
/// Throws std::runtime_error naming file, line and column of what is malformed.
ExpectationData load_expectations(const std::filesystem::path& folder);

/// Throws std::invalid_argument listing the engines.
const Engine& find_engine(const ExpectationData& data, std::string_view id);

/// The engine whose rows carry this name; null if there is none.
const Engine* engine_of_row(const ExpectationData& data, const std::string& name);

/// The kernels measured on the machine's generation, or the nearest there are.
const KernelCosts& kernels_of(const ExpectationData& data, const Machine& machine);

/// A system as it is expected to run.
struct ExpectedSystem {
  System system;
  std::string engine;  ///< its id
  Band decode;
  Band prefill;
  std::vector<std::string> remarks;  ///< where the figures come from, one sentence each
};

/// `bare` with the efficiencies, starts and collectives of its generation and of an engine. Of a
/// measured machine the roofs are what it reached already: its streams count in full, and its
/// products where the report has the vendor's. An all-reduce that `bare` states is kept.
ExpectedSystem expected_system(const System& bare, const Engine& engine,
                               const ExpectationData& data);

}  // namespace roofline::llm
