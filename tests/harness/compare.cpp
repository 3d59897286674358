// SPDX-License-Identifier: MIT
// Which elements are right, and the explanations of wrong ones.
#include "harness/compare.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "support/catch.hpp"

using harness::compare;
using harness::Comparison;
using harness::Element;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Comparison compare_floats(const std::vector<float>& is, const std::vector<double>& should,
                          const std::vector<double>& scale = {}, double relative = 1e-6,
                          double absolute = 0) {
  return compare(Element::kF32, std::as_bytes(std::span(is)), should, scale, {relative, absolute});
}

}  // namespace

TEST_CASE("NaN is right only where NaN should be", "[compare]") {
  CHECK(compare_floats({kNan}, {1.0}).wrong == 1);
  CHECK(compare_floats({1.0F}, {std::nan("")}).wrong == 1);
  CHECK(compare_floats({kNan}, {std::nan("")}).wrong == 0);
}

TEST_CASE("an infinity must be the same infinity", "[compare]") {
  CHECK(compare_floats({kInfinity}, {HUGE_VAL}).wrong == 0);
  CHECK(compare_floats({-kInfinity}, {HUGE_VAL}).wrong == 1);
  CHECK(compare_floats({3e38F}, {HUGE_VAL}).wrong == 1);
  CHECK(compare_floats({kInfinity}, {1.0}).wrong == 1);
}

TEST_CASE("a sum with an infinite term may be NaN, which compensated summation leads to",
          "[compare]") {
  CHECK(compare_floats({kNan, kNan}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL}).wrong == 0);
  CHECK(compare_floats({-kInfinity}, {HUGE_VAL}, {HUGE_VAL}).wrong == 1);
  CHECK(compare_floats({kNan}, {HUGE_VAL}).wrong == 1);         // no sum
  CHECK(compare_floats({kNan}, {HUGE_VAL}, {1.0}).wrong == 1);  // no infinite term
  CHECK(compare_floats({kNan}, {1.0}, {HUGE_VAL}).wrong == 1);
}

TEST_CASE("an oracle beyond the type's range is an infinity of that type", "[compare]") {
  CHECK(compare_floats({kInfinity}, {1e39}).wrong == 0);
  CHECK(compare_floats({-kInfinity}, {1e39}).wrong == 1);
}

TEST_CASE("zeros do not pass under a relative limit", "[compare]") {
  CHECK(compare_floats({0.0F, 0.0F}, {1e-20, 1.0}).wrong == 2);
  CHECK(compare_floats({0.0F}, {1e-20}, {}, 1e-6, 1e-19).wrong == 0);
}

TEST_CASE("the scale widens the limit where terms cancel", "[compare]") {
  CHECK(compare_floats({1e-7F}, {0.0}, {1.0}).wrong == 0);
  CHECK(compare_floats({1e-7F}, {0.0}).wrong == 1);
  CHECK(compare_floats({1e-5F}, {0.0}, {1.0}).wrong == 1);
}

TEST_CASE("where rounding may go two ways each element has one of two values", "[compare]") {
  // A product and a sum that round each, and a multiply-add that rounds once, in FP32: tens of
  // units in the last place apart after many steps. What lies between is neither.
  const std::vector<double> once = {1.0, 2.0, HUGE_VAL};
  const std::vector<double> each = {1.0 + 0x1p-20, 2.0 - 0x1p-20, 3e38};
  const auto wrong_of = [&](const std::vector<float>& is) {
    return compare(Element::kF32, std::as_bytes(std::span(is)), once, {}, {1e-8, 0}, each).wrong;
  };
  CHECK(wrong_of({1.0F, 2.0F, kInfinity}) == 0);
  CHECK(wrong_of({1.0F + 0x1p-20F, 2.0F - 0x1p-20F, 3e38F}) == 0);
  CHECK(wrong_of({1.0F, 2.0F - 0x1p-20F, kInfinity}) == 0);
  CHECK(wrong_of({1.0F + 0x1p-21F, 2.0F, kInfinity}) == 1);
  CHECK(wrong_of({1.0F - 0x1p-20F, 2.0F + 0x1p-20F, 2e38F}) == 3);
  const std::vector<float> three(3);
  CHECK_THROWS(compare(Element::kF32, std::as_bytes(std::span(three)), once, {}, {1e-8, 0},
                       std::span(each).first(2)));
}

