// SPDX-License-Identifier: MIT
// A program in a pseudo-terminal.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace support {

/// A running program whose standard streams are a terminal.
class Terminal {
 public:
  /// `command[0]` is a path. @throws std::runtime_error if there is no pseudo-terminal.
  explicit Terminal(const std::vector<std::string>& command, unsigned short columns = 80);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  /// @throws std::runtime_error if the program does not read the keys.
  void type(const std::string& keys) const;
  /// Waits until the text appears after the last expect(). False after `seconds`.
  bool expect(const std::string& text, double seconds = 60);
  /// Waits for the program to end. Returns the exit status, or 128 + the signal.
  int wait();
  void kill(int signal_number) const;
  /// Everything shown so far, without carriage returns and colours.
  const std::string& shown() const { return shown_; }
  /// True if the terminal echoes and waits for whole lines, as a shell leaves it.
  bool is_cooked() const;
  pid_t pid() const { return pid_; }

 private:
  bool read_some(double seconds);

  pid_t pid_ = -1;
  int master_ = -1;
  int slave_ = -1;  ///< kept open, so that the settings can be inspected after the end
  bool ended_ = false;
  int status_ = 0;
  std::string shown_;
  std::size_t looked_at_ = 0;
};

}  // namespace support
