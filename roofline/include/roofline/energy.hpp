// SPDX-License-Identifier: MIT
// The energy roofline: joules per FLOP and per byte, and the intensity at which they are equal.
//
// Source: Choi, Bedard, Fowler, Vuduc, "A roofline model of energy", IPDPS 2013. Unlike times, the
// two energies add up, so the energy roof is a smooth arch and not a corner.
#pragma once

#include <map>
#include <vector>

#include "roofline/precision.hpp"

namespace roofline {

/// Energy costs of a machine; idle power is drawn for as long as the operation lasts.
struct EnergyCosts {
  double joules_per_flop = 0;
  double joules_per_byte = 0;
  double idle_watts = 0;
};

/// Joules for `flops` FLOPs and `bytes` bytes in `seconds` (needed only with idle power).
double energy_joules(const EnergyCosts& costs, double flops, double bytes, double seconds = 0);

/// Intensity at which moving data costs as much as computing, in FLOP/B: 66.7 for 0.3 pJ and 20 pJ.
double energy_ridge(const EnergyCosts& costs);

/// FLOP per joule at an intensity, without idle power: 1 / (e_flop + e_byte / intensity).
double flops_per_joule(const EnergyCosts& costs, double intensity);

/// One steady load of a machine, and the power that it drew.
struct EnergyPoint {
  double flops_per_second = 0;
  double bytes_per_second = 0;
  double watts = 0;
};

/// Costs that explain measured powers, and how well they do.
struct EnergyFit {
  EnergyCosts costs;  ///< idle_watts: drawn regardless of computing and data movement
  double worst_relative_error = 0;
};

/// The power drawn by the vendor's matrix product in one precision.
struct ProductEnergy {
  double joules_per_flop = 0;  ///< including static power
  double watts = 0;            ///< of the whole device
  double metered_share = 1;    ///< the metered rate divided by the rate that the product sustains
};

/// A product's joules per FLOP without the static power of `costs`, including its traffic. Throws
/// std::invalid_argument if the device drew no more than that.
double product_joules_per_flop(const ProductEnergy& product, const EnergyCosts& costs);

/// Energy costs of one machine, as found by one or several measurements.
struct MeasuredEnergyCosts {
  std::vector<EnergyCosts> runs;  ///< joules_per_flop: of FP32 multiply-adds outside matrix units
  std::map<Precision, ProductEnergy> products;
};

/// The costs that minimise the sum of squared relative errors of watts = idle_watts +
/// joules_per_flop x FLOP/s + joules_per_byte x B/s. Throws std::invalid_argument for fewer than
/// four points, for values that are not rates, and if a cost comes out as zero: then the points
/// cannot separate the three. Loads over a range of intensities can, because below the ridge the
/// FLOPs vary and above it the bytes.
EnergyFit fit_energy(const std::vector<EnergyPoint>& points);

}  // namespace roofline
