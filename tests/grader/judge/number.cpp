// SPDX-License-Identifier: MIT
// Numbers with units: what is read, what is refused, and which mistakes are named.
#include "grader/judge/number.hpp"

#include <cmath>

#include "grader/kind/prediction.hpp"
#include "says.hpp"
#include "support/catch.hpp"

using grader::parse_number;
using grader::within;

namespace {

std::string refusal(const std::string& text, const std::string& unit = "GB/s") {
  try {
    parse_number(text, unit);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string diagnosis(double value, double reference, double rtol,
                      const roofline::Dimension& dimension,
                      const std::vector<grader::KnownMistake>& listed) {
  return grader::diagnose(value, reference, rtol, dimension, listed).message;
}

std::string mistake(double factor, const roofline::Dimension& dimension = roofline::kBytes) {
  return diagnosis(factor * 37.0, 37.0, 0.01, dimension, {});
}

}  // namespace

TEST_CASE("a bare number is in the unit of the exercise", "[number]") {
  CHECK(parse_number("2.5", "GB/s") == Approx(2.5e9));
  CHECK(parse_number("+2.5", "GB/s") == Approx(2.5e9));
  CHECK(parse_number("2.5e3", "") == Approx(2500));
}

TEST_CASE("a number may carry its own unit", "[number]") {
  CHECK(parse_number("2.039 TB/s", "GB/s") == Approx(2.039e12));
  CHECK(parse_number("512 GiB/s", "GB/s") == Approx(512.0 * 1073741824));
  CHECK(parse_number("4 FLOP/B", "FLOP/B") == 4);
  CHECK(parse_number("12.5 ms", "s") == Approx(0.0125));
  CHECK(parse_number("8 Gbit", "GB") == Approx(1e9));
}

TEST_CASE("every unit of the course is read, alone and in ratios", "[number]") {
  CHECK(parse_number("1.5 GHz", "Hz") == Approx(1.5e9));
  CHECK(parse_number("2 kW", "W") == Approx(2000));
  CHECK(parse_number("3 mJ", "J") == Approx(0.003));
  CHECK(parse_number("3 TOP/s", "GOP/s") == Approx(3e12));
  CHECK(parse_number("40 tok/s", "token/s") == Approx(40));
  CHECK(parse_number("2 token/J", "token/J") == Approx(2));
  CHECK(parse_number("1 KiB/token", "B/token") == Approx(1024));
}

TEST_CASE("a fraction of two numbers is read, with or without a unit", "[number]") {
  CHECK(parse_number("1/6", "FLOP/B") == Approx(0.1666666666667));
  CHECK(parse_number("2 / 12 FLOP/B", "FLOP/B") == Approx(0.1666666666667));
  CHECK(parse_number("-1.5e3/.5", "") == Approx(-3000));
  CHECK(parse_number("64/8 KiB", "B") == 8192);
  CHECK(parse_number("1/3 %", "%") == Approx(0.00333333333));
}

TEST_CASE("units may be written out and in the plural", "[number]") {
  CHECK(parse_number("24 bytes", "B") == 24);
  CHECK(parse_number("1 byte", "B") == 1);
  CHECK(parse_number("3 Mbytes", "MB") == 3e6);
  CHECK(parse_number("2 Kibytes", "B") == 2048);
  CHECK(parse_number("8 Gbits", "GB") == 1e9);
  CHECK(parse_number("8.2 GFLOPs", "GFLOP") == Approx(8.2e9));
  CHECK(parse_number("4 FLOPs/byte", "FLOP/B") == 4);
  CHECK(parse_number("3 TOPs/s", "TOP/s") == Approx(3e12));
  CHECK(parse_number("40 tokens/s", "tok/s") == 40);
  CHECK(says(refusal("3 TFLOPs", "TFLOP/s"), "operations/seconds"));
  CHECK(says(refusal("3 TFLOPS", "TFLOP/s"), "write FLOP/s"));  // could be either
}

TEST_CASE("a number of tokens may say so", "[number]") {
  CHECK(parse_number("4096 tokens", "1") == 4096);
  CHECK(parse_number("6 tok", "") == 6);
  CHECK(says(refusal("6 tok/s", "1"), "a plain number is expected"));
}

TEST_CASE("another dimension is refused by naming both", "[number]") {
  const std::string text = refusal("3 GFLOP/s");
  CHECK(says(text, "operations/seconds"));
  CHECK(says(text, "bytes/seconds"));
}

TEST_CASE("anything but a plain decimal number is refused in plain words", "[number]") {
  CHECK(says(refusal("nan"), "NaN"));
  CHECK(says(refusal("-NaN"), "NaN") + says(refusal("-NaN"), "decimal") > 0);
  CHECK(says(refusal("inf"), "infinit"));
  CHECK(says(refusal("-inf"), "infinit"));
  CHECK(says(refusal("Infinity"), "infinit"));
  CHECK(says(refusal("0x1p3"), "hexadecimal"));
  CHECK(says(refusal("-0X10"), "hexadecimal"));
  CHECK(says(refusal("1_000"), "_"));
  CHECK(says(refusal("1,5"), "decimal point"));
  CHECK(says(refusal("1,000.5"), "decimal point"));
  CHECK(says(refusal("1721 \u00b5s"), "write u for micro"));
  CHECK(says(refusal("1721 \u03bcs"), "write u for micro"));
  CHECK(says(refusal("\u0663"), "only ASCII"));
  CHECK(says(refusal("1, 2"), "list"));
  CHECK(says(refusal("[1, 2]"), "list"));
  CHECK(says(refusal("1;2"), "list"));
  CHECK(says(refusal("1-2"), "range"));
  CHECK(says(refusal("1..2"), "range"));
  CHECK(says(refusal("2*3"), "expression"));
  CHECK(says(refusal("1/2/3", "FLOP/B"), "expression"));
  CHECK(says(refusal("1/6+1", "FLOP/B"), "expression"));
  CHECK(says(refusal("1/0", "FLOP/B"), "fraction"));
  CHECK(says(refusal("2^10"), "expression"));
  CHECK(says(refusal("12 sectors", ""), "a plain number is asked for: write it without 'sectors'"));
  CHECK(says(refusal("5k", ""), "write it without 'k'"));
  CHECK(says(refusal("114.5 k", "1"), "write it without 'k'"));
  CHECK(says(refusal("12 sectors", "GB"), "unknown unit 'sectors'"));
  CHECK(says(refusal("\xd9\xa3"), "ASCII"));
  CHECK(says(refusal("12\xc2\xb5s", "s"), "ASCII"));
  CHECK(says(refusal("twelve"), "decimal number"));
  CHECK(says(refusal(""), "no value"));
  CHECK(says(refusal(std::string(100000, '1')), "longer"));
  CHECK_FALSE(refusal("1e999").empty());
  CHECK_FALSE(refusal("1e-999999999999").empty());
  CHECK_FALSE(refusal("12 parsec", "s").empty());
  CHECK_FALSE(refusal("5 GB/s/s/s").empty());
  CHECK_FALSE(refusal("1 2").empty());
}

TEST_CASE("tolerance is atol + rtol*|reference|, and NaN is never within", "[number]") {
  CHECK(within(101, 100, 0.01, 0));
  CHECK_FALSE(within(101.01, 100, 0.01, 0));
  CHECK(within(1.5, 0, 0.01, 1.5));
  CHECK_FALSE(within(std::nan(""), 1, 10, 10));
  CHECK_FALSE(within(-100, 100, 0.01, 0));
}

TEST_CASE("common mistakes are named", "[number]") {
  CHECK(says(mistake(8), "bits and bytes"));
  CHECK(says(mistake(1.0 / 8), "bits and bytes"));
  CHECK(says(mistake(1.073741824), "GiB"));
  CHECK(says(mistake(1 / 1.048576), "MiB"));
  CHECK(says(mistake(1.024), "1024"));
  CHECK(says(mistake(1e3), "thousand"));
  CHECK(says(mistake(1e-9), "10^9"));
  CHECK(says(mistake(-1), "sign"));
  CHECK(says(mistake(100), "percentage"));
  CHECK(says(mistake(0.5, roofline::kOperations), "multiply-add"));
  CHECK(says(mistake(0.5, roofline::kOperationsPerByte), "multiply-add"));
  CHECK(says(mistake(2, roofline::kOperationsPerSecond), "sparsity"));
  CHECK(says(mistake(4), "precision"));
  CHECK(says(diagnosis(1 / 37.0, 37, 0.01, roofline::kNumber, {}), "upside down"));
  CHECK(mistake(1.3).empty());
  CHECK(mistake(0).empty());
}

TEST_CASE("a plain count has no prefix to be wrong", "[number]") {
  CHECK(mistake(1e3, roofline::kNumber).empty());
  CHECK(mistake(1.0 / 8, roofline::kNumber).empty());
  CHECK(mistake(1.024, roofline::kNumber).empty());
  CHECK(mistake(4, roofline::kNumber).empty());
  CHECK_FALSE(says(mistake(2, roofline::kNumber), "element"));
  CHECK(says(mistake(100, roofline::kNumber), "percentage"));
  CHECK(says(mistake(-1, roofline::kNumber), "sign"));
}

TEST_CASE("only bytes are counted in TiB", "[number]") {
  CHECK(says(mistake(1.099511627776, roofline::kBytes), "TiB"));
  CHECK(says(mistake(1 / 1.099511627776, roofline::kBytesPerSecond), "TiB"));
  CHECK(mistake(1 / 1.099511627776, roofline::kOperationsPerByte).empty());
}

TEST_CASE("mistakes that the exercise lists come first", "[number]") {
  const std::vector<grader::KnownMistake> listed = {{{}, 2.0, "counted y twice"},
                                                    {99.0, {}, "the old machine"}};
  CHECK(diagnosis(74, 37, 0.01, roofline::kBytes, listed) == "counted y twice");
  CHECK(diagnosis(99, 37, 0.01, roofline::kBytes, listed) == "the old machine");
}

TEST_CASE("all mistakes that fit are found, and infinity is not a factor of anything", "[number]") {
  const std::vector<grader::KnownMistake> listed = {{{}, 8.0, "eight times"}};
  const auto fitting = grader::fitting_mistakes(296, 37, 0.01, roofline::kBytes, listed);
  REQUIRE(fitting.size() == 2);
  CHECK(fitting[0].message == "eight times");
  CHECK(says(fitting[1].message, "bits and bytes"));
  CHECK(diagnosis(5, INFINITY, 0.01, roofline::kBytes, {}).empty());
  CHECK(diagnosis(0, INFINITY, 0.01, roofline::kBytes, {{0.0, {}, "never"}}) == "never");
}

TEST_CASE("a factor of two of FLOPs alone says nothing about bytes", "[number]") {
  CHECK_FALSE(says(mistake(2, roofline::kOperations), "bytes"));
  CHECK(says(mistake(2, roofline::kOperationsPerByte), "bytes"));
}

TEST_CASE("no message contains the answer", "[number]") {
  const double reference = 37.125;
  for (const double factor : {0.5, 2.0, 8.0, 1.0737, 1.3, 0.9, 1e3, -1.0, 4.0, 0.01}) {
    const std::string text =
        diagnosis(factor * reference, reference, 0.01, roofline::kBytesPerSecond, {}) +
        grader::distance_in_words(factor * reference, reference);
    CHECK_FALSE(says(text, "37.1"));
  }
}

TEST_CASE("the distance is only given roughly", "[number]") {
  CHECK(says(grader::distance_in_words(105, 100), "large by less than 10 %"));
  CHECK(says(grader::distance_in_words(50.1, 100), "small by between 10 %"));
  CHECK(says(grader::distance_in_words(500, 100), "between 2 and 10"));
  CHECK(says(grader::distance_in_words(1, 1e6), "more than a factor of 1000"));
  CHECK(says(grader::distance_in_words(0, 1), "not near"));
}

namespace {

/// The message about `text` when `reference` is right.
grader::WrongNumber said(const std::string& text, double reference, double rtol,
                         const std::vector<grader::KnownMistake>& listed = {},
                         const roofline::Dimension& dimension = roofline::kNumber) {
  return explain_wrong(parse_number(text, ""), grader::last_digit_of(text), reference, rtol,
                       dimension, listed);
}

}  // namespace

TEST_CASE("what is only rounded too far is called that, and no misconception", "[number]") {
  for (const char* text : {"0.17", "0.16", ".17", "1.7e-1"}) {
    INFO(text);
    CHECK(said(text, 1.0 / 6, 0.01).message == "close: give three significant digits");
    CHECK(said(text, 1.0 / 6, 0.01).mistake.message.empty());
  }
  CHECK(said("0.54", 0.537, 0.005).message == "close: give three significant digits");
  CHECK(said("1.0", 1.09, 0.005).message == "close: give three significant digits");
  CHECK(said("7300", 7338, 0.002).message == "close: give four significant digits");
  CHECK(said("290", 297.6, 0.02).message == "close: give three significant digits");  // cut off
  CHECK(said("8.03e9", 8030261248, 1e-6).message == "close: the exact number is asked for");
  CHECK(says(said("2", 1, 0.01).message, "wrong"));  // one digit does not count as rounding
  CHECK(says(said("0.18", 1.0 / 6, 0.01).message, "wrong"));
}

TEST_CASE("a value that is close with enough digits was not rounded", "[number]") {
  CHECK(said("0.172", 1.0 / 6, 0.01).message == "close, but not within 1 %");
  CHECK(said("1/5.9", 1.0 / 6, 0.01).message == "close, but not within 1 %");
  // The nearest number of two digits is another one.
  CHECK(said("0.54", 0.531, 0.005).message == "close, but not within 0.5 %");
  CHECK(said("7400", 7338, 0.002).message == "close, but not within 0.2 %");
  CHECK(said("8.04e9", 8030261248, 1e-6).message ==
        "close, but not right: the exact number is asked for");
  // Rounding moves a number by less than a unit of its last digit,
  CHECK(said("3.2", 3.3616, 0.001).message == "close, but not within 0.1 %");
  CHECK(said("3.3", 3.3616, 0.001).message == "close: give four significant digits");
  // and does not change a number without more digits: a count of 12, 56 or 13000.
  CHECK(said("13", 12, 0.1 / 100).message == "close, but not within 0.1 %");
  CHECK(said("57", 56, 0.005, {{57, {}, "one too many"}}).mistake.message == "one too many");
  CHECK(said("12000", 13000, 0.001).message == "close, but not within 0.1 %");
  CHECK(said("53", 52, 1e-6).message == "close, but not right: the exact number is asked for");
  // 1.024 x 0.16667
  CHECK(says(said("0.1707", 1.0 / 6, 0.01, {}, roofline::kBytes).mistake.message, "kB is not KiB"));
  CHECK(said("0.1707", 1.0 / 6, 0.01).message == "close, but not within 1 %");
}

TEST_CASE("few digits are a listed mistake only where it leads to just these", "[number]") {
  const std::vector<grader::KnownMistake> listed = {{0.5, {}, "the limit"}};
  CHECK(said("0.5", 0.49976, 1e-4, listed).mistake.message == "the limit");
  CHECK(said("0.5", 0.49976, 1e-4, listed).message ==
        "close: rounded too far (give five significant digits), or not right");
  CHECK(said("0.51", 0.49976, 1e-4, listed).mistake.message.empty());
  // Less than a millionth apart: the norms of a model are few of its parameters.
  const std::vector<grader::KnownMistake> norms = {{8029995008, {}, "no norms"}};
  CHECK(said("8.03e9", 8030261248, 1e-9, norms).mistake.message.empty());
  CHECK(said("8029995008", 8030261248, 1e-9, norms).mistake.message == "no norms");
}

TEST_CASE("a mistake far off is known by three digits of it", "[number]") {
  const std::vector<grader::KnownMistake> listed = {{1.1875, {}, "the loads"}};
  CHECK(said("1.19", 4.75, 0.002, listed).mistake.message == "the loads");
  CHECK(said("1.1875", 4.75, 0.002, listed).mistake.message == "the loads");
  CHECK(said("1.2", 4.75, 0.002, listed).mistake.message.empty());
  CHECK(said("1.190", 4.75, 0.002, listed).mistake.message.empty());
}

TEST_CASE("a wrong prefix is named as exactly as the number is asked for, or rounded", "[number]") {
  const auto mistake_of = [](const std::string& text, double reference, double rtol) {
    return said(text, reference, rtol, {}, roofline::kBytes).mistake.message;
  };
  CHECK(says(mistake_of("1040", 1.0495, 0.01), "off by a thousand"));
  CHECK(says(mistake_of("0.0032", 3.2389, 0.001), "off by a thousand"));
  CHECK(mistake_of("0.0033", 3.2389, 0.001).empty());
  CHECK(mistake_of("1030", 1.0495, 0.01).empty());
}

TEST_CASE("two mistakes at once are both named", "[number]") {
  const std::vector<grader::KnownMistake> listed = {
      {{}, 1.5, "no write"}, {{}, 0.125, "per bit"}, {{}, 3.0, "one of three"}};
  const auto mistakes_of = [&](const std::string& text) {
    return said(text, 1.0 / 12, 0.01, listed, roofline::kOperationsPerByte).mistake.message;
  };
  // 1/8 instead of 1/12, in FLOP/kB; and 1/8 divided by eight.
  CHECK(mistakes_of("125") ==
        "two mistakes at once.\n1. no write\n2. the prefix is off by a thousand (k, M, G, T)");
  CHECK(mistakes_of("0.0156") == "two mistakes at once.\n1. no write\n2. per bit");
  CHECK(mistakes_of("0.3750") == "two mistakes at once.\n1. no write\n2. one of three");
  CHECK(says(mistakes_of("0.0000417"), "half of it: a fused multiply-add"));
  CHECK(mistakes_of("0.125") == "no write");  // one mistake explains it
  CHECK(mistakes_of("0.29").empty());
  // 12 x 8 is 96 too, but with two digits that may be chance; two listed mistakes lead to just 4.5.
  CHECK(said("96", 1, 0.01, {{{}, 12.0, "a"}}, roofline::kBytes).mistake.message.empty());
  CHECK(says(said("96.0", 1, 0.01, {{{}, 12.0, "a"}}, roofline::kBytes).mistake.message, "1. a"));
  CHECK(says(said("4.5", 1, 0.01, {{{}, 1.5, "a"}, {{}, 3.0, "b"}}).mistake.message, "1. a"));
  // Two pairs lead to the same value: neither is named.
  const std::vector<grader::KnownMistake> alike = {
      {{}, 1.5, "a"}, {{}, 3.0, "b"}, {{}, 0.3, "c"}, {{}, 0.15, "d"}};
  CHECK(said("45", 100, 0.01, alike, roofline::kBytes).mistake.message.empty());
  // A plain number has no prefix.
  CHECK(said("1500", 1, 0.01, listed).mistake.message.empty());
}

TEST_CASE("digits that a tolerance needs are enough for any number", "[number]") {
  for (const double rtol : {0.1, 0.03, 0.01, 0.005, 0.002, 0.001, 0.0001}) {
    const int digits = grader::digits_for(rtol);
    // 1.00...05 loses most by rounding; one digit less would not be enough for it.
    CHECK(0.5 * std::pow(10, 1 - digits) <= rtol * (1 + 1e-9));
    CHECK(0.5 * std::pow(10, 2 - digits) > rtol);
  }
  CHECK(grader::digits_for(1e-6) == 0);
}

TEST_CASE("a prediction earns less the farther it is off, and nothing from a factor of two on",
          "[number]") {
  using grader::prediction_share;
  CHECK(prediction_share(100, 100, 0.15) == 1);
  CHECK(prediction_share(115, 100, 0.15) == 1);
  CHECK(prediction_share(140, 100, 0.15) == Approx(0.65));
  CHECK(prediction_share(100, 140, 0.15) == prediction_share(140, 100, 0.15));
  CHECK(prediction_share(180, 100, 0.15) < prediction_share(150, 100, 0.15));
  CHECK(prediction_share(200, 100, 0.15) == 0);
  CHECK(prediction_share(10, 100, 0.15) == 0);
  CHECK(prediction_share(0, 100, 0.15) == 0);
  CHECK(prediction_share(std::nan(""), 100, 0.15) == 0);
}

TEST_CASE("a prediction that no busy machine explains is wrong on a busy machine too", "[number]") {
  using grader::is_beyond_noise;
  CHECK(is_beyond_noise(6.5e-6, 6e-3, 8e-3));  // seconds given instead of milliseconds
  CHECK(is_beyond_noise(6.5, 6e-3, 8e-3));
  CHECK(is_beyond_noise(std::nan(""), 6e-3, 8e-3));
  CHECK(!is_beyond_noise(1e-3, 6e-3, 8e-3));
  CHECK(!is_beyond_noise(7e-3, 6e-3, 8e-3));
  CHECK(!is_beyond_noise(60e-3, 6e-3, 8e-3));
}
