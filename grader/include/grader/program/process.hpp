// SPDX-License-Identifier: MIT
// A child process under limits: runs student code and protects the grader from it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "grader/program/sanitize.hpp"
#include "harness/channel.hpp"

namespace grader {

using Clock = std::chrono::steady_clock;

/// The descriptor where a sandbox finds the system-call filter for the program inside.
inline constexpr int kFilterDescriptor = harness::kServeDescriptor + 1;

/// Resource limits of one child. Zero means no limit.
struct Limits {
  double wall_seconds = 60;   ///< not counting waits for a core, up to a bound
  std::string why_less_time;  ///< the reason, shown when they have passed; empty for the full time
  double cpu_seconds = 120;
  std::uint64_t memory_bytes = 0;          ///< private writable memory (RLIMIT_DATA)
  std::uint64_t resident_bytes = 0;        ///< memory in use, private or shared, with descendants
  std::uint64_t file_bytes = 64U << 20;    ///< size of any file it writes
  std::uint64_t output_bytes = 16U << 20;  ///< text on stdout and stderr before it is killed
  std::size_t kept_output_bytes = 8192;    ///< how much of the end of that text is kept
  std::uint64_t processes = 0;             ///< of its user (RLIMIT_NPROC; root is exempt)
  /// The child may start threads but no processes, take no memory without a mapping (memfd, System
  /// V), and open no namespaces: a system-call filter, on Linux. Inside a sandbox, the sandbox
  /// applies it.
  bool threads_only = false;
};

/// What to start. The environment is exactly `environment`.
struct Command {
  std::vector<std::string> arguments;  ///< program first
  std::filesystem::path folder;        ///< working folder; the current one when empty
  std::vector<std::string> environment;
  /// The program is a sandbox, which takes the system-call filter from kFilterDescriptor.
  bool takes_filter = false;
};

/// Why a child gave no proper reply.
enum class Failure {
  kMissing,
  kDoesNotCompile,
  kRefused,  ///< it compiles but is not run, because of the content of its object
  kUnsolved,
  kError,
  kCrashed,
  kTimedOut,
  kFlood,
  kProtocol
};

/// Thrown when a child fails. what() is one sentence for people, `output` the end of the child's
/// output, sanitized for terminals and reports.
class ChildFailure : public std::runtime_error {
 public:
  ChildFailure(Failure why, const std::string& message, std::string printed = {})
      : std::runtime_error(message), failure(why), output(std::move(printed)) {}

  Failure failure;
  std::string output;
};

/// A running child with a socket (harness::kServeDescriptor) and captured output. Its destructor
/// kills the child's whole process group.
class Child {
 public:
  /// Starts the program. @throws ChildFailure(kMissing) when it does not exist.
  Child(const Command& command, const Limits& limits);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Sends the signing key, which a serving program reads before all requests.
  void send_key(const base::SipKey& key);
  /// Sends a request. @throws ChildFailure.
  void send(const harness::Value& request, int attached = -1);
  /// Waits for the next message. @throws ChildFailure when the child ends, hangs,
  /// floods, or sends malformed data.
  harness::Value receive();
  /// Waits for the end. Returns the exit code, 128 + signal for a signal.
  /// @throws ChildFailure when it does not end before its wall-clock limit.
  int wait();

  /// Stops the child and all its descendants, so that nothing of it runs while another program is
  /// timed; resume() continues them.
  void pause();
  void resume();

  /// The child and all its descendants.
  std::vector<pid_t> family() const;

  /// Restarts the wall-clock limit: for a program of the course that answers many requests.
  void restart_clock();
  /// Wall-clock time counted against the limit, over its whole life.
  double seconds_used() const;
  /// The end of what the child printed, sanitized.
  std::string output() const;
  /// The same, unmodified; only for output that is not shown to people.
  const std::string& raw_output() const { return output_; }

 private:
  void start(const Command& command, const Limits& limits);
  void drain_output();
  bool has_ended() const;
  void check_memory();
  /// Whether the limit has passed. Time in which it was ready while the machine ran other work does
  /// not count: a busy machine is nobody's failure.
  bool is_late();
  /// Excludes the time from a reply to the next request.
  void go_on_with_clock();
  void reap();
  void kill_group();
  [[noreturn]] void fail(Failure failure, const std::string& message);
  [[noreturn]] void fail_late();
  [[noreturn]] void explain_end();

  pid_t pid_ = -1;
  bool reaped_ = false;
  int status_ = 0;
  std::optional<harness::Channel> channel_;
  base::Descriptor output_pipe_;
  std::string output_;
  std::uint64_t output_total_ = 0;
  Limits limits_;
  Clock::time_point started_;
  Clock::time_point deadline_;
  std::optional<Clock::time_point> replied_;  ///< when; empty if there was a request since
  Clock::duration idle_{};                    ///< time between replies and the next requests
  double excused_ = 0;           ///< seconds of waiting for a core that have extended the deadline
  double excused_at_start_ = 0;  ///< the same when the clock started
  Clock::time_point memory_checked_;
  std::uint64_t shared_bytes_ = 0;  ///< of the memory that was sent to it
};

/// Closes this process's memory, environment and descriptors to other processes of its user, except
/// root's: a student's program without a sandbox is one. Linux only.
void hide_from_others();

/// A small clean environment: PATH, and what a GPU runtime needs to find its libraries.
std::vector<std::string> clean_environment();

}  // namespace grader
