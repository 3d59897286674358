// SPDX-License-Identifier: MIT
// The energy roofline: joules per FLOP and per byte, and the intensity at which they are equal.
//
// Source: Choi, Bedard, Fowler, Vuduc, "A roofline model of energy", IPDPS 2013. Unlike times, the
// two energies add up, so the energy roof is a smooth arch and not a corner.
#pragma once

namespace roofline {

/// Energy prices of a machine; idle power is paid for as long as the operation lasts.
struct EnergyCosts {
  double joules_per_flop = 0;
  double joules_per_byte = 0;
  double idle_watts = 0;
};

/// Joules for `flops` FLOPs and `bytes` bytes in `seconds` (needed only with idle power).
double energy_joules(const EnergyCosts& costs, double flops, double bytes, double seconds = 0);

/// Intensity at which moving data costs as much as computing, FLOP/B: 66.7 for 0.3 pJ and 20 pJ.
double energy_ridge(const EnergyCosts& costs);

/// FLOP per joule at an intensity, idle power left out: 1 / (e_flop + e_byte / intensity).
double flops_per_joule(const EnergyCosts& costs, double intensity);

}  // namespace roofline
