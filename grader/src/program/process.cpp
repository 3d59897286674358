// SPDX-License-Identifier: MIT
// Forks, limits, captures and kills child processes.
#include "grader/program/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/descriptor.hpp"
#include "grader/program/system_calls.hpp"
#include "grader/timing/load.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace grader {
namespace {

constexpr int kExecFailed = 127;
constexpr std::uint64_t kMostOpenFiles = 1024;
/// Interval for checking a silent child.
constexpr int kLookAfterMilliseconds = 100;
/// Waiting for a core is excused up to this multiple of the limit. The bound is for programs whose
/// own threads keep each other waiting. Work that needs half its limit survives a load of 20 per
/// core.
constexpr double kMostExcused = 9;

void set_limit(decltype(RLIMIT_CPU) resource, std::uint64_t value) {
  if (value == 0) return;
  const rlimit limit{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  ::setrlimit(resource, &limit);
}

void apply_limits(const Limits& limits) {
  set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.cpu_seconds));
  set_limit(RLIMIT_DATA, limits.memory_bytes);
  set_limit(RLIMIT_FSIZE, limits.file_bytes);
  set_limit(RLIMIT_NPROC, limits.processes);
  set_limit(RLIMIT_NOFILE, kMostOpenFiles);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

void close_from(int first) {
#ifdef __linux__
  if (::close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
#endif
  const long open_max = ::sysconf(_SC_OPEN_MAX);
  for (int fd = first; fd < open_max; ++fd) ::close(fd);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

/// Runs in the child between vfork or fork and exec, possibly in the parent's memory: only system
/// calls, and no change to the parent's data.
[[noreturn]] void become(char* const* arguments, char* const* environment,
                         const std::filesystem::path& folder, const Limits& limits,
                         const std::string& filter, int socket, int output, int filter_file) {
  ::setpgid(0, 0);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
  const int null = ::open("/dev/null", O_RDONLY);
  // Move both out of the way before the low numbers are overwritten.
  const int high_socket = ::fcntl(socket, F_DUPFD, 20);
  const int high_output = ::fcntl(output, F_DUPFD, 20);
  const int high_filter = filter_file < 0 ? -1 : ::fcntl(filter_file, F_DUPFD, 20);
  ::dup2(null, 0);
  ::dup2(high_output, 1);
  ::dup2(high_output, 2);
  ::dup2(high_socket, harness::kServeDescriptor);
  if (high_filter >= 0) ::dup2(high_filter, kFilterDescriptor);
  close_from((high_filter >= 0 ? kFilterDescriptor : harness::kServeDescriptor) + 1);
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(kExecFailed);
  apply_limits(limits);
  if (high_filter < 0 && !apply_call_filter(filter)) ::_exit(kExecFailed);
  ::execve(arguments[0], arguments, environment);
  ::_exit(kExecFailed);
}

#ifdef __linux__
/// `pid` and the processes that descend from it.
std::vector<pid_t> process_tree(pid_t pid) {
  std::vector<pid_t> family = {pid};
  for (std::size_t i = 0; i < family.size(); ++i) {
    const std::filesystem::path tasks = "/proc/" + std::to_string(family[i]) + "/task";
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
      std::ifstream children(task.path() / "children");
      for (pid_t child = 0; children >> child;) family.push_back(child);
    }
  }
  return family;
}
#else
std::vector<pid_t> process_tree(pid_t pid) {
  return {pid};
}
#endif

/// The longest time that a thread of a process or its descendants was ready to run while every core
/// ran something else. 0 if the system does not report it.
double seconds_waited_for_a_core(pid_t pid) {
  double most = 0;
  for (const auto& [thread, times] : processor_times(process_tree(pid)).threads) {
    most = std::max(most, times.waiting);
  }
  return most;
}

/// The bytes in a line of /proc/PID/status or a similar file: "VmRSS:      1234 kB".
std::uint64_t bytes_in_line(const std::string& line) {
  return std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10) << 10;
}

/// A process's private memory: in use, swapped out, or for its page tables.
std::uint64_t private_bytes_of(const std::string& process) {
  std::ifstream in(process + "/status");
  std::uint64_t bytes = 0;
  for (std::string line; std::getline(in, line);) {
    for (const char* field : {"RssAnon:", "RssFile:", "VmSwap:", "VmPTE:"}) {
      if (line.starts_with(field)) bytes += bytes_in_line(line);
    }
  }
  return bytes;
}

/// Memory that processes may share, at full size: its pages stay in use when a process releases
/// them with madvise, and are then attributed to nobody.
std::uint64_t shared_bytes_of(const std::string& process) {
  std::ifstream in(process + "/maps");
  std::uint64_t bytes = 0;
  // 7f0000000000-7f0000100000 rw-s 00000000 00:01 1024   /dev/zero (deleted)
  for (std::string line; std::getline(in, line);) {
    const std::size_t flags = line.find(' ') + 1;
    if (line.size() < flags + 4 || line[flags + 3] != 's') continue;
    const bool is_memory = line.find(" /dev/zero") != std::string::npos ||
                           line.find(" /memfd:") != std::string::npos ||
                           line.find(" /dev/shm/") != std::string::npos ||
                           line.find(" /SYSV") != std::string::npos;
    if (!is_memory) continue;
    const std::uint64_t begin = std::strtoull(line.c_str(), nullptr, 16);
    bytes += std::strtoull(line.c_str() + line.find('-') + 1, nullptr, 16) - begin;
  }
  return bytes;
}

/// Memory of a process and its descendants.
std::uint64_t memory_of(pid_t pid) {
  std::uint64_t bytes = 0;
  for (const pid_t member : process_tree(pid)) {
    const std::string process = "/proc/" + std::to_string(member);
    bytes += private_bytes_of(process) + shared_bytes_of(process);
  }
  return bytes;
}

/// A file in memory, positioned at its beginning.
base::Descriptor file_of(const std::string& content) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("cannot make a temporary file");
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                       std::fflush(file) == 0;
  base::Descriptor descriptor(::fcntl(::fileno(file), F_DUPFD_CLOEXEC, 0));
  std::fclose(file);
  if (!written || !descriptor || ::lseek(descriptor.get(), 0, SEEK_SET) != 0) {
    throw std::runtime_error("cannot write a temporary file");
  }
  return descriptor;
}

