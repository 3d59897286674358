// SPDX-License-Identifier: MIT
// Requests to a lab program, and the memory that it works on.
#include "grader/program.hpp"

#include <algorithm>
#include <cstring>

#include "harness/random.hpp"

namespace grader {
namespace {

using harness::Value;

Command serve_command(const std::filesystem::path& path) {
  return {{path.string(), "--serve"}, {}, clean_environment()};
}

harness::Parameter parameter_of(const Value& value) {
  return {value.at(0).integer() != 0, value.at(1).integer() != 0,
          harness::element_from_code(value.at(2).integer())};
}

std::span<const double> numbers(const harness::SharedMemory& memory, std::int64_t offset,
                                std::size_t count) {
  if (offset < 0) return {};
  const auto part = memory.part(static_cast<std::uint64_t>(offset), count * sizeof(double));
  return {reinterpret_cast<const double*>(part.data()), count};
}

}  // namespace

Program::Program(const std::filesystem::path& path, const Limits& limits, Owner owner)
    : name_(path.string()), owner_(owner) {
  if (owner == Owner::kCourse && !std::filesystem::exists(path)) {
    throw std::runtime_error("the course's program " + name_ + " is not built");
  }
  child_ = std::make_unique<Child>(serve_command(path), limits);
}

Program::Program(const Command& command, const Limits& limits)
    : name_(command.arguments.front()), child_(std::make_unique<Child>(command, limits)) {}

Value Program::request(const Value& message, int attached) {
  if (owner_ == Owner::kStudent) return exchange(message, attached);
  // A program that serves a whole class lives longer than any one request may take.
  child_->restart_clock();
  try {
    return exchange(message, attached);
  } catch (const ChildFailure& failure) {
    throw std::runtime_error("the course's program " + name_ + " failed: " + failure.what());
  }
}

Value Program::exchange(const Value& message, int attached) {
  child_->send(message, attached);
  const Value reply = child_->receive(child_->deadline());
  try {
    return checked_reply(reply);
  } catch (const harness::ProtocolError&) {
    throw ChildFailure(Failure::kProtocol, "it sent a reply that makes no sense", child_->output());
  }
}

Value Program::checked_reply(const Value& reply) const {
  const std::string& verb = reply.at(0).text();
  if (verb == "ok") return reply;
  if (verb == "unsolved") {
    std::string exercise = harmless(reply.at(1).text(), 1);
    std::erase(exercise, '\n');
    throw ChildFailure(Failure::kUnsolved, "unsolved: " + exercise);
  }
  if (verb == "error") {
    throw ChildFailure(Failure::kError, harmless(reply.at(1).text()), child_->output());
  }
  throw harness::ProtocolError("unknown reply");
}

double Program::timed_request(const Value& message) {
  const auto start = Clock::now();
  request(message);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Hello Program::hello() {
  const Value reply = request(Value::list("hello", harness::kProtocolVersion));
  try {
    Hello result;
    result.backend = harmless(reply.at(2).text(), 1);
    result.device = reply.at(3).text();
    result.compiler = reply.at(4).text();
    for (const Value& entry : reply.at(5).list()) {
      result.entries.emplace_back(entry.at(0).text(), std::vector<harness::Parameter>{});
      for (const Value& p : entry.at(1).list()) {
        result.entries.back().second.push_back(parameter_of(p));
      }
    }
    for (const Value& function : reply.at(6).list()) {
      result.functions.push_back(function.at(0).text());
    }
    result.free_bytes = reply.at(7).number();
    std::erase(result.backend, '\n');
    return result;
  } catch (const harness::ProtocolError& error) {
    throw ChildFailure(Failure::kProtocol, error.what(), child_->output());
  }
}

ReferenceAnswer Program::answer(const std::string& id,
                                const std::vector<std::pair<std::string, double>>& parameters,
                                const std::filesystem::path& machine_file) {
  Value::List values;
  for (const auto& [name, value] : parameters) values.push_back(Value::list(name, value));
  const Value reply = request(Value::list("answer", id, std::move(values), machine_file.string()));
  return {reply.at(1).number(), reply.at(2).text(), reply.at(3).text()};
}

Problem Program::make_problem(const std::string& truth, std::int64_t n, std::uint64_t seed,
                              bool special_values) {
  const Value reply =
      request(Value::list("task", truth, n, static_cast<std::int64_t>(seed), special_values));
  Problem problem;
  problem.n = n;
  problem.seed = seed;
  problem.flops = reply.at(1).number();
  problem.bytes_moved = reply.at(2).number();
  problem.memory = harness::SharedMemory(static_cast<std::size_t>(reply.at(3).integer()));
  request(Value::list("task-copy"), problem.memory.descriptor());
  for (const Value& item : reply.at(4).list()) {
    ProblemArgument argument;
    argument.is_buffer = item.at(0).text() == "buffer";
    argument.element = harness::element_from_code(item.at(1).integer());
    if (!argument.is_buffer) {
      argument.bits = item.at(2).integer();
      problem.arguments.push_back(argument);
      continue;
    }
    argument.role = static_cast<harness::Role>(item.at(2).integer());
    argument.count = static_cast<std::size_t>(item.at(3).integer());
    if (item.at(4).integer() >= 0) {
      argument.initial = problem.memory.part(static_cast<std::uint64_t>(item.at(4).integer()),
                                             argument.count * size_of(argument.element));
    }
    argument.expected = numbers(problem.memory, item.at(5).integer(), argument.count);
    argument.scale = numbers(problem.memory, item.at(6).integer(), argument.count);
    problem.arguments.push_back(argument);
  }
  return problem;
}

std::vector<Value> Program::call(const std::string& function,
                                 const std::vector<Value>& argument_lists) {
  const Value reply = request(Value::list("call", function, argument_lists));
  try {
    if (reply.at(1).size() == argument_lists.size()) return reply.at(1).list();
  } catch (const harness::ProtocolError&) {
  }
  throw ChildFailure(Failure::kProtocol, "it sent another number of results than asked");
}

Slot::Slot(Program& program, std::int64_t number, const std::string& entry, const Problem& problem)
    : program_(&program), number_(number), problem_(&problem) {
  plan();
  fill(problem.seed + static_cast<std::uint64_t>(problem.n));
  Value::List arguments;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ProblemArgument& argument = problem.arguments[i];
    if (!argument.is_buffer) {
      arguments.push_back(Value::list("scalar", argument.bits));
      continue;
    }
    arguments.push_back(Value::list("buffer", static_cast<std::int64_t>(places_[i].bytes),
                                    static_cast<std::int64_t>(kGuardElements),
                                    static_cast<std::int64_t>(argument.count),
                                    static_cast<std::int64_t>(places_[i].initial),
                                    static_cast<std::int64_t>(places_[i].result)));
  }
  program_->request(Value::list("load", number_, entry, std::move(arguments)),
                    memory_.descriptor());
}

void Slot::plan() {
  std::size_t offset = 0;
  for (const ProblemArgument& argument : problem_->arguments) {
    Place place;
    if (argument.is_buffer) {
      place.bytes = (argument.count + 2 * kGuardElements) * size_of(argument.element);
      const std::size_t step = (place.bytes + 63) / 64 * 64;
      place.initial = offset;
      place.result = offset + step;
      offset += 2 * step;
    }
    places_.push_back(place);
  }
  memory_ = harness::SharedMemory(offset);
}

void Slot::fill(std::uint64_t seed) {
  harness::Random random(seed ^ 0x6775617264U);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ProblemArgument& argument = problem_->arguments[i];
    if (!argument.is_buffer) continue;
    const std::span<std::byte> all = memory_.part(places_[i].initial, places_[i].bytes);
    const std::size_t guard = kGuardElements * size_of(argument.element);
    const std::size_t size = size_of(argument.element);
    // Numbers of everyday size: one added to them shows, which in random bits it often would not.
    for (std::size_t at = 0; at < guard; at += size) {
      harness::write_element(argument.element, random.uniform(-100, 100), &all[at]);
      harness::write_element(argument.element, random.uniform(-100, 100),
                             &all[all.size() - size - at]);
    }
    const std::span<std::byte> content = all.subspan(guard, all.size() - 2 * guard);
    if (!argument.initial.empty()) {
      std::memcpy(content.data(), argument.initial.data(), content.size());
    } else {
      // All bits set is a NaN: an element that nobody wrote can never look right.
      std::fill(content.begin(), content.end(), std::byte{0xff});
    }
  }
}

