// SPDX-License-Identifier: MIT
// Atomic files, temporary folders and locks.
#include "base/files.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/csv.hpp"
#include "base/file_lock.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using Catch::Contains;

TEST_CASE("files are replaced as a whole or not at all", "[base]") {
  const base::TemporaryFolder folder;
  const fs::path file = folder.path() / "atomic.txt";
  base::write_file_atomically(file, "old");
  base::write_file_atomically(file, std::string("new\0bytes", 9));
  CHECK(base::read_file(file) == std::string("new\0bytes", 9));
  base::write_file_quickly(file, "quick");
  CHECK(base::read_file(file) == "quick");
  const std::string long_text(200000, 'x');  // more than is read at once
  base::write_file_quickly(file, long_text);
  CHECK(base::read_file(file) == long_text);
  CHECK_THROWS_WITH(base::write_file_atomically("/nonexistent-folder/x", "y"),
                    Contains("/nonexistent-folder/x"));
  CHECK_THROWS_WITH(base::require_writable("/nonexistent-folder/x"),
                    Contains("/nonexistent-folder/x"));
  base::require_writable(file);
  // A folder or a device is not replaced: before long work is the time to say so.
  CHECK_THROWS_WITH(base::require_writable(folder.path()), Contains("it is a folder"));
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(base::require_writable(pipe), Contains("it is a device or pipe, not a file"));
  CHECK_THROWS_WITH(base::write_file_atomically(pipe, "x"), Contains("device or pipe"));
  CHECK(fs::is_fifo(pipe));
  fs::remove(pipe);
  // Nothing is left beside it.
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  CHECK_THROWS_WITH(base::read_file(folder.path() / "none"), Contains("none"));
  CHECK(base::read_file_if_any(folder.path() / "none").empty());
  base::write_file_quickly(file, "one\ntwo\n");
  CHECK(base::first_line(file) == "one");
  CHECK(base::first_line(folder.path() / "none").empty());
}

TEST_CASE("a file that somebody hands over is refused with what is wrong with it", "[base]") {
  const base::TemporaryFolder folder;
  const fs::path file = folder.path() / "given.csv";
  CHECK_THROWS_WITH(base::read_given_file(file), Contains("given.csv"));
  CHECK_THROWS_WITH(base::read_given_file(folder.path()), Contains("a folder"));
  CHECK_THROWS_WITH(base::read_given_file("/dev/zero"), Contains("this is a device"));
  base::write_file_quickly(file, "");
  CHECK_THROWS_WITH(base::read_given_file(file), Contains("empty"));
  base::write_file_quickly(file, std::string("\xff\xfe"
                                             "a\0",
                                             4));
  CHECK_THROWS_WITH(base::read_given_file(file), Contains("UTF-16"));
  base::write_file_quickly(file,
                           "\xef\xbb\xbf"
                           "a,b\r\n");
  CHECK(base::read_given_file(file) == "a,b\r\n");
}

TEST_CASE("a temporary folder is removed with its owner", "[base]") {
  fs::path kept;
  {
    const base::TemporaryFolder folder;
    kept = folder.path();
    base::write_file_atomically(kept / "file", "x");
  }
  CHECK_FALSE(fs::exists(kept));
}

TEST_CASE("a lock is one process's, or several's that share it", "[base]") {
  const base::TemporaryFolder folder;
  const fs::path file = folder.path() / "lock";
  {
    const base::FileLock held = base::FileLock::wait(file);
    held.note("the test");
    CHECK_FALSE(base::FileLock::try_lock(file));
    int heard = 0;
    const pid_t child = ::fork();
    if (child == 0) {  // waits until the parent is told, which is when this process ends
      std::string note;
      base::FileLock::wait(file, base::FileLock::Mode::kAlone, [&](const base::FileLock& other) {
        ::_exit(other.read_note() == "the test" ? 7 : 8);
      });
      ::_exit(9);
    }
    REQUIRE(::waitpid(child, &heard, 0) == child);
    CHECK(WEXITSTATUS(heard) == 7);
  }
  CHECK(base::FileLock::try_lock(file));
  const base::FileLock one = base::FileLock::wait(file, base::FileLock::Mode::kShared);
  const base::FileLock two = base::FileLock::wait(file, base::FileLock::Mode::kShared);
  CHECK_FALSE(base::FileLock::try_lock(file));
  CHECK_THROWS_WITH(base::FileLock::wait("/nonexistent-folder/lock"),
                    Contains("/nonexistent-folder/lock"));
}

TEST_CASE("a mistake in a CSV file is reported with its place", "[base]") {
  const base::TemporaryFolder folder;
  const fs::path file = folder.path() / "table.csv";
  base::write_file_atomically(file, "a,b\n1,2\n\n3,4\n");
  const base::CsvFile table(file);
  REQUIRE(table.size() == 2);
  CHECK(table.field(1, "b") == "4");
  CHECK(table.has("a"));
  CHECK_THROWS_WITH(table.field(0, "c"), Contains("table.csv:1: the column c is missing"));
  CHECK_THROWS_WITH(table.fail(1, "bad"), Contains("table.csv:4: bad"));
  base::write_file_atomically(file, "a,b\n1\n");
  CHECK_THROWS_WITH(base::CsvFile(file), Contains("table.csv:2: the header names 2 fields"));
}
