// SPDX-License-Identifier: MIT
// The request loop of a lab program that serves the grader.
#include "serve.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "call.hpp"
#include "harness/build_info.hpp"
#include "harness/messages.hpp"
#include "harness/unsolved.hpp"
#include "registry.hpp"
#include "vault.hpp"

namespace harness {
namespace {

/// A call and the shared memory of its arguments.
struct Slot {
  SharedMemory memory;
  std::unique_ptr<harness::Call> call;
  Device* device = nullptr;
};

std::size_t length(std::int64_t number) {
  if (number < 0) throw ProtocolError("negative length");
  return static_cast<std::size_t>(number);
}

message::LabDescription describe(const LabEntry& entry) {
  message::LabDescription description{entry.name, {}};
  for (const Parameter& p : entry.parameters) {
    description.parameters.push_back({p.is_buffer, p.is_writable, p.element});
  }
  return description;
}

std::size_t shared_bytes(const std::vector<message::LoadedArgument>& arguments) {
  std::size_t end = 0;
  for (const message::LoadedArgument& a : arguments) {
    if (!a.is_buffer) continue;
    const std::size_t bytes = length(a.bytes);
    end = std::max({end, length(a.initial) + bytes, length(a.result) + bytes});
  }
  return end;
}

CallArgument call_argument(const message::LoadedArgument& argument, const SharedMemory& memory) {
  CallArgument result;
  if (!argument.is_buffer) {
    result.bits = static_cast<std::uint64_t>(argument.bits);
    return result;
  }
  const std::size_t bytes = length(argument.bytes);
  result.first = length(argument.first);
  result.count = length(argument.count);
  result.initial = memory.part(length(argument.initial), bytes);
  result.result = memory.part(length(argument.result), bytes);
  return result;
}

/// Puts a task into shared memory; copies the contents if `memory` is given.
class TaskLayout {
 public:
  explicit TaskLayout(const Task& task, const SharedMemory* memory = nullptr) : memory_(memory) {
    for (const TaskArgument& argument : task.arguments()) {
      parts_.push_back(argument.is_buffer ? buffer(argument) : scalar(argument));
    }
  }
  const std::vector<message::ProblemPart>& parts() const { return parts_; }
  std::size_t bytes() const { return offset_; }

 private:
  static message::ProblemPart scalar(const TaskArgument& argument) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, argument.initial.data(), argument.initial.size());
    message::ProblemPart part;
    part.element = argument.element;
    part.bits = static_cast<std::int64_t>(bits);
    return part;
  }
  message::ProblemPart buffer(const TaskArgument& argument) {
    message::ProblemPart part;
    part.is_buffer = true;
    part.element = argument.element;
    part.role = argument.role;
    part.count = static_cast<std::int64_t>(argument.count);
    part.initial = place(argument.initial.data(), argument.initial.size());
    part.expected = place_numbers(argument.expected.value);
    part.scale = place_numbers(argument.expected.scale);
    part.also = place_numbers(argument.expected.also);
    for (const Axis& axis : argument.axes) {
      part.axes.push_back({axis.name, static_cast<std::int64_t>(axis.extent)});
    }
    for (const MistakenOutput& mistake : argument.mistakes) {
      part.mistakes.push_back(
          {place_numbers(mistake.made.value), place_numbers(mistake.made.scale), mistake.cause});
    }
    return part;
  }
  std::int64_t place_numbers(const std::vector<double>& numbers) {
    return place(numbers.data(), numbers.size() * sizeof(double));
  }
  /// Offset of the copy, or -1 if there is nothing to copy.
  std::int64_t place(const void* data, std::size_t bytes) {
    if (bytes == 0) return -1;
    const std::size_t at = offset_;
    if (memory_ != nullptr) std::memcpy(memory_->part(at, bytes).data(), data, bytes);
    offset_ = (offset_ + bytes + 63) / 64 * 64;
    return static_cast<std::int64_t>(at);
  }

  const SharedMemory* memory_;
  std::vector<message::ProblemPart> parts_;
  std::size_t offset_ = 0;
};

/// Runs `work` and turns what it throws into a reply.
template <class Work>
Value reply_of(Work work) {
  try {
    return work();
  } catch (const Unsolved& unsolved) {
    return Value::list("unsolved", unsolved.exercise(), unsolved.section());
  } catch (const ProtocolError&) {
    throw;
  } catch (const std::bad_alloc&) {
    return Value::list("error",
                       "it asked for more memory than it may have (std::bad_alloc)\n"
                       "Is a size negative or too large, or is memory never freed?");
  } catch (const std::exception& error) {
    constexpr std::size_t kMostText = 4000;  // the grader refuses longer texts
    return Value::list("error", std::string_view(error.what()).substr(0, kMostText));
  } catch (...) {
    return Value::list("error", "an exception of unknown type");
  }
}

