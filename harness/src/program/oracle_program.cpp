// SPDX-License-Identifier: MIT
// Starts the program with the oracles, and reads the tasks that it puts into shared memory.
#include "oracle_program.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "harness/messages.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

/// Solutions and tests are deeper in bin/ than the student's program, in a folder of the same name.
fs::path oracle_path() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path topic = program.parent_path().filename();
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / topic / "oracle")) return folder / topic / "oracle";
  }
  throw std::runtime_error("the oracles of topic " + topic.string() +
                           " are not built; run: ./lab start");
}

std::vector<double> numbers(const SharedMemory& memory, std::int64_t offset, std::size_t count) {
  if (offset < 0) return {};
  std::vector<double> result(count);
  const std::size_t bytes = count * sizeof(double);
  std::memcpy(result.data(), memory.part(static_cast<std::uint64_t>(offset), bytes).data(), bytes);
  return result;
}

TaskArgument argument_of(const message::ProblemPart& part, const SharedMemory& memory) {
  TaskArgument argument;
  argument.element = part.element;
  const std::size_t size = size_of(argument.element);
  argument.is_buffer = part.is_buffer;
  if (!argument.is_buffer) {
    argument.count = 1;
    argument.initial.resize(size);
    std::memcpy(argument.initial.data(), &part.bits, size);
    return argument;
  }
  argument.role = part.role;
  argument.count = static_cast<std::size_t>(part.count);
  if (part.initial >= 0) {
    const auto content =
        memory.part(static_cast<std::uint64_t>(part.initial), argument.count * size);
    argument.initial.assign(content.begin(), content.end());
  }
  argument.expected = {numbers(memory, part.expected, argument.count),
                       numbers(memory, part.scale, argument.count),
                       numbers(memory, part.also, argument.count)};
  for (const auto& [name, extent] : part.axes) {
    argument.axes.push_back({name, static_cast<std::size_t>(extent)});
  }
  for (const message::MistakenPart& mistake : part.mistakes) {
    argument.mistakes.push_back({{numbers(memory, mistake.value, argument.count),
                                  numbers(memory, mistake.scale, argument.count)},
                                 mistake.cause});
  }
  return argument;
}

}  // namespace

OracleProgram::OracleProgram() : channel_(base::Descriptor()) {
  const std::string path = oracle_path().string();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("socketpair: ") + std::strerror(errno));
  }
  channel_ = Channel(base::Descriptor(ends[0]));
  const base::Descriptor theirs(ends[1]);
  channel_.send_key(asker_.key());
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), kServeDescriptor);
  std::string serve = "--serve";
  char* arguments[] = {const_cast<char*>(path.c_str()), serve.data(), nullptr};
  const int error = ::posix_spawn(&process_, path.c_str(), &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + path + ": " + std::strerror(error));
}

OracleProgram::~OracleProgram() {
  channel_ = Channel(base::Descriptor());  // closing the socket ends the program
  ::waitpid(process_, nullptr, 0);
}

Value OracleProgram::request(const Value& message, int attached) {
  channel_.send(asker_.request(message), attached);
  const std::optional<Received> received = channel_.receive();
  if (!received) throw std::runtime_error("the program with the oracles has ended");
  Value reply = asker_.reply(received->value);
  if (reply.at(0).text() != "ok") throw std::runtime_error(reply.at(1).text());
  return reply;
}

Task OracleProgram::task(std::string_view name, std::int64_t n, std::uint64_t seed,
                         bool special_values) {
  const auto layout = message::decode<message::ProblemLayout>(request(
      message::encode_request(message::MakeProblem{std::string(name), n, seed, special_values})));
  const SharedMemory memory(static_cast<std::size_t>(layout.shared_bytes));
  request(message::encode_request(message::CopyProblem{}), memory.descriptor());
  Task task;
  task.flops = layout.flops;
  task.bytes_moved = layout.bytes_moved;
  for (const message::ProblemPart& part : layout.parts) task.add(argument_of(part, memory));
  return task;
}

}  // namespace harness
