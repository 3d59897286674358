// SPDX-License-Identifier: MIT
// Sequences of uneven length: a lane for each, and a warp for each.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "figure.hpp"

namespace figures {
namespace {

constexpr int kLanes = 32, kLongest = 510;

/// The lengths of a warp's sequences, spread evenly from 0 to 510 in a mixed order.
std::vector<int> lengths() {
  std::vector<int> result;
  constexpr int kMixing = 13;  // no common factor with the lanes
  for (int lane = 0; lane < kLanes; ++lane) {
    result.push_back(kLongest * (kMixing * (lane + 1) % kLanes) / (kLanes - 1));
  }
  return result;
}

FIGURE("uneven_lengths", [](const Sources&) {
  const std::vector<int> all = lengths();
  const int longest = *std::max_element(all.begin(), all.end());
  const double numbers = std::accumulate(all.begin(), all.end(), 0.0);
  Drawing drawing(
      318, "A warp that adds up 32 sequences of uneven length",
      "Lanes from left to right, time downwards. With a sequence for each lane the warp "
      "takes as long as its longest sequence, and half of the lane steps are idle. With "
      "all lanes on one sequence after the other almost none is, and it ends earlier.");
  constexpr double kTop = 52, kHeight = 212, kPanel = 192, kRight = 218;
  const double lane_width = kPanel / kLanes, step_height = kHeight / longest;

  drawing.text({10, 20}, "a lane for each sequence", {.size = kNormal, .bold = true});
  for (int lane = 0; lane < kLanes; ++lane) {
    const double x = 10 + lane_width * lane,
                 done = step_height * all[static_cast<std::size_t>(lane)];
    drawing.fill({x, kTop, lane_width - 1, done}, Tone::kRed, true);
    drawing.fill({x, kTop + done, lane_width - 1, kHeight - done}, Tone::kLine);
  }

  drawing.text({kRight, 20}, "32 lanes for each", {.size = kNormal, .bold = true});
  int steps = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int whole = all[i] / kLanes, rest = all[i] % kLanes;
    const double y = kTop + step_height * steps;
    const Tone tone = i % 2 == 0 ? Tone::kGreen : Tone::kBlue;
    drawing.fill({kRight, y, kPanel, step_height * whole}, tone, true);
    drawing.fill({kRight, y + step_height * whole, lane_width * rest, step_height}, tone, true);
    steps += whole + (rest > 0 ? 1 : 0);
  }
  for (const double x : {10.0, kRight}) {
    drawing.text({x, 42}, "lanes", {.size = kSmall, .tone = Tone::kSoft});
    drawing.arrow({x + 38, 38}, {x + 80, 38});
    drawing.text({x + 130, 42}, "time", {.size = kSmall, .tone = Tone::kSoft});
    drawing.arrow({x + 168, 30}, {x + 168, 48});
  }
  const auto says = [&](double x, int taken, Tone tone) {
    drawing.text({x, kTop + kHeight + 22}, fmt::format("{} steps", taken),
                 {.size = kLarge, .tone = tone, .bold = true});
    drawing.text({x, kTop + kHeight + 42},
                 fmt::format("{:.0f} % of lane steps work", 100 * numbers / (kLanes * taken)),
                 {.size = kSmall});
  };
  says(10, longest, Tone::kRed);
  says(kRight, steps, Tone::kGreen);
  return drawing;
})

}  // namespace
}  // namespace figures
