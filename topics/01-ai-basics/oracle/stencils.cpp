// SPDX-License-Identifier: MIT
// The oracle of the stencils: random grids, and the sums of neighbours in double precision.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

/// A box of values in the order plane, row, column, and the distances between neighbours.
struct Box {
  std::size_t planes = 1;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t size() const { return planes * rows * columns; }
};

/// A point that a sum takes, and its distance in memory.
struct Neighbour {
  std::ptrdiff_t distance;
  std::string place;
};

/// Both neighbours along an axis of the grid.
struct Beside {
  Neighbour before, next;
  std::string places;

  Beside(const std::string& name, std::size_t distance)
      : before{-static_cast<std::ptrdiff_t>(distance), "the " + name + " before"},
        next{static_cast<std::ptrdiff_t>(distance), "the next " + name},
        places("the " + name + "s beside") {}
};

/// What a sum of the points at these distances makes of `in`. `is_border` says which points are
/// copied.
template <class IsBorder>
Expected swept(const Box& box, const std::vector<float>& in,
               const std::vector<std::ptrdiff_t>& distances, IsBorder is_border) {
  Expected expected{std::vector<double>(in.size()), std::vector<double>(in.size())};
  std::size_t here = 0;
  for (std::size_t plane = 0; plane < box.planes; ++plane) {
    for (std::size_t row = 0; row < box.rows; ++row) {
      for (std::size_t column = 0; column < box.columns; ++column, ++here) {
        if (is_border(plane, row, column)) {
          expected.value[here] = in[here];
          expected.scale[here] = std::abs(double{in[here]});
          continue;
        }
        for (const std::ptrdiff_t distance : distances) {
          const double point =
              in[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(here) + distance)];
          expected.value[here] += point;
          expected.scale[here] += std::abs(point);
        }
      }
    }
  }
  return expected;
}

/// Adds the output of a sweep over the point and its neighbours along the axes, and the sums that
/// lack some of them.
template <class IsBorder>
void add_sweep(Task& task, const Box& box, const std::vector<float>& in,
               const std::vector<Beside>& axes, IsBorder is_border) {
  // Usual mistakes show in the first sizes that are tried; no larger ones are worked out.
  constexpr std::size_t kMistakenPoints = 10000;
  std::vector<std::ptrdiff_t> all = {0};
  for (const Beside& axis : axes) {
    all.push_back(axis.before.distance);
    all.push_back(axis.next.distance);
  }
  task.output<float>(swept(box, in, all, is_border));
  if (box.size() > kMistakenPoints) return;
  const auto lacks = [&](const std::vector<std::ptrdiff_t>& lost, const std::string& what) {
    std::vector<std::ptrdiff_t> distances = all;
    std::erase_if(distances, [&](std::ptrdiff_t distance) {
      return std::ranges::find(lost, distance) != lost.end();
    });
    task.mistake(swept(box, in, distances, is_border), "The sums lack " + what + ".");
  };
  lacks({0}, "the point itself");
  for (const Beside& axis : axes) {
    for (const Neighbour& one : {axis.before, axis.next}) {
      lacks({one.distance}, "the neighbour in " + one.place);
    }
    lacks({axis.before.distance, axis.next.distance}, "both neighbours in " + axis.places);
  }
}

bool is_end(std::size_t index, std::size_t extent) {
  return index == 0 || index + 1 == extent;
}

double inner(std::size_t extent) {
  return extent > 2 ? static_cast<double>(extent - 2) : 0;
}

double ceiling(std::size_t count, std::size_t part) {
  return static_cast<double>((count + part - 1) / part);
}

/// 32-byte sectors that a row of floats touches, wherever it starts.
double sectors_of_row(std::size_t columns) {
  return ceiling(columns, 8) + 1;
}

/// What a sweep needs if it reads every neighbour from device memory: inside, the point itself and
/// one neighbour per addition; on the border only the point. Lanes along the rows share sectors;
/// the slack is for warps that hold parts of rows, and for border points that are loaded and stored
/// separately.
void needs_plain_sweep(Task& task, const Box& box, double neighbours, double inner_rows) {
  const auto points = static_cast<double>(box.size());
  const double rows = static_cast<double>(box.planes * box.rows);
  const double row_sectors = sectors_of_row(box.columns);
  task.needs("flops", task.flops);
  task.needs("loads", points + task.flops);
  task.needs("stores", points);
  task.needs("compulsory_bytes", task.bytes_moved);
  task.needs("sectors_loaded", (rows + inner_rows * neighbours) * row_sectors, 2);
  task.needs("sectors_stored", rows * row_sectors, 2);
}