TEST_CASE("the first ten wrong elements are kept, all are counted", "[compare]") {
  const Comparison c = compare_floats(std::vector<float>(100, 2.0F), std::vector<double>(100, 1.0));
  CHECK(c.wrong == 100);
  CHECK(c.first.size() == harness::kShownMismatches);
  CHECK(c.first[3].index == 3);
  CHECK(c.worst_ratio == Approx(1e6));
}

TEST_CASE("the first wrong element leads, with the buffer's name", "[compare]") {
  const std::string one = harness::describe(compare_floats({1, 5, 3}, {1, 2, 3}), "out");
  CHECK(one == "out is wrong at element 1: is 5, should be 2, give or take 2e-06\n");
  const std::string two = harness::describe(compare_floats({1, 5, kNan}, {1, 2, 3}), "out");
  CHECK(two ==
        "out is wrong at element 1: is 5, should be 2, give or take 2e-06. 2 of 3 elements of out "
        "are wrong:\n"
        "element   is  should be\n"
        "      1    5          2\n"
        "      2  NaN          3\n");
  const Comparison many =
      compare_floats(std::vector<float>(100, 2.0F), std::vector<double>(100, 1.0));
  CHECK(harness::describe(many, "y").find(
            "100 of 100 elements of y are wrong, the first of them") != std::string::npos);
  CHECK(harness::describe(compare_floats({1}, {1}), "y").empty());
}

TEST_CASE("errors as small as those of fewer bits are said to look like them", "[compare]") {
  const auto words = [](const Comparison& c) { return harness::describe(c, "y"); };
  const std::string of_16 = "numbers rounded to 16 bits on the way look like this";
  const std::string of_32 = "numbers rounded to 32 bits on the way look like this";
  // The FP16 numbers next to 1/3 and 2/3.
  const Comparison halves = compare_floats({0.333251953F, 0.666503906F}, {1.0 / 3, 2.0 / 3});
  CHECK(words(halves).find(of_16) != std::string::npos);
  // A known cause explains them, and the guess would contradict it.
  CHECK(harness::describe(halves, "y", {}, "A cause.").find(of_16) == std::string::npos);
  // The values alone do not show which of the two causes it was.
  const Comparison lacks_last = compare_floats({60.189106F}, {60.2097211});
  CHECK(words(lacks_last).find(of_16 + ", and so does a long sum that lacks a term") !=
        std::string::npos);
  // One percent is more than FP16 rounding, and so is a second wrong element.
  CHECK(words(compare_floats({1.01F}, {1})).find(of_16) == std::string::npos);
  CHECK(words(compare_floats({0.333251953F, 5}, {1.0 / 3, 2})).find(of_16) == std::string::npos);
  CHECK(words(compare_floats({kNan}, {1})).find("look like this") == std::string::npos);
  // If terms cancel, their size counts, not the result's.
  CHECK(words(compare_floats({0.002F}, {0.001}, {10})).find(of_16) != std::string::npos);

  const std::vector<double> floats = {double{1.0F / 3}};
  const auto compare_doubles = [](const std::vector<double>& is) {
    return compare(Element::kF64, std::as_bytes(std::span(is)), std::vector<double>{1.0 / 3}, {},
                   {1e-13, 0});
  };
  CHECK(words(compare_doubles(floats)).find(of_32) != std::string::npos);
  CHECK(words(compare_doubles({0.333251953})).find(of_16) != std::string::npos);
  // FP32 does not have fewer bits than itself, and integers are not rounded.
  CHECK(words(compare_floats({1.0000001F}, {1}, {}, 0)).find(of_32) == std::string::npos);
  const std::vector<std::int32_t> whole = {10001};
  const Comparison of_whole = compare(Element::kI32, std::as_bytes(std::span(whole)),
                                      std::vector<double>{10000}, {}, {0, 0});
  CHECK(words(of_whole).find("look like this") == std::string::npos);
}

TEST_CASE("where the tolerance is as wide as that rounding, nothing is said to look like it",
          "[compare]") {
  // A sum without its last terms, for an exercise that judges only the work.
  const std::vector<float> is = {43668.0391F};
  const Comparison c = compare(Element::kF32, std::as_bytes(std::span(is)),
                               std::vector<double>{43734.1625}, {}, {1e-3, 0});
  REQUIRE(c.wrong == 1);
  CHECK(harness::describe(c, "total").find("look like this") == std::string::npos);
}

