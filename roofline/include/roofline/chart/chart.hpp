// SPDX-License-Identifier: MIT
// The roofline chart: its contents, and drawings of it as terminal text and as a gnuplot script.
#pragma once

#include <string>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"

namespace roofline {

/// A horizontal ceiling, such as "no FMA" or "FP32 vector".
struct Ceiling {
  std::string name;
  double flops_per_second = 0;
  bool integers = false;  ///< its rate is in OP/s
};

/// A bandwidth.
struct Slope {
  std::string name;
  double bytes_per_second = 0;
};

/// A kernel on the chart.
struct ChartPoint {
  std::string name;
  double intensity = 0;         ///< FLOP/B, above zero and finite
  double flops_per_second = 0;  ///< achieved
  /// Not all FLOPs were counted: intensity and rate are lower bounds, drawn as an open mark with an
  /// arrow along which the kernel may lie (both grow by the same factor).
  bool at_least = false;
};

/// A log-log chart of ceilings (horizontal) and slopes (bandwidths), with kernels as points.
struct Chart {
  std::string title;
  std::vector<Ceiling> ceilings;
  std::vector<Slope> slopes;
  std::vector<ChartPoint> points;
};

/// The unit of a chart's rates: "FLOP/s", "OP/s" if it only has integer operations, or both.
std::string rate_unit(const Chart& chart);

/// The unit of its intensities: "FLOP/B", "OP/B" or "FLOP/B, OP/B".
std::string intensity_unit(const Chart& chart);

/// Dense ceilings and known bandwidths of a machine. Peaks that differ by less than 2 % share a
/// ceiling ("FP16, BF16 matrix"); integers have their own. Of measured peaks the highest is drawn,
/// with what reached it: "BF16 matrix (wgmma)". `precisions` limits the ceilings; empty means all
/// except the integer ones, whose OP/s do not belong on a FLOP/s axis.
Chart chart_of(const Machine& machine, const std::vector<Precision>& precisions = {});

/// The ends of the axes, in FLOP/B and FLOP/s: 1, 2 or 5 times a power of ten, enclosing ridges and
/// points.
struct ChartRange {
  double intensity_low = 0, intensity_high = 0;
  double rate_low = 0, rate_high = 0;
};

/// Throws std::invalid_argument for a chart without a ceiling or without a slope, or with a point
/// that is not above zero and finite.
ChartRange range_of(const Chart& chart);

/// The ridge of every ceiling with the lowest slope (DRAM), left to right.
struct Ridge {
  std::string ceiling;
  double intensity = 0;
  double flops_per_second = 0;
  bool integers = false;  ///< OP/B and OP/s
};
std::vector<Ridge> ridges_of(const Chart& chart);

/// The highest ceiling over the lowest slope (DRAM), which points are compared with.
Roof memory_roof(const Chart& chart);

/// The bandwidth of the fastest level.
double highest_bandwidth(const Chart& chart);

/// What an open mark with an arrow means, for the legend; empty if no point is a lower bound.
std::string at_least_note(const Chart& chart);

/// What to try next with the points, by their distance to memory_roof(), in lines of at most
/// `columns`; points with the same advice share it. Empty if of no point is known what bounds it.
std::string advice_text(const Chart& chart, int columns = 80);

/// A chart of `columns` x `rows` characters and a legend under it. unicode chooses box-drawing
/// characters; otherwise the text is plain ASCII. Points are letters; each is listed with its
/// bound and its distance to the roof.
std::string draw_terminal(const Chart& chart, int columns = 80, int rows = 22, bool unicode = true);

enum class ImageFormat { kSvg, kPng };

/// A gnuplot (5.2 or later) script that writes the chart to `file`. Lines differ by dash and points
/// by shape, not only by colour, so that it reads in greyscale; colours are those of Okabe and Ito.
std::string gnuplot_script(const Chart& chart, ImageFormat format, const std::string& file);

/// A text as a string of a gnuplot script.
std::string gnuplot_quoted(const std::string& text);

}  // namespace roofline
