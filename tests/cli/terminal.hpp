// SPDX-License-Identifier: MIT
// A program in a pseudo-terminal of 80 columns, and a copy of the test course for it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace cli_test {

/// A checkout of the test course in a folder of its own, with the programs of the real build tree.
class CourseCopy {
 public:
  CourseCopy();
  CourseCopy(const CourseCopy&) = delete;
  CourseCopy& operator=(const CourseCopy&) = delete;
  ~CourseCopy();

  std::filesystem::path root() const { return folder_ / "course"; }
  std::filesystem::path build() const { return folder_ / "build"; }
  std::filesystem::path file(const std::string& name) const {
    return root() / "topics" / "90-course" / name;
  }
  /// Command line of `lab ARGUMENTS...` in this checkout.
  std::vector<std::string> lab(std::vector<std::string> arguments) const;
  /// Writes an answer the way an editor does: a new file that takes the old one's place.
  void answer(const std::string& id, const std::string& value) const;

 private:
  std::filesystem::path folder_;
};

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// A running program whose standard streams are a terminal.
class Terminal {
 public:
  explicit Terminal(const std::vector<std::string>& command);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  void type(const std::string& keys) const;
  /// Waits until the text has appeared since the last expect(). False after `seconds`.
  bool expect(const std::string& text, double seconds = 60);
  /// Waits for the end. Returns the exit status, or 128 + the signal.
  int wait();
  void kill(int signal_number) const;
  /// Everything that was shown, without carriage returns and colours.
  const std::string& shown() const { return shown_; }
  /// True when the terminal echoes and waits for whole lines, as a shell leaves it.
  bool is_cooked() const;
  pid_t pid() const { return pid_; }

 private:
  bool read_some(double seconds);

  pid_t pid_ = -1;
  int master_ = -1;
  int slave_ = -1;  ///< kept open, so that the settings can be looked at after the end
  bool ended_ = false;
  int status_ = 0;
  std::string shown_;
  std::size_t looked_at_ = 0;
};

/// Runs a command to its end in a terminal. Fails the test when a line is longer than 80 columns.
struct Ran {
  int status = 0;
  std::string shown;
};
Ran run(const std::vector<std::string>& command);

}  // namespace cli_test
