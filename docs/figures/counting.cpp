// SPDX-License-Identifier: MIT
// Figures about counting: the FLOPs of an instruction, the bytes of a loop and of a norm, one
// product level by level, layers in several precisions against their ridges, and profiles against
// formulas.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "figure.hpp"
#include "plot.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/machine.hpp"
#include "roofline/profile.hpp"

namespace figures {
namespace {

using roofline::Precision;

using namespace base::prefixes;
constexpr Precision kFp32 = Precision::kFp32;
const Text kNote = small(Tone::kSoft);

// --- Ratios ---

FIGURE("four_ratios", [](const Sources&) {
  struct Kernel {
    const char* name;
    int flops;
    std::vector<const char*> reads, writes;
  };
  const std::vector<Kernel> kernels = {{"addition", 1, {"x", "y"}, {"z"}},
                                       {"SAXPY", 2, {"x", "y"}, {"y"}},
                                       {"dot product", 2, {"x", "y"}, {}},
                                       {"5-point stencil", 4, {"in"}, {"out"}}};
  constexpr double kRow = 48, kTop = 40, kFlops = 128, kBytes = 222, kWide = 40, kHigh = 26;
  constexpr int kElement = 4;
  Drawing drawing(
      kTop + kRow * static_cast<double>(kernels.size()) + 4,
      "FLOPs and bytes for one element of four kernels",
      "An addition does one FLOP and moves three numbers of four bytes, SAXPY two FLOPs "
      "for the same three. The dot product does two for two numbers, a cached stencil "
      "four for two.");
  drawing.text({kFlops, 20}, "FLOPs", kNote);
  drawing.text({kBytes, 20}, "4 bytes each: read, written", kNote);
  double y = kTop;
  for (const Kernel& kernel : kernels) {
    drawing.text({10, y + 18}, kernel.name, {.size = kNormal, .bold = true});
    for (int i = 0; i < kernel.flops; ++i) {
      drawing.dot({kFlops + 8 + 19.0 * i, y + 13}, Tone::kPurple, 7);
    }
    double x = kBytes;
    const auto boxes = [&](const std::vector<const char*>& arrays, Tone tone) {
      for (const char* array : arrays) {
        drawing.box({x, y, kWide - 4, kHigh}, tone, {array}, small(Tone::kText, Anchor::kMiddle));
        x += kWide;
      }
    };
    boxes(kernel.reads, Tone::kBlue);
    boxes(kernel.writes, Tone::kOrange);
    const auto bytes = kElement * static_cast<int>(kernel.reads.size() + kernel.writes.size());
    drawing.text({410, y + 18}, fmt::format("{}/{}", kernel.flops, bytes),
                 {.size = kLarge, .anchor = Anchor::kEnd, .bold = true});
    y += kRow;
  }
  return drawing;
})

// --- FLOPs ---

FIGURE("flop_places", [](const Sources&) {
  struct Instruction {
    const char* name;
    bool multiplies;
    bool adds;
  };
  constexpr Instruction kAdd = {"ADD", false, true}, kMul = {"MUL", true, false},
                        kFma = {"FMA", true, true};
  struct Line {
    const char* expression;
    std::vector<Instruction> instructions;
  };
  Drawing drawing(290, "The places for FLOPs in instructions, used and left empty",
                  "Each instruction has a place for a product and one for a sum, and the peak "
                  "counts both. An addition uses one of its two, a multiply-add both, and two "
                  "multiplications with a multiply-add four of six.");
  drawing.fill({10, 10, 12, 12}, Tone::kBlue, true);
  drawing.text({28, 20}, "a FLOP that is done", small());
  drawing.box({178, 10, 12, 12}, Tone::kPanel);
  drawing.text({196, 20}, "left empty; the peak counts it", small());
  constexpr double kLeft = 150, kPlace = 38, kGap = 14, kHigh = 30, kRow = 84;
  double y = 52;
  for (const Line& line :
       {Line{"x + y", {kAdd}}, Line{"a*x + y", {kFma}}, Line{"a*x*x*x + b", {kMul, kMul, kFma}}}) {
    drawing.text({10, y + 20}, line.expression, {.size = kNormal, .bold = true, .mono = true});
    double x = kLeft;
    int done = 0;
    for (const Instruction& instruction : line.instructions) {
      drawing.text({x + kPlace, y - 5}, instruction.name, small(Tone::kSoft, Anchor::kMiddle));
      const Text sign = {.size = kLarge, .anchor = Anchor::kMiddle};
      drawing.box({x, y, kPlace, kHigh}, instruction.multiplies ? Tone::kBlue : Tone::kPanel,
                  {instruction.multiplies ? "*" : ""}, sign);
      drawing.box({x + kPlace, y, kPlace, kHigh}, instruction.adds ? Tone::kBlue : Tone::kPanel,
                  {instruction.adds ? "+" : ""}, sign);
      x += 2 * kPlace + kGap;
      done += (instruction.multiplies ? 1 : 0) + (instruction.adds ? 1 : 0);
    }
    const std::size_t places = 2 * line.instructions.size();
    drawing.text({kLeft, y + kHigh + 18},
                 fmt::format("{} of {} places: at most {:.0f} % of the peak", done, places,
                             100.0 * done / static_cast<double>(places)),
                 small(Tone::kBlue));
    y += kRow;
  }
  return drawing;
})

// --- Bytes ---

FIGURE("counted_bytes", [](const Sources&) {
  using namespace roofline;
  struct Loop {
    const char* code;
    Operation element;   ///< of one element
    double fetched = 0;  ///< bytes of the result's line, which is read before it is overwritten
  };
  const Operation in_place = axpy(1, kFp32);
  const Operation apart = elementwise("z = a*x + y", 1, 2, 2, kFp32);
  Drawing drawing(362, "The bytes of two loops, counted and on the bus",
                  "Updating y in place reads x, reads y and writes y: 12 bytes. Writing to a third "
                  "array counts 12 as well, and a CPU that fetches the line of z before it "
                  "overwrites it moves 16.");
  constexpr double kMemory = 10, kWide = 64, kChip = 262, kHigh = 24, kRow = 32;
  const auto number_of = [](double bytes) { return fmt::format("{:.0f} B", bytes); };
  double y = 22;
  for (const Loop& loop : {Loop{"y[i] = a*x[i] + y[i]", in_place},
                           Loop{"z[i] = a*x[i] + y[i]", apart, apart.bytes_written}}) {
    const bool is_apart = loop.fetched > 0;
    const double each = bytes_per_element(kFp32);
    drawing.text({kMemory, y}, loop.code, {.size = kNormal, .bold = true, .mono = true});
    const double top = y + 12;
    const int rows = is_apart ? 4 : 3;
    drawing.box(
        {kChip, top, 148, kRow * rows - 8}, Tone::kPanel,
        {"on the chip", "a stays in a register", fmt::format("{:.0f} FLOPs", loop.element.flops)},
        small(Tone::kText, Anchor::kMiddle));
    double row = top;
    const auto transfer = [&](const char* array, bool is_read, const std::string& words, Tone tone,
                              bool is_counted) {
      drawing.box({kMemory, row, kWide, kHigh}, tone, {array},
                  {.size = kNormal, .anchor = Anchor::kMiddle, .mono = true});
      const Point memory{kMemory + kWide + 4, row + kHigh / 2}, chip{kChip - 4, row + kHigh / 2};
      const Stroke stroke = {.tone = tone, .width = 1.6, .dashed = !is_counted};
      drawing.arrow(is_read ? memory : chip, is_read ? chip : memory, stroke);
      drawing.text({(memory.x + chip.x) / 2, row + 8}, words, small(tone, Anchor::kMiddle));
      row += kRow;
    };
    transfer("x[i]", true, number_of(each) + " read", Tone::kBlue, true);
    transfer("y[i]", true, number_of(each) + " read", Tone::kBlue, true);
    if (is_apart)
      transfer("z[i]", true, number_of(loop.fetched) + " fetched (CPU)", Tone::kOrange, false);
    transfer(is_apart ? "z[i]" : "y[i]", false, number_of(each) + " written", Tone::kGreen, true);
    drawing.text({kMemory, row + 14},
                 fmt::format("counted: {:.0f} B; on a CPU's bus: {:.0f} B", loop.element.bytes(),
                             loop.element.bytes() + loop.fetched),
                 {.size = kNormal, .tone = is_apart ? Tone::kOrange : Tone::kText});
    y = row + 54;
  }
  return drawing;
})

FIGURE("norm_passes", [](const Sources&) {
  using namespace roofline;
  constexpr double kColumns = 4096;
  const Operation kept = layer_norm(1, kColumns, kFp32);
  const double each = bytes_per_element(kFp32), flops = kept.flops / kColumns;
  constexpr std::array<const char*, 3> kPasses = {"mean", "variance", "normalise"};
  constexpr double kLeft = 10, kWide = 400, kStep = 124, kBox = 106, kStrip = 24;
  Drawing drawing(338, "LayerNorm with its row read three times, and once",
                  "When each of its three passes reads the row from memory, an element costs 16 "
                  "bytes. When the row is kept on the chip between them, it costs 8, and the "
                  "intensity is twice as high.");
  const Text middle = {.size = kNormal, .anchor = Anchor::kMiddle};
  const std::string word = fmt::format("{:.0f} B", each);
  const auto passes = [&](double y) {
    for (std::size_t i = 0; i < kPasses.size(); ++i) {
      drawing.box({kLeft + kStep * static_cast<double>(i), y, kBox, 28}, Tone::kBlue,
                  {kPasses.at(i)}, middle);
    }
  };
  const auto sum = [&](double y, double reads, Tone tone) {
    const double bytes = (reads + 1) * each;
    drawing.text({kLeft, y},
                 fmt::format("{:.0f} FLOPs over {:.0f} B an element: {} FLOP/B", flops, bytes,
                             trimmed(flops / bytes, 2)),
                 {.size = kNormal, .tone = tone, .bold = true});
  };
  const double out = kLeft + kStep * 2 + kBox + 20;  // where the arrow of the result starts

  drawing.box({kLeft, 10, kWide, kStrip}, Tone::kPanel, {"memory"}, middle);
  for (std::size_t i = 0; i < kPasses.size(); ++i) {
    const double x = kLeft + kStep * static_cast<double>(i) + kBox / 2;
    drawing.arrow({x, 36}, {x, 66}, {.tone = Tone::kOrange, .width = 2});
    drawing.text({x + 7, 55}, word, small(Tone::kOrange));
  }
  passes(68);
  drawing.path({{kLeft + kStep * 2 + kBox, 82}, {out, 82}, {out, 64}},
               {.tone = Tone::kGreen, .width = 2});
  drawing.arrow({out, 66}, {out, 36}, {.tone = Tone::kGreen, .width = 2});
  drawing.text({out - 5, 55}, word, small(Tone::kGreen, Anchor::kEnd));
  sum(118, 3, Tone::kOrange);

  drawing.box({kLeft, 150, kWide, kStrip}, Tone::kPanel, {"memory"}, middle);
  const double x = kLeft + kBox / 2;
  drawing.arrow({x, 176}, {x, 206}, {.tone = Tone::kOrange, .width = 2});
  drawing.text({x + 7, 195}, word, small(Tone::kOrange));
  drawing.box({kLeft, 208, kStep * 2 + kBox, kStrip}, Tone::kPurple,
              {"the row, in registers or shared memory"}, middle);
  for (std::size_t i = 0; i < kPasses.size(); ++i) {
    const double to = kLeft + kStep * static_cast<double>(i) + kBox / 2;
    drawing.arrow({to, 234}, {to, 252}, {.tone = Tone::kPurple, .width = 1.4});
  }
  passes(254);
  drawing.path({{kLeft + kStep * 2 + kBox, 268}, {out, 268}, {out, 205}},
               {.tone = Tone::kGreen, .width = 2});
  drawing.arrow({out, 206}, {out, 176}, {.tone = Tone::kGreen, .width = 2});
  drawing.text({out - 5, 195}, word, small(Tone::kGreen, Anchor::kEnd));
  sum(306, 1, Tone::kGreen);
  drawing.text({kLeft, 328}, "orange: read from memory; green: written", kNote);
  return drawing;
})

// --- One row per item, positioned on an axis of intensity ---

/// Rows on top of each other over a logarithmic axis of intensity, their names on the left.
class Rows {
 public:
  Rows(Drawing& drawing, const Box& area, double count, double low, double high,
       const std::vector<double>& marks)
      : drawing_(drawing),
        count_(count),
        plot_(drawing, area, {"FLOP per byte", low, high, true, ticks(marks, 1)},
              {"", 0, count, false, {}}) {}