void Slot::reset() {
  program_->request(Value::list("reset", number_));
}
void Slot::run() {
  program_->request(Value::list("run", Value::list(number_)));
}
void Slot::fetch() {
  program_->request(Value::list("fetch", number_));
}
void Slot::drop() {
  program_->request(Value::list("drop", number_));
}

std::map<std::string, double> Slot::count() {
  const Value reply = program_->request(Value::list("count", number_));
  std::map<std::string, double> counts;
  try {
    for (const Value& item : reply.at(1).list()) counts[item.at(0).text()] = item.at(1).number();
  } catch (const harness::ProtocolError&) {
    throw ChildFailure(Failure::kProtocol, "it sent counts that make no sense");
  }
  return counts;
}

std::string Slot::peek(harness::Random& random, const harness::Tolerance& tolerance) {
  constexpr int kPeeked = 16;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ProblemArgument& argument = problem_->arguments[i];
    if (argument.expected.empty()) continue;
    Value::List elements;
    std::vector<double> should;
    std::vector<double> scale;
    for (int k = 0; k < kPeeked; ++k) {
      const std::int64_t index = random.integer(0, static_cast<std::int64_t>(argument.count) - 1);
      elements.emplace_back(index);
      should.push_back(argument.expected[static_cast<std::size_t>(index)]);
      if (!argument.scale.empty()) scale.push_back(argument.scale[static_cast<std::size_t>(index)]);
    }
    const Value reply = program_->request(
        Value::list("peek", number_, static_cast<std::int64_t>(i), std::move(elements)));
    const std::string bytes = reply.size() > 1 && reply.at(1).is_text() ? reply.at(1).text() : "";
    if (bytes.size() != should.size() * size_of(argument.element)) {
      throw ChildFailure(Failure::kProtocol, "it did not show the elements it was asked for");
    }
    const auto compared = harness::compare(argument.element, std::as_bytes(std::span(bytes)),
                                           should, scale, tolerance);
    if (compared.wrong > 0) {
      return std::to_string(compared.wrong) + " of " + std::to_string(kPeeked) +
             " elements looked at were not right when it said that it was done\n";
    }
  }
  return {};
}

