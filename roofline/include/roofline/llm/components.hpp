// SPDX-License-Identifier: MIT
// Efficiencies from measurements of single kernels: weights, keys and values, products,
// collectives.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roofline/llm/measured_rows.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/machine.hpp"

namespace roofline::llm {

/// Machines by id, each loaded once.
class Machines {
 public:
  explicit Machines(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Registers a machine under its own name.
  void add(const std::string& id, const Machine& machine) { known_[id] = machine; }

  /// Null if there is no such machine in the folder.
  const Machine* find(const std::string& id);

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::optional<Machine>> known_;
};

/// An efficiency and the rows that it is based on.
struct Estimate {
  double value = 0;
  std::vector<std::string> rows;  ///< their ids
  bool own_hardware = true;       ///< false: too few rows for it, so all hardware was used
};

struct Components {
  std::optional<Estimate> weights;
  std::optional<Estimate> kv;
  std::optional<Estimate> compute;
  std::optional<AllReduce> all_reduce;
  std::vector<std::string> all_reduce_rows;
  bool all_reduce_own_hardware = true;
};

/// The efficiencies of some hardware (named as in the file), from the kernel rows of a file.
///   weights: products with at most 64 rows and at least 30 MB of weights (kernel_gemm,
///   kernel_linear); time = fixed + bytes / (efficiency bandwidth), by fit_line_robust().
///   kv: decode attention over at least 30 MB (kernel_attention_decode), in the same way.
///   compute: median fraction of the peak over products of at least 10^11 FLOP.
///   all_reduce: time = latency + 2 (N-1)/N bytes / bandwidth, by fit_robust() of the relative
///   error, over the rows that a graph launched (engine ..._graph).
/// A line needs three rows whose bytes differ by a factor of two or more; if the hardware has
/// fewer, the rows of all hardware are used, each with its own bandwidth. Empty if even that is not
/// enough.
Components measure_components(const std::vector<MeasuredRow>& rows,
                              const std::set<std::string>& hardware, const Names& names,
                              Machines& machines);

}  // namespace roofline::llm
