// SPDX-License-Identifier: MIT
// Starts the program with the truths, and reads the tasks that it lays out in shared memory.
#include "truth_program.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace harness {
namespace {

namespace fs = std::filesystem;

/// Solutions and tests lie deeper in bin/ than the student's program, in a folder of the same name.
fs::path truth_path() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path topic = program.parent_path().filename();
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / topic / "truth")) return folder / topic / "truth";
  }
  throw std::runtime_error("the truths of topic " + topic.string() +
                           " are not built; run: ./lab start");
}

std::vector<double> numbers(const SharedMemory& memory, const Value& offset, std::size_t count) {
  if (offset.integer() < 0) return {};
  std::vector<double> result(count);
  const std::size_t bytes = count * sizeof(double);
  std::memcpy(result.data(),
              memory.part(static_cast<std::uint64_t>(offset.integer()), bytes).data(), bytes);
  return result;
}

/// One argument as serve.cpp lays it out.
TaskArgument argument_of(const Value& item, const SharedMemory& memory) {
  TaskArgument argument;
  argument.element = element_from_code(item.at(1).integer());
  const std::size_t size = size_of(argument.element);
  argument.is_buffer = item.at(0).text() == "buffer";
  if (!argument.is_buffer) {
    const std::int64_t bits = item.at(2).integer();
    argument.count = 1;
    argument.initial.resize(size);
    std::memcpy(argument.initial.data(), &bits, size);
    return argument;
  }
  argument.role = static_cast<Role>(item.at(2).integer());
  argument.count = static_cast<std::size_t>(item.at(3).integer());
  if (item.at(4).integer() >= 0) {
    const auto part =
        memory.part(static_cast<std::uint64_t>(item.at(4).integer()), argument.count * size);
    argument.initial.assign(part.begin(), part.end());
  }
  argument.expected = {numbers(memory, item.at(5), argument.count),
                       numbers(memory, item.at(6), argument.count)};
  return argument;
}

}  // namespace

TruthProgram::TruthProgram() : channel_(Descriptor()) {
  const std::string path = truth_path().string();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("socketpair: ") + std::strerror(errno));
  }
  channel_ = Channel(Descriptor(ends[0]));
  const Descriptor theirs(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), kServeDescriptor);
  std::string serve = "--serve";
  char* arguments[] = {const_cast<char*>(path.c_str()), serve.data(), nullptr};
  const int error = ::posix_spawn(&process_, path.c_str(), &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + path + ": " + std::strerror(error));
}

TruthProgram::~TruthProgram() {
  channel_ = Channel(Descriptor());  // it ends when nobody asks any more
  ::waitpid(process_, nullptr, 0);
}

Value TruthProgram::request(const Value& message, int attached) {
  channel_.send(message, attached);
  const std::optional<Received> reply = channel_.receive();
  if (!reply) throw std::runtime_error("the program with the truths has ended");
  if (reply->value.at(0).text() != "ok") throw std::runtime_error(reply->value.at(1).text());
  return reply->value;
}

Task TruthProgram::task(std::string_view name, std::int64_t n, std::uint64_t seed,
                        bool special_values) {
  const Value reply =
      request(Value::list("task", name, n, static_cast<std::int64_t>(seed), special_values));
  const SharedMemory memory(static_cast<std::size_t>(reply.at(3).integer()));
  request(Value::list("task-copy"), memory.descriptor());
  Task task;
  task.flops = reply.at(1).number();
  task.bytes_moved = reply.at(2).number();
  for (const Value& item : reply.at(4).list()) task.add(argument_of(item, memory));
  return task;
}

}  // namespace harness