/// What tiles of 32 x 16 points need: every point once, plus the halo, without its corners, on
/// sides where the grid continues. The slack is for smaller tiles.
void needs_tiled_sweep(Task& task, const Box& box) {
  constexpr std::size_t kTileColumns = 32, kTileRows = 16;
  const auto rows = static_cast<double>(box.rows);
  const double seams_across = ceiling(box.rows, kTileRows) - 1;
  const double seams_down = ceiling(box.columns, kTileColumns) - 1;
  const double row_sectors = sectors_of_row(box.columns);
  const double loads = static_cast<double>(box.size()) + 2 * rows * seams_down +
                       2 * static_cast<double>(box.columns) * seams_across;
  task.needs("flops", task.flops);
  task.needs("stores", static_cast<double>(box.size()));
  task.needs("compulsory_bytes", task.bytes_moved);
  task.needs("bytes_loaded", 4 * loads, 1.35);
  task.needs("sectors_loaded", (rows + 2 * seams_across) * row_sectors + 2 * rows * seams_down, 2);
  task.needs("sectors_stored", rows * row_sectors, 2);
}

Box stencil5_box(std::int64_t n) {
  const auto side = static_cast<std::size_t>(n);
  return {1, side, side + side / 2};
}

Task stencil5_task(std::int64_t n, Random& random) {
  const Box box = stencil5_box(n);
  const std::vector<float> in = summands(random, box.size());
  Task task;
  task.flops = 4 * inner(box.rows) * inner(box.columns);
  task.bytes_moved = 8 * static_cast<double>(box.size());
  task.scalar(static_cast<std::int64_t>(box.rows));
  task.scalar(static_cast<std::int64_t>(box.columns));
  task.input(in);
  task.axes({{"row", box.rows}, {"column", box.columns}});
  add_sweep(task, box, in, {{"column", 1}, {"row", box.columns}},
            [&](std::size_t, std::size_t row, std::size_t column) {
              return is_end(row, box.rows) || is_end(column, box.columns);
            });
  task.axes({{"row", box.rows}, {"column", box.columns}});
  return task;
}

Task stencil5_plain_task(std::int64_t n, Random& random) {
  const auto side = static_cast<std::size_t>(n);
  Task task = stencil5_task(n, random);
  needs_plain_sweep(task, stencil5_box(n), 4, inner(side));
  return task;
}

Task stencil5_tiled_task(std::int64_t n, Random& random) {
  Task task = stencil5_task(n, random);
  needs_tiled_sweep(task, stencil5_box(n));
  return task;
}

Task stencil7_task(std::int64_t n, Random& random) {
  const auto side = static_cast<std::size_t>(n);
  const Box box{side, side + 1, side + 2};
  const std::vector<float> in = summands(random, box.size());
  Task task;
  task.flops = 6 * inner(box.planes) * inner(box.rows) * inner(box.columns);
  task.bytes_moved = 8 * static_cast<double>(box.size());
  task.scalar(static_cast<std::int64_t>(box.planes));
  task.scalar(static_cast<std::int64_t>(box.rows));
  task.scalar(static_cast<std::int64_t>(box.columns));
  task.input(in);
  task.axes({{"plane", box.planes}, {"row", box.rows}, {"column", box.columns}});
  add_sweep(task, box, in, {{"column", 1}, {"row", box.columns}, {"plane", box.rows * box.columns}},
            [&](std::size_t plane, std::size_t row, std::size_t column) {
              return is_end(plane, box.planes) || is_end(row, box.rows) ||
                     is_end(column, box.columns);
            });
  task.axes({{"plane", box.planes}, {"row", box.rows}, {"column", box.columns}});
  needs_plain_sweep(task, box, 6, inner(box.planes) * inner(box.rows));
  return task;
}

HARNESS_ORACLE(stencil5, stencil5_plain_task)
HARNESS_ORACLE(stencil5_tiled, stencil5_tiled_task)
HARNESS_ORACLE(stencil5_fast, stencil5_task)
HARNESS_ORACLE(stencil7, stencil7_task)

}  // namespace
