// SPDX-License-Identifier: MIT
// A headless Chromium, controlled through its debugging pipe.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace site_test {

/// The path of a Chromium or Chrome on PATH; empty if there is none.
std::optional<std::string> find_chromium();

/// One browser with one page. Every call throws std::runtime_error if the browser fails.
class Browser {
 public:
  explicit Browser(const std::string& program);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  /// Opens a page and waits until it is loaded and its formulas are typeset.
  void open(const std::string& url);
  /// Width and height in CSS pixels; `phone` also emulates a touch screen and two device pixels per
  /// CSS pixel.
  void resize(int width, int height, bool phone);
  void prefer_dark(bool dark);
  /// Emulates print, until prefer_dark() is called.
  void as_on_paper();
  /// From now on addresses containing this are not loaded.
  void refuse_addresses_with(const std::string& part);
  /// Presses a key as a person would: a name such as "Enter", or one character.
  void press(const std::string& key);
  void type(const std::string& text);
  /// Clicks the left mouse button in the middle of the first element matching a selector.
  void click(const std::string& selector);
  /// Touches the middle of the first element matching a selector.
  void tap(const std::string& selector);
  /// Moves the mouse to a position in the window, clicks there, or turns its wheel by this many
  /// pixels (down is positive).
  void move_to(double x, double y);
  void press_at(double x, double y);
  void release_at(double x, double y);
  void wheel_at(double x, double y, double down);
  /// Waits until a page requested by a key or a click is loaded and its formulas are typeset.
  void wait_for_page();
  /// Runs JavaScript.
  void run(const std::string& script) { json_of(script); }
  /// The value of a JavaScript expression: whether it is true and nothing else, a number, some
  /// numbers, a text, some texts, or as JSON. Promises are awaited.
  bool is_true(const std::string& expression) { return json_of(expression) == "true"; }
  double number(const std::string& expression);
  std::vector<double> numbers(const std::string& expression);
  std::string text(const std::string& expression);
  std::vector<std::string> texts(const std::string& expression);
  std::string json_of(const std::string& expression);
  void screenshot(const std::filesystem::path& png);

  /// Addresses that pages requested and errors that they logged, since the last open().
  const std::vector<std::string>& requests() const { return requests_; }
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  struct Place {
    double x = 0, y = 0;
  };
  Place middle_of(const std::string& selector);
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters);
  nlohmann::json call(const std::string& method);
  nlohmann::json next_message();
  nlohmann::json evaluate(const std::string& expression);
  void mouse(const char* type, double x, double y, const nlohmann::json& more);
  void note(const nlohmann::json& message);

  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  int last_id_ = 0;
  bool loaded_ = false;
  std::string session_;
  std::string buffer_;
  std::filesystem::path profile_;
  std::vector<std::string> requests_;
  std::vector<std::string> complaints_;
};

/// The text as a JavaScript expression.
std::string quoted(const std::string& text);

/// The main() of a browser test: calls use() with a browser and returns its status; returns 77
/// (skipped) without a Chromium, and 1, printing the reason and `program`, if use() throws.
int with_browser(const char* program, const std::function<int(Browser&)>& use);

}  // namespace site_test
