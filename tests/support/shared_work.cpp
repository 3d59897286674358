// SPDX-License-Identifier: MIT
// Processes that share a counter through the same work, and the file of what is done.
#include "support/shared_work.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/csv.hpp"
#include "base/files.hpp"

namespace support {
namespace {

using Clock = std::chrono::steady_clock;

/// A counter shared by the processes.
std::atomic<std::size_t>& shared_counter() {
  void* memory = ::mmap(nullptr, sizeof(std::atomic<std::size_t>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory that processes can share");
  return *new (memory) std::atomic<std::size_t>(0);
}

/// Restricts this process, and what it starts, to its share of the processors: programs that use
/// all they see would get in each other's way.
void keep_to_own_processors(int process, int processes) {
  cpu_set_t all;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
  const int parts = std::min(processes, CPU_COUNT(&all));
  cpu_set_t own;
  CPU_ZERO(&own);
  int number = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    if (number++ % parts == process % parts) CPU_SET(cpu, &own);
  }
  ::sched_setaffinity(0, sizeof own, &own);
}

}  // namespace

bool share_work(std::size_t count, int processes, double minutes,
                const std::function<void(std::size_t i, int process)>& work) {
  std::atomic<std::size_t>& next = shared_counter();
  const auto end = Clock::now() + std::chrono::duration<double, std::ratio<60>>(minutes);
  std::fflush(stdout);
  for (int process = 0; process < processes; ++process) {
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start another process");
    if (child > 0) continue;
    int status = 0;
    keep_to_own_processors(process, processes);
    try {
      for (std::size_t i = next++; i < count && Clock::now() < end; i = next++) work(i, process);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      status = 1;
    }
    std::fflush(stdout);
    ::_exit(status);
  }
  bool all_well = true;
  int status = 0;
  while (::wait(&status) > 0) all_well = all_well && status == 0;
  return all_well;
}

DoneFile::DoneFile(std::filesystem::path file)
    : file_(std::move(file)), is_temporary_(file_.empty()) {
  if (!is_temporary_) return;
  file_ = std::filesystem::temp_directory_path() / ("done-" + std::to_string(::getpid()) + ".tsv");
  std::filesystem::remove(file_);
}

DoneFile::~DoneFile() {
  std::error_code ignored;
  if (is_temporary_) std::filesystem::remove(file_, ignored);
}

void DoneFile::add(const std::vector<std::string>& fields) const {
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : "\t") + field;
  line += "\n";
  const int out = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const bool is_written =
      out >= 0 && ::write(out, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (out >= 0) ::close(out);
  if (!is_written) throw std::runtime_error("cannot write " + file_.string());
}

std::vector<std::vector<std::string>> DoneFile::lines() const {
  std::string text = base::read_file_if_any(file_);
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  return base::parse_csv(text, '\t').rows;
}

std::set<std::vector<std::string>> DoneFile::first_fields(std::size_t count) const {
  std::set<std::vector<std::string>> result;
  for (std::vector<std::string>& line : lines()) {
    line.resize(std::min(count, line.size()));
    result.insert(std::move(line));
  }
  return result;
}

}  // namespace support
