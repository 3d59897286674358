// SPDX-License-Identifier: MIT
// Five hundred students, two topics' assignments, late hand-ins, regrades and decisions; every
// total is computed here a second time, from the numbers that were drawn and not from what is
// stored.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

#include "base/files.hpp"
#include "grader/batch/class_list.hpp"
#include "small_course.hpp"
#include "support/catch.hpp"

namespace {

constexpr int kStudents = 500;
constexpr int kLateDays = 3;
constexpr double kPenalty = 0.2;
constexpr int kLimit = 5;
constexpr long long kDay = 86400;

/// Two assignments, each handed in up to twice.
struct Attempt {
  bool there = false;
  std::array<double, 2> points{};
  long long seconds_late = 0;
};
struct Drawn {
  std::array<std::array<Attempt, 2>, 2> attempts{};
};

const std::array<std::array<const char*, 2>, 2> kIds = {{{"01.a", "01.b"}, {"02.a", "02.b"}}};
const std::array<std::array<double, 2>, 2> kPoints = {{{1, 3}, {2, 2}}};
const std::array<const char*, 2> kDeadlines = {"2026-10-10T12:00:00Z", "2026-11-10T12:00:00Z"};

std::string id_of(int student) {
  return fmt::format("s{:03}", student);
}

std::string time_after(std::size_t assignment, long long seconds) {
  const auto time = *term::parse_time(kDeadlines.at(assignment)) + std::chrono::seconds(seconds);
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

class WholeTerm {
 public:
  WholeTerm() {
    std::mt19937 random(26);
    const auto below = [&](int most) {
      return static_cast<int>(std::uniform_int_distribution<>(0, most - 1)(random));
    };
    std::string roster = "id,name,email,sis-id,section\n";
    for (int s = 0; s < kStudents; ++s) {
      roster += fmt::format("{0},Student {0},{0}@example.org,u{0},A\n", id_of(s));
      for (auto& attempts : drawn_.at(static_cast<std::size_t>(s)).attempts) {
        for (Attempt& attempt : attempts) {
          attempt.there = below(5) > 0;
          attempt.points = {static_cast<double>(below(2)), static_cast<double>(below(3))};
          attempt.seconds_late = below(8 * kDay) - 2 * kDay;
        }
      }
    }
    folder_.write("roster.csv", roster);
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t t = 0; t < 2; ++t) store(a, t);
    }
  }

  void store(std::size_t a, std::size_t t) const {
    const std::string batch = fmt::format("batch{}{}", a, t);
    std::string times = "id,time\n";
    for (int s = 0; s < kStudents; ++s) {
      const Attempt& attempt = drawn_.at(static_cast<std::size_t>(s)).attempts.at(a).at(t);
      if (!attempt.there) continue;
      small::store(folder_, batch, id_of(s),
                   {{kIds[a][0], {attempt.points[0]}}, {kIds[a][1], {attempt.points[1]}}});
      times += id_of(s) + "," + time_after(a, attempt.seconds_late) + "\n";
    }
    folder_.write(batch + ".csv", times);
  }

  term::BookSummary book(const std::string& decisions) const {
    std::string policy =
        fmt::format("course = \"A term\"\nlate-days = {}\nlate-penalty = {}\nlate-limit = {}\n",
                    kLateDays, kPenalty, kLimit);
    for (std::size_t a = 0; a < 2; ++a) {
      policy += fmt::format(
          "[[assignment]]\nname = \"A{0}\"\nexercises = [\"0{1}.\"]\ndeadline = {2}\nweight = "
          "{1}\n",
          a, a + 1, kDeadlines.at(a));
      for (std::size_t t = 0; t < 2; ++t) {
        policy += fmt::format(
            "[[assignment.submission]]\nresults = \"batch{0}{1}\"\ntimes = \"batch{0}{1}.csv\"\n",
            a, t);
      }
    }
    folder_.write("policy.toml", policy + decisions);
    return term::write_book(
        {folder_.path / "policy.toml", folder_.path / "roster.csv", "", folder_.path / "book"},
        small::topics());
  }

  /// The total in hundredths of a percent, computed from what was drawn.
  std::string expected_total(int student) const {
    int free = kLateDays;
    double total = 0;
    for (std::size_t a = 0; a < 2; ++a) {
      const auto& attempts = drawn_.at(static_cast<std::size_t>(student)).attempts.at(a);
      // The earlier one first; a later one has to be better.
      std::array<std::size_t, 2> order = {0, 1};
      if (attempts[1].seconds_late < attempts[0].seconds_late) order = {1, 0};
      double best = -1;
      int used = 0;
      for (const std::size_t t : order) {
        const Attempt& attempt = attempts.at(t);
        if (!attempt.there) continue;
        const long long late = std::max(0LL, attempt.seconds_late);
        const int days = static_cast<int>((late + kDay - 1) / kDay);
        if (days > kLimit) continue;
        const int own = std::min(free, days);
        const double share = (attempt.points[0] + attempt.points[1]) /
                             (kPoints[a][0] + kPoints[a][1]) * (1 - kPenalty * (days - own));
        if (share > best) {
          best = share;
          used = own;
        }
      }
      free -= used;
      total += std::max(best, 0.0) * static_cast<double>(a + 1) / 3;
    }
    return fmt::format("{:.2f}", 100 * total);
  }

