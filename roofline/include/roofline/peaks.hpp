// SPDX-License-Identifier: MIT
// Peak calculators: what a chip can do at most, from its units and its clock.
#pragma once

namespace roofline {

/// Vector peak in FLOP/s: `units` cores (SMs, CUs, CPU cores) of `lanes` lanes, each finishing one
/// fused multiply-add (2 FLOP) per clock. Example: A100 FP32, 108 x 64 x 1.41 GHz x 2 = 19.5
/// TFLOP/s.
double vector_peak(double units, double lanes, double clock_hz, double operations_per_lane = 2);

/// Matrix-unit peak in FLOP/s: `units` cores with `matrix_units` each, every one finishing
/// `fma_per_clock` multiply-adds per clock. Example: A100 FP16, 108 x 4 x 256 x 1.41 GHz x 2 = 312.
double matrix_peak(double units, double matrix_units, double fma_per_clock, double clock_hz);

/// CPU vector peak in FLOP/s: `fma_pipes` vector pipes per core, `vector_bits` wide.
/// Example: 2 pipes x 512 bit / 64 bit x 2 FLOP = 32 FP64 FLOP per clock and core.
double cpu_vector_peak(double cores, double fma_pipes, double vector_bits, double element_bits,
                       double clock_hz);

/// Memory bandwidth in B/s from the memory clock, the bus width and transfers per clock (2 for
/// double data rate). Example: H100, 2619 MHz x 5120 bit x 2 / 8 = 3352 GB/s.
double memory_peak(double memory_clock_hz, double bus_bits, double transfers_per_clock = 2);

/// CPU memory bandwidth in B/s: channels x channel width x transfers per second.
/// Example: 12 channels of DDR5-4800, 64 bit wide: 460.8 GB/s.
double cpu_memory_peak(double channels, double transfers_per_second, double channel_bits = 64);

/// Measured rate over peak, such as 0.87. Both must be above zero and in the same unit.
double efficiency(double achieved, double peak);

}  // namespace roofline
