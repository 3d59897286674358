// SPDX-License-Identifier: MIT
#include "term/times.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using Catch::Matchers::Contains;

TEST_CASE("times say how far they are from UTC", "[term]") {
  // 1,000,000,000 seconds after 1970 was 2001-09-09 01:46:40 UTC.
  const auto billion = term::parse_time("2001-09-09T01:46:40Z");
  REQUIRE(billion);
  CHECK(billion->time_since_epoch().count() == 1'000'000'000);
  CHECK(term::parse_time("2001-09-09 03:46:40+02:00") == billion);
  CHECK(term::parse_time("2001-09-08T20:16:40-05:30") == billion);
  CHECK(term::written(*billion) == "2001-09-09 01:46:40 UTC");
  CHECK(term::written(*billion, std::chrono::minutes(120)) == "2001-09-09 03:46:40 +02:00");
  CHECK(term::written(*billion, std::chrono::minutes(-330)) == "2001-09-08 20:16:40 -05:30");
  for (const char* other :
       {"2001-09-09T01:46:40", "2001-09-09", "yesterday", "", "1 # x", "2001-13-09T01:46:40Z"}) {
    INFO(other);
    CHECK_FALSE(term::parse_time(other));
  }
}

TEST_CASE("a list of times", "[term]") {
  const support::TemporaryFolder folder;
  folder.write("times.csv", "ID;Time\nada;2001-09-09T01:46:40Z\n\nben;2001-09-09T02:46:40Z\n");
  const auto times = term::read_times(folder.path / "times.csv");
  REQUIRE(times.size() == 2);
  CHECK((times.at("ben").at("") - times.at("ada").at("")).count() == 3600);
  folder.write("bad.csv", "id,time\nada,noon\n");
  CHECK_THROWS_WITH(term::read_times(folder.path / "bad.csv"),
                    Contains("bad.csv:2:") && Contains("\"noon\""));
  folder.write("twice.csv", "id,time\nada,2001-09-09T01:46:40Z\nada,2001-09-09T01:46:40Z\n");
  CHECK_THROWS_WITH(term::read_times(folder.path / "twice.csv"),
                    Contains("twice.csv:3: id used twice"));
  const std::string hour = ",2001-09-09T01:46:40Z\n";
  folder.write("attempts.csv",
               "id,attempt,time\nada,ada_1.zip" + hour + "ada,ada_2" + hour + "ada," + hour);
  const auto attempts = term::read_times(folder.path / "attempts.csv");
  CHECK(attempts.at("ada").size() == 3);
  CHECK(attempts.at("ada").contains("ada_1"));
  folder.write("twice.csv", "id,attempt,time\nada,ada_1.zip" + hour + "ada,ada_1" + hour);
  CHECK_THROWS_WITH(term::read_times(folder.path / "twice.csv"),
                    Contains("twice.csv:3: attempt used twice"));
  folder.write("none.csv", "id,when\n");
  CHECK_THROWS_WITH(term::read_times(folder.path / "none.csv"), Contains("no column time"));
}
