// SPDX-License-Identifier: MIT
// The roofline bounds: attainable rate, ridge, classification, time, several roofs, critical batch.
//
// Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for
// multicore architectures", CACM 52(4), 2009. Rates in FLOP/s and B/s, times in seconds,
// intensities in FLOP/B. Every function throws std::invalid_argument for a rate that is not above
// zero or an amount that is negative or not finite.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// One compute ceiling over one bandwidth slope.
struct Roof {
  double flops_per_second = 0;
  double bytes_per_second = 0;
};

enum class Bound { kMemory, kCompute };

/// "memory" or "compute".
const char* to_string(Bound bound);

/// FLOPs per byte; +infinity when no byte moves (cache-resident work), never 0/0.
double arithmetic_intensity(double flops, double bytes);

/// Intensity at which slope and ceiling meet: peak / bandwidth, in FLOP/B.
double ridge(const Roof& roof);

/// min(peak, intensity * bandwidth) in FLOP/s. intensity may be +infinity.
double attainable(const Roof& roof, double intensity);

/// Memory-bound below the ridge, compute-bound at and above it.
Bound classify(const Roof& roof, double intensity);

/// max(flops / peak, bytes / bandwidth) in seconds: the least time one operation can take.
double time_seconds(const Roof& roof, double flops, double bytes);

/// Sum of the bounds of all operations; never the bound of the sums, because operations that run
/// one after another cannot overlap the memory time of one with the compute time of another.
struct Work {
  double flops = 0;
  double bytes = 0;
};
double time_of_sequence(const Roof& roof, const std::vector<Work>& operations);

/// The bandwidth of one memory level of a machine, and the bytes that an operation moves through
/// it.
struct LevelLoad {
  std::string level;
  double bytes_per_second = 0;
  double bytes = 0;
};

/// A hierarchical bound and what determines it.
struct HierarchicalBound {
  double seconds = 0;
  double flops_per_second = 0;
  std::string limit;  ///< name of the level that determines the time, or "compute"
};

/// min over levels of intensity_i * bandwidth_i, and the peak (Ilic, Pratas, Sousa, IEEE CAL 2014,
/// and Yang, Kurth, Williams, CCPE 2020). Compute wins a tie.
HierarchicalBound hierarchical_bound(double peak_flops_per_second, double flops,
                                     const std::vector<LevelLoad>& levels);

/// A dense layer y[B, out] = x[B, in] W[in, out].
struct DenseLayer {
  double in_features = 0;
  double out_features = 0;
  double bytes_per_weight = 2;      ///< including scales of a quantised format, e.g. 0.515625
  double bytes_per_activation = 2;  ///< of x and of y
};

/// Intensity of the layer at batch B, compulsory traffic: x, W and y once each.
double layer_intensity(const DenseLayer& layer, double batch);

/// Intensity that the layer approaches as the batch grows: 2 in out / (s (in + out)).
double layer_intensity_limit(const DenseLayer& layer);

/// Smallest (real) batch at which the layer reaches the ridge; empty means never: the limit of its
/// intensity does not exceed the ridge, however large the batch.
std::optional<double> critical_batch(const DenseLayer& layer, double ridge_flops_per_byte);

}  // namespace roofline
