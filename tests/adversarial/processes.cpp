// SPDX-License-Identifier: MIT
// Processes, memory and files that a student's program must not have, and those that it may have.
#ifdef __linux__
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <functional>
#include <optional>

#include "base/descriptor.hpp"
#include "corpus.hpp"
#include "grader/judge/grade.hpp"
#include "grader/program/process.hpp"
#include "grader/program/sandbox.hpp"
#include "grader/program/system_calls.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

struct Deed {
  std::string name;
  std::string argument;  ///< of test-misbehave
  std::string stopped_by = {};
  bool in_sandbox = false;  ///< only there
};

const std::vector<Deed>& deeds() {
  constexpr const char* kFilter = "system calls are filtered";
  constexpr const char* kFiles =
      "/ and /dev cannot be written to, /tmp and /dev/shm are private and small";
  static const std::vector<Deed> kAll = {
      {"a second process, to go on while the program is stopped", "fork", kFilter},
      {"a second process that shares its memory", "vfork", kFilter},
      {"a second process by the newest call, which hides its flags", "clone3", kFilter},
      {"a shell", "system", kFilter},
      {"memory without a mapping", "memfd", kFilter},
      {"memory of System V, which outlives the program", "sysv", kFilter},
      {"a namespace in which it is root", "namespace", kFilter},
      {"to trace another program", "trace", kFilter},
      {"to fill /tmp with many files", "fill-tmp", kFiles, true},
      {"to fill /dev/shm", "fill-shm", kFiles, true},
      {"to fill /dev, which is in memory", "fill-dev", kFiles, true},
      {"to fill /, which is in memory", "fill-root", kFiles, true},
      {"threads", "threads"},
      {"a small file in /tmp", "little-tmp", {}, true},
      {"a small file in /dev/shm", "little-shm", {}, true},
  };
  return kAll;
}

grader::Limits limits() {
  grader::Limits limits;
  limits.wall_seconds = 30;
  limits.threads_only = true;
  return limits;
}

std::string said(const grader::Command& command) {
  grader::Child child(command, limits());
  child.wait();
  return child.output();
}

void check(const Deed& deed, const std::string& output) {
  INFO(deed.name);
  CHECK(output == (deed.stopped_by.empty() ? "done\n" : "refused\n"));
}

}  // namespace

TEST_CASE("what a program may do, with and without the sandbox", "[adversarial]") {
  if (grader::call_filter().empty()) {
    WARN("no filter of system calls for this system");
    return;
  }
  const bool has_sandbox = grader::sandbox_available();
  if (!has_sandbox) WARN("bubblewrap does not work on this machine");
  const support::TemporaryFolder programs;
  for (const Deed& deed : deeds()) {
    if (!deed.in_sandbox) {
      check(deed, said({{RL_MISBEHAVE, deed.argument}, {}, grader::clean_environment()}));
    }
    if (!has_sandbox) continue;
    const fs::path program = programs.path / deed.argument;
    fs::copy_file(RL_MISBEHAVE, program);
    check(deed, said(grader::sandboxed_program(programs.path, program, {})));
  }
}

#ifdef __linux__
namespace {

/// The exit status of a process that runs `work`.
int status_of(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WEXITSTATUS(status);
}

/// Whether a program can open the memory of the process that started it, where neither is root's.
bool can_read_parent(bool is_hidden) {
  return status_of([&] {
           constexpr uid_t kNobody = 65534;
           if (::geteuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0) return 0;
           ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // as it is after a start
           if (is_hidden) grader::hide_from_others();
           const std::string memory = "/proc/" + std::to_string(::getpid()) + "/mem";
           return status_of(
               [&] { return ::open(memory.c_str(), O_RDONLY | O_CLOEXEC) >= 0 ? 1 : 0; });
         }) == 1;
}

}  // namespace

TEST_CASE("a program reaches the network without a sandbox only", "[adversarial]") {
  if (!grader::sandbox_available()) return;
  const std::string name = "roofline-labs-test";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const base::Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(listener.get(), 1) == 0);
  const support::TemporaryFolder programs;
  const fs::path program = programs.path / "network";
  fs::copy_file(RL_MISBEHAVE, program);
  CHECK(said({{RL_MISBEHAVE, "network"}, {}, grader::clean_environment()}) == "done\n");
  CHECK(said(grader::sandboxed_program(programs.path, program, {})) == "refused\n");
}

TEST_CASE("a program without a sandbox cannot read the grader's memory", "[adversarial]") {
  if (!can_read_parent(false)) WARN("this system lets no process read another's memory");
  CHECK_FALSE(can_read_parent(true));
}
#endif

TEST_CASE("one limit over all memory, whoever holds it", "[adversarial]") {
  const support::TemporaryFolder programs;
  const bool has_sandbox = grader::sandbox_available();
  for (const char* how : {"shared", "shared-hidden", "many"}) {
    grader::Limits limited = limits();
    limited.resident_bytes = 64 << 20;
    limited.threads_only = std::string(how) != "many";  // as on systems without a filter
    const fs::path program = programs.path / how;
    fs::copy_file(RL_MISBEHAVE, program);
    std::vector<grader::Command> commands = {
        {{RL_MISBEHAVE, how}, {}, grader::clean_environment()}};
    if (has_sandbox && limited.threads_only) {
      commands.push_back(grader::sandboxed_program(programs.path, program, {}));
    }
    for (const grader::Command& command : commands) {
      INFO(how << " by " << command.arguments.front());
      grader::Child child(command, limited);
      CHECK_THROWS_WITH(child.wait(), Catch::Contains("more memory than the allowed 64 MiB"));
    }
  }
}

