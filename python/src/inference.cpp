// SPDX-License-Identifier: MIT
// Models, memory and predicted times of LLM inference for Python.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <limits>

#include "bindings.hpp"
#include "roofline/llm/calibration.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/energy_use.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/question.hpp"

namespace rooflinelabs {

namespace py = pybind11;
using namespace py::literals;
using namespace roofline;
using namespace roofline::llm;

namespace {

// As in `roofline predict`: the bound does without an all-reduce that is not stated.
void expect(Question& question, const std::filesystem::path& folder, const std::string& engine) {
  const ExpectationData data = load_expectations(folder);
  const Engine& chosen = engine.empty() ? data.engines.front() : find_engine(data, engine);
  question.expected = expected_system(question.system, chosen, data);
  if (question.system.ranks > 1 && !question.system.all_reduce) {
    AllReduce none;
    none.bytes_per_second = std::numeric_limits<double>::max();
    question.system.all_reduce = none;
    question.expected->remarks.push_back("the bound counts no collectives between the ranks");
  }
}

void bind_model(py::module_& module) {
  py::class_<Model>(module, "Model", "A transformer's architecture.")
      .def_readonly("name", &Model::name, "Name.")
      .def_readonly("architecture", &Model::architecture, "model_type of its config.json.")
      .def_readonly("hidden", &Model::hidden, "Width of the residual stream.")
      .def_readonly("vocabulary", &Model::vocabulary, "Tokens.")
      .def_readonly("max_positions", &Model::max_positions, "Longest context, tokens.")
      .def_readonly("stored_as", &Model::stored_as, "torch_dtype.")
      .def_readonly("notes", &Model::notes, "What was derived when the file was read.")
      .def_property_readonly("layer_count", &Model::layer_count, "Layers.")
      .def_property_readonly(
          "parameters", [](const Model& model) { return count_parameters(model).total(); },
          "All parameters.")
      .def_property_readonly(
          "active_parameters",
          [](const Model& model) { return count_active_parameters(model).total(); },
          "Parameters that one token uses.");
  module.def("load_model", &load_model, "file"_a, "A model from a Hugging Face config.json.");
  module.def(
      "resolve_model",
      [](const std::string& name, const std::filesystem::path& folder) {
        return resolve_model(name, folder);
      },
      "name_or_path"_a, "folder"_a, "The file of a model by id, or a path as given.");
  module.def("model_files", &model_files, "folder"_a, "Model files of a folder.");
}

void bind_formats(py::module_& module) {
  py::class_<Format>(module, "Format", "How one element is stored.")
      .def_readonly("name", &Format::name, "As it was written.")
      .def_readonly("bits_per_element", &Format::bits_per_element, "Bits, scales included.");
  module.def(
      "parse_format", [](const std::string& text) { return parse_format(text); }, "text"_a,
      "A storage format: 'bf16', 'int4/128', 'fp4/32:8', 'q4_0', '4.9bit'.");
  module.def("plain_format", &plain_format, "precision"_a, "A precision without scales.");
  py::class_<Formats>(module, "Formats", "How a model is stored and computed.")
      .def_readwrite("weights", &Formats::weights, "Format of matrices.")
      .def_readwrite("experts", &Formats::experts, "Format of routed experts' matrices.")
      .def_readwrite("head", &Formats::head, "Format of embedding and output head.")
      .def_readwrite("kv", &Formats::kv, "Format of keys and values.")
      .def_readwrite("activations", &Formats::activations, "Precision of activations.")
      .def_readwrite("arithmetic", &Formats::arithmetic, "Precision of products with weights.")
      .def_readwrite("attention_arithmetic", &Formats::attention_arithmetic,
                     "Precision of attention.");
  module.def("stored_formats", &stored_formats, "model"_a, "Everything as the file stores it.");
  module.def(
      "choose_formats",
      [](const Model& model, const Machine& machine, const std::optional<Format>& weights,
         const std::optional<Format>& experts, const std::optional<Format>& head,
         const std::optional<Format>& kv, const std::optional<Precision>& activations,
         const std::optional<Precision>& arithmetic,
         const std::optional<Precision>& attention_arithmetic) {
        FormatChoice choice;
        choice.weights = weights;
        choice.experts = experts;
        choice.head = head;
        choice.kv = kv;
        choice.activations = activations;
        choice.arithmetic = arithmetic;
        choice.attention_arithmetic = attention_arithmetic;
        return choose_formats(model, machine, choice);
      },
      "model"_a, "machine"_a, "weights"_a = py::none(), "experts"_a = py::none(),
      "head"_a = py::none(), "kv"_a = py::none(), "activations"_a = py::none(),
      "arithmetic"_a = py::none(), "attention_arithmetic"_a = py::none(),
      "The formats of a run; what is not stated follows from model and machine.");
  module.def("weight_bytes", &weight_bytes, "model"_a, "formats"_a, "Bytes of all weights, B.");
  module.def("streamed_weight_bytes", &streamed_weight_bytes, "model"_a, "formats"_a, "tokens"_a,
             "Bytes of weights that a step over `tokens` tokens streams, B.");
  module.def("kv_bytes_per_token",
             py::overload_cast<const Model&, const Formats&>(&kv_bytes_per_token), "model"_a,
             "formats"_a, "Cache bytes that one token adds, B.");
  module.def("kv_bytes", &kv_bytes, "model"_a, "formats"_a, "context"_a,
             "Cache bytes of one sequence of `context` tokens, B.");
  module.def("decode_floor_seconds", &decode_floor_seconds, "model"_a, "formats"_a, "batch"_a,
             "context"_a, "bytes_per_second"_a,
             "Streamed weights and cache over the bandwidth (B/s), s.");
}

void bind_system(py::module_& module) {
  py::class_<Efficiencies>(module, "Efficiencies", "The part of a roof that kernels reach.")
      .def(py::init<>())
      .def_readwrite("weights", &Efficiencies::weights,
                     "Fraction of the bandwidth for weights, 0 to 1.")
      .def_readwrite("kv", &Efficiencies::kv, "Fraction of the bandwidth for the cache, 0 to 1.")
      .def_readwrite("compute", &Efficiencies::compute, "Fraction of the peak, 0 to 1.");
  py::class_<AllReduce>(module, "AllReduce", "Cost of an all-reduce.")
      .def(py::init([](double latency, double rate) {
             AllReduce cost;
             cost.latency_seconds = latency;
             cost.bytes_per_second = rate;
             return cost;
           }),
           "latency_seconds"_a, "bytes_per_second"_a)
      .def_readonly("latency_seconds", &AllReduce::latency_seconds, "Latency of the whole call, s.")
      .def_readonly("bytes_per_second", &AllReduce::bytes_per_second, "B/s.");
  py::class_<Overheads>(module, "Overheads", "Time that no roof explains.")
      .def_readwrite("per_kernel_seconds", &Overheads::per_kernel_seconds,
                     "Cost of every kernel call, s.")
      .def_readwrite("per_step_seconds", &Overheads::per_step_seconds, "Once per pass, s.")
      .def_readwrite("per_layer_seconds", &Overheads::per_layer_seconds, "Cost of every layer, s.");
  py::class_<System>(module, "System", "Machines that work on one model.")
      .def(py::init([](const Machine& machine) {
             System system;
             system.machine = machine;
             return system;
           }),
           "machine"_a)
      .def_readwrite("machine", &System::machine, "One of `ranks` equal ones.")
      .def_readwrite("ranks", &System::ranks, "Ranks of tensor parallelism.")
      .def_readwrite("all_reduce", &System::all_reduce, "Needed for more than one rank.")
      .def_readwrite("efficiencies", &System::efficiencies, "1 gives the bound.")
      .def_readwrite("overheads", &System::overheads, "0 gives the bound.");
  py::class_<Calibration>(module, "Calibration", "A system's parameters, from measured rows.")
      .def_readonly("group", &Calibration::group, "Rows that it was made from.")
      .def_readonly("efficiencies", &Calibration::efficiencies, "Parts of the roofs.")
      .def_readonly("per_layer_seconds", &Calibration::per_layer_seconds, "s.")
      .def_readonly("all_reduce", &Calibration::all_reduce, "None if not measured.");
  module.def("read_calibration", &read_calibration, "file"_a, "group"_a = "",
             "A calibration of the file that `roofline predict --fit ... --json` wrote.");
}

void bind_times(py::module_& module) {
  py::class_<OperatorTime>(module, "OperatorTime", "An operator's time, of all its calls.")
      .def_property_readonly(
          "name", [](const OperatorTime& timed) { return timed.op.name; }, "Name.")
      .def_property_readonly(
          "calls", [](const OperatorTime& timed) { return timed.op.calls; }, "Number of calls.")
      .def_property_readonly(
          "flops", [](const OperatorTime& timed) { return timed.op.flops; },
          "Work of one call, FLOP.")
      .def_property_readonly(
          "bytes", [](const OperatorTime& timed) { return timed.op.bytes(); },
          "Traffic of one call, B.")
      .def_readonly("seconds", &OperatorTime::seconds, "Time of all calls, s.")
      .def_readonly("compute_seconds", &OperatorTime::compute_seconds, "At the peak, s.")
      .def_readonly("memory_seconds", &OperatorTime::memory_seconds, "At the bandwidth, s.")
      .def_readonly("intensity", &OperatorTime::intensity, "FLOP/B.")
      .def_readonly("bound", &OperatorTime::bound, "What limits it.");
  py::class_<PassTime>(module, "PassTime", "The time of one forward pass.")
      .def_readonly("operators", &PassTime::operators, "In order of execution.")
      .def_readonly("operator_seconds", &PassTime::operator_seconds,
                    "Sum over operators of max(compute, memory), s.")
      .def_readonly("collective_seconds", &PassTime::collective_seconds, "All-reduces, s.")
      .def_readonly("overhead_seconds", &PassTime::overhead_seconds, "Overheads, s.")
      .def_readonly("max_of_sums_seconds", &PassTime::max_of_sums_seconds,
                    "max of the sums, the wrong and lower bound, s.")
      .def_property_readonly("seconds", &PassTime::seconds, "All of it, s.");
  py::class_<MemoryUse>(module, "MemoryUse", "Memory of one rank.")
      .def_readonly("weight_bytes", &MemoryUse::weight_bytes, "B.")
      .def_readonly("kv_bytes", &MemoryUse::kv_bytes, "B.")
      .def_readonly("usable_bytes", &MemoryUse::usable_bytes, "B.")
      .def_readonly("largest_batch", &MemoryUse::largest_batch, "None: the weights do not fit.");
}

void bind_energy(py::module_& module) {
  py::class_<PassWork>(module, "PassWork", "The work of the ranks.")
      .def_readonly("bytes", &PassWork::bytes, "To and from DRAM, B.")
      .def_readonly("vector_flops", &PassWork::vector_flops,
                    "Work of element-wise operators, FLOP.")
      .def_readonly("products", &PassWork::products, "FLOPs of matrix products by precision.")
      .def_readonly("seconds", &PassWork::seconds, "Time of all ranks together, s.");
  py::class_<Joules>(module, "Joules", "An energy and its range.")
      .def_readonly("middle", &Joules::middle, "Median over the measured runs, J.")
      .def_readonly("low", &Joules::low, "J.")
      .def_readonly("high", &Joules::high, "J.");
  py::class_<MeasuredEnergyCosts>(module, "MeasuredEnergyCosts",
                                  "Measured energy costs of a machine.")
      .def_property_readonly(
          "runs", [](const MeasuredEnergyCosts& costs) { return costs.runs.size(); },
          "Number of measurements.");
  module.def(
      "measured_energy_costs", &measured_energy_costs, "machine"_a, "folder"_a,
      "Energy costs of a measured machine, or of the report that the data folder has for it; None "
      "if there are none.");
}

void bind_question(py::module_& module) {
  py::class_<Question>(module, "Question", "A whole question to the predictor.")
      .def(py::init([](const Model& model, const Formats& formats, const System& system) {
             Question question;
             question.model = model;
             question.formats = formats;
             question.system = system;
             return question;
           }),
           "model"_a, "formats"_a, "system"_a)
      .def_readonly("model", &Question::model, "The model.")
      .def_readwrite("formats", &Question::formats, "How it is stored and computed.")
      .def_readwrite("system", &Question::system, "The system that it runs on.")
      .def_readwrite("batch", &Question::batch, "Sequences at once.")
      .def_readwrite("prompt", &Question::prompt, "Tokens; requests the time to first token.")
      .def_readwrite("output", &Question::output, "Tokens generated per sequence.")
      .def_readwrite("context", &Question::context, "Of the decode step, tokens.")
      .def_readwrite("continuous", &Question::continuous, "Continuous batching.")
      .def_readwrite("energy", &Question::energy, "Energy costs; requests joules.")
      .def_readwrite("memory_fraction", &Question::memory_fraction, "Usable part of the memory.");
  py::class_<Times>(module, "Times", "The times of a request on one system.")
      .def_readonly("prefill", &Times::prefill, "None without a prompt.")
      .def_readonly("decode", &Times::decode, "One decode step.")
      .def_readonly("interference_seconds", &Times::interference_seconds,
                    "Prefill of other prompts, per token, s.")
      .def_readonly("time_to_first_token", &Times::time_to_first_token, "s; None without a prompt.")
      .def_readonly("time_per_output_token", &Times::time_per_output_token, "s.")
      .def_readonly("tokens_per_second", &Times::tokens_per_second, "Of the whole batch.")
      .def_readonly("request_seconds", &Times::request_seconds, "None without prompt and output.")
      .def_readonly("token", &Times::token, "Work of one output token, all ranks.")
      .def_readonly("request", &Times::request, "Work of a request; None as request_seconds.");
  py::class_<Answer, Times>(module, "Answer", "The predictor's answer: the bound, and more.")
      .def_readonly("context", &Answer::context, "Of the decode step, tokens.")
      .def_readonly("expected", &Answer::expected, "What an engine is expected to reach, or None.")
      .def_readonly("memory", &Answer::memory, "None if the capacity is not known.")
      .def_readonly("remarks", &Answer::remarks, "Remarks on an unusual question.");
  module.def("expect", &expect, "question"_a, "folder"_a, "engine"_a = "",
             "Asks for what an engine is expected to reach beside the bound; '' is the usual one.");
  module.def("answer", &answer, "question"_a, "Answers a question. ValueError says what is wrong.");
  module.def("joules", &joules, "question"_a, "work"_a,
             "Joules for a part of the work of an answer; None without energy costs.");
  module.def("answer_json", &answer_json, "question"_a, "answer"_a,
             "As `roofline predict --json` writes it.");
  module.def("answer_csv", &answer_csv, "answer"_a, "As `roofline predict --csv` writes it.");
  module.def("chart_of_pass", &chart_of_pass, "question"_a, "pass_time"_a, "title"_a,
             "The operators of a pass on the machine's chart.");
}

}  // namespace

void bind_inference(py::module_& module) {
  bind_model(module);
  bind_formats(module);
  bind_system(module);
  bind_times(module);
  bind_energy(module);
  bind_question(module);
}

}  // namespace rooflinelabs
