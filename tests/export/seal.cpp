// SPDX-License-Identifier: MIT
// Sealed answers: what opens them, what does not, and that nothing can be read from them.
#include "grader/handout/seal.hpp"

#include <cmath>
#include <string>

#include "grader/handout/handout.hpp"
#include "support/catch.hpp"

namespace {

using grader::open_number;
using grader::Seal;
using grader::seal_number;

constexpr int kFew = 50;  // iterations: the bins are tested here, not the cost of a key

bool is_right(const Seal& seal, double value) {
  const auto opened = open_number(seal, value);
  return opened && opened->is_right;
}

}  // namespace

TEST_CASE("a sealed number accepts exactly what the tolerance accepts") {
  const double references[] = {1.0 / 6, 4.8e12, -3.5, 1e-9, 128, 0.9999999};
  for (const double reference : references) {
    for (const double rtol : {0.2, 0.01, 1e-6}) {
      const Seal seal = seal_number("90.x", reference, rtol, 0, {}, kFew);
      for (const double part : {-0.999, -0.5, 0.0, 0.5, 0.999}) {
        INFO(reference << " " << rtol << " " << part);
        CHECK(is_right(seal, reference * (1 + part * rtol)));
      }
      for (const double part : {-1.001, 1.001, 3.0}) {
        CHECK_FALSE(is_right(seal, reference * (1 + part * rtol)));
      }
      CHECK_FALSE(is_right(seal, -reference));
      CHECK_FALSE(is_right(seal, 0));
    }
  }
}

TEST_CASE("absolute tolerances, exact numbers and zero") {
  const Seal absolute = seal_number("90.x", 40, 0, 0.5, {}, kFew);
  CHECK(is_right(absolute, 40.5));
  CHECK(is_right(absolute, 39.5));
  CHECK_FALSE(is_right(absolute, 40.51));
  const Seal both = seal_number("90.x", 100, 0.01, 0.5, {}, kFew);
  CHECK(is_right(both, 101.49));
  CHECK(is_right(both, 98.51));
  CHECK_FALSE(is_right(both, 101.51));
  const Seal exact = seal_number("90.x", 4294967296.0, 0, 0, {}, kFew);
  CHECK(is_right(exact, 4294967296.0));
  CHECK_FALSE(is_right(exact, 4294967297.0));
  const Seal zero = seal_number("90.x", 0, 0, 0, {}, kFew);
  CHECK(is_right(zero, 0));
  CHECK_FALSE(is_right(zero, 1e-300));
}

TEST_CASE("known mistakes show their message, and nothing else does") {
  const Seal seal =
      seal_number("90.x", 2, 0.01, 0,
                  {{16, "bits for bytes"}, {1, "half of it"}, {2.001, "not this one"}}, kFew);
  CHECK(seal.ciphertexts.size() == 3);  // a correct answer cannot be a mistake
  CHECK(open_number(seal, 16.05)->message == "bits for bytes");
  CHECK(open_number(seal, 1)->message == "half of it");
  CHECK_FALSE(open_number(seal, 5));
  CHECK(is_right(seal, 2.001));
}

TEST_CASE("of two mistakes near a value the nearest explains it, and an exact one nothing else") {
  // 66,560 B rounded down to two digits, and one of two scales left out: 0.07 % apart.
  const Seal seal =
      seal_number("90.x", 66560, 0.001, 0,
                  {{66000, "close", true}, {66048, "one scale"}, {66040, "too late"}}, kFew);
  CHECK(seal.ciphertexts.size() == 3);
  CHECK(open_number(seal, 66000)->message == "close");
  CHECK(open_number(seal, 66048)->message == "one scale");
  CHECK(open_number(seal, 66010)->message == "one scale");
  CHECK(open_number(seal, 66010)->value == 66048);
  CHECK_FALSE(open_number(seal, 65970));
}

