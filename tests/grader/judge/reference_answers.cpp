// SPDX-License-Identifier: MIT
// Reference values: a topic's program is started once, and not at all if the values are known.
#include "grader/judge/reference_answers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/handout/export_student.hpp"
#include "grader/judge/grade.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using grader::Kind;
using grader::ReferenceAnswers;

namespace {

/// The outcome of grading all numbers and choices of a checkout.
struct Run {
  int numbers = 0;
  int passed = 0;
  int programs_started = 0;
};

/// Judges the solutions' own numbers, with the reference values kept in `kept`.
Run grade_numbers(const fs::path& root, const fs::path& kept) {
  const auto references = std::make_shared<ReferenceAnswers>(RL_BUILD, kept);
  grader::Workspace workspace;
  workspace.root = root;
  workspace.build = RL_BUILD;
  workspace.solutions = true;
  workspace.references = references;
  grader::Session session(workspace);
  std::vector<grader::SchemaError> errors;
  Run run;
  for (const grader::Topic& topic : grader::load_topics(root, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      const bool is_number = exercise.kind() == Kind::kNumber || exercise.kind() == Kind::kChoice;
      if (!is_number || (exercise.needs_machine() && !session.machine())) continue;
      const grader::Verdict verdict = grader::grade(session, exercise);
      INFO(verdict.id << ": " << verdict.message);
      CHECK(verdict.status == grader::Status::kPassed);
      ++run.numbers;
      run.passed += verdict.status == grader::Status::kPassed ? 1 : 0;
    }
  }
  run.programs_started = references->programs_started();
  return run;
}

grader::AnswerQuestion memory_question(double n) {
  grader::AnswerQuestion question;
  question.topic = "90-course";
  question.id = "90.memory";
  question.parameters = {{"parameters", n}};
  question.is_canonical = true;
  return question;
}

}  // namespace

TEST_CASE("numbers of all topics start one program a topic, and none when known", "[references]") {
  const support::TemporaryFolder kept;
  const Run first = grade_numbers(RL_SOURCE, kept.path);
  CHECK(first.numbers > 100);
  CHECK(first.programs_started == 4);
  const Run second = grade_numbers(RL_SOURCE, kept.path);
  CHECK(second.passed == first.passed);
  CHECK(second.programs_started == 0);
}

namespace {

using AnswersById = std::vector<std::pair<const char*, const char*>>;

/// The verdicts on answers, each to another exercise, with the write-up's numbers.
std::vector<grader::Verdict> verdicts_on(const AnswersById& answers) {
  static std::vector<grader::SchemaError> errors;
  static const std::vector<grader::Topic> topics = grader::load_topics(RL_SOURCE, errors);
  const support::TemporaryFolder folder;
  std::vector<const grader::Exercise*> asked;
  std::map<std::string, std::string> files;  // by topic
  for (const auto& [id, answer] : answers) {
    for (const grader::Topic& topic : topics) {
      for (const grader::Exercise& exercise : topic.exercises) {
        if (exercise.id != id) continue;
        asked.push_back(&exercise);
        files[topic.name] += fmt::format("[\"{}\"]\nvalue = \"{}\"\n", id, answer);
      }
    }
  }
  REQUIRE(asked.size() == answers.size());
  for (const auto& [topic, text] : files) folder.write("topics/" + topic + "/answers.toml", text);
  grader::Workspace workspace;
  workspace.root = RL_SOURCE;
  workspace.build = RL_BUILD;
  workspace.submission = folder.path;
  grader::Session session(workspace);
  std::vector<grader::Verdict> verdicts;
  for (const grader::Exercise* exercise : asked) verdicts.push_back(grade(session, *exercise));
  return verdicts;
}

}  // namespace