  std::map<std::string, std::map<std::string, std::string>> table(const std::string& name) const {
    std::map<std::string, std::map<std::string, std::string>> rows;
    for (const grader::ListRow& row : grader::read_list(folder_.path / "book" / name, {})) {
      const auto key = row.fields.count("id") > 0 ? "id" : "email address";
      rows[row.fields.at(key)] = row.fields;
    }
    return rows;
  }

  support::TemporaryFolder folder_;
  std::array<Drawn, kStudents> drawn_;
};

}  // namespace

TEST_CASE("a term of five hundred is played through", "[term]") {
  WholeTerm term;
  const auto check_totals = [&](const std::map<std::string, std::string>& decided = {}) {
    const auto book = term.table("book.csv");
    REQUIRE(book.size() == kStudents);
    int differ = 0;
    for (int s = 0; s < kStudents; ++s) {
      const auto own = decided.find(id_of(s));
      const std::string should = own == decided.end() ? term.expected_total(s) : own->second;
      if (book.at(id_of(s)).at("total percent") != should) ++differ;
    }
    CHECK(differ == 0);
  };
  const term::BookSummary first = term.book("");
  CHECK(first.first);
  CHECK(first.problems.empty());
  CHECK(first.students == kStudents);
  check_totals();
  // Again, and nothing moved.
  CHECK(term.book("").changes.empty());

  // A regrade of one exercise: everybody who had 0 in 01.b has 1 now.
  int regraded = 0;
  for (Drawn& drawn : term.drawn_) {
    for (Attempt& attempt : drawn.attempts[0]) {
      if (attempt.there && attempt.points[1] == 0) {
        attempt.points[1] = 1;
        ++regraded;
      }
    }
  }
  REQUIRE(regraded > 0);
  for (std::size_t t = 0; t < 2; ++t) term.store(0, t);
  const auto before = term.table("book.csv");
  const term::BookSummary second = term.book("");
  check_totals();
  const auto after = term.table("book.csv");
  std::set<std::string> moved;
  for (const auto& [id, row] : after) {
    if (row.at("total percent") != before.at(id).at("total percent")) moved.insert(id);
  }
  std::set<std::string> named;
  for (const term::Change& change : second.changes) {
    named.insert(change.student);
    INFO(in_words(change));
    CHECK_FALSE(change.reasons.empty());
  }
  // Everybody whose total moved is named, with a reason.
  CHECK(std::includes(named.begin(), named.end(), moved.begin(), moved.end()));

  // Decisions of people hold through a second regrade.
  const std::string decisions =
      "[[override]]\nstudent = \"s007\"\nexercise = \"02.a\"\npoints = 2\nreason = \"oral\"\n"
      "by = \"Li\"\n[[override]]\nstudent = \"s007\"\nexercise = \"02.b\"\npoints = 2\n"
      "reason = \"oral\"\nby = \"Li\"\n[[excuse]]\nstudent = \"s007\"\nassignment = \"A0\"\n"
      "reason = \"ill\"\nby = \"Li\"\n[[extension]]\nstudent = \"s007\"\nassignment = \"A1\"\n"
      "days = 30\nreason = \"ill\"\nby = \"Li\"\n";
  const term::BookSummary third = term.book(decisions);
  check_totals({{"s007", "100.00"}});
  for (const term::Change& change : third.changes) CHECK(change.student == "s007");
  for (auto& attempt : term.drawn_[7].attempts[1]) attempt.points = {0, 0};
  for (std::size_t t = 0; t < 2; ++t) term.store(1, t);
  term.book(decisions);
  check_totals({{"s007", "100.00"}});
  const std::string page = base::read_file(term.folder_.path / "book/students/s007.html");
  CHECK(page.find("oral, by Li") != std::string::npos);
  CHECK(page.find("s008") == std::string::npos);

  // Platforms' tables have everybody once.
  const auto canvas =
      grader::read_list(term.folder_.path / "book/canvas.csv",
                        {"student", "id", "sis user id", "sis login id", "section"});
  CHECK(canvas.size() == kStudents + 1);  // and the line with the points possible
  CHECK(canvas.front().fields.at("student") == "Points Possible");
  CHECK(canvas.front().fields.at("a0") == "100");
  CHECK(term.table("moodle.csv").at("s007@example.org").at("a1") == "100.00");
}

TEST_CASE("a book that cannot be compared with is left alone", "[term]") {
  const WholeTerm term;
  term.folder_.write("book/book.json", "{}");
  CHECK_THROWS_WITH(term.book(""), Catch::Matchers::Contains("move it away to begin a new book"));
  CHECK(base::read_file(term.folder_.path / "book/book.json") == "{}");
}
