// SPDX-License-Identifier: MIT
// Tests the site's sliders against the C++: explore-browser PROJECT_ROOT SITE. Each formula of
// docs/site/model.js is called in Chromium with thousands of inputs and compared with the library
// that grades the course; requests of warps are compared with the counts of a real H200. Then every
// explorer's controls are moved on a page: they must change its numbers and its chart, and at
// thousands of positions these must be those of the C++. Exit code 77: no Chromium here.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "browser.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/parameters.hpp"
#include "site_data.hpp"
#include "sliders.hpp"

namespace {

namespace fs = std::filesystem;
namespace llm = roofline::llm;
using nlohmann::json;
using roofline::Precision;
using site_test::Browser;

constexpr int kInputs = 400;  ///< per formula
constexpr std::uint32_t kSeed = 22;

class Comparison {
 public:
  Comparison(Browser& browser, fs::path root) : browser_(&browser), root_(std::move(root)) {}

  int run(const fs::path& site) {
    browser_->open("file://" + (site / "topic_04_llm_inference.html").string());
    operations();
    roofs();
    layers();
    models();
    requests();
    move_controls(site);
    const site_test::SliderUse use = site_test::use_sliders(*browser_, root_, site);
    std::printf("%zu values compared, %zu controls moved, %d numbers shown, %zu complaints\n",
                compared_, moved_, use.numbers, bad_ + static_cast<std::size_t>(use.bad));
    for (const auto& [control, inputs] : use.inputs) {
      std::printf("%s: %d inputs\n", control.c_str(), inputs);
    }
    return bad_ == 0 && use.bad == 0 && compared_ > 0 && moved_ > 0 && use.numbers > 0 ? 0 : 1;
  }

 private:
  void complain(const std::string& what) {
    if (++bad_ <= 20) std::printf("%s\n", what.c_str());
  }

