// SPDX-License-Identifier: MIT
// Joules for predicted work.
#include "roofline/llm/energy_use.hpp"

#include <cmath>

#include "base/csv.hpp"
#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/question.hpp"
#include "roofline/measurement.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

MeasuredEnergyCosts costs_by_hand() {
  // Half of the 200 W that the product draws is static: 3 J per FLOP remain of its 6.
  return {{{2, 5, 100}}, {{Precision::kBf16, {6, 200}}}};
}

PassWork work_by_hand() {
  PassWork work;
  work.bytes = 7;
  work.vector_flops = 11;
  work.products[Precision::kBf16] = 13;
  work.seconds = 0.5;
  return work;
}

Question ask_energy(const std::string& id, const std::string& gpu = "h200-sxm") {
  const Model asked = model(id);
  Question question{
      .model = asked, .formats = stored_formats(asked), .system = {.machine = machine(gpu)}};
  question.energy = measured_energy_costs(question.system.machine, kData);
  question.context = 1024;
  return question;
}

}  // namespace

TEST_CASE("energy is the cost of bytes, FLOPs and products, plus static power for the time") {
  const auto joules = energy_of(work_by_hand(), costs_by_hand(), {});
  REQUIRE(joules);
  // 7 x 5 + 11 x 2 + 13 x 3 + 0.5 x 100
  CHECK(joules->middle == Approx(35 + 22 + 39 + 50));
  CHECK(joules->low == Approx(joules->middle));
  CHECK(joules->high == Approx(joules->middle));
  // Only static power is drawn for longer.
  const auto slower = energy_of(work_by_hand(), costs_by_hand(), {0.8, 1.5});
  CHECK(slower->low == Approx(35 + 22 + 39 + 40));
  CHECK(slower->high == Approx(35 + 22 + 39 + 75));
}

TEST_CASE("several runs give their median and their extremes") {
  MeasuredEnergyCosts costs = costs_by_hand();
  costs.runs = {{2, 9, 100}, {2, 5, 100}, {2, 6, 100}};
  const auto joules = energy_of(work_by_hand(), costs, {});
  CHECK(joules->middle == Approx(111 + 7 * 6));
  CHECK(joules->low == Approx(111 + 7 * 5));
  CHECK(joules->high == Approx(111 + 7 * 9));
}

TEST_CASE("a product without a price has no energy, one that is not done needs none") {
  PassWork work = work_by_hand();
  work.products[Precision::kFp8] = 1;
  CHECK_FALSE(energy_of(work, costs_by_hand(), {}));
  work.products[Precision::kFp8] = 0;
  CHECK(energy_of(work, costs_by_hand(), {}));
  CHECK_FALSE(energy_of(work, {}, {}));
}

TEST_CASE("a product that draws no more than the static power is refused") {
  const EnergyCosts costs{1, 1, 200};
  CHECK_THROWS_WITH(product_joules_per_flop({6, 200}, costs), Contains("above the static power"));
  CHECK_THROWS_WITH(product_joules_per_flop({6, std::nan("")}, costs), Contains("power"));
}

TEST_CASE("an H200 has energy costs, a machine without a counter has none") {
  CHECK(ask_energy("llama-3.1-8b").energy->runs.size() == 3);
  CHECK_FALSE(ask_energy("llama-3.1-8b", "a100-80gb-sxm").energy);
  const Machine measured = load_machine(kData / "measured" / "h200_roofs_full.json");
  CHECK(measured_energy_costs(measured, kData)->runs.size() == 1);
  CHECK(stated_costs("h200-sxm", kData).watts == 700);
  CHECK_FALSE(stated_costs("measured", kData).watts);
}

// The sweep behind the costs ran multiply-adds on arrays; these streams are other kernels, and
// their powers were part of no fit.
TEST_CASE("energy costs predict the power of streams that they were not fitted to") {
  const Report report = read_report(kData / "measured" / "h200_roofs_full.json");
  const EnergyCosts costs = report.energy.value().fit.value().costs;
  int streams = 0;
  for (const MeasuredRoof& roof : report.roofs) {
    if (roof.level != "DRAM" || !roof.power || roof.name == "write") continue;
    if (roof.name.starts_with("ladder.")) continue;
    const double rate = roof.power->watts / roof.power->joules_per_unit;
    INFO(roof.name);
    CHECK(costs.idle_watts + costs.joules_per_byte * rate ==
          Approx(roof.power->watts).epsilon(0.1));
    ++streams;
  }
  CHECK(streams >= 5);
}