void signal_family(pid_t pid, int signal) {
  for (const pid_t member : process_tree(pid)) ::kill(member, signal);
}

std::string signal_text(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "it accessed memory that is not its own (segmentation fault): an index far outside of "
             "a buffer, a null pointer, or a large array as a local variable";
    case SIGABRT:
      return "it aborted: a failed assert(), an exception that nobody caught, or memory damaged by "
             "a write outside of an array; what it printed says which";
    case SIGFPE:
      return "it divided an integer by zero, with / or %";
    case SIGILL:
    case SIGTRAP:
      return "it executed an illegal instruction: a function that ends without its return, or code "
             "that was declared unreachable";
    case SIGXCPU:
      return "it used more processor time than allowed";
    case SIGXFSZ:
      return "it wrote a larger file than allowed";
    case SIGKILL:
      return "it was killed: more memory or processor time than allowed";
    default:
      return "it was ended by signal " + std::to_string(signal);
  }
}

}  // namespace

Child::Child(const Command& command, const Limits& limits) : limits_(limits) {
  if (::access(command.arguments.at(0).c_str(), X_OK) != 0) {
    throw ChildFailure(Failure::kMissing,
                       "the program " + command.arguments[0] + " does not exist (not built?)");
  }
  start(command, limits);
}

void Child::start(const Command& command, const Limits& limits) {
  int sockets[2];
  int pipes[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
    throw std::runtime_error("cannot make a socket");
  }
  base::Descriptor mine(sockets[0]);
  const base::Descriptor theirs(sockets[1]);
  if (::pipe(pipes) != 0) throw std::runtime_error("cannot make a pipe");
  output_pipe_ = base::Descriptor(pipes[0]);
  const base::Descriptor output(pipes[1]);
  ::fcntl(mine.get(), F_SETFD, FD_CLOEXEC);
  ::fcntl(output_pipe_.get(), F_SETFD, FD_CLOEXEC);
  ::fcntl(output_pipe_.get(), F_SETFL, O_NONBLOCK);

  const std::vector<char*> arguments = pointers(command.arguments);
  const std::vector<char*> environment = pointers(command.environment);
  const std::string filter = limits.threads_only || command.takes_filter ? call_filter() : "";
  const base::Descriptor filter_file = command.takes_filter ? file_of(filter) : base::Descriptor();
#ifdef __linux__
  // Not fork(): that would copy the grader's page tables, which cover a class's cases, for every
  // program.
  pid_ = ::vfork();
#else
  pid_ = ::fork();
#endif
  if (pid_ < 0) throw std::runtime_error("cannot start a process");
  if (pid_ == 0) {
    become(arguments.data(), environment.data(), command.folder, limits, filter, theirs.get(),
           output.get(), filter_file ? filter_file.get() : -1);
  }
  ::setpgid(pid_, pid_);
  channel_.emplace(std::move(mine));
  started_ = Clock::now();
  restart_clock();
}

