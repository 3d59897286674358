// SPDX-License-Identifier: MIT
// The C++ that the page's numbers must equal, and the reading of its charts.
#include "sliders.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/machine.hpp"
#include "site_data.hpp"
#ifdef KERNELS_ARE_CHECKED
#include "strided.hpp"
#endif

namespace site_test {
namespace {

namespace fs = std::filesystem;
namespace llm = roofline::llm;
using nlohmann::json;
using roofline::Precision;

/// Settings of an explorer, but of the stride's all are tried. Two have sliders that no other has.
constexpr int kSettings = 1000, kMoreSettings = 2000;
constexpr std::uint32_t kSeed = 22;
constexpr int kLanes = 32, kSectorBytes = 32;

/// A number with its unit, as the page is to show it, or a word.
struct Shown {
  std::string name;
  double value = 0;
  std::string unit{};
  std::string word{};  ///< instead of the number
};

/// One position of an explorer's controls, and what must be seen there.
struct Setting {
  json controls;
  std::vector<Shown> numbers;
  double x = 0;
  double y = 0;
  std::string note{};
};

/// The number in "12.5 GB/s", in base units; empty unless its unit is this one, with a prefix.
std::optional<double> amount(const std::string& text, const std::string& unit) {
  static const std::vector<std::pair<std::string, double>> kPrefixes = {
      {"", 1},     {"k", 1e3},  {"M", 1e6},       {"G", 1e9}, {"T", 1e12},
      {"P", 1e15}, {"m", 1e-3}, {"\u00b5", 1e-6}, {"n", 1e-9}};
  std::string digits;
  std::size_t at = 0;
  for (; at < text.size() && std::string("0123456789.,").find(text[at]) != std::string::npos;
       ++at) {
    if (text[at] != ',') digits += text[at];
  }
  if (digits.empty()) return std::nullopt;
  const std::string rest = text.substr(at);
  if (unit.empty()) return rest.empty() ? std::optional(std::stod(digits)) : std::nullopt;
  for (const auto& [prefix, factor] : kPrefixes) {
    if (rest == "\u00a0" + prefix + unit) return factor * std::stod(digits);
  }
  return std::nullopt;
}

/// The value at a position by an axis's ticks, [value, position] each.
double read_axis(const json& ticks, double position, bool is_log) {
  const auto scale = [&](const json& tick) {
    const double value = amount(tick.at(0), "").value();
    return is_log ? std::log(value) : value;
  };
  const double first = ticks.front().at(1), last = ticks.back().at(1);
  const double part = (position - first) / (last - first);
  const double at = scale(ticks.front()) + part * (scale(ticks.back()) - scale(ticks.front()));
  return is_log ? std::exp(at) : at;
}

class Sliders {
 public:
  Sliders(Browser& browser, const fs::path& root) : browser_(&browser) {
    for (const fs::path& file : roofline::machine_files(root / "data" / "machines")) {
      machines_.push_back(roofline::load_machine(file));
    }
    for (const fs::path& file : llm::model_files(root / "data" / "models")) {
      llm::Model model = llm::load_model(file);
      if (docs::is_drawn(model)) models_.emplace_back(file.stem().string(), std::move(model));
    }
  }

  SliderUse run(const fs::path& site) {
    const auto open = [&](const char* page) { browser_->open("file://" + (site / page).string()); };
    open("topic_01_ai_basics.html");
    strides();
    compare("layer", drawn(kSettings, [&] { return layer(); }),
            {.x_is_log = true, .y_is_log = true});
    compare("tile", drawn(kMoreSettings, [&] { return tile(); }),
            {.x_is_log = true, .y_is_log = true});
    open("topic_03_roofline_modeling.html");
    compare("roofline", drawn(kSettings, [&] { return kernel(); }),
            {.x_is_log = true, .y_is_log = true});
    precisions();
    open("topic_04_llm_inference.html");
    compare("decode", drawn(kMoreSettings, [&] { return decode(); }),
            {.x_is_log = true, .y_is_log = false});
    return use_;
  }

