// SPDX-License-Identifier: MIT
// `roofline serve`: requests that arrive, wait, are batched and answered, simulated.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/program.hpp"
#include "commands.hpp"
#include "format_options.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/energy_use.hpp"
#include "roofline/measurement.hpp"
#include "roofline/serve/deployment.hpp"
#include "roofline/units.hpp"
#include "tables/paragraph.hpp"
#include "tables/serve_tables.hpp"

namespace roofline::program {
namespace {

using namespace serve;

struct Arguments {
  std::string model, engine;
  std::vector<std::string> machines;
  FormatOptions formats;
  std::vector<std::string> weights;
  std::vector<int> tensor = {1}, pipeline = {1}, experts = {1}, data = {1};
  std::vector<std::int64_t> batches = {256}, chunks = {2048};
  bool whole_prompts = false;
  std::int64_t block = 16;
  std::optional<std::int64_t> blocks;
  bool prefix_cache = false;
  double memory_fraction = 0.9;
  std::string draft, draft_weights;
  int draft_tokens = 0;
  double acceptance = 0;
  int decode_instances = 0;
  std::string decode_machine;
  int decode_tensor = 0;
  std::string transfer_bandwidth = "50 GB/s", transfer_latency = "1ms";
  std::vector<double> rates;
  std::vector<std::int64_t> users = {0};
  bool steady = false;
  std::int64_t requests = 1000;
  std::string prompt = "1024", output = "256", trace;
  double speed_up = 1;
  std::int64_t prefix_groups = 0, prefix = 0;
  std::uint64_t seed = 1;
  std::string first_limit, token_limit, whole_limit;
  std::optional<double> price, power, idle_power;
  bool sweep = false, memory = false;
  double part = 0.99;
  std::string json_file, csv_file, requests_file, svg_file, html_file;
};

Limits limits_from(const Arguments& a) {
  Limits limits;
  if (!a.first_limit.empty())
    limits.time_to_first_token = parse_quantity_as(a.first_limit, kSeconds);
  if (!a.token_limit.empty())
    limits.time_per_output_token = parse_quantity_as(a.token_limit, kSeconds);
  if (!a.whole_limit.empty()) limits.end_to_end = parse_quantity_as(a.whole_limit, kSeconds);
  return limits;
}

/// As stated, else those of data/expected/power.csv.
Prices prices_of(const Arguments& a, const std::string& machine) {
  Prices prices;
  const llm::StatedCosts stated = llm::stated_costs(machine, base::data_folder());
  prices.dollars_per_hour = a.price ? a.price : stated.dollars_per_hour;
  prices.watts = a.power ? a.power : stated.watts;
  prices.idle_watts = a.idle_power;
  return prices;
}

/// One of the configurations that the listed values give.
struct Choice {
  std::string machine, weights;
  int tensor = 1, pipeline = 1, experts = 1, data = 1;
  std::int64_t batch = 256, chunk = 2048, users = 0;
  double rate = 1;
};

std::vector<Request> requests_of(const Arguments& a, const Choice& choice) {
  if (!a.trace.empty()) return read_trace(a.trace, a.speed_up);
  Workload workload;
  workload.requests_per_second = choice.rate;
  workload.burstiness = a.steady ? 0 : 1;
  workload.prompt = parse_lengths(a.prompt);
  workload.output = parse_lengths(a.output);
  workload.prefix_groups = a.prefix_groups;
  workload.prefix = a.prefix;
  workload.requests = a.requests;
  workload.seed = a.seed;
  return draw_requests(workload);
}

struct Prepared {
  Deployment deployment;
  std::string machine;
  std::vector<std::string> remarks;
};

Group group_of(const std::string& machine, int tensor, const Arguments& a, Prepared& prepared) {
  const llm::ExpectationData data = llm::load_expectations(base::data_folder() / "expected");
  const llm::Engine& engine =
      a.engine.empty() ? data.engines.front() : llm::find_engine(data, a.engine);
  llm::System bare{.machine = load_machine(resolve_machine(machine, machine_folder())),
                   .ranks = tensor};
  const llm::ExpectedSystem expected = llm::expected_system(bare, engine, data);
  prepared.remarks.insert(prepared.remarks.end(), expected.remarks.begin(), expected.remarks.end());
  return {.system = expected.system, .spread = {}, .instances = 1};
}

Prepared prepare(const Arguments& a, const Choice& choice) {
  Prepared prepared;
  Deployment& deployment = prepared.deployment;
  const auto models = base::data_folder() / "models";
  deployment.model = llm::load_model(llm::resolve_model(a.model, models));
  deployment.group = group_of(choice.machine, choice.tensor, a, prepared);
  deployment.group.spread = {choice.pipeline, choice.experts};
  deployment.group.instances = choice.data;
  const Machine& machine = deployment.group.system.machine;
  prepared.machine = machine.id;
  FormatOptions formats = a.formats;
  formats.weights = choice.weights;
  deployment.formats = formats_from(formats, deployment.model, machine);
  Scheduler& scheduler = deployment.scheduler;
  scheduler.most_sequences = choice.batch;
  scheduler.most_tokens = choice.chunk;
  scheduler.chunked = !a.whole_prompts;
  scheduler.block_tokens = a.block;
  scheduler.blocks = a.blocks;
  scheduler.prefix_cache = a.prefix_cache;
  if (!a.draft.empty()) {
    if (a.draft_tokens < 1) throw std::invalid_argument("--draft needs --draft-tokens");
    deployment.draft = llm::load_model(llm::resolve_model(a.draft, models));
    formats.weights = a.draft_weights;
    deployment.draft_formats = formats_from(formats, *deployment.draft, machine);
  }
  scheduler.draft_tokens = a.draft_tokens;
  scheduler.acceptance = a.acceptance;
  if (a.decode_instances > 0) {
    prepared.remarks.clear();
    const std::string& other = a.decode_machine.empty() ? choice.machine : a.decode_machine;
    deployment.decode =
        group_of(other, a.decode_tensor > 0 ? a.decode_tensor : choice.tensor, a, prepared);
    deployment.decode->instances = a.decode_instances;
    deployment.transfer = {parse_quantity_as(a.transfer_latency, kSeconds),
                           parse_quantity_as(a.transfer_bandwidth, kBytesPerSecond), 0};
  }
  deployment.memory_fraction = a.memory_fraction;
  deployment.most_in_flight = choice.users;
  return prepared;
}

struct Result {
  std::vector<Request> requests;
  Run run;
  Summary summary;
  std::vector<std::string> remarks;
};

Result serve_one(const Arguments& a, const Choice& choice) {
  Result result;
  const Prepared prepared = prepare(a, choice);
  result.remarks = prepared.remarks;
  result.requests = requests_of(a, choice);
  const System system = system_of(prepared.deployment, longest_of(result.requests));
  result.run = simulate(result.requests, system, a.seed);
  result.summary = summarize_run(result.requests, result.run, system, limits_from(a),
                                 prices_of(a, prepared.machine), prepared.deployment.gpus());
  return result;
}

void add_label(std::string& label, bool several, const std::string& text) {
  if (several) label += (label.empty() ? "" : ", ") + text;
}

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

/// What distinguishes a choice from the others of the sweep.
std::string label_of(const Arguments& a, const Choice& c) {
  std::string label;
  add_label(label, a.machines.size() > 1, c.machine);
  add_label(label, a.weights.size() > 1, c.weights);
  add_label(label, a.tensor.size() > 1, "tp " + std::to_string(c.tensor));
  add_label(label, a.pipeline.size() > 1, "pp " + std::to_string(c.pipeline));
  add_label(label, a.experts.size() > 1, "ep " + std::to_string(c.experts));
  add_label(label, a.data.size() > 1, "dp " + std::to_string(c.data));
  add_label(label, a.batches.size() > 1, "batch " + std::to_string(c.batch));
  add_label(label, a.chunks.size() > 1, "chunk " + std::to_string(c.chunk));
  add_label(label, a.users.size() > 1,
            std::to_string(c.users) + (c.users == 1 ? " user" : " users"));
  add_label(label, a.rates.size() > 1, number_text(c.rate) + "/s");
  return label.empty() ? c.machine : label;
}

std::vector<Choice> choices_of(const Arguments& a) {
  std::vector<Choice> all = {Choice{}};
  const auto each = [&all](const auto& values, auto member) {
    std::vector<Choice> more;
    for (const Choice& choice : all) {
      for (const auto& value : values) {
        more.push_back(choice);
        more.back().*member = value;
      }
    }
    all = std::move(more);
  };
  each(a.machines, &Choice::machine);
  each(a.weights.empty() ? std::vector<std::string>{""} : a.weights, &Choice::weights);
  each(a.tensor, &Choice::tensor);
  each(a.pipeline, &Choice::pipeline);
  each(a.experts, &Choice::experts);
  each(a.data, &Choice::data);
  each(a.batches, &Choice::batch);
  each(a.chunks, &Choice::chunk);
  each(a.users, &Choice::users);
  each(a.rates.empty() ? std::vector<double>{1e6} : a.rates, &Choice::rate);
  return all;
}

void check(const Arguments& a) {
  if (a.model.empty()) throw std::invalid_argument("name a model, such as llama-3.1-8b");
  if (a.machines.empty()) throw std::invalid_argument("name a machine with --machine");
  const bool users = a.users.size() > 1 || a.users.front() > 0;
  if (a.rates.empty() && !users && a.trace.empty()) {
    throw std::invalid_argument(
        "say how requests come: --rate N a second, --users N who wait for their answers, or "
        "--trace FILE");
  }
  if (!a.trace.empty() && !a.rates.empty()) {
    throw std::invalid_argument("--trace has its own times; --speed-up changes them, not --rate");
  }
  if (a.draft.empty() && (a.draft_tokens != 0 || a.acceptance != 0)) {
    throw std::invalid_argument("--draft-tokens and --acceptance need --draft, the model");
  }
  if (a.prefix_groups > 0 && a.prefix < 1) {
    throw std::invalid_argument("--prefix-groups needs --prefix-tokens");
  }
  if (!a.sweep && choices_of(a).size() > 1) {
    throw std::invalid_argument("several values of an option need --sweep");
  }
  if (!a.sweep && (!a.svg_file.empty() || !a.html_file.empty())) {
    throw std::invalid_argument("--svg and --html hold the chart of --sweep");
  }
  if (a.sweep && (!a.json_file.empty() || !a.requests_file.empty() || a.memory)) {
    throw std::invalid_argument(
        "--json, --requests-csv and --memory are of one run; --sweep writes --csv, --svg, --html");
  }
  if (!a.sweep && !a.csv_file.empty()) {
    throw std::invalid_argument("--csv holds the points of --sweep; --requests-csv the requests");
  }
}

void run_sweep(const Arguments& a) {
  std::vector<Trial> trials;
  for (const Choice& choice : choices_of(a)) {
    trials.push_back({label_of(a, choice), [&a, choice] { return serve_one(a, choice).summary; }});
  }
  const std::vector<Point> points = sweep(trials);
  const std::string title = a.model + ": what a user gets against what a GPU gives";
  std::printf("%s, %zu configurations\n\n", a.model.c_str(), points.size());
  const Limits limits = limits_from(a);
  print_sweep(points, a.part,
              limits.time_to_first_token || limits.time_per_output_token || limits.end_to_end);
  if (!a.csv_file.empty()) base::write_file_atomically(a.csv_file, sweep_csv(points));
  if (!a.svg_file.empty()) base::write_file_atomically(a.svg_file, frontier_svg(points, title));
  if (!a.html_file.empty()) base::write_file_atomically(a.html_file, frontier_html(points, title));
}

void run_one(const Arguments& a) {
  const Result result = serve_one(a, choices_of(a).front());
  std::printf("%s on %s, %lld requests\n", a.model.c_str(), a.machines.front().c_str(),
              static_cast<long long>(result.summary.requests));
  for (const std::string& remark : result.remarks) print_paragraph(remark);
  std::printf("\n");
  print_summary(result.summary, limits_from(a));
  if (a.memory) print_memory_over_time(result.run);
  if (!a.json_file.empty()) {
    base::write_file_atomically(a.json_file, summary_json(result.summary, result.run));
  }
  if (!a.requests_file.empty()) {
    base::write_file_atomically(a.requests_file, requests_csv(result.requests, result.run));
  }
}

void add_workload(CLI::App& command, Arguments& a) {
  const std::string group = "Requests";
  command.add_option("--rate", a.rates, "Requests a second")->delimiter(',')->group(group);
  command.add_option("--users", a.users, "As many at once; each waits for its answer")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  command.add_flag("--steady", a.steady, "Equal times between arrivals, not Poisson")->group(group);
  command.add_option("--requests", a.requests, "How many")->group(group);
  command
      .add_option("--prompt", a.prompt,
                  "Tokens: 1024, uniform:100:900, exponential:300, lognormal:1000:0.8")
      ->group(group);
  command.add_option("--output", a.output, "Tokens, the same way")->group(group);
  command.add_option("--trace", a.trace, "Arrivals and lengths from a CSV file")->group(group);
  command.add_option("--speed-up", a.speed_up, "Of the trace's clock")->group(group);
  command.add_option("--prefix-tokens", a.prefix, "That begin the prompts of a group")
      ->group(group);
  command.add_option("--prefix-groups", a.prefix_groups, "How many groups")->group(group);
  command.add_option("--seed", a.seed, "Of all that is drawn")->group(group);
}

void add_engine(CLI::App& command, Arguments& a) {
  const std::string group = "Engine";
  command.add_option("--engine", a.engine, "Whose kernels, as of roofline predict")->group(group);
  command.add_option("--batch", a.batches, "Most sequences at once")->delimiter(',')->group(group);
  command.add_option("--chunk", a.chunks, "Most new tokens in a step")
      ->delimiter(',')
      ->group(group);
  command.add_flag("--whole-prompts", a.whole_prompts, "Prefill in steps of its own, uncut")
      ->group(group);
  command.add_flag("--prefix-cache", a.prefix_cache, "Keep beginnings that prompts share")
      ->group(group);
  command.add_option("--block", a.block, "Tokens of a block of the cache")->group(group);
  command.add_option("--blocks", a.blocks, "Of the cache; else as the memory holds")->group(group);
  command.add_option("--memory-fraction", a.memory_fraction, "Usable part of the memory")
      ->group(group);
  command.add_option("--draft", a.draft, "Model that drafts tokens")->group(group);
  command.add_option("--draft-weights", a.draft_weights, "Format of its weights")->group(group);
  command.add_option("--draft-tokens", a.draft_tokens, "Drafted for each check")->group(group);
  command.add_option("--acceptance", a.acceptance, "Probability, 0 to 1")->group(group);
}

void add_machines(CLI::App& command, Arguments& a) {
  const std::string group = "GPUs";
  command.add_option("--machine", a.machines, "Id of a machine, or a file of roofline measure")
      ->delimiter(',')
      ->group(group);
  command.add_option("--tp", a.tensor, "Ranks of tensor parallelism")->delimiter(',')->group(group);
  command.add_option("--pp", a.pipeline, "Stages of a pipeline")->delimiter(',')->group(group);
  command.add_option("--ep", a.experts, "Ranks that share the experts")
      ->delimiter(',')
      ->group(group);
  command.add_option("--dp", a.data, "Copies of all that")->delimiter(',')->group(group);
  command
      .add_option("--decode-instances", a.decode_instances,
                  "GPUs apart that only decode; the others only prefill")
      ->group(group);
  command.add_option("--decode-machine", a.decode_machine, "Theirs; as --machine")->group(group);
  command.add_option("--decode-tp", a.decode_tensor, "Theirs; as --tp")->group(group);
  command.add_option("--transfer-bandwidth", a.transfer_bandwidth, "Of the cache between them")
      ->group(group);
  command.add_option("--transfer-latency", a.transfer_latency, "Of the same")->group(group);
}

void add_results(CLI::App& command, Arguments& a) {
  const std::string group = "Limits, prices, results";
  command.add_option("--ttft-limit", a.first_limit, "Time to first token, such as 500ms")
      ->group(group);
  command.add_option("--tpot-limit", a.token_limit, "Time per output token")->group(group);
  command.add_option("--answer-limit", a.whole_limit, "End to end")->group(group);
  command.add_option("--attain", a.part, "Part of the requests that must keep them")
      ->check(CLI::Range(0.0, 1.0))
      ->group(group);
  command.add_option("--price", a.price, "Dollars an hour and GPU")->group(group);
  command.add_option("--power", a.power, "Watts of a GPU while a step runs")->group(group);
  command.add_option("--idle-power", a.idle_power, "Watts between steps; 0 if not stated")
      ->group(group);
  command.add_flag("--memory", a.memory, "Show cache and queue over time")->group(group);
  command.add_flag("--sweep", a.sweep, "Every combination of the values that are listed")
      ->group(group);
  command.add_option("--json", a.json_file, "Write the run as JSON")->group(group);
  command.add_option("--requests-csv", a.requests_file, "Write every request")->group(group);
  command.add_option("--csv", a.csv_file, "Write the points of the sweep")->group(group);
  command.add_option("--svg", a.svg_file, "Write its chart")->group(group);
  command.add_option("--html", a.html_file, "Write its chart as a page")->group(group);
}

}  // namespace

void add_serve_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("serve", "Simulate the serving of requests on machines");
  auto a = std::make_shared<Arguments>();
  command->add_option("model", a->model, "Id of a model, or a Hugging Face config.json");
  add_workload(*command, *a);
  add_machines(*command, *a);
  add_engine(*command, *a);
  add_results(*command, *a);
  const std::string formats = "Formats (bf16, fp8, int4/128, fp4/32:8, q4_0, 4.9bit)";
  command->add_option("--weights", a->weights, "Of matrices; as the model's file says")
      ->delimiter(',')
      ->group(formats);
  command->add_option("--experts", a->formats.experts, "Of routed experts; as --weights")
      ->group(formats);
  command->add_option("--kv", a->formats.kv, "Of keys and values; as the activations")
      ->group(formats);
  command->callback([a] {
    check(*a);
    a->sweep ? run_sweep(*a) : run_one(*a);
  });
}

}  // namespace roofline::program
