// SPDX-License-Identifier: MIT
// JSON messages, each terminated by a zero byte, over descriptors 3 and 4 of the browser.
#include "browser.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace site_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kPatienceMilliseconds = 60000;

}  // namespace

std::optional<std::string> find_chromium() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      const fs::path program = fs::path(folder) / name;
      if (::access(program.c_str(), X_OK) == 0) return program.string();
    }
  }
  return std::nullopt;
}

Browser::Browser(const std::string& program) {
  std::string pattern = (fs::temp_directory_path() / "site-browser-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  profile_ = pattern;
  int to[2];
  int from[2];
  if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot make pipes");
  }
  const std::string profile = "--user-data-dir=" + profile_.string();
  pid_ = ::fork();
  if (pid_ == 0) {
    // First to numbers above 4: a pipe's own end may be 3 or 4.
    const int in = ::fcntl(to[0], F_DUPFD, 10);
    const int out = ::fcntl(from[1], F_DUPFD, 10);
    ::dup2(in, 3);
    ::dup2(out, 4);
    const int null = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(null, fd);
    ::execl(program.c_str(), program.c_str(), "--headless", "--no-sandbox", "--disable-gpu",
            "--remote-debugging-pipe", "--hide-scrollbars", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            profile.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  to_ = to[1];
  from_ = from[0];
  const json target = call("Target.createTarget", {{"url", "about:blank"}});
  session_ = call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}})
                 .at("sessionId");
  for (const char* domain : {"Page.enable", "Network.enable", "Runtime.enable", "Log.enable"}) {
    call(domain);
  }
}

Browser::~Browser() {
  ::close(to_);
  ::close(from_);
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  std::error_code ignored;
  fs::remove_all(profile_, ignored);
}

json Browser::next_message() {
  for (;;) {
    const auto end = buffer_.find('\0');
    if (end != std::string::npos) {
      json message = json::parse(buffer_.substr(0, end));
      buffer_.erase(0, end + 1);
      return message;
    }
    pollfd ready{from_, POLLIN, 0};
    if (::poll(&ready, 1, kPatienceMilliseconds) <= 0) {
      throw std::runtime_error("the browser no longer answers");
    }
    char part[65536];
    const ssize_t got = ::read(from_, part, sizeof part);
    if (got <= 0) throw std::runtime_error("the browser has ended");
    buffer_.append(part, static_cast<std::size_t>(got));
  }
}

void Browser::note(const json& message) {
  const std::string method = message.value("method", "");
  if (method == "Page.loadEventFired") loaded_ = true;
  if (method == "Network.requestWillBeSent") {
    requests_.push_back(message.at("params").at("request").at("url"));
  }
  if (method == "Runtime.exceptionThrown") complaints_.push_back(message.at("params").dump());
  if (method == "Log.entryAdded" && message.at("params").at("entry").at("level") == "error") {
    complaints_.push_back(message.at("params").at("entry").at("text"));
  }
}

json Browser::call(const std::string& method) {
  return call(method, json::object());
}

json Browser::call(const std::string& method, const json& parameters) {
  json message = {{"id", ++last_id_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  std::string text = message.dump();
  text += '\0';
  if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("the browser does not listen");
  }
  for (;;) {
    json reply = next_message();
    if (reply.value("id", 0) != last_id_) {
      note(reply);
      continue;
    }
    if (reply.contains("error")) throw std::runtime_error(method + ": " + reply["error"].dump());
    return reply.value("result", json::object());
  }
}

void Browser::open(const std::string& url) {
  // Another page first, because an address that differs only in its #fragment would load nothing.
  for (const std::string& address : {std::string("about:blank"), url}) {
    // Anything that the previous page was still loading fails on about:blank; that is not this
    // page's fault.
    requests_.clear();
    complaints_.clear();
    loaded_ = false;
    call("Page.navigate", {{"url", address}});
    wait_for_page();
  }
}

void Browser::wait_for_page() {
  while (!loaded_) note(next_message());
  // MathJax's own script has run when the page is loaded (unless its address is refused), but it
  // fetches its parts and typesets afterwards. Until then formulas are text, at other places.
  run(R"js(new Promise(done => {
    const look = () => {
      if (!window.MathJax?.Hub) return done();
      if (!MathJax.isReady) return setTimeout(look, 50);
      MathJax.Hub.Queue(done);
    };
    look();
  }))js");
}

void Browser::refuse_addresses_with(const std::string& part) {
  call("Network.setBlockedURLs", {{"urls", json::array({"*" + part + "*"})}});
}

