// SPDX-License-Identifier: MIT
// The tables of a prediction.
#include "predict_tables.hpp"

#include <cstdio>

#include "base/text.hpp"
#include "paragraph.hpp"
#include "roofline/llm/question.hpp"
#include "roofline/measurement.hpp"
#include "roofline/units.hpp"

namespace roofline::program {
namespace {

using namespace llm;

constexpr double kPercent = 100;

std::string seconds_text(double seconds) {
  if (seconds < 1e-15) return "0 s";  // a collective that costs nothing
  return format_quantity(seconds, kSeconds, 4);
}

std::string bytes_text(double bytes) {
  return bytes > 0 ? format_quantity(bytes, kBytes, 4) : "-";
}

std::string intensity_text(const OperatorTime& timed) {
  if (timed.op.bytes() <= 0) return "-";
  return base::formatted(timed.intensity < kPercent ? "%.2f" : "%.0f", timed.intensity);
}

const char* bound_text(const OperatorTime& timed) {
  if (timed.op.kind == OperatorKind::kCollective) return "net";
  return timed.bound == Bound::kMemory ? "mem" : "comp";
}

void print_operator(const OperatorTime& timed, double total) {
  const Operator& op = timed.op;
  const auto format = is_integer(op.precision) ? format_integer_work : format_quantity;
  const double moved = op.kind == OperatorKind::kCollective ? op.collective_bytes : op.bytes();
  std::printf("%-29.29s%5.0f%12s%9s%7s %-4s%9s%4.0f\n", op.name.c_str(), op.calls,
              op.flops > 0 ? format(op.calls * op.flops, kOperations, 4).c_str() : "-",
              bytes_text(op.calls * moved).c_str(), intensity_text(timed).c_str(),
              bound_text(timed), seconds_text(timed.seconds).c_str(),
              kPercent * timed.seconds / total);
}

void print_pass(const PassTime& pass) {
  std::printf("%-29s%5s%12s%9s%7s %-4s%9s%4s\n", "operator", "calls", "work", "moved", "FLOP/B",
              "by", "time", "%");
  for (const OperatorTime& timed : pass.operators) print_operator(timed, pass.seconds());
  std::printf("%-67s%9s\n", "sum over operators of max(compute, memory)",
              seconds_text(pass.operator_seconds).c_str());
  if (pass.collective_seconds > 0) {
    std::printf("%-67s%9s\n", "all-reduces between the ranks",
                seconds_text(pass.collective_seconds).c_str());
  }
  if (pass.overhead_seconds > 0) {
    std::printf("%-67s%9s\n", "launches and cost per layer",
                seconds_text(pass.overhead_seconds).c_str());
  }
  std::printf("%-67s%9s\n\n", "(max of the sums, which no sequence of kernels reaches)",
              seconds_text(pass.max_of_sums_seconds).c_str());
}

std::string percent_text(double part) {
  return base::formatted("%.0f %%", kPercent * part);
}

/// Which of a report's product rates the tables use; empty for a datasheet's peak.
std::string product_rates_text(const Question& question) {
  const Machine& machine = question.system.machine;
  const Precision precision = question.formats.arithmetic;
  const auto highest = machine.products.find(precision);
  if (highest == machine.products.end()) return {};
  const auto format = is_integer(precision) ? format_integer_work : format_quantity;
  std::string text = "products: the bound takes the highest rate that was measured, " +
                     format(highest->second, kOperationsPerSecond, 4);
  if (!question.expected) return text;
  const auto sustained = machine.sustained_products.find(precision);
  if (sustained == machine.sustained_products.end()) return text + ", and so does the expectation";
  return text + "; the expectation takes what products sustain without rests, " +
         format(sustained->second, kOperationsPerSecond, 4);
}

void print_header(const Question& question) {
  const Formats& f = question.formats;
  const System& s = question.system;
  std::printf("%s on %s%s\n", question.model.name.c_str(), s.machine.name.c_str(),
              s.ranks > 1 ? (" x " + std::to_string(s.ranks)).c_str() : "");
  print_paragraph("weights " + f.weights.name + " (experts " + f.experts.name + ", head " +
                  f.head.name + "), KV " + f.kv.name + ", activations " +
                  std::string(to_string(f.activations)));
  const std::string arithmetic = "products in " + std::string(to_string(f.arithmetic)) +
                                 ", attention in " + std::string(to_string(f.attention_arithmetic));
  if (question.expected) {
    print_paragraph(arithmetic + "; the tables show the bound; what is expected is below them");
  } else {
    print_paragraph(arithmetic + "; efficiency of weights " + percent_text(s.efficiencies.weights) +
                    ", of KV " + percent_text(s.efficiencies.kv) + ", of compute " +
                    percent_text(s.efficiencies.compute));
  }
  if (const std::string rates = product_rates_text(question); !rates.empty()) {
    print_paragraph(rates);
  }
  for (const std::string& note : question.model.notes) print_paragraph(note);
  std::printf("\n");
}

void print_memory(const MemoryUse& memory, double batch) {
  std::printf("memory of a rank         %s weights + %s KV of %s usable\n",
              format_quantity(memory.weight_bytes, kBytes, 4).c_str(),
              bytes_text(memory.kv_bytes).c_str(),
              format_quantity(memory.usable_bytes, kBytes, 4).c_str());
  if (!memory.largest_batch) {
    std::printf("largest batch            none: the weights alone do not fit\n");
    return;
  }
  std::printf(
      "largest batch            %lld%s\n", static_cast<long long>(*memory.largest_batch),
      static_cast<double>(*memory.largest_batch) < batch ? ": THIS BATCH DOES NOT FIT" : "");
}

std::string rate_text(double rate) {
  return base::formatted("%.1f", rate);
}

/// One line of the summary: the bound and, if requested, the expected value and its range.
void print_line(const char* what, double bound, const double* expected, const Band& band,
                std::string (*text)(double)) {
  std::printf("%-25s%-12s", what, text(bound).c_str());
  if (expected) {
    std::printf("%-12s%s to %s", text(*expected).c_str(), text(*expected * band.low).c_str(),
                text(*expected * band.high).c_str());
  }
  std::printf("\n");
}

std::string joules_text(double joules) {
  return format_quantity(joules, kJoules, 3);
}

std::string per_joule_text(double joules) {
  return base::formatted("%.3g", 1 / joules);
}

void print_joules(const char* what, const Joules& bound, const std::optional<Joules>& expected,
                  std::string (*text)(double)) {
  std::printf("%-25s%-12s", what, text(bound.middle).c_str());
  if (expected) {
    const Joules& e = *expected;
    std::printf("%-12s%s to %s", text(e.middle).c_str(), text(e.low).c_str(), text(e.high).c_str());
  }
  std::printf("\n");
}

std::string watts_text(double watts) {
  return format_quantity(watts, kWatts, 3);
}

/// Mean power of a device in decode; the energy costs do not account for the power cap.
void print_power(const Question& question, const Joules& bound, const PassWork& work,
                 const PassWork* expected) {
  const double watts = expected ? joules(question, *expected)->middle / expected->seconds
                                : bound.middle / work.seconds;
  std::printf("power of a device        %-12s%s", watts_text(bound.middle / work.seconds).c_str(),
              expected ? watts_text(watts).c_str() : "");
  if (question.board_watts && watts > *question.board_watts) {
    std::printf(": the cap of %s will slow it", watts_text(*question.board_watts).c_str());
  }
  std::printf("\n");
}

/// Uses measured costs; otherwise the upper limit given by the data sheet's power during the
/// expected time.
void print_energy(const Question& question, const Answer& answer) {
  const Times* expected = answer.expected ? &*answer.expected : nullptr;
  const std::optional<Joules> bound = joules(question, answer.token);
  if (!bound) {
    if (!question.board_watts) return;
    std::printf(
        "energy per output token  at most %s, at the %.0f W of the data sheet\n",
        joules_text(*question.board_watts * (expected ? *expected : answer).token.seconds).c_str(),
        *question.board_watts);
    return;
  }
  std::optional<Joules> of_token, of_request;
  if (expected) of_token = joules(question, expected->token);
  print_joules("energy per output token", *bound, of_token, joules_text);
  if (of_token) std::swap(of_token->low, of_token->high);
  print_joules("output tokens per joule", *bound, of_token, per_joule_text);
  print_power(question, *bound, answer.token, expected ? &expected->token : nullptr);
  if (!answer.request) return;
  if (expected) of_request = joules(question, *expected->request);
  print_joules("energy of the request", *joules(question, *answer.request), of_request,
               joules_text);
}

/// Says if the power of products was metered at a lower rate than they sustain.
std::string metered_text(const Question& question) {
  const auto product = question.energy->products.find(question.formats.arithmetic);
  if (product == question.energy->products.end()) return {};
  const double share = product->second.metered_share;
  if (share >= kFullyMetered) return {};
  return "; the power of products was metered at " + percent_text(share) +
         " of the rate that they sustain";
}

void print_summary(const Question& question, const Answer& answer) {
  const Times* expected = answer.expected ? &*answer.expected : nullptr;
  const Band none;
  const Band decode = question.expected ? question.expected->decode : none;
  const Band prefill = question.expected ? question.expected->prefill : none;
  if (expected) std::printf("%-25s%-12s%-12s%s\n", "", "bound", "expected", "range");
  if (answer.time_to_first_token) {
    print_line("time to first token", *answer.time_to_first_token,
               expected ? &*expected->time_to_first_token : nullptr, prefill, seconds_text);
  }
  print_line("time per output token", answer.time_per_output_token,
             expected ? &expected->time_per_output_token : nullptr, decode, seconds_text);
  if (answer.interference_seconds > 0) {
    print_line("  for others' prefill", answer.interference_seconds,
               expected ? &expected->interference_seconds : nullptr, prefill, seconds_text);
  }
  const Band rates{1 / decode.high, 1 / decode.low};
  print_line("output tokens per second", answer.tokens_per_second,
             expected ? &expected->tokens_per_second : nullptr, rates, rate_text);
  if (question.batch > 1) {
    const double each = expected ? expected->tokens_per_second / question.batch : 0;
    print_line("  of a sequence", answer.tokens_per_second / question.batch,
               expected ? &each : nullptr, rates, rate_text);
  }
  if (answer.request_seconds) {
    print_line("whole request", *answer.request_seconds,
               expected ? &*expected->request_seconds : nullptr, decode, seconds_text);
  }
  print_energy(question, answer);
  if (answer.memory) print_memory(*answer.memory, question.batch);
  if (!question.expected) return;
  for (const std::string& remark : question.expected->remarks) print_paragraph(remark);
  if (joules(question, answer.token)) {
    const std::size_t runs = question.energy->runs.size();
    print_paragraph("energy: costs measured in " +
                    (runs == 1 ? "one run" : std::to_string(runs) + " runs") +
                    "; transfers between devices are not counted" + metered_text(question));
  }
}

void print_speculation(const Question& question, const Speculation& speculation) {
  std::printf(
      "speculative decoding     %d tokens by %s: %s, check %s,\n"
      "                         %.2f tokens a round, %.2fx plain decoding\n",
      question.draft->tokens, question.draft->model.name.c_str(),
      seconds_text(speculation.draft_seconds).c_str(),
      seconds_text(speculation.check_seconds).c_str(), speculation.expected_tokens,
      speculation.speedup);
}

}  // namespace

void print_answer(const Question& question, const Answer& answer) {
  print_header(question);
  if (answer.prefill) {
    std::printf("Prefill: %.0f x %.0f tokens%s\n", question.continuous ? 1 : question.batch,
                *question.prompt, question.continuous ? " (one prompt at a time)" : "");
    print_pass(*answer.prefill);
  }
  std::printf("Decode step: %.0f sequences, context %.0f\n", question.batch, answer.context);
  print_pass(answer.decode);
  print_summary(question, answer);
  if (answer.speculation) {
    print_speculation(question,
                      answer.expected ? *answer.expected->speculation : *answer.speculation);
  }
  for (const std::string& remark : answer.remarks) print_paragraph("Note: " + remark);
}

}  // namespace roofline::program
