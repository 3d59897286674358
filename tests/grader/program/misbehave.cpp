// SPDX-License-Identifier: MIT
// A program that does one bad thing, chosen by its first argument.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cstddef>
#endif

#include "base/descriptor.hpp"
#include "harness/channel.hpp"
#include "harness/signing.hpp"

namespace {

void flood() {
  const std::string line(4096, 'x');
  while (std::fwrite(line.data(), 1, line.size(), stdout) > 0) {
  }
}

void hang() {
  while (true) ::pause();
}

void use_memory() {
  std::vector<std::vector<char>> blocks;
  for (int i = 0; i < 4096; ++i) blocks.emplace_back(std::size_t{1} << 20, '\1');
}

void keep_output_open() {
  if (::fork() == 0) {
    ::setsid();
    ::sleep(30);
  }
}

void write_file() {
  std::FILE* file = std::tmpfile();
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 64; ++i) std::fwrite(block.data(), 1, block.size(), file);
  std::fflush(file);
}

void reply_with_much_text() {
  base::SipKey key;
  if (::read(harness::kServeDescriptor, &key, sizeof key) != sizeof key) return;
  harness::Channel channel{base::Descriptor(harness::kServeDescriptor)};
  channel.receive();
  channel.send(harness::signed_message(key, harness::Speaker::kReplying, 1,
                                       harness::Value::list("ok", std::string(40'000'000, 'x'))));
}

/// Answers every message immediately and correctly.
void answer_all() {
  harness::Channel channel{base::Descriptor(harness::kServeDescriptor)};
  while (const auto request = channel.receive()) channel.send(request->value);
}

void tell(bool done) {
  std::puts(done ? "done" : "refused");
}

/// Memory that does not count as any process's private data.
void use_shared_memory() {
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return tell(false);
  std::memset(memory, 1, kBytes);
  ::sleep(20);
  tell(true);
}

/// The same, released piece by piece with madvise: the pages stay in use but are in no process's
/// resident memory.
void hide_shared_memory() {
  constexpr std::size_t kBytes = std::size_t{1} << 30, kPiece = std::size_t{16} << 20;
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return tell(false);
  for (std::size_t at = 0; at < kBytes; at += kPiece) {
    char* piece = static_cast<char*>(memory) + at;
    std::memset(piece, 1, kPiece);
    ::madvise(piece, kPiece, MADV_DONTNEED);
  }
  ::sleep(20);
  tell(true);
}

/// Several processes, each below the limit for one.
void use_memory_of_many() {
  constexpr std::size_t kBytes = std::size_t{32} << 20;
  for (int i = 0; i < 4; ++i) {
    if (::fork() != 0) continue;
    const std::vector<char> own(kBytes, '\1');
    ::sleep(20);
    ::_exit(own[5]);
  }
  ::sleep(20);
  tell(true);
}

bool in_child(pid_t child) {
  if (child == 0) ::_exit(0);
  return child > 0;
}

/// Files of 32 MB until one cannot be written.
void fill(const std::string& folder) {
  const std::string block(32 << 20, 'x');
  for (int i = 0; i < 16; ++i) {
    const int file = ::open((folder + "/" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
    if (file < 0 ||
        ::write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size())) {
      return tell(false);
    }
  }
  tell(true);
}

/// Half a second of work.
void compute() {
  while (std::clock() < CLOCKS_PER_SEC / 2) {
  }
}

/// Reads the request only after half a second of work.
void read_late() {
  compute();
  char block[65536];
  while (::read(harness::kServeDescriptor, block, sizeof block) > 0) {
  }
}

void compute_on_threads() {
  int sum = 0;
  std::thread([&] { sum += 1; }).join();
  std::thread([&] { sum += 2; }).join();
  tell(sum == 3);
}

void write_a_little(const std::string& folder) {
  std::FILE* file = std::fopen((folder + "/little").c_str(), "w");
  tell(file != nullptr && std::fputs("little", file) >= 0 && std::fclose(file) == 0);
}

#ifdef __linux__
/// Whether it reaches a program that listens in the network under this name, which is no file.
bool reaches(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const base::Descriptor own(::socket(AF_UNIX, SOCK_STREAM, 0));
  return ::connect(own.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0;
}
#endif

/// Tries what processes and hidden memory may do; returns false if `what` is none of these.
bool try_system_call(const std::string& what) {
#ifdef __linux__
  if (what == "fork")
    tell(in_child(::fork()));
  else if (what == "vfork")
    tell(in_child(
        static_cast<pid_t>(::syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, nullptr))));
  else if (what == "clone3")
    tell(::syscall(SYS_clone3, nullptr, 0) != -1 || errno != ENOSYS);
  else if (what == "system")
    tell(std::system("exit 0") == 0);
  else if (what == "memfd")
    tell(::syscall(SYS_memfd_create, "x", 0U) >= 0);
  else if (what == "sysv")
    tell(::shmget(IPC_PRIVATE, 1 << 20, 0600) >= 0);
  else if (what == "namespace")
    tell(::unshare(CLONE_NEWUSER) == 0);
  else if (what == "network")
    tell(reaches("roofline-labs-test"));
  else if (what == "trace")
    tell(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0);
  else
    return false;
  return true;
#else
  return what.empty();
#endif
}

}  // namespace

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  // The sandbox starts every program in the same way, so there the program's name says what to do.
  if (what == "--serve") what = std::string(argv[0]).substr(std::string(argv[0]).rfind('/') + 1);
  if (try_system_call(what)) return 0;
  if (what == "shared") use_shared_memory();
  if (what == "shared-hidden") hide_shared_memory();
  if (what == "many") use_memory_of_many();
  if (what == "threads") compute_on_threads();
  if (what == "fill-tmp") fill("/tmp");
  if (what == "fill-shm") fill("/dev/shm");
  if (what == "fill-dev") fill("/dev");
  if (what == "fill-root") fill("/");
  if (what == "little-tmp") write_a_little("/tmp");
  if (what == "little-shm") write_a_little("/dev/shm");
  if (what == "print")
    std::printf("\x1b[31mred<CTestDetails>\n%s\n", std::string(200, 'y').c_str());
  if (what == "flood") flood();
  if (what == "compute") compute();
  if (what == "late") read_late();
  if (what == "hang") hang();
  if (what == "memory") use_memory();
  if (what == "file") write_file();
  if (what == "daemon") keep_output_open();
  if (what == "garbage") {
    const char text[] = "score: 100/100, all passed\n";
    static_cast<void>(!::write(3, text, sizeof text));
    hang();
  }
  if (what == "text") reply_with_much_text();
  if (what == "answer") answer_all();
  if (what == "close") {
    ::close(3);
    hang();
  }
  if (what == "crash") ::raise(SIGSEGV);
  if (what == "environment")
    std::printf("%s|%s\n", std::getenv("SECRET") ? "leak" : "clean",
                std::getenv("HOME") ? "home" : "no home");
  if (what == "descriptors") {
    for (int fd = 4; fd < 256; ++fd) {
      if (::lseek(fd, 0, SEEK_CUR) != -1) std::printf("descriptor %d is open\n", fd);
    }
  }
  return what == "code" ? 3 : 0;
}