void Browser::press(const std::string& key) {
  struct Key {
    const char* name;
    int code;
    const char* text;
  };
  static constexpr Key kNamed[] = {{"Enter", 13, "\r"},   {"Escape", 27, ""},  {"Tab", 9, ""},
                                   {"ArrowDown", 40, ""}, {"ArrowUp", 38, ""}, {" ", 32, " "}};
  json down = {{"type", "keyDown"}, {"key", key}, {"text", key}};
  for (const Key& named : kNamed) {
    if (key != named.name) continue;
    down["windowsVirtualKeyCode"] = named.code;
    down["text"] = named.text;
    if (*named.text == '\0') down.erase("text");
  }
  loaded_ = false;  // the key may request a page
  call("Input.dispatchKeyEvent", down);
  down["type"] = "keyUp";
  down.erase("text");
  call("Input.dispatchKeyEvent", down);
}

void Browser::type(const std::string& text) {
  for (const char c : text) press(std::string(1, c));
}

Browser::Place Browser::middle_of(const std::string& selector) {
  const json place =
      evaluate("(() => { const e = document.querySelector(" + quoted(selector) +
               "); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
               " return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()");
  return {place.at("x"), place.at("y")};
}

void Browser::click(const std::string& selector) {
  const Place place = middle_of(selector);
  loaded_ = false;
  press_at(place.x, place.y);
  release_at(place.x, place.y);
}

void Browser::tap(const std::string& selector) {
  const Place place = middle_of(selector);
  // The scrolling ends, and with it what it hides.
  run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))");
  call("Input.dispatchTouchEvent",
       {{"type", "touchStart"}, {"touchPoints", json::array({{{"x", place.x}, {"y", place.y}}})}});
  call("Input.dispatchTouchEvent", {{"type", "touchEnd"}, {"touchPoints", json::array()}});
  // Like the emulated mouse events, which come later.
  run("new Promise(done => setTimeout(done, 300))");
}

void Browser::mouse(const char* type, double x, double y, const json& more) {
  json parameters = {{"type", type}, {"x", x}, {"y", y}};
  parameters.update(more);
  call("Input.dispatchMouseEvent", parameters);
}

void Browser::move_to(double x, double y) {
  mouse("mouseMoved", x, y, json::object());
}

void Browser::press_at(double x, double y) {
  mouse("mousePressed", x, y, {{"button", "left"}, {"clickCount", 1}});
}

void Browser::release_at(double x, double y) {
  mouse("mouseReleased", x, y, {{"button", "left"}, {"clickCount", 1}});
}

void Browser::wheel_at(double x, double y, double down) {
  mouse("mouseWheel", x, y, {{"deltaX", 0}, {"deltaY", down}});
}

void Browser::resize(int width, int height, bool phone) {
  call("Emulation.setDeviceMetricsOverride", {{"width", width},
                                              {"height", height},
                                              {"deviceScaleFactor", phone ? 2 : 1},
                                              {"mobile", phone}});
  call("Emulation.setTouchEmulationEnabled", {{"enabled", phone}});
}

void Browser::prefer_dark(bool dark) {
  call("Emulation.setEmulatedMedia",
       {{"media", ""},
        {"features",
         json::array({{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}})}});
}

void Browser::as_on_paper() {
  call("Emulation.setEmulatedMedia", {{"media", "print"}});
}

json Browser::evaluate(const std::string& expression) {
  const json reply =
      call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (reply.contains("exceptionDetails")) {
    throw std::runtime_error("JavaScript: " + reply["exceptionDetails"].dump());
  }
  return reply.at("result").value("value", json());
}

double Browser::number(const std::string& expression) {
  return evaluate(expression);
}

std::vector<double> Browser::numbers(const std::string& expression) {
  std::vector<double> all;
  for (const json& one : evaluate(expression)) all.push_back(one);
  return all;
}

std::string Browser::text(const std::string& expression) {
  return evaluate(expression);
}

std::vector<std::string> Browser::texts(const std::string& expression) {
  std::vector<std::string> all;
  for (const json& one : evaluate(expression)) all.push_back(one);
  return all;
}

std::string Browser::json_of(const std::string& expression) {
  return evaluate(expression).dump();
}

void Browser::screenshot(const fs::path& png) {
  const std::string text = call("Page.captureScreenshot", {{"format", "png"}}).at("data");
  std::string bytes(text.size(), '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  std::ofstream(png, std::ios::binary).write(bytes.data(), length);
}

std::string quoted(const std::string& text) {
  return json(text).dump();
}

int with_browser(const char* program, const std::function<int(Browser&)>& use) {
  constexpr int kExitSkipped = 77;
  const auto chromium = find_chromium();
  if (!chromium) {
    std::puts("skipped: no Chromium on PATH");
    return kExitSkipped;
  }
  try {
    Browser browser(*chromium);
    return use(browser);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

}  // namespace site_test