// Figures as printed in texts, or worked out by hand, not computed by the library.
TEST_CASE("published figures are right answers", "[references]") {
  const AnswersById figures = {{"01.saxpy.ai", "1/6 FLOP/byte"},
                               {"01.dot.ai", "0.25"},
                               {"01.stencil5.ai", "4/8"},
                               {"01.stencil5.ai_uncached", "4/24"},
                               {"01.stencil7.ai", "13/8"},
                               {"01.conv3x3.ai", "17/8"},
                               {"01.layernorm.ai", "2.0"},
                               {"01.gemm.ai", "682.67"},
                               {"01.linear.ai", "227.6"},
                               {"01.conv.ai", "263.8"},
                               {"01.add.time", "1.72 ms"},  // 2^26 x 24 B over 936 GB/s
                               {"02.peak.vector", "19.5"},
                               {"02.peak.matrix", "312"},
                               {"02.peak.memory", "3352 GB/s"},
                               {"02.stream.eager", "60"},
                               {"03.model.ridge", "30"},
                               {"03.model.attainable", "2.5"},
                               {"03.six.time", "255.2"},
                               {"03.energy.ridge", "66.7"},
                               {"03.place.prefill", "2587"},
                               {"03.place.gqa", "4"},
                               {"03.block.flops", "568.9"},
                               {"03.block.intensity", "311.5"},
                               {"04.weights.parameters", "8030261248"},
                               {"04.weights.streamed", "15.010 GB"},
                               {"04.kv.gemma2_9b", "344064 bytes"},
                               {"04.kv.deepseek_v3", "70272"},
                               {"04.kv.largest_batch", "52"},
                               {"04.critical.a100", "165.4"},
                               {"04.critical.w4", "89.0"},
                               {"04.prefill.flops", "29.688 TFLOPs"},
                               {"04.prefill.time", "60.0"},
                               {"04.prefill.equal", "53248"},
                               {"04.step.time", "3.239"},
                               {"04.step.rate", "6222 tokens/s"},
                               {"04.step.batch_limit", "232"},
                               {"04.context.equal", "114516"},
                               {"04.mla.intensity", "241.8"},
                               {"04.mla.ratio", "71.1"},
                               {"04.mla.fp8", "1.756"},
                               {"04.moe.distinct", "51.62"},
                               {"04.moe.step", "5.384"},
                               {"04.quant.int4", "4.125"},
                               {"04.quant.speedup", "3.879"},
                               {"04.quant.size", "3.79"},
                               {"04.windows.gemma", "2.114"},
                               {"04.speculative.tokens", "3.3616"},
                               {"04.speculative.speedup", "2.401"},
                               {"04.speculative.best", "6"},
                               {"04.gemv.ai", "0.49976"},
                               {"04.attention.floor", "6.99"},
                               {"04.fit.slope", "7.439"},
                               {"04.fit.limit", "471"},
                               {"04.fit.bandwidth", "379.8"},
                               {"04.fit.overhead", "11.20"},
                               {"04.served.small", "4.881"},
                               {"04.served.floor", "15.378"}};
  for (const grader::Verdict& verdict : verdicts_on(figures)) {
    INFO(verdict.id << ": " << verdict.message);
    CHECK(verdict.status == grader::Status::kPassed);
  }
}

