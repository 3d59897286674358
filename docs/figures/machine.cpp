// SPDX-License-Identifier: MIT
// Figures of the machine: its memories, how a launch is spread over it, the cost of a warp's
// addresses and branches, and what one core and all cores of a CPU do.
#include "roofline/machine.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "figure.hpp"
#include "h200.hpp"
#include "plot.hpp"
#include "roofline/bounds.hpp"
#include "shared.hpp"
#include "vgpu/geometry.hpp"

namespace figures {
namespace {

constexpr int kWordBytes = 4;
using namespace base::prefixes;

std::string binary(double bytes) {
  return with_prefix(bytes, kKibi) + "B";
}

// --- The memories of a GPU ---

FIGURE("memory_hierarchy", [](const Sources& sources) {
  const roofline::Machine sheet = sources.machine("h200-sxm");
  const roofline::Machine measured = roofline::load_machine(sources.measured("h200_roofs.json"));
  const roofline::Multiprocessor& sm = sheet.multiprocessor.value();
  const auto rate = [](double bytes_per_second) {
    return fmt::format("{:.1f} TB/s", bytes_per_second / kTera);
  };
  const auto wait = [](double seconds) { return fmt::format("{:.0f} ns", seconds / kNano); };

  struct Level {
    const char* name;
    std::string capacity;
    std::string rate;
    std::string wait;
    Tone tone;
    double width;
  };
  constexpr double kRegisterBytes = 4;
  const std::vector<Level> levels = {
      {"registers",
       fmt::format("{} x {}", sm.count,
                   binary(kRegisterBytes * static_cast<double>(sm.resident.registers))),
       "", wait(sm.dependent_clocks / sm.clock_hz), Tone::kBlue, 126},
      {"L1, shared", fmt::format("{} x {}", sm.count, binary(static_cast<double>(sm.l1.bytes))),
       rate(measured_l1(sources)), wait(sm.l1.latency_seconds), Tone::kGreen, 148},
      {"L2", binary(roofline::memory_level(sheet, "L2").capacity_bytes.value()),
       rate(roofline::bandwidth(measured, "L2")), wait(sm.l2.latency_seconds), Tone::kOrange, 170},
      {"DRAM", with_prefix(roofline::memory_level(sheet, "DRAM").capacity_bytes.value()) + "B",
       rate(measured.streams.at("read")), wait(sm.dram.latency_seconds), Tone::kPurple, 192}};
  Drawing drawing(
      292, "The memories of an H200",
      "Registers, L1 with shared memory, L2 and DRAM under one another, each larger and "
      "slower than the one above, with capacity, measured bandwidth and latency.");
  const Text head = small(Tone::kSoft, Anchor::kMiddle);
  constexpr double kMiddle = 106, kRateX = 270, kWaitX = 372, kStep = 66;
  drawing.text({kMiddle, 18}, "size", head);
  drawing.text({kRateX, 18}, "bandwidth, all SMs", head);
  drawing.text({kWaitX + 2, 18}, "latency", head);
  double y = 28;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    const Box box{kMiddle - level.width / 2, y, level.width, 44};
    drawing.box(box, level.tone, {level.name, level.capacity},
                {.size = kNormal, .anchor = Anchor::kMiddle});
    const Text value = {.size = kLarge, .anchor = Anchor::kMiddle, .bold = true};
    if (!level.rate.empty()) drawing.text({kRateX, y + 28}, level.rate, value);
    drawing.text({kWaitX, y + 28}, level.wait, value);
    if (i > 0) {
      drawing.arrow({kMiddle - 8, y - 3}, {kMiddle - 8, y - 19});
      drawing.arrow({kMiddle + 8, y - 19}, {kMiddle + 8, y - 3});
    }
    y += kStep;
  }
  return drawing;
})

// --- Grid, block, warp, multiprocessor ---

FIGURE("grid_to_lane", [](const Sources& sources) {
  const roofline::Multiprocessor sm = sources.machine("h200-sxm").multiprocessor.value();
  constexpr int kThreads = 256;
  const int warps = kThreads / sm.lanes;
  Drawing drawing(404, "From a grid to the lanes of a multiprocessor",
                  "A grid is cut into blocks. Each block goes to one multiprocessor as a whole and "
                  "is cut into warps of 32 lanes, which share one instruction.");
  drawing.text({12, 22}, "grid: all blocks of a launch", {.bold = true});
  constexpr int kColumns = 8, kRows = 3, kMine = 19;
  constexpr double kCell = 30;
  for (int i = 0; i < kColumns * kRows; ++i) {
    const Box cell{12 + kCell * (i % kColumns), 32 + 24.0 * (i / kColumns), kCell - 4, 20};
    drawing.box(cell, i == kMine ? Tone::kOrange : Tone::kPanel, {std::to_string(i)},
                small(Tone::kText, Anchor::kMiddle));
  }
  drawing.lines({266, 66}, {"any order, any SM:", "blocks cannot wait", "for one another"},
                small(Tone::kSoft));

  const double block_y = 134;
  drawing.arrow({12 + kCell * 3 + 13, 103}, {82, block_y - 2}, {.tone = Tone::kOrange});
  drawing.text({128, block_y - 8}, "block: runs on one SM, to its end", {.bold = true});
  drawing.box({12, block_y, 150, 116}, Tone::kOrange);
  for (int warp = 0; warp < warps; ++warp) {
    const Box row{20, block_y + 8 + 12.8 * warp, 134, 10};
    const bool is_mine = warp == warps - 1;
    drawing.fill(row, is_mine ? Tone::kBlue : Tone::kLine, is_mine);
  }
  drawing.lines({176, block_y + 58},
                {fmt::format("{} threads are {} warps;", kThreads, warps), "they share memory and",
                 "meet at __syncthreads()"},
                {.size = kNormal});

  const double warp_y = 290;
  drawing.arrow({87, block_y + 108}, {87, warp_y - 4}, {.tone = Tone::kBlue});
  drawing.text({166, warp_y - 10}, fmt::format("warp: {} lanes, one instruction", sm.lanes),
               {.bold = true});
  constexpr double kLane = 12.3;
  for (int lane = 0; lane < sm.lanes; ++lane) {
    drawing.box({12 + kLane * lane, warp_y + 2, kLane - 2, 18}, Tone::kBlue);
  }

  const double sm_y = 338;
  drawing.box({12, sm_y, 396, 54}, Tone::kGreen);
  drawing.text({22, sm_y + 22}, fmt::format("1 of {} SMs", sm.count), {.bold = true});
  drawing.text({134, sm_y + 22}, fmt::format("up to {} threads, {} blocks", sm.resident.max_threads,
                                             sm.resident.max_blocks));
  drawing.text({22, sm_y + 43},
               fmt::format("starts {:.0f} warp instructions a clock, of {} resident warps",
                           sm.instructions_per_clock, sm.resident.max_threads / sm.lanes));
  return drawing;
})

// --- Coalescing ---

/// Sectors that the lanes of a warp touch when lane i reads word `word(i)`.
std::set<int> sectors_of(const vgpu::Geometry& geometry, const std::function<int(int)>& word) {
  std::set<int> sectors;
  for (int lane = 0; lane < geometry.lanes; ++lane) {
    sectors.insert(kWordBytes * word(lane) / geometry.sector_bytes);
  }
  return sectors;
}

/// Throws unless the virtual GPU counted exactly `expected` for one request.
void require_counted(const Sources& sources, const std::string& pattern, const std::string& what,
                     double expected) {
  const double counted = on_virtual_gpu(sources, pattern, what + " sectors") /
                         on_virtual_gpu(sources, pattern, what + " requests");
  if (std::abs(counted - expected) > 0.01 * expected) {
    throw std::runtime_error(fmt::format(
        "the virtual GPU has {} sectors a request for '{}', not {}", counted, pattern, expected));
  }
}

FIGURE("coalescing", [](const Sources& sources) {
  const vgpu::Geometry geometry = roofline::geometry_of(sources.machine("h200-sxm"));
  const int words = geometry.sector_bytes / kWordBytes;
  struct Case {
    const char* code;
    const char* says;
    std::function<int(int)> word;
    const char* pattern;
    const char* access;
    Tone tone;
  };
  const std::vector<Case> cases = {
      {"x[i]", "neighbours", [](int lane) { return lane; }, "copy, stride 1", "load", Tone::kGreen},
      {"x[i + 1]", "shifted", [](int lane) { return lane + 1; }, "copy, offset 1", "load",
       Tone::kBlue},
      {"x[3 * i]", "structures of three floats", [](int lane) { return 3 * lane; },
       "array of structures", "load", Tone::kOrange},
      {"x[n * i]", "a column", [](int lane) { return 1024 * lane; }, "transpose, naive", "store",
       Tone::kRed}};
  constexpr double kStep = 96;
  constexpr int kShown = 16;  // sectors in the picture
  Drawing drawing(
      20 + kStep * static_cast<double>(cases.size()), "What one request of a warp fetches",
      "Four patterns of access by 32 lanes, with the sectors of 32 bytes that each "
      "touches: neighbours touch few and use all of them, a column touches one for every "
      "lane and uses an eighth of each.");
  double y = 26;
  for (const Case& one : cases) {
    const std::set<int> sectors = sectors_of(geometry, one.word);
    const double count = static_cast<double>(sectors.size());
    require_counted(sources, one.pattern, one.access, count);
    drawing.text({10, y}, one.code, {.mono = true});
    drawing.text({112, y}, one.says, {.size = kNormal, .tone = Tone::kSoft});
    drawing.text({410, y}, fmt::format("{:.0f} sectors", count),
                 {.size = kLarge, .anchor = Anchor::kEnd, .tone = one.tone, .bold = true});
    // The sectors in a row, each of eight words; those that a lane requests are filled.
    std::set<int> asked;
    for (int lane = 0; lane < geometry.lanes; ++lane) asked.insert(one.word(lane));
    constexpr double kSector = 25, kWord = 2.75;
    int place = 0;
    const bool apart = *std::next(sectors.begin()) > *sectors.begin() + 1;
    for (const int sector : sectors) {
      if (place == kShown) break;
      const double x = 10 + kSector * place;
      drawing.box({x, y + 12, kSector - (apart ? 5 : 1), 22}, Tone::kPanel);
      for (int word = 0; word < words; ++word) {
        if (!asked.contains(sector * words + word)) continue;
        const double step = apart ? kWord * 0.82 : kWord;
        drawing.fill({x + 1 + step * word, y + 15, step - 0.4, 16}, one.tone, true);
      }
      ++place;
    }
    if (static_cast<int>(sectors.size()) > kShown) {
      drawing.text({410, y + 48}, fmt::format("... and {:.0f} more", count - kShown),
                   small(Tone::kSoft, Anchor::kEnd));
    }
    const double used = kWordBytes * geometry.lanes / (count * geometry.sector_bytes);
    drawing.text({10, y + 49},
                 fmt::format("{} B used of {:.0f} B fetched: {} %", kWordBytes * geometry.lanes,
                             count * geometry.sector_bytes, trimmed(100 * used, 1)),
                 small());
    y += kStep;
  }
  return drawing;
})

// --- Divergence ---

/// An instruction of a kernel, and the lanes that execute it.
struct Instruction {
  const char* does;
  std::function<bool(int)> wanted_by;
};

FIGURE("divergence", [](const Sources& sources) {
  const vgpu::Geometry geometry = roofline::geometry_of(sources.machine("h200-sxm"));
  const auto even = [](int lane) { return lane % 2 == 0; };
  const auto odd = [](int lane) { return lane % 2 != 0; };
  const auto all = [](int) { return true; };
  struct Case {
    const char* owner;
    int numbers_a_thread;
    std::vector<Instruction> instructions;
    Tone tone;
  };
  const std::vector<Case> cases = {{"a thread for each number",
                                    1,
                                    {{"c x[i]", even},
                                     {"s x[i + 1]", even},
                                     {"subtract", even},
                                     {"c x[i]", odd},
                                     {"s x[i - 1]", odd},
                                     {"add", odd}},
                                    Tone::kRed},
                                   {"a thread for each pair",
                                    2,
                                    {{"c x[2i]", all},
                                     {"s x[2i + 1]", all},
                                     {"subtract", all},
                                     {"s x[2i]", all},
                                     {"c x[2i + 1]", all},
                                     {"add", all}},
                                    Tone::kGreen}};
  constexpr double kRow = 17, kLanesX = 98, kStep = 172;
  Drawing drawing(
      14 + kStep * static_cast<double>(cases.size()), "Divergence in a warp",
      "The arithmetic of a warp that turns pairs of numbers, an instruction a row and a "
      "lane a column. With a thread for each number every instruction leaves half of "
      "the lanes idle, with a thread for each pair all of them work.");
  const double lane_width = (kWidth - 10 - kLanesX) / geometry.lanes;
  double y = 24;
  for (const Case& one : cases) {
    drawing.text({10, y}, one.owner, {.size = kLarge, .bold = true});
    int working = 0;
    for (std::size_t i = 0; i < one.instructions.size(); ++i) {
      const Instruction& instruction = one.instructions[i];
      const double top = y + 10 + kRow * static_cast<double>(i);
      drawing.text({10, top + 12}, instruction.does, {.size = kSmall, .mono = true});
      for (int lane = 0; lane < geometry.lanes; ++lane) {
        const Box cell{kLanesX + lane_width * lane, top, lane_width - 1.5, kRow - 3};
        const bool works = instruction.wanted_by(lane);
        if (works) ++working;
        drawing.fill(cell, works ? one.tone : Tone::kLine, works);
      }
    }
    const double places = static_cast<double>(one.instructions.size()) * geometry.lanes;
    drawing.text({10, y + 29 + kRow * static_cast<double>(one.instructions.size())},
                 fmt::format("{} numbers in {} instructions: {:.0f} % of lanes",
                             one.numbers_a_thread * geometry.lanes, one.instructions.size(),
                             100 * working / places),
                 {.tone = one.tone, .bold = true});
    y += kStep;
  }
  return drawing;
})

// --- Waves and the tail ---

FIGURE("wave_and_tail", [](const Sources& sources) {
  const vgpu::Geometry geometry = roofline::geometry_of(sources.machine("h200-sxm"));
  constexpr int kThreads = 256, kRegisters = 64, kBlocks = 1200;
  const vgpu::Occupancy resident = vgpu::occupancy(geometry, kThreads, 0, kRegisters, kBlocks);
  const int at_once = resident.blocks * geometry.multiprocessors;
  const int waves = (kBlocks + at_once - 1) / at_once;
  const int tail = kBlocks - (waves - 1) * at_once;
  Drawing drawing(258, "Waves of blocks and the tail",
                  "Blocks run in waves, as many at a time as fit on all multiprocessors. The last "
                  "wave fills a part of the machine only and takes as long as a full one.");
  drawing.text(
      {10, 22},
      fmt::format("{} blocks of {} threads, {} registers each", kBlocks, kThreads, kRegisters),
      {.bold = true});
  drawing.text({10, 42},
               fmt::format("{} SMs x {} resident blocks = {} at a time", geometry.multiprocessors,
                           resident.blocks, at_once),
               {.tone = Tone::kSoft});
  const Box area{44, 74, 356, 120};
  const double step = area.width / waves;
  for (int wave = 0; wave < waves; ++wave) {
    const int blocks = wave + 1 < waves ? at_once : tail;
    const double height = area.height * blocks / at_once;
    const Box full{area.x + step * wave, area.y, step - 4, area.height};
    drawing.frame(full, {.tone = Tone::kLine, .width = 1, .dashed = true});
    const Box busy{full.x, area.bottom() - height, full.width, height};
    drawing.box(busy, wave + 1 < waves ? Tone::kBlue : Tone::kOrange, {fmt::format("{}", blocks)});
    drawing.text({full.centre().x, area.bottom() + 18},
                 wave + 1 < waves ? fmt::format("wave {}", wave + 1) : "the tail",
                 small(Tone::kText, Anchor::kMiddle));
  }
  drawing.text({10, area.y - 8}, "SMs", small(Tone::kSoft));
  drawing.arrow({area.x, area.bottom() + 30}, {area.right(), area.bottom() + 30});
  drawing.text({area.right(), area.bottom() + 50}, "time", small(Tone::kSoft, Anchor::kEnd));
  const double used = static_cast<double>(kBlocks) / (waves * at_once);
  drawing.text({area.x, area.bottom() + 50},
               fmt::format("{:.2f} waves in the time of {}: {:.0f} % used",
                           static_cast<double>(kBlocks) / at_once, waves, 100 * used),
               {.bold = true});
  return drawing;
})

// --- The cores of a CPU ---

FIGURE("sums_of_a_core", [](const Sources& sources) {
  constexpr double kClock = 4e9, kLatencyClocks = 4, kNumberBytes = 8, kCores = 2, kMost = 64;
  const auto rate = [](double sums) {
    return sums * kNumberBytes * kClock / kLatencyClocks / kGiga;
  };
  struct Level {
    const char* name;
    const char* n;
    Tone tone;
  };
  const std::vector<Level> levels = {{"L1", "4096", Tone::kGreen},
                                     {"L2", "65536", Tone::kOrange},
                                     {"DRAM", "16777216", Tone::kPurple}};
  Drawing drawing(306, "How fast a core adds up numbers, over the sums that it keeps",
                  "The rate of the additions grows with the number of independent sums. Four sums "
                  "keep up with DRAM; numbers that come from the caches take more.");
  Plot plot(drawing, {44, 36, 362, 220},
            {"independent sums of a core", 1, kMost, true, ticks({1, 2, 4, 8, 16, 32, 64})},
            {"GB/s of a core", 5, 400, true, ticks({5, 10, 20, 50, 100, 200, 400})});
  plot.line({{1, rate(1)}, {400 / rate(1), 400}}, {.tone = Tone::kBlue, .width = 2.4});
  plot.label({1, rate(1)}, {12, 14}, fmt::format("additions, {:.0f} GB/s for each sum", rate(1)),
             small(Tone::kBlue));
  for (const Level& level : levels) {
    const double read = docs::ladder_of_two_cores(sources, level.n) / kCores / kGiga;
    const double meets = read / rate(1);
    plot.line({{1, read}, {kMost, read}}, {.tone = level.tone, .width = 1.4, .dashed = true});
    plot.line({{meets, read}, {kMost, read}}, {.tone = level.tone, .width = 2.4});
    plot.dots({{meets, read}}, level.tone, 5);
    plot.label({1, read}, {6, -6}, fmt::format("{}, {:.0f}", level.name, read), small(level.tone));
    plot.label({meets, read}, {8, 17}, fmt::format("{:.0f} sums", std::ceil(meets)),
               small(level.tone));
  }
  return drawing;
})

FIGURE("one_core_all_cores", [](const Sources& sources) {
  const roofline::Machine sheet = sources.machine("epyc-9554");
  const roofline::Peak* peak =
      roofline::find_peak(sheet, roofline::Precision::kFp32, roofline::Unit::kVector);
  const double cores = peak->parts->units;
  const roofline::Roof all = {peak->operations_per_second, roofline::bandwidth(sheet)};
  const roofline::Roof one = {all.flops_per_second / cores,
                              docs::ladder_of_two_cores(sources, "16777216") / 2};
  constexpr double kLow = 0.5, kHigh = 100, kBottom = 10, kTop = 20000, kLoop = 8;
  Drawing drawing(330, "The roofs of one core and of all cores of an EPYC",
                  "All cores do 64 times the arithmetic of one and read 17 times as fast, so the "
                  "ridge moves right. A loop of 8 FLOP per byte is compute-bound on one core and "
                  "memory-bound on all.");
  Plot plot(drawing, {52, 36, 354, 246},
            {"FLOP per byte of DRAM", kLow, kHigh, true, ticks({1, 2, 5, 10, 20, 50, 100})},
            {"GFLOP/s in FP32", kBottom, kTop, true, ticks({10, 100, 1000, 10000})});
  struct Drawn {
    roofline::Roof roof;
    std::string name;
    Tone tone;
  };
  for (const Drawn& drawn : {Drawn{all, fmt::format("{:.0f} cores", cores), Tone::kBlue},
                             Drawn{one, "one core", Tone::kOrange}}) {
    const double at = roofline::ridge(drawn.roof), rate = drawn.roof.flops_per_second / kGiga;
    plot.roof(drawn.roof, kGiga, {.tone = drawn.tone, .width = 2.4});
    plot.line({{at, rate}, {at, kBottom}}, {.tone = drawn.tone, .width = 1, .dashed = true});
    plot.dots({{at, rate}}, drawn.tone, 4.5);
    plot.label({at, kBottom}, {6, -8}, fmt::format("ridge {:.1f}", at), small(drawn.tone));
    plot.label({kHigh, rate}, {-4, -8}, drawn.name,
               {.size = kNormal, .anchor = Anchor::kEnd, .tone = drawn.tone, .bold = true});
    plot.dots({{kLoop, roofline::attainable(drawn.roof, kLoop) / kGiga}}, Tone::kGreen, 5);
  }
  const double low = roofline::attainable(one, kLoop) / kGiga;
  const double high = roofline::attainable(all, kLoop) / kGiga;
  plot.line({{kLoop, low}, {kLoop, high}}, {.tone = Tone::kGreen, .width = 1.8});
  plot.label({kLoop, std::sqrt(low * high)}, {8, 4},
             fmt::format("{:.0f} FLOP/B: x {:.0f}", kLoop, high / low),
             {.size = kNormal, .tone = Tone::kGreen, .bold = true});
  plot.label({kLow, roofline::attainable(all, kLow) / kGiga}, {6, -26},
             fmt::format("x {:.0f}", all.bytes_per_second / one.bytes_per_second),
             small(Tone::kSoft));
  plot.label({kHigh, one.flops_per_second / kGiga}, {-4, -60}, fmt::format("x {:.0f}", cores),
             small(Tone::kSoft, Anchor::kEnd));
  return drawing;
})

}  // namespace
}  // namespace figures
