// SPDX-License-Identifier: MIT
// Figures of what a core or multiprocessor has to work with: who owns which packs, bytes of shared
// memory for a tile of sums, vector registers for one, and a prompt on a desktop.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "figure.hpp"
#include "plot.hpp"
#include "roofline/bounds.hpp"
#include "shared.hpp"

namespace figures {
namespace {

using namespace base::prefixes;

// --- Packs and groups of roofline.cu ---

FIGURE("packs_groups", [](const Sources&) {
  constexpr int kGroups = 4, kPacks = 3;
  constexpr std::array<Tone, kGroups> kTones = {Tone::kBlue, Tone::kOrange, Tone::kGreen,
                                                Tone::kPurple};
  constexpr double kLeft = 10, kCell = 33.3, kHigh = 30;
  Drawing drawing(212, "Whose packs lie where",
                  "Twelve packs of memory in order, and the thread that owns each. On a GPU "
                  "neighbouring packs belong to neighbouring threads. On a CPU each thread owns "
                  "three packs in a row.");
  const auto strip = [&](double y, const char* head, const char* why, int threads) {
    drawing.text({kLeft, y}, head, {.bold = true});
    for (int i = 0; i < kGroups * kPacks; ++i) {
      // pack_index() of roofline.cu, solved for the group and its pack
      const int tile = i / (threads * kPacks), in_tile = i % (threads * kPacks);
      const int group = tile * threads + in_tile % threads, pack = in_tile / threads;
      drawing.box({kLeft + kCell * i, y + 10, kCell - 2, kHigh},
                  kTones.at(static_cast<std::size_t>(group)), {fmt::format("{}.{}", group, pack)},
                  small(Tone::kText, Anchor::kMiddle));
    }
    drawing.text({kLeft, y + 60}, why, small(Tone::kSoft));
  };
  strip(20, "GPU", "one instruction of all threads: neighbouring packs", kGroups);
  strip(110, "CPU", "one thread: packs in a row, as its core fetches them", 1);
  drawing.text({kLeft, 200}, "2.1: pack 1 of the group of thread 2", small(Tone::kGreen));
  return drawing;
})

// --- Sums of a thread, and what they take from shared memory ---

FIGURE("shared_tiles", [](const Sources&) {
  constexpr double kFmas = 128, kSupply = 128, kRegisters = 255;  // a clock, B a clock, a thread
  constexpr double kLeft = 62, kScale = 0.39, kHigh = 24, kRow = 38;
  Drawing drawing(206, "What a tile of sums takes from shared memory",
                  "Bytes a clock at the full rate: 512 for tiles of 2 x 2, 256 for 4 x 4, 128 for "
                  "8 x 8, which is what shared memory delivers, and 64 for 16 x 16, whose sums do "
                  "not fit in the registers.");
  drawing.text({kLeft, 18}, "bytes a clock at the full rate, no words shared", small(Tone::kSoft));
  double y = 32;
  for (const int side : {2, 4, 8, 16}) {
    const double sums = side * side;
    const double bytes = kFmas / sums * 2 * side * sizeof(float);
    const bool fits = sums <= kRegisters;
    const Tone tone = bytes > kSupply ? Tone::kOrange : fits ? Tone::kGreen : Tone::kLine;
    drawing.text({kLeft - 8, y + 17}, fmt::format("{} x {}", side, side), {.anchor = Anchor::kEnd});
    drawing.fill({kLeft, y, kScale * bytes, kHigh}, tone, true);
    const double reached = 100 * std::min(1.0, kSupply / bytes);
    drawing.text({kLeft + kScale * std::max(bytes, fits ? 0 : kSupply) + 8, y + 17},
                 fits ? fmt::format("{:.0f}: at most {:.0f} %", bytes, reached)
                      : fmt::format("{:.0f}, but {:.0f} sums", bytes, sums),
                 {.size = kSmall, .tone = fits ? Tone::kText : Tone::kRed, .bold = true});
    y += kRow;
  }
  const double roof = kLeft + kScale * kSupply;
  drawing.line({roof, 26}, {roof, y - 8}, {.tone = Tone::kBlue, .dashed = true});
  drawing.text({roof, y + 8}, fmt::format("{:.0f} bytes come", kSupply),
               small(Tone::kBlue, Anchor::kMiddle));
  return drawing;
})

// --- Vector registers of a tile ---

FIGURE("tile_registers", [](const Sources&) {
  constexpr int kRegisters = 16, kPacks = 2, kOfA = 1;
  constexpr double kLeft = 10, kCell = 20.5, kHigh = 26;
  Drawing drawing(204, "Sixteen vector registers, and two tiles of sums",
                  "Six rows of two packs take twelve registers for the sums, two for B and one for "
                  "A: one is free. Eight rows take sixteen for the sums alone, and three are "
                  "missing.");
  double y = 20;
  for (const int rows : {6, 8}) {
    const int sums = rows * kPacks, needed = sums + kPacks + kOfA;
    drawing.text({kLeft, y}, fmt::format("{} rows of {} packs", rows, kPacks), {.bold = true});
    for (int i = 0; i < std::max(needed, kRegisters); ++i) {
      const Tone tone = i < sums            ? Tone::kBlue
                        : i < sums + kPacks ? Tone::kOrange
                        : i < needed        ? Tone::kGreen
                                            : Tone::kPanel;
      drawing.box({kLeft + kCell * i, y + 10, kCell - 2, kHigh}, tone);
    }
    const int over = needed - kRegisters;
    drawing.text({kLeft, y + 54},
                 over > 0 ? fmt::format("{} registers: {} go to memory in every step", needed, over)
                          : fmt::format("{} registers: {} free", needed, -over),
                 {.size = kSmall, .tone = over > 0 ? Tone::kRed : Tone::kGreen, .bold = true});
    y += 84;
  }
  const double edge = kLeft + kCell * kRegisters - 1;
  drawing.line({edge, 14}, {edge, 148}, {.tone = Tone::kRed, .dashed = true});
  double x = kLeft;
  const auto key = [&](Tone tone, const char* words, double width) {
    drawing.fill({x, 185, 12, 12}, tone, true);
    drawing.text({x + 17, 195}, words, small());
    x += width;
  };
  key(Tone::kBlue, "sums", 72);
  key(Tone::kOrange, "packs of B", 104);
  key(Tone::kGreen, "a number of A", 120);
  return drawing;
})

// --- A prompt on a desktop and on an H200 ---

FIGURE("desktop_prompt", [](const Sources& sources) {
  struct Place {
    const char* name;
    roofline::Roof roof;
    double bytes;
    Tone tone;
  };
  const std::vector<Place> places = {
      {"desktop", docs::kDesktopRoof, docs::kDesktopBytes, Tone::kOrange},
      {"H200", roofline::roof_of(sources.machine("h200-sxm"), roofline::Precision::kBf16),
       2 * docs::kParameters, Tone::kBlue}};
  Drawing drawing(318, "Time of a prompt on a desktop and on an H200",
                  "On both the time is flat while the weights set it, and then grows with the "
                  "tokens. The desktop bends at 3.5 tokens, the H200 at 206.");
  Plot plot(drawing, {50, 34, 356, 234},
            {"tokens of the prompt", 1, 2000, true, ticks({1, 10, 100, 1000})},
            {"ms", 1, 40000, true, ticks({1, 10, 100, 1000, 10000})});
  for (const Place& place : places) {
    const double reading = place.bytes / place.roof.bytes_per_second / kMilli;
    const double a_token = 2 * docs::kParameters / place.roof.flops_per_second / kMilli;
    const double bend = reading / a_token;
    plot.line({{1, reading}, {bend, reading}, {2000, 2000 * a_token}},
              {.tone = place.tone, .width = 2.4});
    plot.dots({{bend, reading}}, place.tone, 5);
    plot.label({1, reading}, {8, -9}, place.name,
               {.size = kSmall, .tone = place.tone, .bold = true});
    plot.label({bend, reading}, {8, 16}, fmt::format("{} tokens", trimmed(bend, bend < 10 ? 1 : 0)),
               small(place.tone));
  }
  return drawing;
})

}  // namespace
}  // namespace figures