TEST_CASE("near misses are wrong, and told why", "[references]") {
  struct Miss {
    const char* id;
    const char* answer;
    const char* says;
  };
  const Miss misses[] = {
      // 2^26 additions at 0.556 TFLOP/s are 120.7 us, and the transfers 1720.7 us.
      {"01.add.time", "1841 us", "adds the two times"},
      {"04.fit.slope", "7.415", "first and the last point alone"},   // 6.488 / (1 - 1/8)
      {"04.prefill.time", "4.481", "stream the weights once"},       // 15.010 GB over 3350 GB/s
      {"03.block.intensity", "295.2", "reads the 4H numbers back"},  // 568.8 GFLOP over 1927 MB
      {"01.count.mac", "8.2e9", "a number without a unit counts in GFLOP"},
      // From a new reader's attempts; each was refused without naming the cause.
      {"01.stencil5.ai", "4/12", "before it is overwritten"},          // 4 FLOPs over 3 x 4 B
      {"01.conv.ai", "29.3", "A 3x3 filter has nine"},                 // 263.8 / 9
      {"01.sectors.rows", "64", "These are the requests"},             // a row's floats
      {"02.peak.cpu", "3.84", "a fused multiply-add counted as one"},  // 64 x 2 x 8 x 3.75 G
      {"02.measure.spread", "6.19", "divides by the mean"},            // 2.6 / 42.0
      {"02.occupancy.shared", "100", "shared memory runs out first"},
      {"02.sectors.neighbour", "13", "This is one warp"},
      {"03.fusion.gain", "3", "b and g are arrays too"},
      {"03.model.fma-iterations", "57", "The ridge itself counts"},
      {"04.weights.parameters", "8029995008", "The norms are missing"},  // 65 x 4096 less
      {"04.kv.largest_batch", "53", "round down"},
      {"04.prefill.flops", "32.89", "two FLOPs for each parameter"},       // 2 x 8.030 G x 2048
      {"04.mla.intensity", "256", "rotary key belongs only to the keys"},  // 128 x 2 x 1152 / 1152
      {"01.saxpy.ai", "0.17", "three significant digits"},
      {"01.saxpy.ai", "0.16", "three significant digits"}};
  for (const Miss& miss : misses) {
    const grader::Verdict verdict = verdicts_on({{miss.id, miss.answer}}).front();
    INFO(miss.id << " " << miss.answer << ": " << verdict.message << "; " << verdict.detail);
    CHECK(verdict.points == 0);
    CHECK((verdict.message + verdict.detail).find(miss.says) != std::string::npos);
  }
}

TEST_CASE("a sealed answer, too, tells rounding from a misconception", "[references]") {
  grader::Workspace workspace;
  workspace.root = RL_SOURCE;
  workspace.build = RL_BUILD;
  grader::Session session(workspace);
  std::vector<grader::SchemaError> errors;
  const grader::Topic topic =
      grader::load_topic(fs::path(RL_SOURCE) / "topics" / "01-ai-basics", errors);
  int opened = 0;
  for (const grader::Exercise& exercise : topic.exercises) {
    if (exercise.id != "01.saxpy.ai") continue;
    const grader::Seal seal = grader::seal_answer(session, exercise, 1);
    CHECK(grader::open_number(seal, 1.0 / 6)->is_right);
    CHECK(grader::open_number(seal, 0.25)->message.starts_with("This counts y once"));
    for (const double rounded : {0.17, 0.16}) {
      CHECK(grader::open_number(seal, rounded)->message == "close: give three significant digits");
      ++opened;
    }
  }
  CHECK(opened == 2);
}

TEST_CASE("what is kept belongs to one content of the solutions", "[references]") {
  const support::TemporaryFolder kept;
  grade_numbers(RL_TEST_COURSE, kept.path);
  const fs::path file = kept.path / "90-course.json";
  std::ifstream in(file);
  std::string text(std::istreambuf_iterator<char>(in), {});
  const auto key = text.find("\"key\": \"") + 8;
  text[key] = text[key] == '0' ? '1' : '0';  // as if the solutions were different
  std::ofstream(file) << text;
  CHECK(grade_numbers(RL_TEST_COURSE, kept.path).programs_started == 1);
  CHECK(grade_numbers(RL_TEST_COURSE, kept.path).programs_started == 0);
  std::ofstream(file) << "{\"key\": 1";  // a damaged file is not an answer
  CHECK(grade_numbers(RL_TEST_COURSE, kept.path).programs_started == 1);
}

TEST_CASE("other parameters are another question; a student's own are not kept", "[references]") {
  const support::TemporaryFolder kept;
  const auto value = [&](double n, bool is_canonical, int& started) {
    ReferenceAnswers references(RL_BUILD, kept.path);
    grader::AnswerQuestion question = memory_question(n);
    question.is_canonical = is_canonical;
    const double first = references.value(question).value;
    CHECK(references.value(question).value == first);
    started = references.programs_started();
    return first;
  };
  int started = 0;
  CHECK(value(100, true, started) == 2 * value(50, true, started));
  value(100, true, started);
  CHECK(started == 0);
  value(200, false, started);
  CHECK(started == 1);
  value(200, false, started);
  CHECK(started == 1);
}