TEST_CASE("a token of Llama-3.1-8B costs its 16 GB and the time of its step") {
  const Question question = ask_energy("llama-3.1-8b");
  const Answer result = answer(question);
  // By hand: 8.03e9 parameters minus the embedding's 128256 x 4096, at 2 bytes, and 1024 x 128 KiB
  // of cache; 9.8e-11 J per byte; 199 W static; products are below 2 % of it.
  const double bytes = 2 * (8.03e9 - 128256.0 * 4096) + 1024 * 131072.0;
  const double by_hand = bytes * 9.8e-11 + 199 * bytes / 4.8e12;
  CHECK(joules(question, result.token)->middle == Approx(by_hand).epsilon(0.04));
}

TEST_CASE("the joules of decode steps are those that an H200's counter saw") {
  const ExpectationData all = load_expectations(kData / "expected");
  const base::CsvFile csv(kData / "measured" / "h200_decode_energy.csv");
  REQUIRE(csv.size() == 9);
  for (std::size_t i = 0; i < csv.size(); ++i) {
    Question question = ask_energy("llama-3-8b");
    question.batch = std::stod(csv.field(i, "batch"));
    question.context = std::stod(csv.field(i, "context"));
    question.expected = expected_system(question.system, find_engine(all, "pytorch"), all);
    const Answer result = answer(question);
    INFO("run " << csv.field(i, "run") << ", batch " << question.batch);
    const double step = question.batch * joules(question, result.expected->token)->middle;
    CHECK(step == Approx(std::stod(csv.field(i, "joules"))).epsilon(0.12));
  }
}

TEST_CASE("a token's work is its share of a step on all ranks") {
  Question question = ask_energy("llama-3.1-8b");
  question.batch = 16;
  const Answer one = answer(question);
  CHECK(one.token.seconds == Approx(one.decode.seconds() / 16));
  double bytes = 0;
  for (const OperatorTime& timed : one.decode.operators) bytes += timed.op.calls * timed.op.bytes();
  CHECK(one.token.bytes == Approx(bytes / 16));
  question.system.ranks = 2;
  question.system.all_reduce = AllReduce{6e-6, 300e9};
  const Answer two = answer(question);
  CHECK(two.token.seconds == Approx(2 * two.decode.seconds() / 16));
  CHECK(two.token.products.at(Precision::kBf16) ==
        Approx(one.token.products.at(Precision::kBf16)).epsilon(1e-3));
}

TEST_CASE("a request's work is its own prefill and its tokens after the first") {
  for (const bool continuous : {false, true}) {
    Question question = ask_energy("llama-3.1-8b");
    question.context.reset();
    question.batch = 8;
    question.prompt = 500;
    question.output = 101;
    question.continuous = continuous;
    const Answer result = answer(question);
    const double prompts = continuous ? 1 : 8;
    CHECK(result.request->seconds ==
          Approx(result.prefill->seconds() / prompts + 100 * result.token.seconds));
    CHECK(joules(question, *result.request)->middle > 100 * joules(question, result.token)->middle);
  }
}

TEST_CASE("drafted tokens pay for the drafts and the check of a round") {
  Question question = ask_energy("llama-3.1-70b");
  const double plain = answer(question).token.bytes;
  Question small = ask_energy("llama-3.1-8b");
  const double drafted = answer(small).token.bytes;
  question.draft = Draft{small.model, small.formats, 4, 0.7};
  const Answer result = answer(question);
  CHECK(result.token.seconds == Approx(result.time_per_output_token));
  // A verification streams the weights once, like a step, and slightly more cache and activations.
  const double round = result.token.bytes * result.speculation->expected_tokens;
  CHECK(round > plain + 4 * drafted);
  CHECK(round < 1.02 * (plain + 4 * drafted));
}

TEST_CASE("without energy costs no joules are stated") {
  Question question = ask_energy("llama-3.1-8b");
  CHECK_THAT(answer_json(question, answer(question)), Contains("output_tokens_per_joule"));
  question.energy.reset();
  CHECK_FALSE(joules(question, answer(question).token));
  CHECK_THAT(answer_json(question, answer(question)), !Contains("energy"));
}