TEST_CASE("a factor that all wrong elements share is named", "[compare]") {
  const auto words = [](const Comparison& c) { return harness::describe(c, "y"); };
  // A sum instead of a mean, and a mean over another number of elements.
  CHECK(words(compare_floats({5.31881046F}, {0.332425653})).find("this is 16 times what it") !=
        std::string::npos);
  CHECK(words(compare_floats({1.93350243e-05F}, {0.0197990648})).find("is 1/1024 of what it") !=
        std::string::npos);
  CHECK(words(compare_floats({-1, 2, 3}, {1, 2, -3})).find("every wrong one is the negative of") !=
        std::string::npos);
  // Several elements of different sizes confirm any factor; a single one, or equal ones, do not.
  CHECK(words(compare_floats({0.3F, 0.6F, 0.9F, 1.2F}, {1, 2, 3, 4})).find("is 0.3 times what") !=
        std::string::npos);
  for (const auto& c :
       {compare_floats({0.3F}, {1}), compare_floats({0.3F, 0.3F, 0.3F, 0.3F}, {1, 1, 1, 1}),
        compare_floats({2, 4, 6, 9}, {1, 2, 3, 4}), compare_floats({2, kNan}, {1, 2}),
        compare_floats({0, 0}, {1, 2}), compare_floats({3}, {0}),
        compare_floats({1.000002F, 2.000004F, 3.000006F, 4.000008F}, {1, 2, 3, 4})}) {
    CHECK(words(c).find("what it should be") == std::string::npos);
  }
}

TEST_CASE("results that are all 0 bring the usual reasons", "[compare]") {
  const auto words = [](const Comparison& c) { return harness::describe(c, "y"); };
  CHECK(words(compare_floats({0, -0.0F}, {1, 2})).find("arithmetic on integers") !=
        std::string::npos);
  CHECK(words(compare_floats({0, 2}, {1, 2})).find("integers") == std::string::npos);
  CHECK(words(compare_floats({0, 3}, {1, 2})).find("integers") == std::string::npos);
}

TEST_CASE("the element is named whose value the first wrong one has", "[compare]") {
  const auto words = [](const Comparison& c, const std::vector<harness::Axis>& axes = {}) {
    return harness::describe(c, "y", axes);
  };
  const std::vector<double> should = {0.31, 0.74, -0.52, 0.13, 0.95, -0.88};
  // Shifted by one, and rows swapped with columns.
  CHECK(words(compare_floats({0.74F, -0.52F, 0.13F, 0.95F, -0.88F, 0.2F}, should))
            .find("give or take 3.1e-07; that is what element 1 should be. 6 of 6") !=
        std::string::npos);
  const std::vector<harness::Axis> grid = {{"row", 3}, {"column", 2}};
  CHECK(words(compare_floats({0.31F, -0.52F, 0.95F, 0.74F, 0.13F, -0.88F}, should), grid)
            .find("; that is what row 1, column 0 (element 2) should be") != std::string::npos);
  // Whole numbers, values that several elements have or none, and limits as wide as the gaps.
  for (const auto& c : {compare_floats({2, 2, 3.5F}, {1, 2, 3.5}),
                        compare_floats({0.74F, 0.74F, 0.74F}, {0.31, 0.74, 0.74}),
                        compare_floats({0.5F, 0.74F}, {0.31, 0.74}),
                        compare_floats({0.74F, 0.74F}, {0.31, 0.74}, {}, 1e-2),
                        compare_floats({kNan, 0.74F}, {0.31, 0.74})}) {
    CHECK(c.wrong > 0);
    CHECK(words(c).find("that is what") == std::string::npos);
  }
}

