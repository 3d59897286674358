// SPDX-License-Identifier: MIT
// A student's page of the book in a browser: what is folded up on a screen is open on paper, and
// nothing is wider than a phone: term-page-browser. Exit code 77: no Chromium here.
#include <cstdio>
#include <filesystem>

#include "browser.hpp"
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

int look(site_test::Browser& browser) {
  const support::TemporaryFolder folder;
  const std::string url = "file://" + page_of_ada(folder).string();
  const auto is_seen = [&] {
    return browser.evaluate("document.querySelector('details td').checkVisibility()").get<bool>();
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
  expect(browser.evaluate("document.documentElement.scrollWidth").get<int>() <= kPhone,
         "no wider than a phone");
  browser.as_on_paper();
  expect(is_seen(), "exercises are there on paper");
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main() {
  return site_test::with_browser("term-page-browser", look);
}
