// SPDX-License-Identifier: MIT
// Requests to a lab program, and the memory that it works on.
#include "grader/program/program.hpp"

#include <algorithm>
#include <cstring>
#include <regex>
#include <string_view>

#include "base/files.hpp"
#include "grader/program/given_code.hpp"
#include "grader/program/signature.hpp"
#include "harness/random.hpp"

namespace grader {
namespace {

using harness::Value;

Command serve_command(const std::filesystem::path& path) {
  return {{path.string(), "--serve"}, {}, clean_environment()};
}

/// Long enough for any word, sentence or short byte string that a program is asked for.
constexpr std::size_t kMostText = 4096;
/// A profile has some 200 bytes for each line of the source and each launch.
constexpr std::size_t kMostProfile = std::size_t{4} << 20;

/// @throws harness::ProtocolError for a reply with a text that is too long to store.
void refuse_long_texts(const Value& reply, std::size_t most) {
  if (reply.is_text() && reply.text().size() > most) {
    throw harness::ProtocolError("it sent a text of " + std::to_string(reply.text().size()) +
                                 " bytes, and at most " + std::to_string(most) + " are taken");
  }
  if (!reply.is_list()) return;
  for (const Value& item : reply.list()) refuse_long_texts(item, most);
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
  child_->send_key(asker_.key());
}

Program::Program(const Command& command, const Limits& limits)
    : name_(command.arguments.front()), child_(std::make_unique<Child>(command, limits)) {
  child_->send_key(asker_.key());
}

Program::~Program() {
  if (!transcript_ || child_->output().empty()) return;
  const bool is_wanted = when_ == Transcript::kAlways && transcript_->empty();
  if (failed_ || is_wanted) *transcript_ = child_->output();
}

std::string Program::parameter_name(const std::string& entry, std::size_t index,
                                    std::size_t count) const {
  for (const std::filesystem::path& source : sources_) {
    // The counted entry is made from the same function.
    const std::string function = entry.substr(0, entry.find('.'));
    const std::vector<SourceParameter> parameters =
        parameters_of(base::read_file_if_any(source), function);
    if (parameters.size() == count && !parameters[index].name.empty()) {
      return parameters[index].name;
    }
  }
  return "argument " + std::to_string(index + 1);
}

Value Program::exchange(const Value& message, int attached) {
  if (owner_ == Owner::kStudent) return exchange_with_student(message, attached);
  // A program that serves a whole class lives longer than the limit of one request.
  child_->restart_clock();
  try {
    return exchange_with_student(message, attached);
  } catch (const ChildFailure& failure) {
    throw std::runtime_error("the course's program " + name_ + " failed: " + failure.what());
  }
}

Value Program::exchange_with_student(const Value& message, int attached) {
  failed_ = true;
  child_->send(asker_.request(message), attached);
  const Value received = child_->receive();
  try {
    Value reply = asker_.reply(received);
    const bool is_profile = message.at(0).text() == harness::message::ProfileRun::kVerb;
    if (owner_ == Owner::kStudent) refuse_long_texts(reply, is_profile ? kMostProfile : kMostText);
    check_reply(reply);
    failed_ = false;
    return reply;
  } catch (const harness::ProtocolError& error) {
    throw ChildFailure(Failure::kProtocol,
                       std::string("it sent a malformed reply: ") + error.what(), child_->output());
  }
}

void Program::fail_to_decode(const harness::ProtocolError& error) const {
  const std::string what = std::string("it sent a malformed reply: ") + error.what();
  if (owner_ == Owner::kStudent) throw ChildFailure(Failure::kProtocol, what, child_->output());
  throw std::runtime_error("the course's program " + name_ + " failed: " + what);
}

void Program::check_reply(const Value& reply) const {
  const std::string& verb = reply.at(0).text();
  if (verb == "ok") return;
  if (verb == "unsolved") {
    throw ChildFailure(Failure::kUnsolved, "unsolved: " + sanitize_line(reply.at(1).text()));
  }
  if (verb == "error") {
    // Errors of the course's own code give a place or a reason in a second line.
    const std::string& text = reply.at(1).text();
    const bool is_own = text.find('\n') != std::string::npos;
    std::string words = (is_own ? "" : "an exception: ") + sanitize_output(text);
    if (words.ends_with('\n')) words.pop_back();
    throw ChildFailure(Failure::kError, words, child_->output());
  }
  throw harness::ProtocolError("unknown reply");
}

Hello Program::hello() {
  const harness::message::HelloReply reply = ask(harness::message::Hello{});
  Hello result;
  result.backend = sanitize_line(reply.backend);
  result.device = sanitize_line(reply.device);
  result.compiler = sanitize_line(reply.compiler);
  for (const harness::message::LabDescription& lab : reply.labs) result.entries.push_back(lab.name);
  for (const auto& function : reply.functions) result.functions.push_back(function.name);
  result.free_bytes = reply.free_bytes;
  return result;
}

ReferenceAnswer Program::answer(const std::string& id,
                                const std::vector<std::pair<std::string, double>>& parameters,
                                const std::filesystem::path& machine_file) {
  harness::message::AskAnswer request{id, {}, machine_file.string()};
  for (const auto& [name, value] : parameters) request.parameters.push_back({name, value});
  harness::message::ReferenceValue reply = ask(request);
  return {reply.value, std::move(reply.unit), std::move(reply.word)};
}

namespace {

ProblemArgument argument_of(const harness::message::ProblemPart& part,
                            const harness::SharedMemory& memory) {
  ProblemArgument argument;
  argument.is_buffer = part.is_buffer;
  argument.element = part.element;
  if (!part.is_buffer) {
    argument.bits = part.bits;
    return argument;
  }
  argument.role = part.role;
  argument.count = static_cast<std::size_t>(part.count);
  if (part.initial >= 0) {
    argument.initial = memory.part(static_cast<std::uint64_t>(part.initial),
                                   argument.count * size_of(argument.element));
  }
  argument.expected = numbers(memory, part.expected, argument.count);
  argument.scale = numbers(memory, part.scale, argument.count);
  argument.also = numbers(memory, part.also, argument.count);
  for (const auto& [name, extent] : part.axes) {
    argument.axes.push_back({name, static_cast<std::size_t>(extent)});
  }
  for (const harness::message::MistakenPart& mistake : part.mistakes) {
    argument.mistakes.push_back({numbers(memory, mistake.value, argument.count),
                                 numbers(memory, mistake.scale, argument.count), mistake.cause});
  }
  return argument;
}

}  // namespace

Problem Program::make_problem(const std::string& oracle, std::int64_t n, std::uint64_t seed,
                              bool special_values) {
  harness::message::ProblemLayout layout =
      ask(harness::message::MakeProblem{oracle, n, seed, special_values});
  Problem problem;
  problem.n = n;
  problem.seed = seed;
  problem.flops = layout.flops;
  problem.bytes_moved = layout.bytes_moved;
  problem.memory = harness::SharedMemory(static_cast<std::size_t>(layout.shared_bytes));
  ask(harness::message::CopyProblem{}, problem.memory.descriptor());
  for (const harness::message::ProblemPart& part : layout.parts) {
    problem.arguments.push_back(argument_of(part, problem.memory));
  }
  problem.limits = std::move(layout.limits);
  return problem;
}

std::vector<Value> Program::call(const std::string& function,
                                 const std::vector<Value>& argument_lists) {
  std::vector<Value> replies = ask(harness::message::Call{function, argument_lists}).replies;
  if (replies.size() == argument_lists.size()) return replies;
  throw ChildFailure(Failure::kProtocol, "it sent a different number of results than requested");
}

std::vector<Value> Program::call(const Value& request, std::size_t count) {
  using harness::message::Call;
  std::vector<Value> replies = decoded<Call::Reply>(exchange(request, -1)).replies;
  if (replies.size() == count) return replies;
  throw ChildFailure(Failure::kProtocol, "it sent a different number of results than requested");
}

Slot::Slot(Program& program, std::int64_t number, const std::string& entry, const Problem& problem,
           std::size_t guard_elements)
    : program_(&program),
      number_(number),
      entry_(entry),
      problem_(&problem),
      guard_elements_(guard_elements) {
  plan();
  fill(problem.seed + static_cast<std::uint64_t>(problem.n));
  load(-1);
}

Slot::Slot(const Slot& like, std::int64_t number)
    : program_(like.program_),
      number_(number),
      entry_(like.entry_),
      problem_(like.problem_),
      guard_elements_(like.guard_elements_),
      places_(like.places_),
      memory_(like.memory_) {
  load(like.number_);
}

void Slot::load(std::int64_t like) {
  harness::message::Load request{number_, entry_, {}, like};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ProblemArgument& argument = problem_->arguments[i];
    harness::message::LoadedArgument loaded;
    loaded.is_buffer = argument.is_buffer;
    if (argument.is_buffer) {
      loaded.bytes = static_cast<std::int64_t>(places_[i].bytes);
      loaded.first = static_cast<std::int64_t>(guard_elements_);
      loaded.count = static_cast<std::int64_t>(argument.count);
      loaded.initial = static_cast<std::int64_t>(places_[i].initial);
      loaded.result = static_cast<std::int64_t>(places_[i].result);
    } else {
      loaded.bits = argument.bits;
    }
    request.arguments.push_back(loaded);
  }
  program_->ask(request, memory_->descriptor());
}

void Slot::plan() {
  std::size_t offset = 0;
  for (const ProblemArgument& argument : problem_->arguments) {
    Place place;
    if (argument.is_buffer) {
      place.bytes = (argument.count + 2 * guard_elements_) * size_of(argument.element);
      const std::size_t step = (place.bytes + 63) / 64 * 64;
      place.initial = offset;
      place.result = offset + step;
      offset += 2 * step;
    }
    places_.push_back(place);
  }
  memory_ = std::make_shared<harness::SharedMemory>(offset);
}

void Slot::fill(std::uint64_t seed) {
  harness::Random random(seed ^ 0x6775617264U);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ProblemArgument& argument = problem_->arguments[i];
    if (!argument.is_buffer) continue;
    const std::span<std::byte> all = memory_->part(places_[i].initial, places_[i].bytes);
    const std::size_t guard = guard_elements_ * size_of(argument.element);
    const std::size_t size = size_of(argument.element);
    // Numbers of ordinary size: adding one to them is visible, in random bits it often would not
    // be.
    for (std::size_t at = 0; at < guard; at += size) {
      harness::write_element(argument.element, random.uniform(-100, 100), &all[at]);
      harness::write_element(argument.element, random.uniform(-100, 100),
                             &all[all.size() - size - at]);
    }
    places_[i].guards.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(guard));
    places_[i].guards.insert(places_[i].guards.end(),
                             all.end() - static_cast<std::ptrdiff_t>(guard), all.end());
    const std::span<std::byte> content = all.subspan(guard, all.size() - 2 * guard);
    if (!argument.initial.empty()) {
      std::memcpy(content.data(), argument.initial.data(), content.size());
    } else {
      // All bits set is a NaN, so an element that nobody wrote never looks right.
      std::fill(content.begin(), content.end(), std::byte{0xff});
    }
  }
}

