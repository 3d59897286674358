// SPDX-License-Identifier: MIT
// Figures of sequences: operations one after another, arrays passed from one kernel to the next,
// and requests that wait for those before them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "figure.hpp"
#include "plot.hpp"
#include "shared.hpp"

namespace figures {
namespace {

// --- Times of a sequence ---

FIGURE("sum_of_maxima", [](const Sources&) {
  struct Part {
    double compute;
    double move;
  };
  const std::vector<Part> parts = {{10, 1}, {1, 10}};
  double total = 0, computes = 0, moves = 0;
  for (const Part& part : parts) {
    total += std::max(part.compute, part.move);
    computes += part.compute;
    moves += part.move;
  }
  Drawing drawing(
      238, "Two operations in a row, and what their sums say",
      "The first operation computes for 10 us and moves for 1, the second the other way "
      "round: 20 us in a row. Bounded by the sums they would take 11 us.");
  constexpr double kX = 98, kScale = 15.4, kHigh = 24, kStep = 28;
  const auto name = [&](double y, const char* words) {
    drawing.text({kX - 8, y + 17}, words, {.anchor = Anchor::kEnd, .tone = Tone::kSoft});
  };
  const auto bar = [&](double from, double y, double time, Tone tone) {
    drawing.fill({kX + kScale * from, y, kScale * time, kHigh}, tone, true);
  };
  double y = 34;
  drawing.text({kX, y - 12}, fmt::format("one after the other: {:.0f} us", total), {.bold = true});
  name(y, "arithmetic");
  name(y + kStep, "memory");
  double begin = 0;
  for (const Part& part : parts) {
    const double time = std::max(part.compute, part.move);
    bar(begin, y, part.compute, Tone::kBlue);
    bar(begin, y + kStep, part.move, Tone::kOrange);
    drawing.frame({kX + kScale * begin, y - 4, kScale * time, kStep + kHigh + 8});
    drawing.text({kX + kScale * (begin + time / 2), y + kStep + kHigh + 22},
                 begin == 0 ? "first operation" : "second operation",
                 small(Tone::kSoft, Anchor::kMiddle));
    begin += time;
  }
  y = 162;
  drawing.text({kX, y - 12}, fmt::format("the sums say: {:.0f} us", std::max(computes, moves)),
               {.bold = true});
  name(y, "arithmetic");
  name(y + kStep, "memory");
  bar(0, y, computes, Tone::kBlue);
  bar(0, y + kStep, moves, Tone::kOrange);
  drawing.lines({kX + kScale * computes + 12, y + kStep},
                {"arithmetic of one", "beside traffic", "of the other"}, small(Tone::kRed));
  return drawing;
})

// --- Arrays between kernels ---

struct Kernel {
  std::string does;
  std::vector<std::string> reads;
  std::vector<std::string> writes;
};

/// One row per kernel: its inputs, its name, its outputs. `between`, the array that only passes
/// values on, is orange. Returns how many arrays cross memory.
int draw_kernels(Drawing& drawing, double y, const std::vector<Kernel>& kernels,
                 const std::string& between) {
  constexpr double kRow = 40, kCell = 32, kHigh = 26, kKernelX = 150, kKernelWide = 134;
  int passes = 0;
  const auto cell = [&](double x, const std::string& array) {
    ++passes;
    drawing.box({x, y, kCell, kHigh}, array == between ? Tone::kOrange : Tone::kPanel, {array},
                {.size = kNormal, .anchor = Anchor::kMiddle, .mono = true});
  };
  for (const Kernel& kernel : kernels) {
    double x = kKernelX - 22;
    for (auto array = kernel.reads.rbegin(); array != kernel.reads.rend(); ++array) {
      cell(x - kCell, *array);
      x -= kCell + 6;
    }
    drawing.arrow({kKernelX - 19, y + kHigh / 2}, {kKernelX - 2, y + kHigh / 2});
    drawing.box({kKernelX, y, kKernelWide, kHigh}, Tone::kBlue, {kernel.does},
                {.size = kSmall, .anchor = Anchor::kMiddle, .mono = true});
    drawing.arrow({kKernelX + kKernelWide + 3, y + kHigh / 2},
                  {kKernelX + kKernelWide + 19, y + kHigh / 2});
    x = kKernelX + kKernelWide + 22;
    for (const std::string& array : kernel.writes) {
      cell(x, array);
      x += kCell + 6;
    }
    y += kRow;
  }
  return passes;
}

/// Two ways to compute the same thing, one above the other.
void compare_kernels(Drawing& drawing, const std::vector<Kernel>& apart, const Kernel& fused,
                     const std::string& between, const std::string& unit, int per_pass) {
  const Text head = small(Tone::kSoft);
  drawing.text({68, 18}, "reads", head);
  drawing.text({196, 18}, "kernel", head);
  drawing.text({308, 18}, "writes", head);
  const auto sum = [&](double y, int passes, Tone tone) {
    drawing.text({410, y}, fmt::format("{} {}", passes * per_pass, unit),
                 {.anchor = Anchor::kEnd, .tone = tone, .bold = true});
  };
  const double second = 28 + 40.0 * static_cast<double>(apart.size()) + 34;
  sum(second - 26, draw_kernels(drawing, 28, apart, between), Tone::kOrange);
  sum(second + 48, draw_kernels(drawing, second, {fused}, between), Tone::kGreen);
}

FIGURE("eager_passes", [](const Sources&) {
  Drawing drawing(200, "A triad in two kernels and in one",
                  "Operation by operation a temporary array is written and read again: five passes "
                  "over memory. One kernel makes three.");
  compare_kernels(drawing, {{"t = s * c", {"c"}, {"t"}}, {"a = b + t", {"b", "t"}, {"a"}}},
                  {"a = b + s * c", {"b", "c"}, {"a"}}, "t", "passes over memory", 1);
  return drawing;
})

FIGURE("fused_chain", [](const Sources&) {
  Drawing drawing(240, "Three kernels in place and their fusion",
                  "Scale, add and multiply each read and write the array between them: eight "
                  "arrays cross memory. Fused, the values stay in registers, and four do.");
  compare_kernels(drawing,
                  {{"x = s * x", {"x"}, {"x"}},
                   {"x = x + b", {"x", "b"}, {"x"}},
                   {"x = x * g", {"x", "g"}, {"x"}}},
                  {"x = (s*x + b)*g", {"x", "b", "g"}, {"x"}}, "x", "bytes an element", 4);
  return drawing;
})

// --- Lines that a store fetches first ---

FIGURE("write_allocate", [](const Sources&) {
  constexpr int kBytes = 8;  // FP64
  struct Loop {
    const char* does;
    int reads;
    int fetches;  ///< lines of the result that are read only to be overwritten
  };
  constexpr int kWrites = 1;
  Drawing drawing(
      250, "What crosses the bus for an element of FP64, and what is counted",
      "A copy with ordinary stores reads its operand, fetches the line of its result and writes "
      "it: "
      "24 bytes for the 16 that are counted. A triad moves 32 for 24. A loop that has read its "
      "result before, or stores past the cache, fetches nothing.");
  constexpr double kX = 140, kScale = 4.9, kHigh = 26, kRow = 46;
  double x = kX;
  const auto key = [&](const char* words, Tone tone, double width) {
    drawing.fill({x, 9, 11, 11}, tone, true);
    drawing.text({x + 16, 19}, words, small(Tone::kSoft));
    x += width;
  };
  key("read", Tone::kBlue, 62);
  key("fetched", Tone::kOrange, 82);
  key("written", Tone::kGreen, 80);
  double y = 36;
  for (const Loop& loop : {Loop{"y = x", 1, 1}, Loop{"z = x + a y", 2, 1},
                           Loop{"y = a x + y", 2, 0}, Loop{"y = x, past it", 1, 0}}) {
    drawing.text({8, y + 18}, loop.does, {.size = kSmall, .mono = true});
    const int counted = kBytes * (loop.reads + kWrites);
    const int moved = counted + kBytes * loop.fetches;
    double left = kX;
    const auto part = [&](int transfers, Tone tone) {
      drawing.fill({left, y, kScale * kBytes * transfers, kHigh}, tone, true);
      left += kScale * kBytes * transfers;
    };
    part(loop.reads, Tone::kBlue);
    part(loop.fetches, Tone::kOrange);
    part(kWrites, Tone::kGreen);
    drawing.text({kX + kScale * kBytes * 4 + 8, y + 12}, fmt::format("{} of {} B", counted, moved),
                 {.size = kSmall, .bold = true});
    drawing.text({kX + kScale * kBytes * 4 + 8, y + 27},
                 counted == moved ? "counted: all"
                                  : fmt::format("counted: {}/{}", counted / kBytes, moved / kBytes),
                 small(counted == moved ? Tone::kGreen : Tone::kOrange));
    y += kRow;
  }
  drawing.text({8, y + 8}, "past it: a store that does not go through the cache",
               small(Tone::kSoft));
  return drawing;
})

// --- Steps that draft a token themselves ---

FIGURE("drafting_steps", [](const Sources&) {
  constexpr double kLeft = 10, kStep = 62, kHigh = 28;
  const double round = 1 + docs::kSecondTokenCost;
  Drawing drawing(226, "Steps of one token, and steps that draft a second",
                  "Six plain steps give six tokens. Six steps with one more layer take five "
                  "percent longer and give two tokens each, except where the second is refused.");
  const auto token = [&](double x, double y, Tone tone) { drawing.dot({x, y}, tone, 6); };
  double y = 34;
  drawing.text({kLeft, y - 14}, "plain: a token a step", {.bold = true});
  for (int i = 0; i < 6; ++i) {
    const double x = kLeft + kStep * i;
    drawing.box({x, y + 20, kStep - 2, kHigh}, Tone::kBlue, {"step"},
                small(Tone::kText, Anchor::kMiddle));
    token(x + kStep / 2, y + 8, Tone::kBlue);
  }
  y = 128;
  drawing.text({kLeft, y - 14},
               fmt::format("with a drafted token: {} in {} steps, on average",
                           trimmed(1 + docs::kSecondTokenAcceptance, 2), trimmed(round, 2)),
               {.bold = true});
  constexpr int kRefused = 3;
  for (int i = 0; i < 6; ++i) {
    const double x = kLeft + kStep * round * i, extra = kStep * docs::kSecondTokenCost;
    drawing.box({x, y + 20, kStep - 1, kHigh}, Tone::kBlue, {"step"},
                small(Tone::kText, Anchor::kMiddle));
    drawing.fill({x + kStep - 1, y + 20, extra, kHigh}, Tone::kOrange, true);
    token(x + kStep / 2 - 9, y + 8, Tone::kBlue);
    token(x + kStep / 2 + 9, y + 8, i == kRefused ? Tone::kRed : Tone::kGreen);
  }
  double x = kLeft;
  const auto key = [&](Tone tone, const char* words, double width) {
    token(x + 6, 202, tone);
    drawing.text({x + 17, 206}, words, small());
    x += width;
  };
  key(Tone::kBlue, "computed", 92);
  key(Tone::kGreen, "accepted", 88);
  key(Tone::kRed, "refused", 80);
  drawing.fill({x, 196, 4, 12}, Tone::kOrange, true);
  drawing.text({x + 11, 206}, "one more layer", small());
  return drawing;
})

// --- Waiting ---

FIGURE("waiting_over_load", [](const Sources&) {
  const auto wait = [](double load) { return load / (2 * (1 - load)); };
  constexpr double kMost = 0.96;
  Drawing drawing(300, "The mean wait over the load",
                  "The wait in service times is half a service at half load, two at 0.8 and nearly "
                  "ten at 0.95: the curve turns upwards at the end.");
  Plot plot(drawing, {44, 34, 356, 216}, {"load", 0, 1, false, ticks({0, 0.25, 0.5, 0.75, 1}, 2)},
            {"mean wait, in services", 0, 12, false, ticks({0, 3, 6, 9, 12})});
  std::vector<Point> curve;
  for (double load = 0; load <= kMost; load += 0.01) curve.push_back({load, wait(load)});
  plot.line(curve, {.tone = Tone::kBlue, .width = 2.4});
  plot.line({{1, 0}, {1, 12}}, {.tone = Tone::kRed, .width = 1.2, .dashed = true});
  for (const double load : {0.5, 0.8, 0.95}) {
    plot.dots({{load, wait(load)}}, Tone::kOrange, 5);
    plot.label({load, wait(load)}, {-10, -8},
               fmt::format("{} at {}", trimmed(wait(load), 1), trimmed(load, 2)),
               {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kOrange, .bold = true});
  }
  return drawing;
})

}  // namespace
}  // namespace figures
