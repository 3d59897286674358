// SPDX-License-Identifier: MIT
// Peak calculators.
#include "roofline/peaks.hpp"

#include "roofline/checks.hpp"

namespace roofline {
namespace {

constexpr double kBitsPerByte = 8;
constexpr double kOperationsPerFma = 2;

}  // namespace

double vector_peak(double units, double lanes, double clock_hz, double operations_per_lane) {
  return require_positive(units, "number of units") * require_positive(lanes, "lanes per unit") *
         require_positive(clock_hz, "clock in Hz") *
         require_positive(operations_per_lane, "operations per lane and clock");
}

double matrix_peak(double units, double matrix_units, double fma_per_clock, double clock_hz) {
  return require_positive(units, "number of units") *
         require_positive(matrix_units, "matrix units per unit") *
         require_positive(fma_per_clock, "multiply-adds per clock") *
         require_positive(clock_hz, "clock in Hz") * kOperationsPerFma;
}

double cpu_vector_peak(double cores, double fma_pipes, double vector_bits, double element_bits,
                       double clock_hz) {
  const double lanes = require_positive(fma_pipes, "vector pipes per core") *
                       require_positive(vector_bits, "vector width in bits") /
                       require_positive(element_bits, "element width in bits");
  return vector_peak(cores, lanes, clock_hz, kOperationsPerFma);
}

double memory_peak(double memory_clock_hz, double bus_bits, double transfers_per_clock) {
  return require_positive(memory_clock_hz, "memory clock in Hz") *
         require_positive(bus_bits, "bus width in bits") *
         require_positive(transfers_per_clock, "transfers per clock") / kBitsPerByte;
}

double cpu_memory_peak(double channels, double transfers_per_second, double channel_bits) {
  return require_positive(channels, "number of channels") *
         require_positive(transfers_per_second, "transfers per second") *
         require_positive(channel_bits, "channel width in bits") / kBitsPerByte;
}

double efficiency(double achieved, double peak) {
  return require_positive(achieved, "achieved rate") / require_positive(peak, "peak rate");
}

}  // namespace roofline
