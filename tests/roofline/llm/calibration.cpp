// SPDX-License-Identifier: MIT
// Calibration: recovers the parameters that produced its rows, and predicts published rows that it
// has not seen.
#include "roofline/llm/calibration.hpp"

#include <map>

#include "base/files.hpp"
#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/least_squares.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

std::vector<MeasuredRow> published_rows() {
  return read_rows(kData / "measured" / "llm_measured.csv");
}

Names published_names() {
  return Names(kData / "measured" / "names.csv");
}

/// The course's names, models and machines.
class Data {
 public:
  Library library() { return {names_, models_, machines_}; }

 private:
  Names names_{kData / "measured" / "names.csv"};
  std::filesystem::path models_ = kData / "models";
  Machines machines_{kData / "machines"};
};

const MeasuredRow& row_with_id(const std::vector<MeasuredRow>& rows, std::string_view id) {
  for (const MeasuredRow& row : rows) {
    if (row.id == id) return row;
  }
  FAIL("no row " << id);
  return rows.front();
}

MeasuredRow served(const std::string& id, int ranks, int batch, int prompt, double milliseconds) {
  return {.id = id,
          .kind = "serving_decode",
          .hardware = "h100-sxm",
          .ranks = std::to_string(ranks),
          .subject = "llama-3.1-8b",
          .weights = "bf16",
          .kv = "bf16",
          .batch = std::to_string(batch),
          .context = std::to_string(prompt),
          .output = "512",
          .engine = "some engine",
          .measured = milliseconds,
          .unit = "ms",
          .notes = "",
          .source = ""};
}

std::string error_of_file(const std::string& content) {
  const auto file = support::scratch_folder() / "roofline-llm-rows-test.csv";
  base::write_file_atomically(file, content);
  std::string message = "accepted";
  try {
    read_rows(file);
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  std::filesystem::remove(file);
  return message;
}

const std::string kHeader =
    "id,kind,hardware,n_gpu,model_or_op,weights_precision,kv_precision,batch,context_or_prompt,"
    "output_len,engine,measured,unit\n";

}  // namespace

TEST_CASE("exercise 18: gpt-fast's steps over the number of GPUs are a/n + b") {
  const auto rows = published_rows();
  std::vector<double> x;
  std::vector<double> milliseconds;
  for (const char* id : {"1", "2", "3", "4"}) {
    const MeasuredRow& row = row_with_id(rows, id);
    x.push_back(1 / leading_number(row.ranks).value());
    milliseconds.push_back(1e3 * measured_seconds(row, 1));
  }
  const Line line = fit_line(x, milliseconds);
  CHECK(line.slope == Approx(7.439).margin(0.0005));
  CHECK(line.intercept == Approx(2.122).margin(0.0005));
  CHECK(1e3 / line.intercept == Approx(471).margin(0.5));
}

TEST_CASE("exercise 19: a CPU's steps over four quantisations are a + bytes / bandwidth") {
  // File sizes in GB, as published with the rows.
  const std::map<std::string, double> sizes = {
      {"300", 9.052}, {"301", 10.598}, {"302", 12.026}, {"303", 15.580}};
  const auto rows = published_rows();
  std::vector<double> gigabytes;
  std::vector<double> milliseconds;
  for (const auto& [id, size] : sizes) {
    gigabytes.push_back(size);
    milliseconds.push_back(1e3 * measured_seconds(row_with_id(rows, id), 1));
  }
  const Line line = fit_line(gigabytes, milliseconds);
  CHECK(line.intercept == Approx(11.20).margin(0.01));
  CHECK(1e3 / line.slope == Approx(379.8).margin(0.2));
  const Machine epyc = machine("epyc-9554");
  CHECK(1e12 / line.slope / bandwidth(epyc) == Approx(0.824).margin(0.001));
}

TEST_CASE(
    "bounded fits: exact where residuals are linear, held at a bound where they would cross") {
  const auto through = [](double slope, double intercept) {
    return [=](const std::vector<double>& p) {
      std::vector<double> residuals;
      for (const double x : {1.0, 2.0, 5.0, 9.0}) {
        residuals.push_back(p[0] * x + p[1] - (slope * x + intercept));
      }
      return residuals;
    };
  };
  const auto inside = fit_bounded(through(3, 4), {1, 0}, {0.01, 0.01});
  CHECK(inside[0] == Approx(3));
  CHECK(inside[1] == Approx(4));
  const auto held = fit_bounded(through(3, -4), {1, 0}, {0.01, 0.01});
  CHECK(held[1] == 0);
  CHECK(held[0] > 1);
  CHECK_THROWS_WITH(
      fit_bounded([](const std::vector<double>&) { return std::vector<double>{1.0}; }, {0}, {1}),
      Contains("no effect"));
  CHECK_THROWS_WITH(fit_line({1, 1}, {2, 3}), Contains("different x"));
}