  /// An integer between the two, every order of magnitude equally likely.
  double draw(double low, double high) {
    std::uniform_real_distribution<double> exponent(std::log(low), std::log(high));
    return std::floor(std::exp(exponent(random_)));
  }
  Precision precision() {
    const std::vector<Precision>& all = roofline::all_precisions();
    return all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random_)];
  }

  /// Calls (ARGUMENTS) => BODY for each input in the page, and compares; null means "no value".
  void compare(const std::string& name, const std::string& function, const json& inputs,
               const json& expected) {
    const json found = json::parse(
        browser_->json_of("(" + inputs.dump() + ").map(one => (" + function + ")(...one))"));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ++compared_;
      const bool same = expected[i].is_null() || found[i].is_null()
                            ? expected[i] == found[i]
                            : std::abs(found[i].get<double>() - expected[i].get<double>()) <=
                                  1e-12 * std::abs(expected[i].get<double>());
      if (!same)
        complain(name + inputs[i].dump() + ": " + found[i].dump() + " in the page, " +
                 expected[i].dump() + " in C++");
    }
  }

  void operations() {
    struct One {
      const char* name;
      std::function<roofline::Operation(double, Precision)> make;
    };
    const std::vector<One> all = {
        {"axpy", [](double n, Precision p) { return roofline::axpy(n, p); }},
        {"dot", [](double n, Precision p) { return roofline::dot(n, p); }},
        {"stencil5", [](double n, Precision p) { return roofline::stencil(n, 5, p); }},
        {"gemv", [](double n, Precision p) { return roofline::gemv(n, n, p); }},
        {"gemm", [](double n, Precision p) { return roofline::gemm(n, n, n, p); }}};
    for (const One& one : all) {
      json inputs = json::array(), flops = json::array(), bytes = json::array();
      for (int i = 0; i < kInputs; ++i) {
        const double n = draw(1, 1e6);
        const Precision p = precision();
        const roofline::Operation operation = one.make(n, p);
        inputs.push_back({n, roofline::bytes_per_element(p)});
        flops.push_back(operation.flops);
        bytes.push_back(operation.bytes());
      }
      const std::string call = std::string("(n, s) => rlModel.") + one.name + "(n, s)";
      compare(one.name, call + ".flops", inputs, flops);
      compare(one.name, call + ".bytes", inputs, bytes);
    }
    json inputs = json::array(), loaded = json::array(), ratio = json::array();
    for (int i = 0; i < kInputs; ++i) {
      const double tile = std::exp2(std::floor(std::log2(draw(1, 256))));
      const double n = tile * draw(1, 200);
      const Precision p = precision();
      const roofline::Operation tiled = roofline::tiled_gemm(n, n, n, tile, p);
      inputs.push_back({n, tile, roofline::bytes_per_element(p)});
      loaded.push_back(tiled.inner.at(0).bytes);
      ratio.push_back(tile / roofline::bytes_per_element(p));
    }
    compare("tiledGemm", "(...all) => rlModel.tiledGemm(...all).loaded", inputs, loaded);
    compare("tiledGemm", "(...all) => rlModel.tiledGemm(...all).perByteLoaded", inputs, ratio);
  }

  void roofs() {
    json inputs = json::array(), rates = json::array(), times = json::array(),
         ridges = json::array();
    for (int i = 0; i < kInputs; ++i) {
      const roofline::Roof roof{draw(1e9, 1e16), draw(1e9, 1e13)};
      const double flops = draw(1, 1e15), bytes = draw(1, 1e12);
      inputs.push_back({{{"peak", roof.flops_per_second}, {"bandwidth", roof.bytes_per_second}},
                        {{"flops", flops}, {"bytes", bytes}}});
      rates.push_back(roofline::attainable(roof, flops / bytes));
      times.push_back(roofline::time_seconds(roof, flops, bytes));
      ridges.push_back(roofline::ridge(roof));
    }
    compare("attainable", "(roof, work) => rlModel.attainable(roof, work.flops / work.bytes)",
            inputs, rates);
    compare("seconds", "rlModel.seconds", inputs, times);
    compare("ridge", "rlModel.ridge", inputs, ridges);
  }

  void layers() {
    json inputs = json::array(), intensities = json::array(), batches = json::array();
    for (int i = 0; i < kInputs; ++i) {
      const roofline::DenseLayer layer{draw(64, 20000), draw(64, 60000), draw(1, 8) / 2,
                                       draw(1, 4)};
      const double batch = draw(1, 1e5), ridge = draw(1, 1000);
      inputs.push_back({{{"in", layer.in_features},
                         {"out", layer.out_features},
                         {"weight", layer.bytes_per_weight},
                         {"activation", layer.bytes_per_activation}},
                        batch,
                        ridge});
      intensities.push_back(roofline::layer_intensity(layer, batch));
      const auto critical = roofline::critical_batch(layer, ridge);
      batches.push_back(critical ? json(*critical) : json());
    }
    compare("layerIntensity", "rlModel.layerIntensity", inputs, intensities);
    compare("criticalBatch", "(layer, batch, ridge) => rlModel.criticalBatch(layer, ridge)", inputs,
            batches);
  }

  void models() {
    for (const fs::path& file : llm::model_files(root_ / "data" / "models")) {
      const llm::Model model = llm::load_model(file);
      if (!docs::is_drawn(model)) continue;
      json inputs = json::array(), streamed = json::array(), cache = json::array(),
           floor = json::array(), most = json::array();
      for (int i = 0; i < kInputs / 10; ++i) {
        const double bytes = draw(1, 8) / 2;
        llm::Formats formats = llm::stored_formats(model);
        formats.weights = formats.experts = formats.head = {"", 8 * bytes};
        formats.kv = llm::plain_format(i % 2 == 0 ? Precision::kFp16 : Precision::kInt8);
        const double batch = draw(1, 600), context = draw(1, 2e5), bandwidth = draw(1e10, 1e13),
                     usable = draw(1e9, 1e12);
        inputs.push_back({{{"weights", bytes},
                           {"kv", formats.kv.bytes_per_element()},
                           {"activations", roofline::bytes_per_element(formats.activations)}},
                          batch,
                          context,
                          bandwidth,
                          usable});
        streamed.push_back(llm::streamed_weight_bytes(model, formats, batch));
        cache.push_back(llm::kv_bytes(model, formats, context));
        floor.push_back(llm::decode_floor_seconds(model, formats, batch, context, bandwidth));
        const auto largest = llm::largest_batch(model, formats, context, usable);
        most.push_back(largest ? json(*largest) : json());
      }
      const std::string id = file.stem().string();
      const std::string head =
          "(formats, batch, context, bandwidth, usable) => { const model = rlData.models.find(one "
          "=> one.id === '" +
          id + "'); return ";
      compare(id + " weights", head + "rlModel.streamedWeights(model, formats, batch); }", inputs,
              streamed);
      compare(id + " cache", head + "rlModel.kvBytes(model, formats, context); }", inputs, cache);
      compare(id + " step",
              head + "rlModel.decodeSeconds(model, formats, batch, context, bandwidth); }", inputs,
              floor);
      compare(id + " batch", head + "rlModel.largestBatch(model, formats, context, usable); }",
              inputs, most);
    }
    json inputs = json::array(), distinct = json::array();
    for (int i = 0; i < kInputs; ++i) {
      const double experts = draw(2, 400), each = std::min(experts, draw(1, 16)),
                   tokens = draw(1, 2000);
      inputs.push_back({experts, each, tokens});
      distinct.push_back(llm::distinct_experts(experts, each, tokens));
    }
    compare("distinctExperts", "rlModel.distinctExperts", inputs, distinct);
  }

  /// Sectors of a request, as Nsight Compute counted them on an H200.
  void requests() {
    const base::CsvFile csv(root_ / "data" / "measured" / "virtual_gpu_h200.csv");
    const auto counted = [&](const std::string& pattern, const std::string& figure) {
      for (std::size_t row = 0; row < csv.size(); ++row) {
        if (csv.field(row, "pattern") == pattern && csv.field(row, "figure") == figure)
          return std::stod(csv.field(row, "hardware"));
      }
      throw std::runtime_error("no pattern is called " + pattern);
    };
    struct Pattern {
      const char* name;
      const char* access;
      int bytes, stride, offset;
    };
    json inputs = json::array(), expected = json::array();
    for (const Pattern& one :
         {Pattern{"copy, stride 1", "load", 4, 1, 0}, Pattern{"copy, stride 2", "load", 4, 2, 0},
          Pattern{"copy, stride 4", "load", 4, 4, 0}, Pattern{"copy, stride 8", "load", 4, 8, 0},
          Pattern{"copy, stride 16", "load", 4, 16, 0},
          Pattern{"copy, stride 32", "load", 4, 32, 0}, Pattern{"copy, offset 1", "load", 4, 1, 1},
          Pattern{"copy, offset 8", "load", 4, 1, 8}, Pattern{"copy, offset 31", "load", 4, 1, 31},
          Pattern{"copy of bytes", "load", 1, 1, 0}, Pattern{"copy of doubles", "load", 8, 1, 0},
          Pattern{"copy of float4", "load", 16, 1, 0},
          Pattern{"array of structures", "load", 4, 3, 0},
          Pattern{"transpose, naive", "store", 4, 4096, 0}}) {
      inputs.push_back({32, one.bytes, one.stride, one.offset});
      const std::string access = one.access;
      expected.push_back(counted(one.name, access + " sectors") /
                         counted(one.name, access + " requests"));
    }
    compare("sectors", "rlModel.sectors", inputs, expected);
  }

  /// Every control of every explorer changes what is shown, for each machine and model.
  void move_controls(const fs::path& site) {
    for (const auto& entry : fs::directory_iterator(site)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("topic_") || entry.path().extension() != ".html") continue;
      browser_->open("file://" + entry.path().string());
      const json result = json::parse(browser_->json_of(R"js((() => {
        const bad = [];
        let moved = 0;
        for (const section of document.querySelectorAll('.rl-explore')) {
          const shown = () => section.querySelector('dl').innerText + section.querySelector('svg').outerHTML;
          for (const control of section.querySelectorAll('select, input')) {
            const seen = new Set([shown()]);
            const values = control.matches('select') ? [...control.options].map(o => o.value) : [control.min, control.max];
            const before = control.value;
            for (const value of values) {
              control.value = value;
              control.dispatchEvent(new Event(control.matches('select') ? 'change' : 'input'));
              seen.add(shown());
              const cut = [...section.querySelectorAll('svg text')].filter(text => { const box = text.getBBox(); return box.x < 0 || box.x + box.width > 420 || box.y + box.height > 260; });
              if (cut.length > 0) bad.push(section.dataset.explore + ': the chart cuts ' + cut[0].textContent);
              if (/NaN|undefined|Infinity/.test(shown())) bad.push(section.dataset.explore + ': ' + control.name + ' ' + value + ' shows no number');
            }
            if (seen.size < 2) bad.push(section.dataset.explore + ': ' + control.name + ' changes nothing');
            control.value = before;
            control.dispatchEvent(new Event(control.matches('select') ? 'change' : 'input'));
            ++moved;
          }
        }
        return { bad, moved };
      })())js"));
      moved_ += result["moved"].get<std::size_t>();
      for (const std::string text : result["bad"]) complain(name + ", " + text);
      for (const std::string& text : browser_->complaints()) complain(name + ": " + text);
    }
  }

  Browser* browser_;
  fs::path root_;
  std::mt19937 random_{kSeed};
  std::size_t compared_ = 0;
  std::size_t moved_ = 0;
  std::size_t bad_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: explore-browser PROJECT_ROOT SITE\n", stderr);
    return 2;
  }
  return site_test::with_browser("explore-browser", [&](Browser& browser) {
    return Comparison(browser, argv[1]).run(fs::absolute(argv[2]));
  });
}