std::span<const std::byte> Slot::result_of(std::size_t index) const {
  return memory_.part(places_[index].result, places_[index].bytes);
}

std::string Slot::name_of(std::size_t index) const {
  return "argument " + std::to_string(index + 1) + " (" +
         std::to_string(problem_->arguments[index].count) + " elements)";
}

std::string Slot::check(const harness::Tolerance& tolerance) const {
  std::string wrong;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!problem_->arguments[i].is_buffer) continue;
    wrong += check_guards(i);
    wrong += check_content(i, tolerance);
  }
  return wrong;
}

std::string Slot::check_guards(std::size_t index) const {
  const auto before = memory_.part(places_[index].initial, places_[index].bytes);
  const auto after = result_of(index);
  const std::size_t size = size_of(problem_->arguments[index].element);
  const std::size_t guard = kGuardElements * size;
  const auto same = [&](std::size_t from) {
    return std::memcmp(before.data() + from, after.data() + from, guard) == 0;
  };
  std::string wrong;
  if (!same(0)) wrong += "the kernel wrote before the first element of " + name_of(index) + "\n";
  if (!same(before.size() - guard)) {
    wrong += "the kernel wrote past the last element of " + name_of(index) + "\n";
  }
  return wrong;
}

std::string Slot::check_content(std::size_t index, const harness::Tolerance& tolerance) const {
  const ProblemArgument& argument = problem_->arguments[index];
  const std::size_t guard = kGuardElements * size_of(argument.element);
  const auto all = result_of(index);
  const auto content = all.subspan(guard, all.size() - 2 * guard);
  if (argument.role == harness::Role::kInput) {
    const bool same = std::equal(content.begin(), content.end(), argument.initial.begin(),
                                 argument.initial.end());
    return same ? "" : "the kernel changed its input, " + name_of(index) + "\n";
  }
  const harness::Comparison comparison =
      harness::compare(argument.element, content, argument.expected, argument.scale, tolerance);
  if (comparison.wrong == 0) return "";
  return std::to_string(comparison.wrong) + " of " + std::to_string(comparison.compared) +
         " elements of argument " + std::to_string(index + 1) + " are wrong:\n" +
         harness::describe(comparison);
}

}  // namespace grader