void Slot::reset() {
  program_->ask(harness::message::Reset{number_});
}
void Slot::run() {
  try {
    program_->ask(harness::message::Run{{number_}});
  } catch (const ChildFailure& failure) {
    throw in_students_words(failure);
  }
}
void Slot::fetch() {
  program_->ask(harness::message::Fetch{number_});
}
void Slot::drop() {
  program_->ask(harness::message::Drop{number_});
}

void Slot::name_argument(std::string& text, std::size_t index) const {
  const ProblemArgument& argument = problem_->arguments[index];
  const std::string number = "argument " + std::to_string(index + 1) + " of your function";
  if (text.find(number) == std::string::npos) return;
  // The checker knows bytes and indices; only the exercise knows rows and columns. Text after the
  // argument is kept.
  const std::size_t element_bytes = harness::size_of(argument.element);
  const auto put_in_words = [&](const std::string& pattern, std::size_t bytes_of_index) {
    const std::regex place(pattern);
    for (std::smatch found; std::regex_search(text, found, place);) {
      const std::size_t element = std::stoull(found[1]) * bytes_of_index / element_bytes;
      text = found.prefix().str() + harness::place_of(element, argument.axes) +
             " of your argument " + name_of(index) + found[2].str() + found.suffix().str();
    }
  };
  if (argument.is_buffer) put_in_words("byte ([0-9]{1,15}) of " + number + "()", 1);
  // For a stray access, it counts elements of the size that was accessed.
  if (argument.axes.size() > 1) {
    put_in_words("index ([0-9]{1,15}) of " + number + "(, and it holds [0-9]+ elements? of " +
                     std::to_string(element_bytes) + " bytes?)",
                 element_bytes);
  }
  for (std::size_t at = 0; (at = text.find(number)) != std::string::npos;) {
    text.replace(at, number.size(), "your argument " + name_of(index));
  }
}