TEST_CASE("elements of a grid are named by its axes", "[compare]") {
  const std::vector<harness::Axis> grid = {{"row", 3}, {"column", 8}};
  CHECK(harness::place_of(0, grid) == "row 0, column 0 (element 0)");
  CHECK(harness::place_of(23, grid) == "row 2, column 7 (element 23)");
  const std::vector<harness::Axis> box = {{"plane", 2}, {"row", 3}, {"column", 8}};
  CHECK(harness::place_of(24 + 8 + 5, box) == "plane 1, row 1, column 5 (element 37)");
  // A stray may be near an empty buffer.
  CHECK(harness::place_of(5, std::vector<harness::Axis>{{"row", 0}, {"column", 0}}) ==
        "row 5, column 0 (element 5)");
  const std::vector<float> is(24, 1.0F);
  std::vector<double> should(24, 1.0);
  should[9] = should[23] = 4;
  const std::string text = harness::describe(compare_floats(is, should), "c", grid);
  CHECK(text.starts_with("c is wrong at row 1, column 1 (element 9): is 1, should be 4"));
  CHECK(text.find("  2       7   1          4\n") != std::string::npos);
}

TEST_CASE("an element that was never written is reported as such", "[compare]") {
  std::vector<float> is(2);
  std::memset(is.data(), 0xff, sizeof(float));
  const std::string text = harness::describe(compare_floats(is, {2, 0}), "out");
  CHECK(text == "out was not written at element 0, or added to and never cleared: should be 2\n");
}

TEST_CASE("a whole number that is what it was before the call is reported as such", "[compare]") {
  const std::vector<std::int32_t> is = {-1, 3};
  const Comparison c =
      compare(Element::kI32, std::as_bytes(std::span(is)), std::vector<double>{0, 3}, {}, {0, 0});
  CHECK(harness::describe(c, "counts") ==
        "counts is wrong at element 0: is -1, as before the call, should be 0\n");
}

TEST_CASE("the general path agrees with the one for float", "[compare]") {
  const std::vector<double> is = {1.0, 2.0, std::nan("")};
  const Comparison c = compare(Element::kF64, std::as_bytes(std::span(is)),
                               std::vector<double>{1.0, 2.1, 3.0}, {}, {1e-12, 0});
  CHECK(c.wrong == 2);
  CHECK(c.first[0].index == 1);
}

TEST_CASE("buffers of different lengths are a programming error", "[compare]") {
  CHECK_THROWS_AS(compare_floats({1.0F}, {1.0, 2.0}), std::invalid_argument);
}

namespace {

std::string_view cause_in(const std::vector<float>& is, const std::vector<double>& should,
                          const std::vector<harness::Mistake>& mistakes, std::size_t columns) {
  const std::vector<harness::Axis> axes = {{"row", should.size() / columns}, {"column", columns}};
  return harness::cause_of(Element::kF32, std::as_bytes(std::span(is)), should, {}, {1e-6, 0}, axes,
                           mistakes);
}

}  // namespace

TEST_CASE("a mistake is named where all results are what it makes of them", "[compare]") {
  const std::vector<double> swapped = {2, 1, 4, 3};
  const std::vector<harness::Mistake> mistakes = {{swapped, {}, "swapped"}};
  CHECK(cause_in({2, 1, 4, 3}, {1, 2, 3, 4}, mistakes, 2) == "swapped");
  CHECK(cause_in({2, 1, 4, 4}, {1, 2, 3, 4}, mistakes, 2).empty());
  CHECK(cause_in({2, 1, 4, 3}, {1, 2, 3, 4}, {}, 2).empty());
}

TEST_CASE("a mistake in rows leaves each row in proportion", "[compare]") {
  const std::vector<harness::Mistake> mistakes = {{{}, {}, "sum of a row"}};
  CHECK(cause_in({2, 4, 15, 20}, {1, 2, 3, 4}, mistakes, 2) == "sum of a row");
  CHECK(cause_in({1, 2, 15, 20}, {1, 2, 3, 4}, mistakes, 2) == "sum of a row");
  CHECK(cause_in({2, 4, 15, 21}, {1, 2, 3, 4}, mistakes, 2).empty());
  // Any factor fits a single number, and none a lost row.
  CHECK(cause_in({2, 5, 7, 9}, {1, 2, 3, 4}, mistakes, 1).empty());
  CHECK(cause_in({0, 0, 3, 4}, {1, 2, 3, 4}, mistakes, 2).empty());
  CHECK(cause_in({kNan, kNan, 3, 4}, {1, 2, 3, 4}, mistakes, 2).empty());
}

TEST_CASE("the cause is the last line of what is wrong", "[compare]") {
  const std::string text =
      harness::describe(compare_floats({2, 1}, {1, 2}), "y", {}, "The halves are swapped.");
  CHECK(text.ends_with("\nIt looks like this: The halves are swapped.\n"));
}
