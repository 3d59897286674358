// SPDX-License-Identifier: MIT
// Request by request: what a lab program does for the grader.
#include "serve.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <string_view>

#include "call.hpp"
#include "harness/build_info.hpp"
#include "harness/unsolved.hpp"
#include "registry.hpp"

namespace harness {
namespace {

/// A call and the shared memory that its arguments live in.
struct Slot {
  SharedMemory memory;
  std::unique_ptr<Call> call;
  Device* device = nullptr;
};

std::size_t length(const Value& value) {
  if (value.integer() < 0) throw ProtocolError("negative length");
  return static_cast<std::size_t>(value.integer());
}

Value describe(const LabEntry& entry) {
  Value::List parameters;
  for (const Parameter& p : entry.parameters) {
    parameters.push_back(Value::list(p.is_buffer, p.is_writable, static_cast<int>(p.element)));
  }
  return Value::list(entry.name, Value(std::move(parameters)));
}

std::size_t shared_bytes(const Value::List& arguments) {
  std::size_t end = 0;
  for (const Value& argument : arguments) {
    if (argument.at(0).text() != "buffer") continue;
    const std::size_t bytes = length(argument.at(1));
    end = std::max({end, length(argument.at(4)) + bytes, length(argument.at(5)) + bytes});
  }
  return end;
}

CallArgument call_argument(const Value& argument, const SharedMemory& memory) {
  CallArgument result;
  if (argument.at(0).text() == "scalar") {
    result.bits = static_cast<std::uint64_t>(argument.at(1).integer());
    return result;
  }
  const std::size_t bytes = length(argument.at(1));
  result.first = length(argument.at(2));
  result.count = length(argument.at(3));
  result.initial = memory.part(length(argument.at(4)), bytes);
  result.result = memory.part(length(argument.at(5)), bytes);
  return result;
}

/// Lays a task out in shared memory; copies there when `memory` is given.
class TaskLayout {
 public:
  explicit TaskLayout(const Task& task, const SharedMemory* memory = nullptr) : memory_(memory) {
    for (const TaskArgument& argument : task.arguments()) {
      arguments_.push_back(argument.is_buffer ? buffer(argument) : scalar(argument));
    }
  }
  Value::List arguments() const { return arguments_; }
  std::size_t bytes() const { return offset_; }

 private:
  static Value scalar(const TaskArgument& argument) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, argument.initial.data(), argument.initial.size());
    return Value::list("scalar", static_cast<int>(argument.element),
                       static_cast<std::int64_t>(bits));
  }
  Value buffer(const TaskArgument& argument) {
    const std::int64_t initial = place(argument.initial.data(), argument.initial.size());
    const std::int64_t value = place_numbers(argument.expected.value);
    const std::int64_t scale = place_numbers(argument.expected.scale);
    return Value::list("buffer", static_cast<int>(argument.element),
                       static_cast<int>(argument.role), static_cast<std::int64_t>(argument.count),
                       initial, value, scale, names_of(argument.axes));
  }
  static Value names_of(const std::vector<Axis>& axes) {
    Value::List names;
    for (const Axis& axis : axes) {
      names.push_back(Value::list(axis.name, static_cast<std::int64_t>(axis.extent)));
    }
    return names;
  }
  std::int64_t place_numbers(const std::vector<double>& numbers) {
    return place(numbers.data(), numbers.size() * sizeof(double));
  }
  /// Offset of the copy, or -1 for nothing.
  std::int64_t place(const void* data, std::size_t bytes) {
    if (bytes == 0) return -1;
    const std::size_t at = offset_;
    if (memory_ != nullptr) std::memcpy(memory_->part(at, bytes).data(), data, bytes);
    offset_ = (offset_ + bytes + 63) / 64 * 64;
    return static_cast<std::int64_t>(at);
  }

  const SharedMemory* memory_;
  Value::List arguments_;
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
                       "Is a size negative or too large, or is memory never given back?");
  } catch (const std::exception& error) {
    constexpr std::size_t kMostText = 4000;  // the grader takes no longer ones
    return Value::list("error", std::string_view(error.what()).substr(0, kMostText));
  } catch (...) {
    return Value::list("error", "an exception of unknown type");
  }
}

class Server {
 public:
  Value answer(const Value& request, Descriptor attached) {
    const std::string& verb = request.at(0).text();
    if (verb == "hello") return hello();
    if (verb == "load") return load(request, std::move(attached));
    if (verb == "reset") return with_slot(request, [](Slot& slot) { slot.call->reset(); });
    if (verb == "run") return run(request);
    if (verb == "fetch") return with_slot(request, [](Slot& slot) { slot.call->download(); });
    if (verb == "count") return count(request);
    if (verb == "peek") return peek(request);
    if (verb == "drop") return drop(request);
    if (verb == "call") return call(request);
    if (verb == "answer") return reference_answer(request);
    if (verb == "task") return task(request);
    if (verb == "task-copy") return copy_task(std::move(attached));
    throw ProtocolError("unknown request " + verb);
  }