namespace {

/// A session with a program that never answers, and its exercise.
struct Sleeper {
  explicit Sleeper(double budget_seconds) {
    std::vector<grader::SchemaError> errors;
    const auto topics = grader::load_topics(RL_TEST_COURSE, errors);
    for (const grader::Exercise& e : topics.at(0).exercises) {
      if (e.id == "90.saxpy") exercise = e;
    }
    exercise.program = "hang";
    exercise.wall_seconds = 2;
    fs::create_directories(programs.path / "90-course");
    fs::copy_file(RL_MISBEHAVE, programs.path / "90-course/hang");
    grader::Workspace workspace;
    workspace.root = RL_TEST_COURSE;
    workspace.build = RL_BUILD;
    workspace.student_bin = programs.path;
    workspace.budget_seconds = budget_seconds;
    session.emplace(workspace);
  }
  double seconds_of_next() {
    verdict = grader::grade(*session, exercise);
    CHECK(verdict.status == grader::Status::kTimedOut);
    return verdict.seconds;
  }
  /// The same for another lab of the program.
  double seconds_of_next(const std::string& entry) {
    exercise.entry = entry;
    return seconds_of_next();
  }
  support::TemporaryFolder programs;
  grader::Exercise exercise;
  std::optional<grader::Session> session;
  grader::Verdict verdict;  ///< the last one
};

}  // namespace

TEST_CASE("a program that sleeps does not use up its time limit in every exercise",
          "[adversarial]") {
  Sleeper poor(3);
  CHECK(poor.seconds_of_next() >= 2);
  CHECK(poor.seconds_of_next() < 2);  // what was left of the budget
  CHECK(poor.seconds_of_next() < 1);
  CHECK(poor.verdict.message.find("the submission has used up its 3 s") != std::string::npos);
}

TEST_CASE("a lab beside an endless one keeps its time, until a second one is endless",
          "[adversarial]") {
  Sleeper sleeper(1000);
  const double all = sleeper.session->limits_for(sleeper.exercise).wall_seconds;
  CHECK(sleeper.seconds_of_next("endless") >= all);
  CHECK(sleeper.verdict.detail.empty());
  CHECK(sleeper.seconds_of_next("endless") < all);
  CHECK(sleeper.verdict.detail ==
        "It was given a tenth of its time, because endless had timed out before.");
  CHECK(sleeper.seconds_of_next("beside") >= all);
  CHECK(sleeper.verdict.detail.empty());
  CHECK(sleeper.seconds_of_next("third") < all);
  CHECK(sleeper.verdict.detail ==
        "It was given a tenth of its time, because beside and endless had timed out before.");
}

TEST_CASE("a program without its lab has failed, and is never skipped", "[adversarial]") {
  Sleeper sleeper(1000);
  grader::Hello hello;
  const auto status = [&] {
    const auto verdict = not_to_be_judged(*sleeper.session, sleeper.exercise, hello);
    return verdict ? verdict->status : grader::Status::kPassed;
  };
  CHECK(status() == grader::Status::kFailed);
  hello.entries = {{sleeper.exercise.entry, {}}};
  if (sleeper.session->backend() == "cpu") CHECK(status() == grader::Status::kFailed);
  hello.device = "a device";
  CHECK(status() == grader::Status::kPassed);
}

std::vector<corpus::Row> corpus::process_rows() {
  std::vector<Row> rows;
  rows.push_back({"a file without its lab, or that claims to see no device, in order to be skipped",
                  "it fails; only the reference can report a missing device", kTriedLight});
  rows.push_back({"a program that sleeps in every exercise",
                  "asked again, what timed out gets a tenth of its time, and after two such labs "
                  "the rest of the program; a budget for the whole submission",
                  kTriedLight});
  for (const Deed& deed : deeds()) {
    rows.push_back({"a program that wants " + deed.name, deed.stopped_by,
                    deed.in_sandbox ? kTriedInSandbox : kTriedBoth,
                    deed.in_sandbox ? Where::kSandboxOnly : Where::kEverywhere});
  }
  rows.push_back({"a program that wants to reach others in the network", "a network of its own",
                  kTriedInSandbox, Where::kSandboxOnly});
  rows.push_back({"a program that reads the grader's memory, environment or files through /proc",
                  "the grader hides them from its user's other processes, except root's",
                  kTriedLight});
  constexpr const char* kSum = "memory is summed over the program and everything it starts";
  rows.push_back(
      {"a program that wants memory that counts as nobody's (MAP_SHARED)", kSum, kTriedBoth});
  rows.push_back(
      {"a program that lets go of shared memory, which stays in use (madvise)", kSum, kTriedBoth});
  rows.push_back({"many processes, each with as much memory as one may have", kSum, kTriedLight});
  return rows;
}
