// SPDX-License-Identifier: MIT
// The tables of step times, compared with the predictor that filled them.
#include "roofline/serve/costs.hpp"

#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/expectation.hpp"
#include "support/catch.hpp"

namespace {

using namespace roofline;
using namespace roofline::serve;
using Catch::Matchers::Contains;

llm::System expected_on(const std::string& id, int ranks = 1) {
  const llm::ExpectationData data = llm::load_expectations(kData / "expected");
  const llm::System bare{.machine = machine(id), .ranks = ranks};
  return llm::expected_system(bare, data.engines.front(), data).system;
}

}  // namespace

TEST_CASE("a decode step of the tables is that of the predictor") {
  for (const char* id : {"llama-3.1-8b", "qwen3-30b-a3b", "gemma-2-9b", "deepseek-v3"}) {
    const llm::Model m = model(id);
    const llm::Formats formats = llm::stored_formats(m);
    const llm::System system = expected_on("h200-sxm");
    const StepCosts costs(m, formats, system, 4096, 16384);
    INFO(id);
    // Sliding windows make it nonlinear; so does latent attention, whose arithmetic comes to take
    // longer than its bytes.
    const bool straight = std::string(id) == "llama-3.1-8b" || std::string(id) == "qwen3-30b-a3b";
    CHECK(costs.linear() == straight);
    for (const double batch : {1.0, 7.0, 64.0, 200.0}) {
      for (const double context : {100.0, 3000.0, 12000.0}) {
        INFO(id << " batch " << batch << " context " << context);
        const double step = costs.dense(batch, batch) + batch * costs.attention(context);
        const double predicted =
            llm::predict_pass(m, formats, llm::decode_pass(batch, context), system).seconds();
        CHECK(step == Approx(predicted).epsilon(0.02));
      }
    }
  }
}

TEST_CASE("chunks of a prompt take together what the prompt takes in attention") {
  const llm::Model m = model("llama-3.1-8b");
  const llm::Formats formats = llm::stored_formats(m);
  const llm::System system = expected_on("h200-sxm");
  const StepCosts costs(m, formats, system, 8192, 16384);
  const double whole = costs.chunk_attention({0, 8192});
  double cut = 0;
  for (std::int64_t past = 0; past < 8192; past += 2048) {
    cut += costs.chunk_attention({past, 2048});
  }
  CHECK(cut == Approx(whole).epsilon(0.01));
  // A chunk of a few tokens has to read the whole cache before it.
  CHECK(costs.chunk_attention({8000, 1}) == Approx(costs.attention(8001)).epsilon(0.01));
  const double prefill =
      llm::predict_pass(m, formats, llm::prefill_pass(1, 4096), system).seconds();
  CHECK(costs.dense(4096, 1) + costs.chunk_attention({0, 4096}) == Approx(prefill).epsilon(0.03));
}

TEST_CASE("stages hold their share of layers and keep as many groups under way") {
  const llm::Model m = model("llama-3.1-8b");
  const llm::Formats formats = llm::stored_formats(m);
  const llm::System system = expected_on("h200-sxm");
  const StepCosts one(m, formats, system, 512, 4096);
  const StepCosts four(m, formats, system, 512, 4096, {.pipeline = 4, .experts = 1});
  CHECK(four.weight_bytes() == Approx(one.weight_bytes() / 4));
  CHECK(four.kv_bytes(1000) == Approx(one.kv_bytes(1000) / 4));
  // 64 tokens as four groups of 16 that pass through the stages one after another.
  CHECK(four.dense(64, 64) ==
        Approx(one.dense(16, 16) + 4 * system.all_reduce->latency_seconds).epsilon(0.01));
  CHECK_THROWS_WITH(StepCosts(m, formats, system, 64, 64, {.pipeline = 5, .experts = 1}),
                    Contains("cannot be divided over 5 stages"));
}

TEST_CASE("spread experts: a rank holds its share and streams fewer") {
  const llm::Model m = model("qwen3-30b-a3b");
  const llm::Formats formats = llm::stored_formats(m);
  const llm::System system = expected_on("h200-sxm");
  const StepCosts alone(m, formats, system, 512, 4096);
  const StepCosts spread(m, formats, system, 512, 4096, {.pipeline = 1, .experts = 8});
  // 48 layers of 128 experts of 3 x 2048 x 768 in 16 bits: 57.98 GB, of which an eighth remains.
  CHECK(alone.weight_bytes() - spread.weight_bytes() ==
        Approx(48.0 * 128 * 3 * 2048 * 768 * 2 * 7 / 8));
  CHECK(spread.dense(32, 32) < alone.dense(32, 32));
  CHECK_THROWS_WITH(StepCosts(model("llama-3.1-8b"), formats, system, 64, 64, {1, 2}),
                    Contains("no experts"));
  CHECK_THROWS_WITH(StepCosts(m, formats, system, 64, 64, {1, 3}), Contains("over 3 ranks"));
}