void Slot::name_empty_arguments(std::string& text) const {
  constexpr std::string_view kOfChecker = "That of a buffer without elements is null, too.";
  const std::size_t at = text.find(kOfChecker);
  if (at == std::string::npos) return;
  std::string names;
  int empty = 0;
  for (std::size_t i = 0; i < problem_->arguments.size(); ++i) {
    const ProblemArgument& argument = problem_->arguments[i];
    if (!argument.is_buffer || argument.count > 0) continue;
    names += (empty++ > 0 ? " and " : "") + name_of(i);
  }
  if (empty == 0) return;
  text.replace(
      at, kOfChecker.size(),
      empty == 1
          ? "Here your argument " + names + " has no elements, and its pointer is null."
          : "Here your arguments " + names + " have no elements, and their pointers are null.");
}

ChildFailure Slot::in_students_words(const ChildFailure& failure) const {
  if (failure.failure == Failure::kUnsolved) return failure;
  std::string text = failure.what();
  for (std::size_t i = 0; i < problem_->arguments.size(); ++i) {
    name_argument(text, i);
  }
  name_empty_arguments(text);
  text = with_advice_on_given_code(std::move(text), program_->sources());
  // An error gives the place; for a crash or an endless loop, only the size is known.
  if (failure.failure != Failure::kError) {
    text += "\nThat was for n = " + std::to_string(problem_->n);
  }
  return {failure.failure, text, failure.output};
}

