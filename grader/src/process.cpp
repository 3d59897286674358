// SPDX-License-Identifier: MIT
// Fork, limits, capture and kill.
#include "grader/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace grader {
namespace {

constexpr int kExecFailed = 127;
/// How often a silent child is looked at.
constexpr int kLookAfterMilliseconds = 100;

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

/// Runs in the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* arguments, char* const* environment, const char* folder,
                         const Limits& limits, int socket, int output) {
  ::setpgid(0, 0);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
  const int null = ::open("/dev/null", O_RDONLY);
  // Move both out of the way before the low numbers are overwritten.
  const int high_socket = ::fcntl(socket, F_DUPFD, 20);
  const int high_output = ::fcntl(output, F_DUPFD, 20);
  ::dup2(null, 0);
  ::dup2(high_output, 1);
  ::dup2(high_output, 2);
  ::dup2(high_socket, harness::kServeDescriptor);
  close_from(harness::kServeDescriptor + 1);
  if (folder != nullptr && ::chdir(folder) != 0) ::_exit(kExecFailed);
  apply_limits(limits);
  ::execve(arguments[0], arguments, environment);
  ::_exit(kExecFailed);
}

#ifdef __linux__
/// Processes that descend from `pid`, itself included.
std::vector<pid_t> family_of(pid_t pid) {
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
std::vector<pid_t> family_of(pid_t pid) {
  return {pid};
}
#endif

void signal_family(pid_t pid, int signal) {
  for (const pid_t member : family_of(pid)) ::kill(member, signal);
}

std::string signal_text(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "it accessed memory that it does not own (segmentation fault)";
    case SIGABRT:
      return "it aborted";
    case SIGFPE:
      return "it divided an integer by zero";
    case SIGILL:
      return "it executed an illegal instruction";
    case SIGXCPU:
      return "it used more processor time than allowed";
    case SIGXFSZ:
      return "it wrote a larger file than allowed";
    case SIGKILL:
      return "it was killed (more memory or processor time than allowed)";
    default:
      return "it was ended by signal " + std::to_string(signal);
  }
}

constexpr std::size_t kColumns = 76;

/// Takes the unfinished last word off a full line, when there is one, for the next line.
std::string last_word(std::string& line) {
  const std::size_t space = line.rfind(' ');
  if (space == std::string::npos || space < kColumns / 2) return "";
  std::string word = line.substr(space + 1);
  line.resize(space);
  return word;
}

/// CTest reads measurements and details from tags in a test's output.
bool opens_ctest_tag(std::string_view text) {
  if (!text.starts_with('<')) return false;
  text.remove_prefix(text.starts_with("</") ? 2 : 1);
  return ::strncasecmp(text.data(), "ctest", std::min<std::size_t>(5, text.size())) == 0 ||
         ::strncasecmp(text.data(), "dart", std::min<std::size_t>(4, text.size())) == 0;
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
  harness::Descriptor mine(sockets[0]);
  const harness::Descriptor theirs(sockets[1]);
  if (::pipe(pipes) != 0) throw std::runtime_error("cannot make a pipe");
  output_pipe_ = harness::Descriptor(pipes[0]);
  const harness::Descriptor output(pipes[1]);
  ::fcntl(mine.get(), F_SETFD, FD_CLOEXEC);
  ::fcntl(output_pipe_.get(), F_SETFD, FD_CLOEXEC);
  ::fcntl(output_pipe_.get(), F_SETFL, O_NONBLOCK);

  const std::vector<char*> arguments = pointers(command.arguments);
  const std::vector<char*> environment = pointers(command.environment);
  const char* folder = command.folder.empty() ? nullptr : command.folder.c_str();
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot start a process");
  if (pid_ == 0) {
    become(arguments.data(), environment.data(), folder, limits, theirs.get(), output.get());
  }
  ::setpgid(pid_, pid_);
  channel_.emplace(std::move(mine));
  restart_clock();
}