TEST_CASE(
    "a seal reveals nothing: another salt gives other tags; the grid depends on the tolerance "
    "only") {
  const Seal one = seal_number("90.x", 2, 0.01, 0, {{16, "bits"}}, kFew);
  const Seal two = seal_number("90.x", 777, 0.01, 0, {{16, "bits"}}, kFew);
  CHECK(one.grid.width == two.grid.width);
  CHECK(one.grid.reach == two.grid.reach);
  CHECK(one.grid.logarithmic == two.grid.logarithmic);
  const Seal again = seal_number("90.x", 2, 0.01, 0, {{16, "bits"}}, kFew);
  CHECK(one.salt != again.salt);
  CHECK(one.ciphertexts[0] != again.ciphertexts[0]);
  const std::string json = grader::seals_json({one});
  CHECK(json.find("bits") == std::string::npos);
  CHECK(one.ciphertexts[0] < one.ciphertexts[1]);
  CHECK(one.ciphertexts[0].size() == one.ciphertexts[1].size());
}

TEST_CASE("words, and the way through a file") {
  const Seal seal = grader::seal_word(
      "90.y", "memory", {{"compute", "that is the other roof"}, {"memory", "no mistake"}}, kFew);
  const auto read = grader::parse_seals(grader::seals_json({seal}));
  REQUIRE(read.size() == 1);
  CHECK(grader::open_word(read[0], "memory").is_right);
  CHECK_FALSE(grader::open_word(read[0], "compute").is_right);
  CHECK(grader::open_word(read[0], "compute").message == "that is the other roof");
  CHECK_FALSE(grader::open_word(read[0], "latency").is_right);
  CHECK(grader::open_word(read[0], "latency").message.empty());
  // Only the word distinguishes the ciphertext of the right answer from the other one.
  REQUIRE(read[0].ciphertexts.size() == 2);
  CHECK(read[0].ciphertexts[0].size() == read[0].ciphertexts[1].size());
  CHECK(read[0].ciphertexts[0] < read[0].ciphertexts[1]);
  CHECK_THROWS(grader::parse_seals("{}"));
  CHECK_THROWS(grader::parse_seals("no json"));
}

TEST_CASE("a changed ciphertext opens nothing, and a short one is refused") {
  const Seal whole = seal_number("90.x", 2, 0.01, 0, {}, kFew);
  REQUIRE(is_right(whole, 2));
  for (const std::size_t place :
       {std::size_t{0}, std::size_t{30}, whole.ciphertexts[0].size() - 1}) {
    Seal changed = whole;
    char& digit = changed.ciphertexts[0][place];
    digit = digit == '0' ? '1' : '0';
    CHECK_FALSE(open_number(changed, 2));
  }
  Seal cut = whole;
  cut.ciphertexts[0].resize(40);
  CHECK_THROWS_WITH(open_number(cut, 2), "a sealed answer is damaged");
  cut.ciphertexts[0] = "no hex";
  CHECK_THROWS_WITH(open_number(cut, 2), "a sealed answer is damaged");
}

TEST_CASE("answers that an earlier version sealed are refused by its name") {
  CHECK_THROWS_WITH(grader::parse_seals(
                        R"({"format": "roofline-labs.sealed-answers", "version": 2, "seals": []})"),
                    Catch::Contains("another version of the course (2, this one reads 3)"));
}

TEST_CASE("stored cases keep every bit") {
  using harness::Value;
  const grader::StoredFunction function = {
      {"twice too much"},
      {{{Value(1.0 / 3), Value(std::int64_t{7}), Value(Value::List{Value(INFINITY)})},
        Value::list("ok", std::nan("")),
        {Value::list("ok", 1.0 / 7)}}}};
  const auto read = grader::parse_function(grader::function_text(function));
  CHECK(read.messages == function.messages);
  REQUIRE(read.cases.size() == 1);
  CHECK(Value(read.cases[0].arguments) == Value(function.cases[0].arguments));
  CHECK(read.cases[0].reply == function.cases[0].reply);
  REQUIRE(read.cases[0].mistaken.size() == 1);
  CHECK(read.cases[0].mistaken[0] == function.cases[0].mistaken[0]);
  CHECK_THROWS(grader::parse_function(""));
}