  double y(double row) const { return count_ - row - 0.5; }
  Plot& plot() { return plot_; }
  void name(double row, std::string_view words, Tone tone = Tone::kText) {
    const Point left{plot_.left(), plot_.at(1, y(row)).y};
    drawing_.text({8, left.y + 5}, words, small(tone));
  }

 private:
  Drawing& drawing_;
  double count_;
  Plot plot_;
};

FIGURE("product_levels", [](const Sources& sources) {
  using namespace roofline;
  constexpr double kM = 1024, kN = 2048, kK = 3072, kTile = 16, kSector = 32;
  const Operation ideal = gemm(kM, kN, kK, kFp32);
  const double asked = naive_gemm(kM, kN, kK, kFp32).inner.front().bytes;
  struct Kernel {
    const char* name;
    double asked;  ///< requested by its threads from device memory
    Tone tone;
  };
  const std::vector<Kernel> kernels = {{"matmul", asked, Tone::kOrange},
                                       {"matmul_tiled", asked / kTile, Tone::kBlue}};
  constexpr std::array<const char*, 5> kNames = {"loads of threads", "sectors of L1",
                                                 "read from L2", "DRAM", "formula"};
  Drawing drawing(330, "One product at five levels, naive and tiled",
                  "Naive, threads ask for a byte for each quarter of a FLOP; with tiles for a "
                  "sixteenth of that. At L2 and DRAM, where L1 has already served what a warp and "
                  "its neighbours share, the two are nearly alike.");
  drawing.dot({16, 16}, Tone::kOrange, 5);
  drawing.text({28, 21}, "naive", small(Tone::kOrange));
  drawing.dot({86, 16}, Tone::kBlue, 5);
  drawing.text({98, 21}, "tiles of 16", small(Tone::kBlue));
  Rows rows(drawing, {124, 34, 274, 250}, static_cast<double>(kNames.size()), 0.05, 1000,
            {0.1, 1, 10, 100, 1000});
  for (std::size_t level = 0; level < kNames.size(); ++level)
    rows.name(static_cast<double>(level), kNames.at(level));
  std::vector<std::array<double, 5>> found;
  for (const Kernel& kernel : kernels) {
    const auto cell = [&](const char* column) {
      return sources.measured_number("topic01_h200_ncu.csv", {{"kernel", kernel.name}}, column);
    };
    found.push_back({kernel.asked, kSector * cell("l1_sectors_read"),
                     kSector * cell("l2_sectors_read"), cell("dram_bytes"), ideal.bytes()});
  }
  for (std::size_t level = 0; level < kNames.size(); ++level) {
    const double y = rows.y(static_cast<double>(level));
    const double naive = ideal.flops / found[0][level], tiled = ideal.flops / found[1][level];
    rows.plot().line({{naive, y}, {tiled, y}}, {.tone = Tone::kSoft, .width = 1.4});
    rows.plot().dots({{naive, y}}, Tone::kOrange, 5.5);
    rows.plot().dots({{tiled, y}}, Tone::kBlue, 5.5);
    const auto number = [](double value) {
      return trimmed(value, value < 1 ? 2 : value < 10 ? 1 : 0);
    };
    const bool alike = number(naive) == number(tiled);
    if (!alike) {
      rows.plot().label({naive, y}, {-9, -6}, number(naive), small(Tone::kOrange, Anchor::kEnd));
    }
    rows.plot().label({tiled, y}, {9, -6}, number(tiled), small(Tone::kBlue));
  }
  return drawing;
})

FIGURE("precision_distance", [](const Sources& sources) {
  constexpr double kSide = 4096;
  const roofline::Machine a100 = sources.machine("a100-80gb-sxm");
  struct Row {
    std::string name;
    double intensity;
    double ridge;
  };
  std::vector<Row> layers;
  for (const Precision precision :
       {kFp32, Precision::kTf32, Precision::kFp16, Precision::kInt8, Precision::kInt4}) {
    const double bytes = roofline::bytes_per_element(precision);
    layers.push_back({std::string(roofline::display_name(precision)),
                      roofline::layer_intensity({kSide, kSide, bytes, bytes}, 1),
                      roofline::ridge(roofline::roof_of(a100, precision))});
  }
  layers.push_back({"INT4 weights",
                    roofline::layer_intensity(
                        {kSide, kSide, roofline::bytes_per_element(Precision::kInt4), 2}, 1),
                    roofline::ridge(roofline::roof_of(a100, Precision::kFp16))});
  Drawing drawing(342, "The distance of a layer from the ridge, in six precisions",
                  "From TF32 to INT4 the layer and the ridge of an A100 both move right by the "
                  "same factor, and the distance stays. Only weights of four bits with arithmetic "
                  "in FP16 bring the layer nearer; FP32 is nearer because it has no matrix units.");
  drawing.dot({16, 16}, Tone::kOrange, 5);
  drawing.text({28, 21}, "layer, batch 1", small(Tone::kOrange));
  drawing.dot({138, 16}, Tone::kPurple, 5);
  drawing.text({150, 21}, "ridge, A100", small(Tone::kPurple));
  drawing.text({412, 21}, "%: layer over ridge", small(Tone::kSoft, Anchor::kEnd));
  Rows rows(drawing, {104, 34, 304, 262}, static_cast<double>(layers.size()), 0.2, 1500,
            {1, 10, 100, 1000});
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Row& row = layers[i];
    const double y = rows.y(static_cast<double>(i));
    const bool is_nearer = i + 1 == layers.size();
    rows.name(static_cast<double>(i), row.name, is_nearer ? Tone::kGreen : Tone::kText);
    rows.plot().line(
        {{row.intensity, y}, {row.ridge, y}},
        {.tone = is_nearer ? Tone::kGreen : Tone::kSoft, .width = is_nearer ? 2.2 : 1.4});
    rows.plot().dots({{row.intensity, y}}, Tone::kOrange, 5.5);
    rows.plot().dots({{row.ridge, y}}, Tone::kPurple, 5.5);
    const double middle = std::sqrt(row.intensity * row.ridge);
    rows.plot().label({middle, y}, {0, -7},
                      fmt::format("{:.2f} %", 100 * row.intensity / row.ridge),
                      small(is_nearer ? Tone::kGreen : Tone::kSoft, Anchor::kMiddle));
  }
  return drawing;
})

constexpr const char* kProfile = "topics/03-roofline-modeling/profiles/kernels_h200.csv";

FIGURE("profile_reading", [](const Sources& sources) {
  const roofline::Profile profile =
      roofline::import_profile(sources.data().parent_path() / kProfile);
  const auto saxpy = std::find_if(
      profile.kernels.begin(), profile.kernels.end(), [](const roofline::KernelProfile& kernel) {
        return kernel.counts && kernel.name.find("Saxpy") != std::string::npos;
      });
  if (saxpy == profile.kernels.end()) throw std::runtime_error("the profile has no SAXPY");
  const double flops = saxpy->counts->flops(), bytes = saxpy->counts->bytes.at("DRAM");
  const double seconds = saxpy->counts->seconds;
  const double ffma = saxpy->counters.at("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
  Drawing drawing(268, "Three counters of a profile, and the three figures that follow",
                  "SAXPY on an H200. The counters of additions, products and multiply-adds make "
                  "FLOPs; with the bytes of DRAM and the time they give the intensity, the rate "
                  "and the bandwidth.");
  constexpr double kWide = 128, kHigh = 58, kResults = 282, kStep = 84, kTop = 30;
  const Text inside = small(Tone::kText, Anchor::kMiddle);
  drawing.text({10, 18}, "counted", kNote);
  drawing.text({kResults, 18}, "follows", kNote);
  const auto boxes = [&](double x, Tone tone, const std::vector<std::vector<std::string>>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      drawing.box({x, kTop + kStep * static_cast<double>(i), kWide, kHigh}, tone, words[i], inside);
    }
  };
  boxes(10, Tone::kPanel,
        {{with_prefix(ffma) + " FFMA", "two FLOPs each:", with_prefix(flops) + "FLOP"},
         {"DRAM", with_prefix(bytes) + "B"},
         {"time", fmt::format("{:.0f} us", seconds * kMega)}});
  boxes(kResults, Tone::kBlue,
        {{fmt::format("{:.3f} FLOP/B", flops / bytes), "where: left or right"},
         {with_prefix(flops / seconds) + "FLOP/s", "how high"},
         {with_prefix(bytes / seconds) + "B/s", "beside its stream"}});
  const auto join = [&](int from, int to) {
    drawing.arrow({10 + kWide + 4, kTop + kStep * from + kHigh / 2},
                  {kResults - 6, kTop + kStep * to + kHigh / 2});
  };
  for (const auto& [from, to] : {std::pair{0, 0}, {1, 0}, {0, 1}, {2, 1}, {1, 2}, {2, 2}}) {
    join(from, to);
  }
  return drawing;
})

FIGURE("profile_formula", [](const Sources& sources) {
  using namespace roofline;
  constexpr double kElements = 33554432, kSide = 4096;
  const auto streaming = [](double flops, double numbers) {
    return arithmetic_intensity(flops, numbers * bytes_per_element(kFp32));
  };
  const double product = gemm(kSide, kSide, kSide, kFp32).intensity();
  struct Kernel {
    const char* name;
    const char* profiled;  ///< part of its name in the profile
    double flops;          ///< of its launch, if the profile has several
    double formula;
    Tone tone;
  };
  const std::vector<Kernel> kernels = {
      {"SAXPY", "Saxpy", 0, streaming(2, 3), Tone::kBlue},
      {"chain, 1024", "FmaChain", 0, streaming(2048, 2), Tone::kBlue},
      {"sweep, 1", "sweep_kernel", 2 * kElements, streaming(2, 2), Tone::kBlue},
      {"sweep, 1000", "sweep_kernel", 2000 * kElements, streaming(2000, 2), Tone::kBlue},
      {"fused chain", "fused_chain_kernel", 0, streaming(3, 4), Tone::kBlue},
      {"fused norm", "fused_norm_kernel", 0, streaming(5, 4), Tone::kPurple},
      {"naive", "gemm_naive", 0, product, Tone::kOrange},
      {"tiled", "gemm_tiled", 0, product, Tone::kOrange},
      {"registers", "gemm_registers", 0, product, Tone::kOrange},
      {"vectorised", "gemm_vectorised", 0, product, Tone::kOrange}};
  const Profile profile = import_profile(sources.data().parent_path() / kProfile);
  const auto intensity_of = [&](const Kernel& kernel) {
    for (const KernelProfile& launch : profile.kernels) {
      if (launch.name.find(kernel.profiled) == std::string::npos || !launch.counts) continue;
      if (kernel.flops == 0 || launch.counts->flops() == kernel.flops)
        return place(*launch.counts).intensity;
    }
    throw std::runtime_error(fmt::format("the profile has no {}", kernel.profiled));
  };
  Drawing drawing(
      470, "Intensity by the formula and at DRAM by the profiler, for ten kernels",
      "Element-wise kernels lie a few percent right of the formula, the norm further. Products lie "
      "left of it: the naive and the tiled one far, the other two by a small factor.");
  drawing.dot({16, 16}, Tone::kLine, 5);
  drawing.text({28, 21}, "formula", kNote);
  drawing.text({104, 21}, "coloured: profiler, at DRAM", kNote);
  Rows rows(drawing, {98, 34, 250, 330}, static_cast<double>(kernels.size()), 0.1, 1000,
            {0.1, 1, 10, 100, 1000});
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Kernel& kernel = kernels[i];
    const double y = rows.y(static_cast<double>(i)), seen = intensity_of(kernel);
    rows.name(static_cast<double>(i), kernel.name);
    rows.plot().line({{kernel.formula, y}, {seen, y}}, {.tone = kernel.tone, .width = 1.8});
    rows.plot().dots({{kernel.formula, y}}, Tone::kLine, 5.5);
    rows.plot().dots({{seen, y}}, kernel.tone, 4.5);
    const double off = seen / kernel.formula;
    drawing.text(
        {412, rows.plot().at(1, y).y + 5},
        off > 0.9 ? fmt::format("+{:.0f} %", 100 * (off - 1)) : fmt::format("1/{:.1f}", 1 / off),
        small(kernel.tone, Anchor::kEnd));
  }
  constexpr double kKey = 424;
  double y = kKey;
  for (const auto& [tone, words] : {std::pair{Tone::kBlue, "the last stores are still in L2"},
                                    {Tone::kPurple, "that, and more FLOPs than the formula"},
                                    {Tone::kOrange, "tiles are loaded several times"}}) {
    drawing.dot({16, y - 5}, tone, 4.5);
    drawing.text({28, y}, words, small(tone));
    y += 19;
  }
  return drawing;
})

}  // namespace
}  // namespace figures
