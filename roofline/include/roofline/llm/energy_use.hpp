// SPDX-License-Identifier: MIT
// Joules of a predicted token, from its work and the prices that a machine was measured to have.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "roofline/llm/expectation.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/machine.hpp"

namespace roofline::llm {

/// What one rank does.
struct PassWork {
  double bytes = 0;                      ///< to and from DRAM
  double vector_flops = 0;               ///< of element-wise operators, in FP32
  std::map<Precision, double> products;  ///< FLOPs of matrix products
  double seconds = 0;                    ///< for which static power is paid

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

/// Energy of `work` on one device: bytes, vector FLOPs and products at their prices, static power
/// for the time. The middle is the median over the measured runs; low and high are the extremes
/// over the runs and over times that lie within `times`. Empty where the prices hold no product of
/// a precision that the work needs. Traffic between devices is not counted.
std::optional<Joules> energy_of(const PassWork& work, const EnergyPrices& prices,
                                const Band& times);

/// The prices of a machine: its own, if it was measured with an energy counter, else those of the
/// report that energy.csv in `folder`/expected names for its id, with the runs listed there.
/// Throws std::runtime_error naming file and line of what is malformed.
std::optional<EnergyPrices> energy_prices(const Machine& machine,
                                          const std::filesystem::path& folder);

/// The vendors' figures for a machine (power.csv in `folder`/expected).
struct StatedCosts {
  std::optional<double> watts;  ///< of the board, by its data sheet
  std::optional<double> dollars_per_hour;
};

/// Both empty for a machine that the file does not have.
StatedCosts stated_costs(const std::string& machine, const std::filesystem::path& folder);

}  // namespace roofline::llm