void Child::restart_clock() {
  const Clock::time_point now = Clock::now();
  deadline_ = now + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(limits_.wall_seconds));
  excused_at_start_ = excused_;
  if (replied_) replied_ = now;
}

void Child::go_on_with_clock() {
  if (!replied_) return;
  const Clock::duration idle = Clock::now() - *replied_;
  deadline_ += idle;
  idle_ += idle;
  replied_.reset();
}

double Child::seconds_used() const {
  const Clock::time_point until = replied_.value_or(Clock::now());
  return std::chrono::duration<double>(until - started_ - idle_).count() - excused_;
}

Child::~Child() {
  kill_group();
}

void Child::kill_group() {
  if (pid_ <= 0 || reaped_) return;
  ::kill(pid_, SIGKILL);
  reap();
}

bool Child::has_ended() const {
  siginfo_t info{};
  // Do not reap it yet: until the group has been killed, no other process must get its number.
  const int result = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return result == 0 && info.si_pid == pid_;
}

void Child::reap() {
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, &status_, 0);
  reaped_ = true;
}

void Child::send(const harness::Value& request, int attached) {
  go_on_with_clock();
  struct stat memory {};
  if (attached >= 0 && ::fstat(attached, &memory) == 0) {
    shared_bytes_ += static_cast<std::uint64_t>(memory.st_size);
  }
  try {
    channel_->send(request, attached, [this] { return is_late(); });
  } catch (const harness::ProtocolError&) {
    if (!has_ended() && is_late()) fail_late();
    explain_end();
  }
}

void Child::send_key(const base::SipKey& key) {
  try {
    channel_->send_key(key);
  } catch (const harness::ProtocolError&) {
    // It has ended; the first request reports why.
  }
}

bool Child::is_late() {
  if (Clock::now() < deadline_) return false;
  const double most = excused_at_start_ + kMostExcused * limits_.wall_seconds;
  const double waited = std::max(excused_, std::min(seconds_waited_for_a_core(pid_), most));
  deadline_ +=
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(waited - excused_));
  excused_ = waited;
  return Clock::now() >= deadline_;
}

harness::Value Child::receive() {
  go_on_with_clock();
  while (true) {
    bool closed = false;
    try {
      if (auto message = channel_->poll_message(closed)) {
        drain_output();  // what it printed before the reply
        replied_ = Clock::now();
        return std::move(*message);
      }
    } catch (const harness::ProtocolError& error) {
      fail(Failure::kProtocol, std::string(error.what()) + "; is main() or the harness replaced?");
    }
    if (closed) explain_end();
    // A process that it left behind may hold the socket open.
    if (has_ended()) {
      if (auto message = channel_->poll_message(closed)) return std::move(*message);
      explain_end();
    }
    if (is_late()) fail_late();
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count() + 1;
    pollfd entries[2] = {{channel_->descriptor(), POLLIN, 0}, {output_pipe_.get(), POLLIN, 0}};
    ::poll(entries, output_pipe_ ? 2 : 1,
           static_cast<int>(std::min<long long>(left, kLookAfterMilliseconds)));
    if (output_pipe_ && entries[1].revents != 0) drain_output();
    check_memory();
  }
}