void Child::restart_clock() {
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(limits_.wall_seconds));
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
  // Not reaped: until the group has been killed, its number must not go to another process.
  const int result = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return result == 0 && info.si_pid == pid_;
}

void Child::reap() {
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, &status_, 0);
  reaped_ = true;
}

void Child::send(const harness::Value& request, int attached) {
  try {
    const double left = std::chrono::duration<double>(deadline_ - Clock::now()).count();
    channel_->send(request, attached, std::max(left, 0.1));
  } catch (const harness::ProtocolError&) {
    explain_end();
  }
}

harness::Value Child::receive(Clock::time_point deadline) {
  while (true) {
    bool closed = false;
    try {
      if (auto message = channel_->poll_message(closed)) return *message;
    } catch (const harness::ProtocolError& error) {
      fail(Failure::kProtocol, std::string(error.what()) + "; is main() or the harness replaced?");
    }
    if (closed) explain_end();
    // A process that it left behind may hold the socket open.
    if (has_ended()) {
      if (auto message = channel_->poll_message(closed)) return *message;
      explain_end();
    }
    const auto now = Clock::now();
    const auto end = std::min(deadline, deadline_);
    if (now >= end) {
      fail(Failure::kTimedOut, "it did not finish within its time limit (endless loop?)");
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - now).count() + 1;
    pollfd entries[2] = {{channel_->descriptor(), POLLIN, 0}, {output_pipe_.get(), POLLIN, 0}};
    ::poll(entries, output_pipe_ ? 2 : 1,
           static_cast<int>(std::min<long long>(left, kLookAfterMilliseconds)));
    if (output_pipe_ && entries[1].revents != 0) drain_output();
  }
}

void Child::pause() {
  if (reaped_) return;
  // Twice: a process may have been started while the first were being stopped.
  signal_family(pid_, SIGSTOP);
  signal_family(pid_, SIGSTOP);
}

void Child::resume() {
  if (!reaped_) signal_family(pid_, SIGCONT);
}

int Child::wait() {
  while (true) {
    drain_output();
    if (has_ended()) {
      reap();
      drain_output();
      return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
    }
    if (Clock::now() >= deadline_) {
      fail(Failure::kTimedOut, "it did not finish within its time limit");
    }
    pollfd entry{output_pipe_.get(), POLLIN, 0};
    ::poll(&entry, output_pipe_ ? 1 : 0, 10);
  }
}

std::string Child::output() const {
  return harmless(output_);
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
  // The sandbox reports a signal as 128 + its number, as shells do.
  const int code = WEXITSTATUS(status_);
  if (code > 128 && code < 128 + NSIG) fail(Failure::kCrashed, signal_text(code - 128));
  fail(Failure::kCrashed,
       "it ended before it gave a result (exit code " + std::to_string(WEXITSTATUS(status_)) + ")");
}

std::string harmless(std::string_view text, std::size_t lines) {
  std::vector<std::string> kept(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') kept.emplace_back();
    if (c == '\n' || c == '\r') continue;
    if (kept.back().size() == kColumns) kept.push_back(last_word(kept.back()));
    const bool printable = c >= ' ' && c <= '~' && !opens_ctest_tag(text.substr(i));
    kept.back() += printable ? c : '?';
  }
  if (kept.back().empty()) kept.pop_back();
  const std::size_t first = kept.size() > lines ? kept.size() - lines : 0;
  std::string result;
  for (std::size_t i = first; i < kept.size(); ++i) result += kept[i] + '\n';
  return result;
}

std::vector<std::string> clean_environment() {
  std::vector<std::string> result = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                                     // An idle program must not spin while the other is timed.
                                     "OMP_WAIT_POLICY=passive"};
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                           "ROCR_VISIBLE_DEVICES", "OMP_NUM_THREADS", "ASAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) result.push_back(std::string(name) + "=" + value);
  }
  return result;
}

}  // namespace grader