TEST_CASE("a calibration recovers the parameters that made the rows") {
  Data data;
  Calibration reference;
  reference.efficiencies = {0.83, 0.71, 0.66};
  reference.per_layer_seconds = 41e-6;
  reference.all_reduce = AllReduce{5e-6, 300e9};
  std::vector<MeasuredRow> rows;
  int id = 0;
  for (const int ranks : {1, 2}) {
    for (const int batch : {8, 32, 64}) {
      for (const int prompt : {512, 4096}) {
        rows.push_back(served(std::to_string(++id), ranks, batch, prompt, 1));
      }
    }
  }
  auto observations = observe(rows, data.library()).usable;
  REQUIRE(observations.size() == rows.size());
  for (Observation& observation : observations) {
    observation.seconds = predict_seconds(observation, &reference);
  }
  Components components;
  components.weights = Estimate{0.83, {"a"}, true};
  components.compute = Estimate{0.66, {"b"}, true};
  components.all_reduce = reference.all_reduce;
  const Calibration found = calibrate(observations, components, {});
  CHECK(found.efficiencies.kv == Approx(0.71).epsilon(1e-3));
  CHECK(found.per_layer_seconds == Approx(41e-6).epsilon(1e-3));
  CHECK(found.remarks.size() == 5);
  FitChoice all_free;
  all_free.weights.origin = Origin::kFitted;
  const Calibration free = calibrate(observations, components, all_free);
  CHECK(free.efficiencies.weights == Approx(0.83).epsilon(1e-2));
  FitChoice given;
  given.kv = {Origin::kGiven, 0.71};
  CHECK(calibrate(observations, components, given).efficiencies.kv == Approx(0.71));
  components.weights.reset();
  CHECK_THROWS_WITH(calibrate(observations, components, {}), Contains("weight streaming"));
}

TEST_CASE("half as fast and twice as fast weigh the same in a fit") {
  Data data;
  // Four rows that only the bandwidth explains, at an efficiency of 40 %; half of them are measured
  // 1.6 times slower and half 1.6 times faster. The fit has to find the middle, not the faster
  // ones.
  Calibration reference;
  reference.efficiencies.weights = 0.4;
  auto observations = observe({served("a", 1, 8, 512, 1), served("b", 1, 8, 512, 1),
                               served("c", 1, 8, 512, 1), served("d", 1, 8, 512, 1)},
                              data.library())
                          .usable;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    observations[i].seconds =
        predict_seconds(observations[i], &reference) * (i % 2 == 0 ? 1.6 : 1 / 1.6);
  }
  FitChoice choice;
  choice.weights.origin = Origin::kFitted;
  choice.kv = {Origin::kGiven, 1};
  choice.compute = {Origin::kGiven, 1};
  choice.per_layer = {Origin::kGiven, 0};
  const double found = calibrate(observations, {}, choice).efficiencies.weights;
  CHECK(found == Approx(0.4).epsilon(0.03));
}

TEST_CASE("one outlier in ten rows moves a fit and a line only a little") {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 1; i <= 10; ++i) {
    x.push_back(i);
    y.push_back(2.0 * i + 5);
  }
  y[9] = 200;
  CHECK(fit_line(x, y).slope > 5);
  CHECK(fit_line_robust(x, y).slope == Approx(2));
  CHECK(fit_line_robust(x, y).intercept == Approx(5));
  CHECK_THROWS_WITH(fit_line_robust({1, 1}, {2, 3}), Contains("different x"));
  const auto residuals = [&](const std::vector<double>& p) {
    std::vector<double> result;
    for (std::size_t i = 0; i < x.size(); ++i) result.push_back(p[0] * x[i] + p[1] - y[i]);
    return result;
  };
  const auto robust = fit_robust(residuals, {0, 0}, {0.01, 0.01});
  CHECK(robust[0] == Approx(2).epsilon(0.05));
}

TEST_CASE("a calibration worse than the bound alone is marked") {
  Data data;
  const auto published = published_rows();
  const Validation validation = validate(published, published, data.library(), {});
  int worse = 0;
  for (const GroupValidation& group : validation.groups) {
    const bool marked = group.remark.find("WARNING") != std::string::npos;
    CHECK(marked == (group.left_out_mape && *group.left_out_mape > group.uncalibrated_mape));
    worse += marked;
    if (group.calibration) {
      for (const auto& [name, mape] : group.by_others) CHECK(name != group.group);
    }
  }
  CHECK(worse > 0);  // prefill of llama.cpp mixes machines that it uses very differently
}

