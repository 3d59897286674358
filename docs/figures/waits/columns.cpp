// SPDX-License-Identifier: MIT
// Sums of a tall matrix's columns: how the work is cut into blocks, and what is in flight.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/prefixes.hpp"
#include "figure.hpp"
#include "h200.hpp"
#include "roofline/machine.hpp"

namespace figures {
namespace {

FIGURE("column_sums", [](const Sources& sources) {
  using base::prefixes::kKibi;
  const roofline::Multiprocessor sm = sources.machine("h200-sxm").multiprocessor.value();
  const roofline::Machine measured = roofline::load_machine(sources.measured("h200_roofs.json"));
  constexpr int kColumns = 1024, kGroups = 128, kAhead = 4;
  constexpr double kNumberBytes = 4;
  const int warps = kColumns / sm.lanes;
  const int places = sm.count * sm.resident.max_threads / sm.lanes;
  const double request = kNumberBytes * sm.lanes;
  // Little's law: what has to be on its way for the measured rate of reading.
  const double needed = measured.streams.at("read") * sm.dram.latency_seconds;

  Drawing drawing(
      356, "Two ways to cut the columns of a tall matrix into warps",
      "With a thread for each column 32 warps go down the whole matrix and have few bytes "
      "in flight. When the rows are cut into groups too, many warps work at a time, and "
      "each column receives an update from every group.");
  struct Way {
    const char* name;
    double x;
    int groups;  ///< drawn
    Tone tone;
  };
  constexpr double kTop = 52, kWide = 150, kHigh = 160;
  constexpr int kStrips = 8, kDrawnGroups = 8;
  for (const Way& way : {Way{"a thread for each column", 34, 1, Tone::kRed},
                         Way{"groups of rows as well", 244, kDrawnGroups, Tone::kGreen}}) {
    drawing.text({way.x - 24, 20}, way.name, {.bold = true});
    drawing.text({way.x, 42}, fmt::format("{} columns", kColumns),
                 {.size = kSmall, .tone = Tone::kSoft});
    drawing.arrow({way.x - 12, kTop}, {way.x - 12, kTop + kHigh});
    for (int group = 0; group < way.groups; ++group) {
      for (int strip = 0; strip < kStrips; ++strip) {
        const double high = kHigh / way.groups;
        const Box piece{way.x + kWide / kStrips * strip, kTop + high * group, kWide / kStrips - 2,
                        high - 2};
        drawing.box(piece, way.tone);
        drawing.arrow({piece.centre().x, piece.y + 2}, {piece.centre().x, piece.bottom() - 2},
                      {.tone = way.tone, .width = 1.2});
      }
    }
  }
  struct Row {
    std::string is;
    Tone tone;
    double bytes;
  };
  const std::vector<Row> rows = {
      {fmt::format("{} warps, a load at a time", warps), Tone::kRed, warps * request},
      {fmt::format("{} groups, {} loads at a time", kGroups, kAhead), Tone::kGreen,
       warps * request * kGroups * kAhead},
      {fmt::format("needed at {:.2f} TB/s", measured.streams.at("read") / base::prefixes::kTera),
       Tone::kText, needed}};
  drawing.text({10, 244}, fmt::format("In flight, with {} places for warps:", places),
               {.bold = true});
  double y = 266;
  for (const Row& row : rows) {
    drawing.text({10, y}, row.is, {.size = kNormal, .tone = row.tone});
    drawing.text({410, y}, fmt::format("{:.0f} KiB", row.bytes / kKibi),
                 {.size = kLarge, .anchor = Anchor::kEnd, .tone = row.tone, .bold = true});
    y += 22;
  }
  drawing.text({10, y + 8},
               fmt::format("The price: {} updates of every column, {:.1f} us one by one.", kGroups,
                           kGroups * kContendedUpdateSeconds / base::prefixes::kMicro),
               {.size = kSmall, .tone = Tone::kSoft});
  return drawing;
})

}  // namespace
}  // namespace figures
