// SPDX-License-Identifier: MIT
// Keys that four heads read: which order of the blocks finds them in L2.
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "base/prefixes.hpp"
#include "figure.hpp"
#include "roofline/bounds.hpp"

namespace figures {
namespace {

FIGURE("reuse_order", [](const Sources& sources) {
  constexpr double kKeyBytes = 4.0 * (1 << 23);  // the lab's size
  constexpr int kHeads = 4;
  using base::prefixes::kMega;
  const double cache =
      roofline::memory_level(sources.machine("h200-sxm"), "L2").capacity_bytes.value();
  // Between two uses a head's keys are read, and as many bytes written.
  const double between = 2 * kKeyBytes;
  if (between < cache) throw std::logic_error("the first order would find its keys in L2");
  Drawing drawing(308, "Two orders of the blocks that copy keys for four heads",
                  "Blocks from left to right, keys upwards. Head after head passes over all keys "
                  "four times, each time from DRAM. With the four heads of a piece of the keys one "
                  "after the other, the keys are read from DRAM once and then found in L2.");
  struct Order {
    const char* name;
    double x;
    bool by_head;
  };
  constexpr double kTop = 50, kHigh = 130, kWide = 176;
  constexpr int kPieces = 8;
  for (const Order& order :
       {Order{"head after head", 28, true}, Order{"piece after piece", 234, false}}) {
    const double bottom = kTop + kHigh;
    drawing.text({order.x - 8, 20}, order.name, {.bold = true});
    drawing.text({order.x - 8, 40}, "key", {.size = kSmall, .tone = Tone::kSoft});
    drawing.arrow({order.x - 8, bottom + 6}, {order.x - 8, kTop - 4});
    drawing.arrow({order.x - 8, bottom + 6}, {order.x + kWide + 8, bottom + 6});
    drawing.text({order.x + kWide, bottom + 24}, "blocks, as they start",
                 {.size = kSmall, .anchor = Anchor::kEnd, .tone = Tone::kSoft});
    constexpr int kUses = kHeads * kPieces;
    const double step = kWide / kUses, piece_high = kHigh / kPieces;
    double from_dram = 0;
    for (int use = 0; use < kUses; ++use) {
      const int head = order.by_head ? use / kPieces : use % kHeads;
      const int piece = order.by_head ? use % kPieces : use / kHeads;
      const bool is_miss = order.by_head || head == 0;
      if (is_miss) from_dram += kKeyBytes / kPieces;
      drawing.fill(
          {order.x + step * use, bottom - piece_high * (piece + 1), step - 0.8, piece_high - 1},
          is_miss ? Tone::kRed : Tone::kGreen, true);
    }
    drawing.text({order.x - 8, bottom + 50}, fmt::format("{:.0f} MB from DRAM", from_dram / kMega),
                 {.size = kLarge, .tone = order.by_head ? Tone::kRed : Tone::kGreen, .bold = true});
    drawing.text({order.x - 8, bottom + 70},
                 order.by_head ? fmt::format("{:.0f} MB between two uses", between / kMega)
                               : std::string("the next use follows at once"),
                 {.size = kSmall});
  }
  constexpr double kLegend = 278;
  drawing.fill({20, kLegend, 12, 12}, Tone::kRed, true);
  drawing.text({38, kLegend + 11}, "from DRAM", {.size = kSmall});
  drawing.fill({124, kLegend, 12, 12}, Tone::kGreen, true);
  drawing.text({142, kLegend + 11}, fmt::format("from L2, which holds {:.0f} MB", cache / kMega),
               {.size = kSmall});
  return drawing;
})

}  // namespace
}  // namespace figures
