// SPDX-License-Identifier: MIT
// A student's pages in a browser, of the book and of a batch: what is folded up on a screen is open
// on paper, where dark letters stand on white, and nothing is wider than a phone:
// term-page-browser. Exit code 77: no Chromium here.
#include <cstdio>
#include <filesystem>
#include <string>

#include "browser.hpp"
#include "grader/report/report.hpp"
#include "small_course.hpp"
#include "term/student_page.hpp"

namespace {

namespace fs = std::filesystem;

fs::path page_of_ada(const support::TemporaryFolder& folder) {
  small::store(folder, "w", "ada", {{"01.a", {1}}, {"01.b", {2}}});
  folder.write("policy.toml",
               "course = \"x\"\n[[assignment]]\nname = \"One\"\nexercises = [\"01.\"]\n"
               "deadline = 2026-10-10T12:00:00Z\n[[assignment.submission]]\nresults = \"w\"\n"
               "handed-in = 2026-10-10T11:00:00Z\n");
  const term::Policy policy = term::read_policy(folder.path / "policy.toml", small::topics());
  const term::Term term = term::score(policy, small::topics(), {{"ada", "Ada"}});
  folder.write("ada.html", term::student_page(policy, term.standings.front()));
  return folder.path / "ada.html";
}

/// With a diagnosis, a file and what a compiler prints that are longer than any line.
fs::path page_of_batch(const support::TemporaryFolder& folder) {
  grader::Verdict verdict;
  verdict.id = "01.a." + std::string(80, 'a');
  verdict.title = "Bytes";
  verdict.topic = "01-a";
  verdict.status = grader::Status::kFailed;
  verdict.max_points = 1;
  verdict.message = "wrong: " + std::string(200, 'x');
  verdict.detail = std::string(300, '=');
  verdict.output = "topics/" + std::string(300, 'y');
  verdict.read = "topics/01-a/README.md#" + std::string(100, 'z');
  grader::Results results;
  results.student = "ada";
  results.notes = {std::string(200, 'n') + ".cu is not taken: no topic asks for it"};
  results.verdicts = {verdict};
  folder.write("batch.html",
               grader::results_html(
                   results, {"Ada", "A course", {{verdict.id, std::string(200, 't')}}, {}, {}}));
  return folder.path / "batch.html";
}

int look(site_test::Browser& browser) {
  const support::TemporaryFolder folder;
  const std::string url = "file://" + page_of_ada(folder).string();
  const auto is_seen = [&] {
    return browser.is_true("document.querySelector('details td').checkVisibility()");
  };
  int bad = 0;
  const auto expect = [&](bool holds, const char* what) {
    if (!holds) std::printf("FAILED: %s\n", what);
    bad += holds ? 0 : 1;
  };
  constexpr int kPhone = 390;
  browser.prefer_dark(false);
  browser.resize(kPhone, 844, true);
  browser.open(url);
  expect(!is_seen(), "exercises are folded up on a screen");
  expect(browser.number("document.documentElement.scrollWidth") <= kPhone, "no wider than a phone");
  browser.as_on_paper();
  expect(is_seen(), "exercises are there on paper");

  browser.prefer_dark(true);
  browser.open("file://" + page_of_batch(folder).string());
  expect(browser.number("document.documentElement.scrollWidth") <= kPhone,
         "a batch's page is no wider than a phone");
  const auto colour = [&](const std::string& of) {
    return browser.text("getComputedStyle(document.body)." + of);
  };
  expect(colour("backgroundColor") != "rgb(255, 255, 255)", "dark where a reader prefers it");
  browser.as_on_paper();
  expect(colour("backgroundColor") == "rgb(255, 255, 255)" && colour("color") == "rgb(0, 0, 0)",
         "black on white on paper");
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main() {
  return site_test::with_browser("term-page-browser", look);
}
