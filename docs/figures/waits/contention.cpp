// SPDX-License-Identifier: MIT
// The queues of a histogram's counters, shared by all blocks or one for each block.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/prefixes.hpp"
#include "figure.hpp"
#include "h200.hpp"

namespace figures {
namespace {

FIGURE("counter_queues", [](const Sources& sources) {
  // The section's question: half of the values are among eight, evenly.
  constexpr double kValues = 1 << 20, kOften = 8, kCounters = 256;
  const int blocks = sources.machine("h200-sxm").multiprocessor.value().count;
  struct Queue {
    std::string counter;
    double updates;
    Tone tone;
  };
  const double seldom = kValues / 2 / (kCounters - kOften);
  const std::vector<Queue> queues = {
      {"one of the eight frequent ones", kValues / 2 / kOften, Tone::kRed},
      {"one of the others", seldom, Tone::kOrange},
      {fmt::format("any, with a set for each of {} blocks", blocks), static_cast<double>(blocks),
       Tone::kGreen}};
  Drawing drawing(338, "Who waits for a counter of a histogram",
                  "When all threads update counters in device memory, those of one counter queue. "
                  "With counters of its own a block adds each of them once, and the queue is as "
                  "long as there are blocks.");
  constexpr double kBox = 26, kStep = 32;
  struct Way {
    const char* name;
    double x;
    bool has_own;
  };
  for (const Way& way :
       {Way{"all threads: one set", 10, false}, Way{"a set for each block", 222, true}}) {
    constexpr int kShown = 6, kFrequent = 3;
    drawing.text({way.x, 20}, way.name, {.bold = true});
    for (int block = 0; block < kShown; ++block) {
      const double x = way.x + kStep * block;
      drawing.box({x, 34, kBox, 22}, Tone::kBlue);
      if (way.has_own) drawing.box({x + 4, 66, kBox - 8, 14}, Tone::kGreen);
      drawing.box({x, 128, kBox, 16},
                  !way.has_own && block == kFrequent ? Tone::kRed : Tone::kPanel);
      const double middle = x + kBox / 2, target = way.x + kStep * kFrequent + kBox / 2;
      // Every block's updates go to the frequent counter, many of them or one.
      drawing.line(
          {middle, way.has_own ? 80.0 : 56.0}, {target, 126},
          {.tone = way.has_own ? Tone::kGreen : Tone::kRed, .width = way.has_own ? 1.2 : 4.0});
      if (way.has_own) drawing.line({middle, 56}, {middle, 66}, {.tone = Tone::kGreen, .width = 4});
    }
    drawing.text({way.x, 162}, "counters in device memory", {.size = kSmall, .tone = Tone::kSoft});
  }
  drawing.text({10, 196}, "Updates of one counter, one after the other:", {.bold = true});
  constexpr double kX = 10, kFull = 400;
  double y = 214;
  for (const Queue& queue : queues) {
    const double width = kFull * queue.updates / queues.front().updates;
    const double seconds = kContendedUpdateSeconds * queue.updates;
    drawing.text({kX, y + 8}, queue.counter, {.size = kSmall});
    drawing.text({kX + kFull, y + 8},
                 fmt::format("{:.0f} x 6 ns = {} us", queue.updates,
                             trimmed(seconds / base::prefixes::kMicro, seconds < 1e-5 ? 1 : 0)),
                 {.size = kSmall, .anchor = Anchor::kEnd, .tone = queue.tone, .bold = true});
    drawing.fill({kX, y + 14, width, 12}, queue.tone, true);
    y += 40;
  }
  return drawing;
})

}  // namespace
}  // namespace figures
