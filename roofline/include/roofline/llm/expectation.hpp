// SPDX-License-Identifier: MIT
// The expected performance of a machine, besides the bound that it cannot beat: from kernels
// measured one by one, launched the way an engine launches them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/llm/predict.hpp"

namespace roofline::llm {

/// The rates that kernels reach on one generation of machines, measured on their own.
struct KernelCosts {
  std::string id;
  std::vector<std::string> generations;  ///< architecture prefixes; "*": any GPU, "cpu": any CPU
  std::string machine;                   ///< the one measured; empty: none
  Efficiencies reached;                  ///< of the data sheet's roofs
  double product_seconds = 0;            ///< time of a product besides its work
  double attention_seconds = 0;
  double elementwise_seconds = 0;
  AllReduce all_reduce;
  std::string borrowed;  ///< which values come from another generation; empty: none
  std::string source;
};

/// Factors of a time; most measured rows are between them.
struct Band {
  double low = 1;
  double high = 1;
};

/// The launches of an engine, and the time that it adds to its kernels.
struct Engine {
  std::string id;
  std::string title;
  std::vector<std::string> names;  ///< prefixes of the engines in measured rows
  double elementwise_kernels = 1;  ///< kernels that make up one element-wise operator
  Efficiencies share;              ///< of what the generation's kernels reach
  /// Rates that its kernels never exceed on any machine: some run out of instructions before a fast
  /// memory or matrix unit is busy. Empty: no such limit.
  std::optional<double> most_weights = {};   ///< B/s
  std::optional<double> most_products = {};  ///< FLOP/s
  double step_seconds = 0;                   ///< scheduling and sampling, once per pass
  double layer_seconds = 0;
  double kernel_share = 1;  ///< of the start times: 1 if a graph replays each kernel by itself
  Band decode;              ///< on a generation whose kernels were measured
  Band prefill;
  double elsewhere = 1;  ///< factor by which the bands widen on others
  std::string source;
};

struct ExpectationData {
  std::vector<KernelCosts> kernels;
  std::vector<Engine> engines;  ///< the first is the default
};

/// Reads kernels.csv and engines.csv of a folder (data/expected).
/// Throws std::runtime_error naming file, line and column of what is malformed.
ExpectationData load_expectations(const std::filesystem::path& folder);

/// Throws std::invalid_argument listing the engines.
const Engine& find_engine(const ExpectationData& data, std::string_view id);

/// The engine whose rows have this name; null if there is none.
const Engine* engine_of_row(const ExpectationData& data, const std::string& name);

/// The kernels measured on the machine's generation, or on the nearest one.
const KernelCosts& kernels_of(const ExpectationData& data, const Machine& machine);

/// A system as it is expected to run.
struct ExpectedSystem {
  System system;
  std::string engine;  ///< its id
  Band decode;
  Band prefill;
  std::vector<std::string> remarks;  ///< where the values come from, one sentence each
};

/// `bare` with the efficiencies, starts and collectives of its generation and of an engine. For a
/// measured machine the roofs are already the rates it reached: its streams count in full, and so
/// do its products if the report has the vendor's. An all-reduce given in `bare` is kept.
ExpectedSystem expected_system(const System& bare, const Engine& engine,
                               const ExpectationData& data);

}  // namespace roofline::llm
