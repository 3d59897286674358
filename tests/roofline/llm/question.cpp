// SPDX-License-Identifier: MIT
// Whole questions to the predictor: what is requested, answered, and written to files.
#include "roofline/llm/question.hpp"

#include <cmath>

#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/parameters.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

Question ask(const std::string& id = "llama-3.1-8b") {
  const Model m = model(id);
  return {.model = m, .formats = stored_formats(m), .system = {.machine = machine("h200-sxm")}};
}

}  // namespace

TEST_CASE("a context alone asks for one decode step") {
  Question question = ask();
  question.context = 4096;
  const Answer result = answer(question);
  CHECK_FALSE(result.prefill);
  CHECK_FALSE(result.request_seconds);
  CHECK(result.context == 4096);
  CHECK(result.tokens_per_second == 1 / result.decode.seconds());
  CHECK(result.memory->kv_bytes == 4096 * 131072.0);
}

TEST_CASE("prompt and output ask for a request, as predict_request answers it") {
  Question question = ask();
  question.batch = 16;
  question.prompt = 1024;
  question.output = 512;
  for (const bool continuous : {false, true}) {
    question.continuous = continuous;
    const Answer result = answer(question);
    const Request request{.batch = 16, .prompt = 1024, .output = 512, .continuous = continuous};
    const RequestTime time =
        predict_request(question.model, question.formats, request, question.system);
    CHECK(result.prefill->seconds() == time.time_to_first_token);
    CHECK(result.time_per_output_token == time.time_per_output_token);
    CHECK(result.request_seconds.value() == Approx(time.request_seconds));
    CHECK(result.memory->kv_bytes == 16 * 1536 * 131072.0);
  }
}

TEST_CASE("a question without lengths is refused") {
  Question question = ask();
  CHECK_THROWS_WITH(answer(question), Contains("state a prompt or the context"));
  question.context = 100;
  question.continuous = true;
  CHECK_THROWS_WITH(answer(question), Contains("needs the lengths"));
}

TEST_CASE("sequences longer than the model was made for are answered with a remark") {
  Question question = ask();
  question.context = 131072;
  CHECK(answer(question).remarks.empty());
  question.context = 131073;
  REQUIRE(answer(question).remarks.size() == 1);
  CHECK_THAT(answer(question).remarks.front(), Contains("max_position_embeddings = 131072"));
}

TEST_CASE("drafting speeds decode up by tokens a round over the time of a round") {
  Question question = ask("llama-3.1-70b");
  question.context = 1000;
  const double plain = answer(question).time_per_output_token;
  question.draft = Draft{model("llama-3.1-8b"), stored_formats(model("llama-3.1-8b")), 4, 0.8};
  const Answer result = answer(question);
  const Speculation& s = *result.speculation;
  CHECK(s.expected_tokens == Approx(3.3616));
  CHECK(result.time_per_output_token ==
        Approx((s.draft_seconds + s.check_seconds) / s.expected_tokens));
  CHECK(s.speedup == Approx(plain / result.time_per_output_token));
  CHECK(s.speedup > 1.5);
}

TEST_CASE("JSON and CSV hold every operator") {
  Question question = ask("gemma-2-9b");
  question.prompt = 8192;
  question.output = 64;
  const Answer result = answer(question);
  const std::string json = answer_json(question, result);
  CHECK_THAT(json, Contains("\"schema\": \"roofline.prediction\""));
  CHECK_THAT(json, Contains("\"attention, window 4096\""));
  const std::string csv = answer_csv(result);
  const auto lines = static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n'));
  CHECK(lines == 1 + result.prefill->operators.size() + result.decode.operators.size());
  CHECK_THAT(csv, Contains("decode,\"attention, window 4096\",21,"));
}

TEST_CASE("operators lie on the chart at or below the roof") {
  Question question = ask();
  question.context = 4096;
  question.batch = 64;
  const Answer result = answer(question);
  const Chart chart = chart_of_pass(question, result.decode, "decode");
  CHECK(chart.points.size() == result.decode.operators.size() - 1);  // the lookup has no FLOPs
  const Roof roof = roof_of(question.system.machine, Precision::kBf16);
  for (const ChartPoint& point : chart.points) {
    CHECK(point.flops_per_second <= attainable(roof, point.intensity) * (1 + 1e-9));
  }
}

TEST_CASE("the draft model counts: in memory, and in the time to the first token") {
  Question question = ask("llama-3.1-70b");
  question.prompt = 1000;
  question.output = 100;
  const Answer plain = answer(question);
  question.draft = Draft{model("llama-3.1-8b"), stored_formats(model("llama-3.1-8b")), 4, 0.8};
  const Answer drafted = answer(question);
  // Llama-3.1-8B in 16 bits: 8,030,261,248 parameters, and 131,072 bytes of cache per token.
  CHECK(drafted.memory->weight_bytes - plain.memory->weight_bytes == 2 * 8030261248.0);
  CHECK(drafted.memory->kv_bytes - plain.memory->kv_bytes == 1100 * 131072.0);
  const double prefill = predict_pass(model("llama-3.1-8b"), stored_formats(model("llama-3.1-8b")),
                                      prefill_pass(1, 1000), question.system)
                             .seconds();
  CHECK(*drafted.time_to_first_token - *plain.time_to_first_token == Approx(prefill));
}

TEST_CASE("a model drafts with its own layers for further tokens") {
  Question question = ask("deepseek-v3");
  question.context = 1000;
  const double plain = answer(question).memory->weight_bytes;
  const Model module = later_token_module(question.model);
  question.draft = Draft{module, stored_formats(module), 1, 0.85, true};
  const Answer result = answer(question);
  // One layer of 256 experts of 3 x 7168 x 2048 numbers and little else; the tables are shared.
  CHECK(result.memory->weight_bytes - plain == Approx(2 * 256.0 * 3 * 7168 * 2048).epsilon(0.04));
  CHECK(result.speculation->expected_tokens == Approx(1.85));
  CHECK(result.speculation->speedup > 1.1);
  CHECK_THROWS_WITH(later_token_module(model("llama-3.1-8b")), Contains("further tokens"));
}

TEST_CASE("lengths and batches that are not counts are refused") {
  const auto refused = [](auto change) {
    Question question = ask();
    question.prompt = 4096;
    change(question);
    try {
      answer(question);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refused([](Question&) {}) == "accepted");
  CHECK_THAT(refused([](Question& q) { q.output = -4000; }), Contains("output in tokens is -4000"));
  CHECK_THAT(refused([](Question& q) { q.batch = 2.5; }), Contains("sequences is 2.5"));
  CHECK_THAT(refused([](Question& q) { q.batch = 1e30; }), Contains("whole number up to 2^30"));
  CHECK_THAT(refused([](Question& q) { q.batch = 0; }), Contains("above zero"));
  CHECK_THAT(refused([](Question& q) { q.prompt = std::nan(""); }), Contains("prompt"));
  CHECK_THAT(refused([](Question& q) { q.context = 10; }), Contains("shorter than the prompt"));
}

TEST_CASE("what does not fit is said in the answer and in the JSON") {
  Question question = ask("llama-3.1-405b");
  question.context = 100;
  const Answer too_large = answer(question);
  CHECK_FALSE(fits(question, too_large));
  CHECK_THAT(answer_json(question, too_large), Contains("\"fits\": false"));
  question = ask();
  question.context = 100;
  CHECK(fits(question, answer(question)));
}