class Server {
 public:
  Value answer(const Value& request, base::Descriptor attached) {
    std::optional<Value> reply;
    // The handler of this request's verb sets `reply`; the others leave it unchanged.
    const auto on = [&]<class Request>(Request, auto action) {
      if (reply || request.at(0).text() != Request::kVerb) return;
      reply =
          message::encode_reply<typename Request::Reply>(action(message::decode<Request>(request)));
    };
    on(message::Hello{}, [](const auto&) { return hello(); });
    on(message::Load{}, [&](const auto& r) { return load(r, std::move(attached)); });
    on(message::Reset{}, [&](const auto& r) {
      slot(r.slot).call->reset();
      return message::Done{};
    });
    on(message::Run{}, [&](const auto& r) { return run(r); });
    on(message::Fetch{}, [&](const auto& r) {
      slot(r.slot).call->download();
      return message::Done{};
    });
    on(message::Count{}, [&](const auto& r) { return count(r); });
    on(message::ProfileRun{}, [&](const auto& r) { return profile(r); });
    on(message::Peek{}, [&](const auto& r) { return peek(r); });
    on(message::Drop{}, [&](const auto& r) {
      slots_.erase(r.slot);
      return message::Done{};
    });
    on(message::Call{}, [](const auto& r) { return call(r); });
    on(message::AskAnswer{}, [](const auto& r) { return reference_value(r); });
    on(message::MakeProblem{}, [&](const auto& r) { return make_problem(r); });
    on(message::CopyProblem{}, [&](const auto&) { return copy_problem(std::move(attached)); });
    if (!reply) throw ProtocolError("unknown request " + request.at(0).text());
    return *std::move(reply);
  }

 private:
  message::Text profile(const message::ProfileRun& request) {
    try {
      return {slot(request.slot).call->profile(request.geometry, 0)};
    } catch (const std::bad_alloc&) {
      throw std::runtime_error(
          "the profile took more memory than a program may have\n"
          "Every request of a warp is recorded. A kernel that needs about as many as its data has "
          "sectors fits: does each thread read much more than its part?");
    }
  }
  static message::HelloReply hello() {
    message::HelloReply reply;
    reply.compiler = compiler_name();
    for (const LabEntry& entry : registry().labs) {
      reply.labs.push_back(describe(entry));
      reply.backend = entry.device->backend();
      if (entry.device->count() == 0) continue;
      reply.device = entry.device->name();
      reply.free_bytes = entry.device->free_bytes();
    }
    for (const FunctionEntry& entry : registry().functions) {
      reply.functions.push_back({entry.name, static_cast<std::int64_t>(entry.parameters)});
    }
    return reply;
  }

  message::Done load(const message::Load& request, base::Descriptor attached) {
    const LabEntry& entry = find_lab(request.entry);
    Slot slot;
    slot.device = entry.device;
    const std::size_t bytes = shared_bytes(request.arguments);
    if (bytes > 0) slot.memory = SharedMemory(std::move(attached), bytes);
    std::vector<CallArgument> call_arguments;
    for (const message::LoadedArgument& argument : request.arguments) {
      call_arguments.push_back(call_argument(argument, slot.memory));
    }
    harness::Call* original = request.like < 0 ? nullptr : this->slot(request.like).call.get();
    slot.call = std::make_unique<harness::Call>(entry, std::move(call_arguments), original);
    slots_.insert_or_assign(request.slot, std::move(slot));
    return {};
  }

  Slot& slot(std::int64_t number) {
    const auto found = slots_.find(number);
    if (found == slots_.end()) throw ProtocolError("no such slot");
    return found->second;
  }

  message::Done run(const message::Run& request) {
    Device* device = nullptr;
    for (const std::int64_t number : request.slots) {
      const Slot& chosen = slot(number);
      device = chosen.device;
      chosen.call->invoke();
    }
    if (device != nullptr) device->synchronize();
    return {};
  }

  message::Counts count(const message::Count& request) {
    message::Counts counts;
    for (const auto& [name, number] : slot(request.slot).call->count()) {
      counts.counters.push_back({name, static_cast<double>(number)});
    }
    return counts;
  }

  message::Text peek(const message::Peek& request) {
    std::vector<std::size_t> elements;
    for (const std::int64_t element : request.elements) elements.push_back(length(element));
    return {slot(request.slot).call->peek(length(request.argument), elements)};
  }

  static message::Replies call(const message::Call& request) {
    const FunctionEntry& function = find_function(request.function);
    message::Replies result;
    for (const Value& arguments : request.argument_lists) {
      if (arguments.size() != function.parameters) {
        throw ProtocolError(function.name + " takes another number of arguments");
      }
      result.replies.push_back(
          reply_of([&] { return Value::list("ok", function.invoke(arguments.list())); }));
    }
    return result;
  }

  static message::ReferenceValue reference_value(const message::AskAnswer& request) {
    std::vector<std::pair<std::string, double>> values;
    for (const auto& [name, value] : request.parameters) values.emplace_back(name, value);
    const Answer answer =
        find_answer(request.id)(Parameters(std::move(values), request.machine_file));
    return {answer.value, answer.unit, answer.word};
  }

  message::ProblemLayout make_problem(const message::MakeProblem& request) {
    task_ = make_task(request.oracle, request.n, request.seed, request.special_values);
    const TaskLayout layout(task_);
    return {task_.flops, task_.bytes_moved, static_cast<std::int64_t>(layout.bytes()),
            layout.parts(), task_.limits()};
  }

  message::Done copy_problem(base::Descriptor attached) {
    const std::size_t bytes = TaskLayout(task_).bytes();
    if (bytes > 0) {
      const SharedMemory memory(std::move(attached), bytes);
      TaskLayout(task_, &memory);
    }
    task_ = Task();
    return {};
  }

  std::map<std::int64_t, Slot> slots_;
  Task task_;
};

}  // namespace

int serve(Channel channel) {
  Server server;
  while (auto received = channel.receive()) {
    const Value request = checked_request(received->value);
    const Value reply =
        reply_of([&] { return server.answer(request, std::move(received->attached)); });
    // Output so far belongs to this request, and a killed program would not flush it.
    std::cout.flush();
    std::fflush(stdout);
    channel.send(signed_reply(reply));
  }
  return 0;
}

}  // namespace harness