 private:
  struct Axes {
    bool x_is_log = false, y_is_log = false;
  };

  void complain(const std::string& what) {
    if (++use_.bad <= 20) std::printf("%s\n", what.c_str());
  }

  template <class T>
  const T& any(const std::vector<T>& all) {
    return all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random_)];
  }
  /// A slider's position: the power of two.
  int power(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  static std::vector<Precision> precisions_of(const roofline::Machine& machine) {
    std::vector<Precision> result;
    for (const Precision precision : roofline::all_precisions()) {
      const bool has = std::any_of(
          machine.peaks.begin(), machine.peaks.end(),
          [&](const roofline::Peak& peak) { return peak.precision == precision && !peak.sparse; });
      if (has) result.push_back(precision);
    }
    return result;
  }

  /// A machine, one of its precisions, and its roof there.
  struct Choice {
    const roofline::Machine* machine;
    Precision precision;
    roofline::Roof roof;
    double bytes;
    std::string unit;
    json controls;
  };
  Choice choose() {
    const roofline::Machine& machine = any(machines_);
    const Precision precision = any(precisions_of(machine));
    return {&machine,
            precision,
            {roofline::best_peak(machine, precision).operations_per_second,
             roofline::bandwidth(machine)},
            roofline::bytes_per_element(precision),
            roofline::is_integer(precision) ? "OP" : "FLOP",
            {{"machine", machine.id}, {"precision", roofline::display_name(precision)}}};
  }

  static std::vector<Setting> drawn(int count, const std::function<Setting()>& one) {
    std::vector<Setting> all;
    for (int i = 0; i < count; ++i) all.push_back(one());
    return all;
  }

  Setting kernel() {
    static const std::vector<std::pair<std::string, roofline::Operation (*)(double, Precision)>>
        kKernels = {{"axpy", [](double n, Precision p) { return roofline::axpy(n, p); }},
                    {"dot", [](double n, Precision p) { return roofline::dot(n, p); }},
                    {"stencil5", [](double n, Precision p) { return roofline::stencil(n, 5, p); }},
                    {"gemv", [](double n, Precision p) { return roofline::gemv(n, n, p); }},
                    {"gemm", [](double n, Precision p) { return roofline::gemm(n, n, n, p); }}};
    Choice choice = choose();
    const auto& [name, make] = any(kKernels);
    const int n = power(4, 16);
    choice.controls["kernel"] = name;
    choice.controls["n"] = n;
    const roofline::Operation work = make(std::exp2(n), choice.precision);
    const double rate = roofline::attainable(choice.roof, work.intensity());
    return {choice.controls,
            {{choice.unit + "s", work.flops, choice.unit},
             {"compulsory bytes", work.bytes(), "B"},
             {"intensity", work.intensity(), choice.unit + "/B"},
             {"ridge", roofline::ridge(choice.roof), choice.unit + "/B"},
             {.name = "bound",
              .word = roofline::to_string(roofline::classify(choice.roof, work.intensity()))},
             {"at most", rate, choice.unit + "/s"},
             {"at least", roofline::time_seconds(choice.roof, work), "s"}},
            work.intensity(),
            rate / 1e12};
  }

  Setting layer() {
    Choice choice = choose();
    const int side = power(8, 14), batch = power(0, 13);
    const bool packed = power(0, 1) == 1;
    choice.controls["side"] = side;
    choice.controls["batch"] = batch;
    choice.controls["weights"] = packed ? "4" : "same";
    const double weight = packed ? llm::parse_format("int4/128").bytes_per_element() : choice.bytes;
    const roofline::DenseLayer layer{std::exp2(side), std::exp2(side), weight, choice.bytes};
    const double rows = std::exp2(batch);
    const double intensity = roofline::layer_intensity(layer, rows);
    const double ridge = roofline::ridge(choice.roof);
    const double flops =
        roofline::gemm(rows, std::exp2(side), std::exp2(side), Precision::kFp16).flops;
    const double seconds = roofline::time_seconds(choice.roof, flops, flops / intensity);
    const std::optional<double> critical = roofline::critical_batch(layer, ridge);
    return {
        choice.controls,
        {{"intensity", intensity, choice.unit + "/B"},
         {"ridge", ridge, choice.unit + "/B"},
         {.name = "bound", .word = roofline::to_string(roofline::classify(choice.roof, intensity))},
         {"critical batch", critical.value_or(0), "", critical ? "" : "none"},
         {"at least", seconds, "s"},
         {"for one row", seconds / rows, "s"}},
        rows,
        intensity};
  }

  Setting tile() {
    Choice choice = choose();
    const int n = power(8, 14), tile = power(0, 8);
    choice.controls["n"] = n;
    choice.controls["tile"] = tile;
    const double size = std::exp2(n);
    const roofline::Operation tiled =
        roofline::tiled_gemm(size, size, size, std::exp2(tile), choice.precision);
    const double loaded = tiled.inner.at(0).bytes;
    const double per_byte = std::exp2(tile) / choice.bytes;
    return {choice.controls,
            {{choice.unit + "s per byte loaded", per_byte, ""},
             {"into tiles, and C", loaded, "B"},
             {"compulsory", tiled.bytes(), "B"},
             {"at least, if tiles came from DRAM",
              roofline::time_seconds(choice.roof, tiled.flops, loaded), "s"},
             {"at least, with ideal reuse", roofline::time_seconds(choice.roof, tiled), "s"},
             {.name = "from DRAM it would be bound by",
              .word = roofline::to_string(roofline::classify(choice.roof, tiled.flops / loaded))}},
            std::exp2(tile),
            per_byte};
  }

  Setting decode() {
    const roofline::Machine& machine = any(machines_);
    const auto& [id, model] = any(models_);
    const int batch = power(0, 9), context = power(7, 17);
    static const std::vector<std::pair<std::string, std::string>> kWeights = {
        {"2", "fp16"}, {"1", "int8"}, {"0.515625", "int4/128"}};
    static const std::vector<std::pair<std::string, std::string>> kCaches = {{"2", "fp16"},
                                                                             {"1", "int8"}};
    const auto& [weights_shown, weights] = any(kWeights);
    const auto& [cache_shown, cache] = any(kCaches);
    llm::Formats formats = llm::stored_formats(model);
    formats.weights = formats.experts = formats.head = llm::parse_format(weights);
    formats.kv = llm::parse_format(cache);
    formats.activations = Precision::kFp16;
    const double rows = std::exp2(batch), tokens = std::exp2(context);
    const double bandwidth = roofline::bandwidth(machine);
    const double seconds = llm::decode_floor_seconds(model, formats, rows, tokens, bandwidth);
    const double one_cache = llm::kv_bytes(model, formats, tokens);
    const auto& capacity = roofline::memory_level(machine, "DRAM").capacity_bytes;
    Shown most{.name = "largest batch in 90 % of the memory", .word = "unknown"};
    bool fits = true;
    if (capacity) {
      const auto largest = llm::largest_batch(model, formats, tokens, 0.9 * *capacity);
      most.value = static_cast<double>(largest.value_or(0));
      most.word = largest ? "" : "the weights do not fit";
      fits = largest && most.value >= rows;
    }
    return {{{"machine", machine.id},
             {"model", id},
             {"weights", weights_shown},
             {"cache", cache_shown},
             {"batch", batch},
             {"context", context}},
            {{"weights in a step", llm::streamed_weight_bytes(model, formats, rows), "B"},
             {"caches in a step", rows * one_cache, "B"},
             {"a step takes at least", seconds, "s"},
             {"tokens per second, at most", rows / seconds, ""},
             {"limit of any batch", bandwidth / one_cache, ""},
             most},
            rows,
            rows / seconds,
            fits ? "" : "This does not fit the memory of one machine."};
  }

  /// Sectors by marking each byte that a lane loads.
  static int marked_sectors(int bytes, int stride, int offset) {
    std::vector<bool> loaded(static_cast<std::size_t>(bytes * (offset + stride * kLanes + 1)) +
                             kSectorBytes);
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int byte = 0; byte < bytes; ++byte) {
        loaded[static_cast<std::size_t>(bytes * (offset + stride * lane) + byte)] = true;
      }
    }
    int sectors = 0;
    for (auto first = loaded.begin(); loaded.end() - first >= kSectorBytes; first += kSectorBytes) {
      sectors += std::count(first, first + kSectorBytes, true) > 0;
    }
    return sectors;
  }

  void strides() {
    std::vector<Setting> all;
    for (const int bytes : {1, 4, 8, 16}) {
      for (int stride = 0; stride <= 40; ++stride) {
        for (int offset = 0; offset < 32; ++offset) {
          const int sectors = marked_sectors(bytes, stride, offset);
#ifdef KERNELS_ARE_CHECKED
          if (counted_sectors(bytes, stride, offset) != static_cast<std::uint64_t>(sectors)) {
            complain("the checked kernel counts other sectors at stride " + std::to_string(stride));
          }
#endif
          const double asked = stride == 0 ? bytes : kLanes * bytes;
          const double used = 100 * asked / (kSectorBytes * sectors);
          all.push_back({{{"bytes", std::to_string(bytes)}, {"stride", stride}, {"offset", offset}},
                         {{"sectors", double(sectors), ""},
                          {"fetched", double(kSectorBytes * sectors), "B"},
                          {"asked for", asked, "B"},
                          {"used", used, "%"}},
                         double(stride),
                         used});
        }
      }
    }
    compare("stride", all, {});
  }

  /// Each machine offers its precisions and no others, and says what it lacks of those that another
  /// one has.
  void precisions() {
    std::map<Precision, std::string> wanted;  // and a machine that has it
    for (const roofline::Machine& machine : machines_) {
      for (const Precision precision : precisions_of(machine)) wanted[precision] = machine.id;
    }
    for (const roofline::Machine& machine : machines_) {
      json names = json::array();
      for (const Precision precision : precisions_of(machine)) {
        names.push_back(roofline::display_name(precision));
      }
      for (const auto& [precision, other] : wanted) {
        const std::string name = roofline::display_name(precision);
        const bool has = std::find(names.begin(), names.end(), name) != names.end();
        const json shown =
            show("roofline", {{{"machine", other}, {"precision", name}}, {{"machine", machine.id}}})
                .at(1);
        const std::string note =
            has ? "" : "No " + name + " peak is known for the " + machine.name + ": this is FP32.";
        if (shown.at("precisions") != names || shown.at("precision") != (has ? name : "FP32") ||
            shown.at("note") != note) {
          complain(machine.id + ", " + name + ": " + shown.dump());
        }
      }
    }
  }

  /// What the page shows at each position of an explorer's controls.
  json show(const std::string& explorer, const json& controls) {
    return json::parse(browser_->json_of(R"js(((name, settings) => {
      const section = document.querySelector('.rl-explore[data-explore=' + name + ']');
      const find = (selector) => section.querySelector(selector);
      const curve = (path) => path.match(/-?[\d.]+ -?[\d.]+/g).map(pair => pair.split(' ').map(Number));
      const distance = ([x, y], [ax, ay], [bx, by]) => {
        const long = (bx - ax) ** 2 + (by - ay) ** 2;
        const part = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long));
        return Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
      };
      return settings.map(setting => {
        for (const [id, value] of Object.entries(setting)) {
          const control = find('[name=' + id + ']');
          const chooses = control.matches('select');
          if (!chooses && control.value === String(value)) continue;
          control.value = value;
          control.dispatchEvent(new Event(chooses ? 'change' : 'input'));
        }
        const ticks = (anchor, at) => [...section.querySelectorAll('svg text[text-anchor=' + anchor + ']')]
          .filter(text => /^[\d.,]+$/.test(text.textContent)).map(text => [text.textContent, Number(text.getAttribute(at))]);
        const dot = find('circle'), at = [Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy'))];
        const line = curve(find('path.rl-blue').getAttribute('d'));
        return { numbers: [...section.querySelectorAll('dl div')].map(one => [...one.children].map(part => part.textContent)),
                 x: ticks('middle', 'x'), y: ticks('end', 'y').map(([text, y]) => [text, y - 4]), dot: at,
                 off: Math.min(...line.slice(1).map((to, i) => distance(at, line[i], to))),
                 precisions: [...section.querySelectorAll('[name=precision] option')].map(one => one.value),
                 precision: find('[name=precision]')?.value || '', note: section.lastElementChild.textContent };
      });
    })()js" + json(explorer).dump() + ", " +
                                         controls.dump() + ")"));
  }

  void compare(const std::string& explorer, const std::vector<Setting>& settings, Axes axes) {
    json controls = json::array();
    for (const Setting& setting : settings) controls.push_back(setting.controls);
    const json shown = show(explorer, controls);
    for (std::size_t i = 0; i < settings.size(); ++i) {
      for (const auto& [control, value] : settings[i].controls.items()) ++use_.inputs[control];
      const std::string wrong = difference(shown.at(i), settings[i], axes);
      if (!wrong.empty()) complain(explorer + " " + settings[i].controls.dump() + ": " + wrong);
    }
  }

  /// What the page shows wrongly; empty if nothing.
  std::string difference(const json& shown, const Setting& setting, Axes axes) {
    constexpr double kThreeDigits = 0.00501;
    if (shown.at("numbers").size() != setting.numbers.size()) return "other numbers";
    for (std::size_t i = 0; i < setting.numbers.size(); ++i) {
      ++use_.numbers;
      const Shown& should = setting.numbers[i];
      const std::string name = shown["numbers"][i][0], text = shown["numbers"][i][1];
      const std::optional<double> is = amount(text, should.unit);
      const bool same = should.word.empty()
                            ? is && std::abs(*is - should.value) <= kThreeDigits * should.value
                            : text == should.word;
      if (name == should.name && same) continue;
      return name + " is " + text + ", should be " + should.name + " " +
             (should.word.empty() ? std::to_string(should.value) + " " + should.unit : should.word);
    }
    if (shown.at("note") != setting.note) return "the note is " + shown["note"].dump();
    constexpr double kPixels = 1.5, kOfAxis = 0.02;
    if (shown.at("off") > kPixels) return "the dot is " + shown["off"].dump() + " off the curve";
    const auto stands = [&](const json& ticks, double position, double should, bool is_log) {
      const double is = read_axis(ticks, position, is_log);
      const double axis = is_log ? 1 : amount(ticks.back().at(0), "").value();
      return std::abs(is_log ? std::log(is / should) : is - should) <= kOfAxis * axis;
    };
    const bool x = stands(shown.at("x"), shown.at("dot").at(0), setting.x, axes.x_is_log);
    const bool y = stands(shown.at("y"), shown.at("dot").at(1), setting.y, axes.y_is_log);
    if (x && y) return "";
    return "the dot is not at " + std::to_string(setting.x) + ", " + std::to_string(setting.y);
  }

  Browser* browser_;
  std::vector<roofline::Machine> machines_;
  std::vector<std::pair<std::string, llm::Model>> models_;
  std::mt19937 random_{kSeed};
  SliderUse use_;
};

}  // namespace

SliderUse use_sliders(Browser& browser, const fs::path& root, const fs::path& site) {
  return Sliders(browser, root).run(site);
}

}  // namespace site_test
