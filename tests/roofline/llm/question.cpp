// SPDX-License-Identifier: MIT
// Whole questions to the predictor: what is asked for, answered, and written to files.
#include "roofline/llm/question.hpp"

#include "roofline/llm/config.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path kData = RL_DATA_FOLDER;

Model model(const std::string& id) {
  return load_model(resolve_model(id, kData / "models"));
}

Question ask(const std::string& id = "llama-3.1-8b") {
  const Model m = model(id);
  return {.model = m,
          .formats = stored_formats(m),
          .system = {.machine = load_machine(resolve_machine("h200-sxm", kData / "machines"))}};
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