TEST_CASE("published serving rows: each predicted within 10 % on average by the others") {
  Data data;
  const auto published = published_rows();
  const Validation validation = validate(published, published, data.library(), {});
  std::map<std::string, const GroupValidation*> groups;
  for (const GroupValidation& group : validation.groups) groups[group.group] = &group;
  const std::map<std::string, std::size_t> serving = {
      {"serving_decode: trtllm 1.0.0rc3 on H100-SXM-80GB", 11},
      {"serving_decode: trtllm on H200-SXM", 10},
      {"serving_decode: vllm on H100-SXM-80GB", 7},
      {"serving_decode: vllm on H200-SXM", 10}};
  for (const auto& [name, rows] : serving) {
    INFO(name);
    REQUIRE(groups.count(name) == 1);
    const GroupValidation& group = *groups.at(name);
    CHECK(group.rows.size() == rows);
    REQUIRE(group.left_out_mape);
    CHECK(*group.left_out_mape <= 0.10);
    CHECK(group.uncalibrated_mape > 3 * *group.left_out_mape);
    for (const RowError& row : group.rows) CHECK(row.uncalibrated_error() < 0);
  }
  // Two rows cannot both fit and validate three parameters.
  const GroupValidation& few = *groups.at("serving_decode: sglang 0.5.9");
  CHECK_FALSE(few.calibration);
  CHECK_THAT(few.remark, Contains("too few"));
}

TEST_CASE("exercise 20: rows that the file does not hold are predicted") {
  Data data;
  Calibration calibration;
  const auto published = published_rows();
  for (const Calibration& one : calibrate_groups(published, published, data.library(), {})) {
    if (one.group == "serving_decode: trtllm 1.0.0rc3 on H100-SXM-80GB") calibration = one;
  }
  REQUIRE_FALSE(calibration.group.empty());
  const auto error_of = [&](int batch, int prompt, double measured) {
    const auto observed = observe({served("new", 1, batch, prompt, measured)}, data.library());
    return predict_seconds(observed.usable.at(0), &calibration) / (measured * 1e-3) - 1;
  };
  CHECK(std::abs(error_of(8, 1024, 7.417)) < 0.10);
  CHECK(std::abs(error_of(64, 4096, 30.089)) < 0.10);
}

TEST_CASE("a calibration from some rows is checked on others") {
  Data data;
  const auto published = published_rows();
  std::vector<MeasuredRow> even;
  std::vector<MeasuredRow> odd;
  for (const MeasuredRow& row : published) {
    if (row.kind == "serving_decode") (std::stoi(row.id) % 2 ? odd : even).push_back(row);
  }
  const auto calibrations = calibrate_groups(even, published, data.library(), {});
  const Validation validation = validate_with(calibrations, odd, data.library());
  int checked = 0;
  for (const GroupValidation& group : validation.groups) {
    if (!group.left_out_mape) continue;
    INFO(group.group);
    CHECK(*group.left_out_mape < 0.10);
    ++checked;
  }
  CHECK(checked >= 3);
  // Without kernel rows nothing can be measured, and the validation must say so.
  for (const GroupValidation& group : validate(odd, {}, data.library(), {}).groups) {
    CHECK_FALSE(group.calibration);
    CHECK_THAT(group.remark, Contains("not calibrated"));
  }
}

TEST_CASE("kernel rows give efficiencies between one half and one, and say where from") {
  Machines machines(kData / "machines");
  const Components h200 =
      measure_components(published_rows(), {"H200-SXM"}, published_names(), machines);
  REQUIRE(h200.weights);
  REQUIRE(h200.kv);
  REQUIRE(h200.compute);
  REQUIRE(h200.all_reduce);
  for (const auto& estimate : {*h200.weights, *h200.kv, *h200.compute}) {
    CHECK(estimate.value > 0.5);
    CHECK(estimate.value < 1);
    CHECK_FALSE(estimate.rows.empty());
  }
  CHECK(h200.weights->own_hardware);
  CHECK(h200.all_reduce->latency_seconds == Approx(5e-6).margin(1e-6));
  const Components h100 =
      measure_components(published_rows(), {"H100-SXM-80GB"}, published_names(), machines);
  CHECK_FALSE(h100.weights->own_hardware);  // its two rows have nearly the same size
  CHECK_FALSE(measure_components({}, {"H200-SXM"}, Names(), machines).weights);
}