std::map<std::string, double> Slot::count() {
  try {
    std::map<std::string, double> counts;
    for (const auto& [name, count] : program_->ask(harness::message::Count{number_}).counters) {
      std::string words = name;  // some names contain an argument's number
      for (std::size_t i = 0; i < problem_->arguments.size(); ++i) name_argument(words, i);
      counts[words] = count;
    }
    return counts;
  } catch (const ChildFailure& failure) {
    throw in_students_words(failure);
  }
}

vgpu::Profile Slot::profile(const vgpu::Geometry& geometry) {
  try {
    return vgpu::profile_from_json(
        program_->ask(harness::message::ProfileRun{number_, vgpu::to_json(geometry)}).text);
  } catch (const ChildFailure& failure) {
    throw in_students_words(failure);
  } catch (const std::runtime_error&) {
    throw ChildFailure(Failure::kProtocol, "it sent a malformed profile");
  }
}

std::string Slot::peek(harness::Random& random, const harness::Tolerance& tolerance) {
  constexpr int kPeeked = 16;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ProblemArgument& argument = problem_->arguments[i];
    if (argument.expected.empty()) continue;
    harness::message::Peek request{number_, static_cast<std::int64_t>(i), {}};
    std::vector<double> should;
    std::vector<double> scale;
    std::vector<double> also;
    for (int k = 0; k < kPeeked; ++k) {
      const std::int64_t element = random.integer(0, static_cast<std::int64_t>(argument.count) - 1);
      const auto index = static_cast<std::size_t>(element);
      request.elements.push_back(element);
      should.push_back(argument.expected[index]);
      if (!argument.scale.empty()) scale.push_back(argument.scale[index]);
      if (!argument.also.empty()) also.push_back(argument.also[index]);
    }
    const std::string bytes = program_->ask(request).text;
    if (bytes.size() != should.size() * size_of(argument.element)) {
      throw ChildFailure(Failure::kProtocol, "it did not show the elements it was asked for");
    }
    const auto compared = harness::compare(argument.element, std::as_bytes(std::span(bytes)),
                                           should, scale, tolerance, also);
    if (compared.wrong > 0) {
      return std::to_string(compared.wrong) + " of " + std::to_string(kPeeked) +
             " elements looked at were not right when it said that it was done\n";
    }
  }
  return {};
}