void Child::check_memory() {
  if (limits_.resident_bytes == 0) return;
  const auto now = Clock::now();
  if (now - memory_checked_ < std::chrono::milliseconds(kLookAfterMilliseconds)) return;
  memory_checked_ = now;
  if (memory_of(pid_) <= limits_.resident_bytes + shared_bytes_) return;
  fail(Failure::kCrashed, "it used more memory than the allowed " +
                              std::to_string(limits_.resident_bytes >> 20) + " MiB");
}

void Child::pause() {
  if (reaped_) return;
  // Twice: processes may have started while the first ones were being stopped.
  signal_family(pid_, SIGSTOP);
  signal_family(pid_, SIGSTOP);
}

std::vector<pid_t> Child::family() const {
  return reaped_ ? std::vector<pid_t>() : process_tree(pid_);
}

void Child::resume() {
  if (!reaped_) signal_family(pid_, SIGCONT);
}

int Child::wait() {
  go_on_with_clock();
  while (true) {
    drain_output();
    if (has_ended()) {
      reap();
      drain_output();
      return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
    }
    if (is_late()) fail_late();
    pollfd entry{output_pipe_.get(), POLLIN, 0};
    ::poll(&entry, output_pipe_ ? 1 : 0, 10);
    check_memory();
  }
}

std::string Child::output() const {
  return sanitize_output(output_);
}

void Child::drain_output() {
  char chunk[65536];
  while (output_pipe_) {
    const ssize_t count = ::read(output_pipe_.get(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    if (count == 0) {
      output_pipe_.reset();
      return;
    }
    output_.append(chunk, static_cast<std::size_t>(count));
    output_total_ += static_cast<std::uint64_t>(count);
    const std::size_t kept = limits_.kept_output_bytes;
    if (output_.size() > 2 * kept) output_.erase(0, output_.size() - kept);
    if (limits_.output_bytes != 0 && output_total_ > limits_.output_bytes) {
      fail(Failure::kFlood, "it printed more than " + std::to_string(limits_.output_bytes >> 20) +
                                " MiB and was stopped");
    }
  }
}

void Child::fail(Failure failure, const std::string& message) {
  kill_group();
  throw ChildFailure(failure, message, output());
}

void Child::fail_late() {
  char text[120];
  std::snprintf(text, sizeof text,
                "it did not end within %g s (its limit); an endless loop looks like this",
                limits_.wall_seconds);
  fail(Failure::kTimedOut,
       limits_.why_less_time.empty() ? text : text + ("\n" + limits_.why_less_time));
}

void Child::explain_end() {
  drain_output();
  // The socket closes a moment before the process can be waited for.
  for (int i = 0; i < 200 && !has_ended(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  drain_output();
  const bool ended = has_ended();
  if (ended) reap();
  if (!ended) fail(Failure::kProtocol, "it closed the grader's channel");
  if (WIFSIGNALED(status_)) fail(Failure::kCrashed, signal_text(WTERMSIG(status_)));
  // The sandbox reports a signal as 128 + its number, like a shell.
  const int code = WEXITSTATUS(status_);
  if (code > 128 && code < 128 + NSIG) fail(Failure::kCrashed, signal_text(code - 128));
  fail(Failure::kCrashed,
       "it ended before it gave a result (exit code " + std::to_string(WEXITSTATUS(status_)) + ")");
}

void hide_from_others() {
#ifdef __linux__
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

std::vector<std::string> clean_environment() {
  std::vector<std::string> result = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                                     // An idle program's threads must not spin while the other is
                                     // timed.
                                     "OMP_WAIT_POLICY=passive"};
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                           "ROCR_VISIBLE_DEVICES", "OMP_NUM_THREADS", "ASAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) result.push_back(std::string(name) + "=" + value);
  }
  return result;
}

}  // namespace grader
