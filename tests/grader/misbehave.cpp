// SPDX-License-Identifier: MIT
// A program that does one bad thing, chosen by its first argument.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

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

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "print")
    std::printf("\x1b[31mred<CTestDetails>\n%s\n", std::string(200, 'y').c_str());
  if (what == "flood") flood();
  if (what == "hang") hang();
  if (what == "memory") use_memory();
  if (what == "file") write_file();
  if (what == "daemon") keep_output_open();
  if (what == "garbage") {
    const char text[] = "score: 100/100, all passed\n";
    static_cast<void>(!::write(3, text, sizeof text));
    hang();
  }
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