 private:
  static Value hello() {
    Value::List labs;
    Value::List functions;
    std::string backend = "none";
    std::string device;
    double free_bytes = 0;
    for (const LabEntry& entry : registry().labs) {
      labs.push_back(describe(entry));
      backend = entry.device->backend();
      if (entry.device->count() == 0) continue;
      device = entry.device->name();
      free_bytes = entry.device->free_bytes();
    }
    for (const FunctionEntry& entry : registry().functions) {
      functions.push_back(Value::list(entry.name, static_cast<std::int64_t>(entry.parameters)));
    }
    return Value::list("ok", kProtocolVersion, backend, device, compiler_name(), std::move(labs),
                       std::move(functions), free_bytes);
  }

  Value load(const Value& request, Descriptor attached) {
    const LabEntry& entry = find_lab(request.at(2).text());
    const Value::List& arguments = request.at(3).list();
    Slot slot;
    slot.device = entry.device;
    const std::size_t bytes = shared_bytes(arguments);
    if (bytes > 0) slot.memory = SharedMemory(std::move(attached), bytes);
    std::vector<CallArgument> call_arguments;
    for (const Value& argument : arguments) {
      call_arguments.push_back(call_argument(argument, slot.memory));
    }
    const std::int64_t like = request.at(4).integer();
    Call* original = like < 0 ? nullptr : this->slot(request.at(4)).call.get();
    slot.call = std::make_unique<Call>(entry, std::move(call_arguments), original);
    slots_.insert_or_assign(request.at(1).integer(), std::move(slot));
    return Value::list("ok");
  }

  Slot& slot(const Value& number) {
    const auto found = slots_.find(number.integer());
    if (found == slots_.end()) throw ProtocolError("no such slot");
    return found->second;
  }

  template <class Action>
  Value with_slot(const Value& request, Action action) {
    action(slot(request.at(1)));
    return Value::list("ok");
  }

  Value run(const Value& request) {
    Device* device = nullptr;
    for (const Value& number : request.at(1).list()) {
      const Slot& chosen = slot(number);
      device = chosen.device;
      chosen.call->invoke();
    }
    if (device != nullptr) device->synchronize();
    return Value::list("ok");
  }

  Value count(const Value& request) {
    Value::List counts;
    for (const auto& [name, number] : slot(request.at(1)).call->count()) {
      counts.push_back(Value::list(name, number));
    }
    return Value::list("ok", std::move(counts));
  }

  Value peek(const Value& request) {
    std::vector<std::size_t> elements;
    for (const Value& element : request.at(3).list()) elements.push_back(length(element));
    return Value::list("ok", slot(request.at(1)).call->peek(length(request.at(2)), elements));
  }

  Value drop(const Value& request) {
    slots_.erase(request.at(1).integer());
    return Value::list("ok");
  }

  static Value call(const Value& request) {
    const FunctionEntry& function = find_function(request.at(1).text());
    Value::List replies;
    for (const Value& arguments : request.at(2).list()) {
      if (arguments.size() != function.parameters) {
        throw ProtocolError(function.name + " takes another number of arguments");
      }
      replies.push_back(
          reply_of([&] { return Value::list("ok", function.invoke(arguments.list())); }));
    }
    return Value::list("ok", std::move(replies));
  }

  static Value reference_answer(const Value& request) {
    std::vector<std::pair<std::string, double>> values;
    for (const Value& item : request.at(2).list()) {
      values.emplace_back(item.at(0).text(), item.at(1).number());
    }
    const Parameters parameters(std::move(values), request.at(3).text());
    const Answer answer = find_answer(request.at(1).text())(parameters);
    return Value::list("ok", answer.value, answer.unit, answer.word);
  }

  Value task(const Value& request) {
    task_ = make_task(request.at(1).text(), request.at(2).integer(),
                      static_cast<std::uint64_t>(request.at(3).integer()),
                      request.at(4).integer() != 0);
    const TaskLayout layout(task_);
    Value::List limits;
    for (const CountLimit& limit : task_.limits()) {
      limits.push_back(Value::list(limit.counter, limit.needed, limit.most, limit.least));
    }
    return Value::list("ok", task_.flops, task_.bytes_moved,
                       static_cast<std::int64_t>(layout.bytes()), layout.arguments(),
                       std::move(limits));
  }

  Value copy_task(Descriptor attached) {
    const std::size_t bytes = TaskLayout(task_).bytes();
    if (bytes > 0) {
      const SharedMemory memory(std::move(attached), bytes);
      TaskLayout(task_, &memory);
    }
    task_ = Task();
    return Value::list("ok");
  }

  std::map<std::int64_t, Slot> slots_;
  Task task_;
};

}  // namespace

int serve(Channel channel) {
  Server server;
  while (auto received = channel.receive()) {
    const Value reply =
        reply_of([&] { return server.answer(received->value, std::move(received->attached)); });
    // What was printed belongs to this request, and a program that is ended flushes nothing.
    std::cout.flush();
    std::fflush(stdout);
    channel.send(reply);
  }
  return 0;
}

}  // namespace harness
