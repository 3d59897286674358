// SPDX-License-Identifier: MIT
// A child process under limits: what runs student code, and what keeps the grader safe from it.
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

/// Where a sandbox finds the filter of system calls for the program inside.
inline constexpr int kFilterDescriptor = harness::kServeDescriptor + 1;

/// What one child may use. Zero means no limit.
struct Limits {
  double wall_seconds = 60;   ///< waiting for a core excused, up to twice as long
  std::string why_less_time;  ///< said when they have passed; empty when they are all it may get
  double cpu_seconds = 120;
  std::uint64_t memory_bytes = 0;          ///< private writable memory (RLIMIT_DATA)
  std::uint64_t resident_bytes = 0;        ///< memory in use, private or shared, of it and its kin
  std::uint64_t file_bytes = 64U << 20;    ///< size of any file it writes
  std::uint64_t output_bytes = 16U << 20;  ///< text on stdout and stderr before it is killed
  std::size_t kept_output_bytes = 8192;    ///< how much of the end of that text is kept
  std::uint64_t processes = 0;             ///< of its user (RLIMIT_NPROC; root is exempt)
  /// It may start threads and no processes, take no memory without a mapping (memfd, System V), and
  /// open no namespaces: a filter of system calls, on Linux. Inside a sandbox the sandbox applies
  /// it.
  bool threads_only = false;
};

/// What to start. The environment is exactly `environment`.
struct Command {
  std::vector<std::string> arguments;  ///< program first
  std::filesystem::path folder;        ///< working folder; the current one when empty
  std::vector<std::string> environment;
  /// The program is a sandbox, which takes the filter of system calls from kFilterDescriptor.
  bool takes_filter = false;
};

/// Why a child gave no proper reply.
enum class Failure {
  kMissing,
  kDoesNotCompile,
  kRefused,  ///< it compiles and is not run, because of what its object holds
  kUnsolved,
  kError,
  kCrashed,
  kTimedOut,
  kFlood,
  kProtocol
};

/// Thrown when a child fails. what() is one sentence for people, `output` the end of what the child
/// printed, sanitized for terminals and reports.
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

  /// Sends the key of the signatures, which a program that serves takes before all requests.
  void send_key(const base::SipKey& key);
  /// Sends a request. @throws ChildFailure.
  void send(const harness::Value& request, int attached = -1);
  /// Waits for the next message. @throws ChildFailure when the child ends, hangs,
  /// floods, or sends malformed data.
  harness::Value receive();
  /// Waits for the end. Returns the exit code, 128 + signal for a signal.
  /// @throws ChildFailure when it does not end before its wall-clock limit.
  int wait();

  /// Stops the child and everything that descends from it, so that nothing of it runs while
  /// another program is timed; and lets them go on.
  void pause();
  void resume();

  /// The child and everything that descends from it.
  std::vector<pid_t> family() const;

  /// Begins the wall-clock limit anew: for a program of the course that answers many requests.
  void restart_clock();
  /// Wall-clock time that counts for the limit, over its whole life.
  double seconds_used() const;
  /// The end of what the child printed, sanitized.
  std::string output() const;
  /// The same as it came; only for output that is not shown to people.
  const std::string& raw_output() const { return output_; }

 private:
  void start(const Command& command, const Limits& limits);
  void drain_output();
  bool has_ended() const;
  void check_memory();
  /// Whether the limit has passed. Time in which it was ready and the machine ran others does not
  /// count: a busy machine is nobody's failure.
  bool is_late();
  /// Nor does the time from a reply to the next request.
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
  std::optional<Clock::time_point> replied_;  ///< when, if nothing was asked of it since
  Clock::duration idle_{};                    ///< from replies to the next requests
  double excused_ = 0;  ///< seconds of waiting for a core by which the deadline was moved so far
  double excused_at_start_ = 0;  ///< the same when the clock began
  Clock::time_point memory_checked_;
  std::uint64_t shared_bytes_ = 0;  ///< of the memory that was sent to it
};

/// A small clean environment: PATH, and what a GPU runtime needs to find its libraries.
std::vector<std::string> clean_environment();

}  // namespace grader