TEST_CASE("rows that cannot be predicted are left out with the reason") {
  std::vector<MeasuredRow> rows = {served("good", 1, 8, 512, 7), served("a", 1, 8, 512, 7),
                                   served("b", 1, 8, 512, 7),    served("c", 1, 8, 512, 7),
                                   served("d", 3, 8, 512, 7),    served("e", 2, 8, 512, 7)};
  rows[1].hardware = "abacus";
  rows[2].subject = "eliza";
  rows[3].batch = "many";
  rows[5].notes = "layer split over two GPUs";
  Data data;
  const Observations observed = observe(rows, data.library());
  REQUIRE(observed.usable.size() == 2);
  REQUIRE(observed.left_out.size() == 4);
  CHECK_THAT(observed.left_out[0].reason, Contains("abacus"));
  CHECK_THAT(observed.left_out[1].reason, Contains("eliza"));
  CHECK_THAT(observed.left_out[2].reason, Contains("the batch is 'many'"));
  CHECK_THAT(observed.left_out[3].reason, Contains("cannot be divided over 3 ranks"));
  // Layers on two devices run one after another, as on one device that holds them all.
  CHECK(observed.usable[1].row.id == "e");
  CHECK(observed.usable[1].system.ranks == 1);
}

TEST_CASE("contexts as tables write them") {
  MeasuredRow row = served("x", 1, 1, 1024, 1);
  CHECK(middle_context(row).value() == 1024 + 256);
  row.context = "avg 4096 (tg8192 from empty)";
  CHECK(middle_context(row).value() == 4096);
  row.context = "~64";
  CHECK(middle_context(row).value() == 64);
  row.context = "short";
  CHECK_FALSE(middle_context(row));
}

TEST_CASE("mistakes in a file of rows are found with their line") {
  const std::string good = kHeader + "1,serving_decode,x,1,m,bf16,bf16,1,5,5,e,1.5,ms\n";
  CHECK(error_of_file(good) == "accepted");
  CHECK_THAT(error_of_file(""), Contains("empty"));
  CHECK_THAT(error_of_file("id,kind\n1,x\n"), Contains("the column hardware is missing"));
  CHECK_THAT(error_of_file(good + "2,x\n"),
             Contains(":3:") && Contains("13 fields") && Contains("has 2"));
  CHECK_THAT(error_of_file(good + good.substr(kHeader.size())), Contains("the id 1 appears twice"));
  for (const char* value : {"0", "-1", "nan", "inf", "fast", "1e3", "0x10", ""}) {
    const std::string line =
        "1,serving_decode,x,1,m,bf16,bf16,1,5,5,e," + std::string(value) + ",ms\n";
    CHECK_THAT(error_of_file(kHeader + line), Contains("not a number above zero"));
  }
  CHECK_THAT(error_of_file(kHeader + "\"1,x"), Contains("not closed"));
  CHECK_THROWS_WITH(
      measured_seconds(served("x", 1, 1, 1, 1), 1) + measured_seconds({.id = "y",
                                                                       .kind = "",
                                                                       .hardware = "",
                                                                       .ranks = "",
                                                                       .subject = "",
                                                                       .weights = "",
                                                                       .kv = "",
                                                                       .batch = "",
                                                                       .context = "",
                                                                       .output = "",
                                                                       .engine = "",
                                                                       .measured = 1,
                                                                       .unit = "furlong",
                                                                       .notes = "",
                                                                       .source = ""},
                                                                      1),
      Contains("furlong"));
}

TEST_CASE("calibrations survive being written and read") {
  Calibration first;
  first.group = "serving_decode: a";
  first.efficiencies = {0.81, 0.72, 0.63};
  first.per_layer_seconds = 47e-6;
  first.all_reduce = AllReduce{5e-6, 300e9};
  Calibration second;
  second.group = "serving_decode: b";
  const auto file = support::scratch_folder() / "roofline-llm-calibration-test.json";
  base::write_file_atomically(file, calibrations_json({first, second}));
  const Calibration read = read_calibration(file, "serving_decode: a");
  CHECK(read.efficiencies.weights == 0.81);
  CHECK(read.efficiencies.kv == 0.72);
  CHECK(read.efficiencies.compute == 0.63);
  CHECK(read.per_layer_seconds == 47e-6);
  CHECK(read.all_reduce->bytes_per_second == 300e9);
  CHECK_THROWS_WITH(read_calibration(file, ""), Contains("several groups"));
  CHECK_THROWS_WITH(read_calibration(file, "c"), Contains("serving_decode: b"));
  base::write_file_atomically(file, calibrations_json({second}));
  CHECK_FALSE(read_calibration(file, "").all_reduce);
  base::write_file_atomically(file, "{}");
  CHECK_THROWS_WITH(read_calibration(file, ""), Contains("not a calibration"));
  std::filesystem::remove(file);
}