std::span<const std::byte> Slot::result_of(std::size_t index) const {
  return memory_->part(places_[index].result, places_[index].bytes);
}

std::string Slot::name_of(std::size_t index) const {
  return program_->parameter_name(entry_, index, problem_->arguments.size());
}

std::string Slot::check(const harness::Tolerance& tolerance) const {
  std::string wrong;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!problem_->arguments[i].is_buffer) continue;
    wrong += check_guards(i);
    wrong += check_content(i, tolerance);
  }
  return wrong.empty() ? wrong : wrong + describe_integers();
}

std::string Slot::describe_integers() const {
  std::string text;
  for (std::size_t i = 0; i < problem_->arguments.size(); ++i) {
    const ProblemArgument& argument = problem_->arguments[i];
    const bool is_integer = !argument.is_buffer && !harness::is_floating(argument.element);
    if (!is_integer || name_of(i) == "n") continue;  // the message itself gives n
    const auto* bytes = reinterpret_cast<const std::byte*>(&argument.bits);
    const auto value = static_cast<std::int64_t>(harness::read_element(argument.element, bytes));
    text += (text.empty() ? "That was for " : ", ") + name_of(i) + " = " + std::to_string(value);
  }
  return text.empty() ? text : text + ".\n";
}

std::string Slot::check_guards(std::size_t index) const {
  const std::vector<std::byte>& guards = places_[index].guards;
  const auto after = result_of(index);
  const std::size_t size = size_of(problem_->arguments[index].element);
  const std::size_t count = problem_->arguments[index].count;
  const auto changed = [&](std::size_t element) {
    const std::size_t guard = element < guard_elements_ ? element : element - count;
    return std::memcmp(&guards[guard * size], &after[element * size], size) != 0;
  };
  const std::string name = name_of(index);
  const std::string holds = ", and " + name + " has " + std::to_string(count) +
                            (count == 1 ? " element\n" : " elements\n");
  std::string wrong;
  // Nearest elements first: an index off by one hits these.
  for (std::size_t i = 1; i <= guard_elements_ && wrong.empty(); ++i) {
    if (!changed(guard_elements_ - i)) continue;
    wrong = "the kernel wrote before the first element of " + name + ": at index -" +
            std::to_string(i) + holds;
  }
  for (std::size_t i = 0; i < guard_elements_; ++i) {
    if (!changed(guard_elements_ + count + i)) continue;
    return wrong + "the kernel wrote past the last element of " + name + ": at index " +
           std::to_string(count + i) + holds;
  }
  return wrong;
}

std::string Slot::check_content(std::size_t index, const harness::Tolerance& tolerance) const {
  const ProblemArgument& argument = problem_->arguments[index];
  const std::size_t size = size_of(argument.element);
  const auto all = result_of(index);
  const auto content = all.subspan(guard_elements_ * size, argument.count * size);
  if (argument.role == harness::Role::kInput) {
    const auto [is, was] = std::ranges::mismatch(content, argument.initial);
    if (is == content.end()) return "";
    const auto element = static_cast<std::size_t>(is - content.begin()) / size;
    return "the kernel changed its input " + name_of(index) + " at " +
           harness::place_of(element, argument.axes) + "\n";
  }
  const std::string fault = harness::fault_in(
      argument.element, content,
      {argument.expected, argument.scale, argument.also, argument.axes, argument.mistakes},
      tolerance, name_of(index));
  if (fault.empty() || !std::ranges::equal(content, argument.initial)) return fault;
  return fault + "All of " + name_of(index) +
         " is as it was before the call: no thread changed it. A launch with a grid of 0 blocks "
         "starts none.\n";
}

}  // namespace grader
