// SPDX-License-Identifier: MIT
// Joules per predicted token, from its work and the measured energy costs of a machine.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "roofline/llm/expectation.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/machine.hpp"

namespace roofline::llm {

/// The work of one rank.
struct PassWork {
  double bytes = 0;                      ///< to and from DRAM
  double vector_flops = 0;               ///< of element-wise operators, in FP32
  std::map<Precision, double> products;  ///< FLOPs of matrix products
  double seconds = 0;                    ///< during which static power is drawn

  PassWork& operator+=(const PassWork& other);
  PassWork operator*(double factor) const;
};

/// The work of one pass.
PassWork work_of(const PassTime& pass);

/// Joules, and their range.
struct Joules {
  double middle = 0;
  double low = 0;
  double high = 0;
};

/// Energy of `work` on one device: bytes, vector FLOPs and products at their costs, plus static
/// power for the time. The middle is the median over the measured runs; low and high are the
/// extremes over the runs and over times within `times`. Empty if the costs of a product's
/// precision are missing. Traffic between devices is not counted.
std::optional<Joules> energy_of(const PassWork& work, const MeasuredEnergyCosts& costs,
                                const Band& times);

/// The energy costs of a machine: its own, if it was measured with an energy counter, otherwise
/// those of the report that energy.csv in `folder`/expected lists for its id, with the runs listed
/// there. Throws std::runtime_error naming the file and the malformed line.
std::optional<MeasuredEnergyCosts> measured_energy_costs(const Machine& machine,
                                                         const std::filesystem::path& folder);

/// The vendors' figures for a machine (power.csv in `folder`/expected).
struct StatedCosts {
  std::optional<double> watts;  ///< of the board, by its data sheet
  std::optional<double> dollars_per_hour;
};

/// Both are empty for a machine that is not in the file.
StatedCosts stated_costs(const std::string& machine, const std::filesystem::path& folder);

}  // namespace roofline::llm
