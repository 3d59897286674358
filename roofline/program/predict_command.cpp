// SPDX-License-Identifier: MIT
// `roofline predict`: times, rates and memory of LLM inference on a machine.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/program.hpp"
#include "base/terminal.hpp"
#include "commands.hpp"
#include "format_options.hpp"
#include "roofline/llm/calibration.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/question.hpp"
#include "roofline/measurement.hpp"
#include "roofline/units.hpp"
#include "tables/paragraph.hpp"
#include "tables/predict_tables.hpp"

namespace roofline::program {
namespace {

using namespace llm;

struct PredictArguments {
  std::string model, machine;
  double batch = 1;
  std::optional<double> prompt, output, context;
  bool continuous = false;
  FormatOptions formats;
  int ranks = 1;
  std::string all_reduce_latency, all_reduce_bandwidth;
  std::optional<double> weight_efficiency, kv_efficiency, compute_efficiency;
  std::string launch, launch_cost, layer_cost, engine;
  std::string calibration_file, group;
  double memory_fraction = 0.9;
  std::string draft, draft_weights;
  int draft_tokens = 0;
  std::optional<double> acceptance;
  bool chart = false;
  std::string json_file, csv_file;
  std::string fit_file, validate_file, kernel_file;
  std::vector<std::string> fitted;
};

void apply_calibration(const PredictArguments& a, System& system) {
  if (a.calibration_file.empty()) {
    if (!a.group.empty()) {
      throw std::invalid_argument(
          "--group names a calibration of the file of --calibration, "
          "which is not stated");
    }
    return;
  }
  const Calibration calibration = read_calibration(a.calibration_file, a.group);
  system.efficiencies = calibration.efficiencies;
  system.overheads.per_layer_seconds = calibration.per_layer_seconds;
  system.all_reduce = calibration.all_reduce;
}

double launch_cost(const PredictArguments& a, const Machine& machine) {
  if (!a.launch_cost.empty()) return parse_quantity_as(a.launch_cost, kSeconds);
  if (machine.launch_overhead_seconds) return *machine.launch_overhead_seconds;
  throw std::invalid_argument("the launch cost of " + machine.name +
                              " is not known; state it with --launch-cost, such as 4us");
}

void apply_overheads(const PredictArguments& a, System& system) {
  if (!a.layer_cost.empty())
    system.overheads.per_layer_seconds = parse_quantity_as(a.layer_cost, kSeconds);
  if (a.launch.empty()) {
    if (!a.launch_cost.empty()) {
      throw std::invalid_argument("--launch-cost needs --launch kernel or --launch graph");
    }
    return;
  }
  const double cost = launch_cost(a, system.machine);
  (a.launch == "kernel" ? system.overheads.per_kernel_seconds : system.overheads.per_step_seconds) =
      cost;
}

void apply_all_reduce(const PredictArguments& a, System& system) {
  if (a.all_reduce_latency.empty() && a.all_reduce_bandwidth.empty()) return;
  if (a.all_reduce_latency.empty() || a.all_reduce_bandwidth.empty()) {
    throw std::invalid_argument("--allreduce-latency and --allreduce-bandwidth go together");
  }
  system.all_reduce = AllReduce{parse_quantity_as(a.all_reduce_latency, kSeconds),
                                parse_quantity_as(a.all_reduce_bandwidth, kBytesPerSecond)};
}

System system_from(const PredictArguments& a) {
  System system{.machine = load_machine(resolve_machine(a.machine, machine_folder()))};
  system.ranks = a.ranks;
  apply_calibration(a, system);
  if (a.weight_efficiency) system.efficiencies.weights = *a.weight_efficiency;
  if (a.kv_efficiency) system.efficiencies.kv = *a.kv_efficiency;
  if (a.compute_efficiency) system.efficiencies.compute = *a.compute_efficiency;
  apply_overheads(a, system);
  apply_all_reduce(a, system);
  return system;
}

/// True if the user states the machine's efficiencies; then there is no separate expectation.
bool states_efficiencies(const PredictArguments& a) {
  return a.weight_efficiency || a.kv_efficiency || a.compute_efficiency || !a.launch.empty() ||
         !a.layer_cost.empty() || !a.calibration_file.empty();
}

/// Adds the expected system, and lets the bound do without an all-reduce that is not stated.
void add_expectation(const PredictArguments& a, Question& question) {
  if (states_efficiencies(a)) {
    if (!a.engine.empty()) {
      throw std::invalid_argument(
          "--engine says what is reached, and so do efficiencies, costs and --calibration: choose "
          "one");
    }
    return;
  }
  if (a.engine == "none") return;
  const ExpectationData data = load_expectations(base::data_folder() / "expected");
  const Engine& engine = a.engine.empty() ? data.engines.front() : find_engine(data, a.engine);
  question.expected = expected_system(question.system, engine, data);
  if (question.system.ranks > 1 && !question.system.all_reduce) {
    question.system.all_reduce = AllReduce{0, std::numeric_limits<double>::max()};
    question.expected->remarks.push_back("the bound counts no collectives between the ranks");
  }
}

std::optional<Draft> draft_from(const PredictArguments& a, const Model& large,
                                const Machine& machine) {
  if (a.draft.empty()) {
    if (a.draft_tokens != 0 || a.acceptance || !a.draft_weights.empty()) {
      throw std::invalid_argument(
          "--draft-tokens, --acceptance and --draft-weights need --draft, the model that drafts");
    }
    return std::nullopt;
  }
  if (a.draft_tokens < 1 || !a.acceptance) {
    throw std::invalid_argument("--draft needs --draft-tokens and --acceptance");
  }
  const bool own = a.draft == "mtp";
  const Model model = own ? later_token_module(large)
                          : load_model(resolve_model(a.draft, base::data_folder() / "models"));
  FormatOptions formats = a.formats;
  if (!own || !a.draft_weights.empty()) formats.weights = a.draft_weights;
  return Draft{model, formats_from(formats, model, machine), a.draft_tokens, *a.acceptance, own};
}

/// Assumed if none is stated; the answer says so.
constexpr double kUsualContext = 1024;

bool states_nothing(const PredictArguments& a) {
  return !a.prompt && !a.output && !a.context;
}

Question question_from(const PredictArguments& a) {
  if (a.model.empty()) throw std::invalid_argument("name a model, such as llama-3.1-8b");
  if (a.machine.empty()) throw std::invalid_argument("name a machine with --machine");
  const Model model = load_model(resolve_model(a.model, base::data_folder() / "models"));
  const System system = system_from(a);
  Question question{
      .model = model, .formats = formats_from(a.formats, model, system.machine), .system = system};
  question.batch = a.batch;
  question.prompt = a.prompt;
  question.output = a.output.value_or(0);
  question.context = a.context;
  if (states_nothing(a)) question.context = kUsualContext;
  question.continuous = a.continuous;
  question.memory_fraction = a.memory_fraction;
  question.draft = draft_from(a, model, system.machine);
  add_expectation(a, question);
  question.energy = measured_energy_costs(system.machine, base::data_folder());
  question.board_watts = stated_costs(system.machine.id, base::data_folder()).watts;
  return question;
}

void draw(const Question& question, const PassTime& pass, const std::string& title) {
  constexpr int kColumns = 80;
  constexpr int kRows = 22;
  std::printf("\n");
  std::fputs(
      draw_terminal(chart_of_pass(question, pass, title), kColumns, kRows, base::locale_is_utf8())
          .c_str(),
      stdout);
}

void predict(const PredictArguments& a, int& exit_code) {
  const Question question = question_from(a);
  const Answer result = answer(question);
  if (states_nothing(a)) {
    std::printf(
        "A context of %g tokens is assumed: state yours with --context, or a request\n"
        "with --prompt and --output.\n\n",
        kUsualContext);
  }
  print_answer(question, result);
  if (a.chart) {
    if (result.prefill) draw(question, *result.prefill, "Prefill");
    draw(question, result.decode, "Decode step");
  }
  if (!a.json_file.empty()) base::write_file_atomically(a.json_file, answer_json(question, result));
  if (!a.csv_file.empty()) base::write_file_atomically(a.csv_file, answer_csv(result));
  if (!fits(question, result)) {
    constexpr int kDoesNotFit = 3;
    exit_code = kDoesNotFit;
    std::fflush(stdout);
    std::fprintf(stderr,
                 "roofline: this does not fit into the memory of %s; use more ranks (--tp), a "
                 "smaller format, batch or context\n",
                 question.system.machine.name.c_str());
  }
}

Parameter parameter(const PredictArguments& a, const char* name, const std::optional<double>& given,
                    Origin default_value) {
  const bool fitted = std::find(a.fitted.begin(), a.fitted.end(), name) != a.fitted.end();
  if (given && fitted) {
    throw std::invalid_argument(std::string("--fitted names ") + name + ", which is also given");
  }
  if (given) return {Origin::kGiven, *given};
  if (fitted) return {Origin::kFitted, 0};
  return {a.fitted.empty() ? default_value : Origin::kMeasured, 0};
}

FitChoice choice_from(const PredictArguments& a) {
  FitChoice choice;
  choice.weights = parameter(a, "weights", a.weight_efficiency, Origin::kMeasured);
  choice.kv = parameter(a, "kv", a.kv_efficiency, Origin::kFitted);
  choice.compute = parameter(a, "compute", a.compute_efficiency, Origin::kMeasured);
  std::optional<double> layer_cost;
  if (!a.layer_cost.empty()) layer_cost = parse_quantity_as(a.layer_cost, kSeconds);
  choice.per_layer = parameter(a, "layer", layer_cost, Origin::kFitted);
  // Only whole models have a cost per layer: if it is neither fitted nor given, there is none.
  if (choice.per_layer.origin == Origin::kMeasured) choice.per_layer = {Origin::kGiven, 0};
  return choice;
}

/// The rows that measure efficiencies: from the file named for that purpose, else from the file
/// itself, else the published ones.
std::vector<MeasuredRow> kernel_rows(const PredictArguments& a,
                                     const std::vector<MeasuredRow>& rows) {
  if (!a.kernel_file.empty()) return read_rows(a.kernel_file);
  if (std::any_of(rows.begin(), rows.end(), is_kernel_row)) return rows;
  const std::filesystem::path published = base::data_folder() / "measured" / "llm_measured.csv";
  print_paragraph("The rows hold no kernels: those of " + published.string() +
                  " measure what is not fitted.");
  return read_rows(published);
}

void calibrate_or_validate(const PredictArguments& a) {
  if (!a.json_file.empty() && a.fit_file.empty()) {
    throw std::invalid_argument("--json holds the calibrations of --fit; --validate writes --csv");
  }
  if (!a.csv_file.empty() && a.validate_file.empty()) {
    throw std::invalid_argument("--csv holds the rows of --validate; --fit writes --json");
  }
  Machines machines(machine_folder());
  if (!a.machine.empty()) {
    machines.add("this", load_machine(resolve_machine(a.machine, machine_folder())));
  }
  const std::filesystem::path models = base::data_folder() / "models";
  const Names names(base::data_folder() / "measured" / "names.csv");
  const Library library{names, models, machines};
  const FitChoice choice = choice_from(a);
  std::vector<Calibration> calibrations;
  if (!a.calibration_file.empty()) calibrations = read_calibrations(a.calibration_file);
  if (!a.fit_file.empty()) {
    const auto rows = read_rows(a.fit_file);
    calibrations = calibrate_groups(rows, kernel_rows(a, rows), library, choice);
    if (calibrations.empty()) {
      throw std::runtime_error(a.fit_file +
                               ": no group has enough rows to fit; --validate says why");
    }
    print_calibrations(calibrations);
    if (!a.json_file.empty())
      base::write_file_atomically(a.json_file, calibrations_json(calibrations));
  }
  if (!a.validate_file.empty()) {
    const auto rows = read_rows(a.validate_file);
    Validation result = calibrations.empty() ? validate(rows, kernel_rows(a, rows), library, choice)
                                             : validate_with(calibrations, rows, library);
    add_expectations(result, load_expectations(base::data_folder() / "expected"));
    print_validation(result);
    if (!a.csv_file.empty()) base::write_file_atomically(a.csv_file, validation_csv(result));
  }
}

void add_system(CLI::App& command, PredictArguments& a) {
  command.option_defaults()->group("What real machines reach");
  command.add_option("--engine", a.engine,
                     "Whose kernels are expected: serving (default), pytorch, compiled, llama.cpp; "
                     "none for the bound alone");
  command.add_option("--tp", a.ranks, "Ranks of tensor parallelism");
  command.add_option("--allreduce-latency", a.all_reduce_latency,
                     "Latency of one call, such as 6us");
  command.add_option("--allreduce-bandwidth", a.all_reduce_bandwidth,
                     "Bandwidth, such as '300 GB/s'");
  command.add_option("--weight-efficiency", a.weight_efficiency,
                     "Fraction of the bandwidth, 0 to 1");
  command.add_option("--kv-efficiency", a.kv_efficiency, "Fraction of the bandwidth, 0 to 1");
  command.add_option("--compute-efficiency", a.compute_efficiency, "Fraction of the peak, 0 to 1");
  command
      .add_option("--launch", a.launch, "kernel: one launch per kernel; graph: one launch per step")
      ->check(CLI::IsMember({"kernel", "graph"}));
  command.add_option("--launch-cost", a.launch_cost,
                     "Cost of one launch (default: as measured on the machine)");
  command.add_option("--layer-cost", a.layer_cost, "Extra cost of a layer, such as 40us");
  command.add_option("--calibration", a.calibration_file, "Written by --fit ... --json FILE");
  command.add_option("--group", a.group, "Which calibration of the file");
}

void add_speculation(CLI::App& command, PredictArguments& a) {
  command.option_defaults()->group("Speculative decoding");
  command.add_option("--draft", a.draft,
                     "Model that drafts; mtp: the model's own layers for further tokens");
  command.add_option("--draft-tokens", a.draft_tokens, "Tokens drafted for each verification step");
  command.add_option("--acceptance", a.acceptance,
                     "Probability that a drafted token is kept, 0 to 1");
  command.add_option("--draft-weights", a.draft_weights, "Format of its weights");
}

void add_calibration(CLI::App& command, PredictArguments& a) {
  command.option_defaults()->group("Calibration (no model is named then)");
  command.add_option("--fit", a.fit_file, "Rows to calibrate with (CSV)");
  command.add_option("--validate", a.validate_file,
                     "Rows to check against (CSV): predicted with --fit or --calibration, or "
                     "else each row from the others");
  command.add_option(
      "--kernels", a.kernel_file,
      "Rows of single kernels, for what is not fitted (default: those in the same file)");
  command
      .add_option("--fitted", a.fitted,
                  "Which of weights, kv, compute, layer are fitted (default: kv,layer); the others "
                  "come from kernel rows or from options")
      ->delimiter(',')
      ->check(CLI::IsMember({"weights", "kv", "compute", "layer"}));
}

}  // namespace

void add_predict_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "predict", "Predict LLM inference on a machine (exit code 3: it does not fit the memory)");
  auto a = std::make_shared<PredictArguments>();
  command->add_option("model", a->model, "Id of a model, or a Hugging Face config.json");
  command->add_option("--machine", a->machine, "Id of a machine, or a file of roofline measure");
  command->add_option("--batch", a->batch, "Sequences at once");
  command->add_option("--prompt", a->prompt,
                      "Tokens of the prompt; also predicts the time to first token");
  command->add_option("--output", a->output, "Tokens generated after the prompt");
  command->add_option("--context", a->context,
                      "Context of the decode step, in tokens (default: prompt + output / 2; "
                      "1024 without a prompt)");
  command->add_flag("--continuous", a->continuous,
                    "Continuous batching: other prompts' prefill slows down decode");
  command->add_option("--memory-fraction", a->memory_fraction, "Usable fraction of the memory");
  command->add_flag("--chart", a->chart, "Draw the operators on the roofline");
  command->add_option("--json", a->json_file, "Write the result as JSON to this file");
  command->add_option("--csv", a->csv_file, "Write the operators (or validated rows) as CSV");
  add_format_options(*command, a->formats);
  add_system(*command, *a);
  add_speculation(*command, *a);
  add_calibration(*command, *a);
  command->callback([a, &exit_code] {
    if (a->fit_file.empty() && a->validate_file.empty()) return predict(*a, exit_code);
    if (!a->model.empty()) {
      throw std::invalid_argument("--fit and --validate take the models from their rows");
    }
    calibrate_or_validate(*a);
  });
}

}  // namespace roofline::program
