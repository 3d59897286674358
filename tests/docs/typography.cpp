// SPDX-License-Identifier: MIT
// The typography of the site's filter: exponents, units, columns of numbers.
#include "typography.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using docs::align_numbers;
using docs::with_exponents_and_units;

TEST_CASE("exponents are set, and units stay with their numbers") {
  CHECK(with_exponents_and_units("2^26 elements") == "2<sup>26</sup> elements");
  CHECK(with_exponents_and_units("2n^3 of n^2") == "2n<sup>3</sup> of n<sup>2</sup>");
  CHECK(with_exponents_and_units("the bias 2^(4-1) - 1") == "the bias 2<sup>4-1</sup> - 1");
  CHECK(with_exponents_and_units("10^-9 s") == "10<sup>-9</sup> s");
  CHECK(with_exponents_and_units("at 50 % of 4.8 TB/s") == "at 50\u00a0% of 4.8\u00a0TB/s");
  CHECK(with_exponents_and_units("12 bytes an element") == "12\u00a0bytes an element");
  CHECK(with_exponents_and_units("a 4096 x 4096 product") == "a 4096\u00a0x\u00a04096 product");
  CHECK(with_exponents_and_units("2 x 3 x 4 B") == "2\u00a0x\u00a03\u00a0x\u00a04\u00a0B");
  CHECK(with_exponents_and_units("1 x 2 x 3 x 4") == "1 x 2 x 3 x 4");
  CHECK(with_exponents_and_units("1 x 2 x 3 x 4 B in tiles of 20,480 x 48") ==
        "1 x 2 x 3 x 4\u00a0B in tiles of 20,480\u00a0x\u00a048");
  CHECK(with_exponents_and_units("4 Boxes, 3 steps, 2 is, 8 seeds") ==
        "4 Boxes, 3 steps, 2 is, 8 seeds");
}

TEST_CASE("code, formulas, tags and addresses stay as they are") {
  for (const char* line : {"`column ^ row` and `2^26`", "\\f$x^2 = 4 B\\f$", "<a href=\"n^2\">",
                           "[here](2^26.html)"}) {
    CHECK(with_exponents_and_units(line) == line);
  }
  CHECK(with_exponents_and_units("## 1.2 FLOPs of 3 GB") == "## 1.2 FLOPs of 3\u00a0GB");
  CHECK(with_exponents_and_units("`a^b` is 2^3") == "`a^b` is 2<sup>3</sup>");
}

std::vector<std::string> joined(std::vector<std::string> lines) {
  docs::join_amounts(lines);
  return lines;
}

TEST_CASE("a number is joined with its unit on the next line") {
  using Lines = std::vector<std::string>;
  CHECK(joined({"That is <!--v:a-->12<!--/v-->", "FLOP/B, too."}) ==
        Lines{"That is <!--v:a-->12<!--/v--> FLOP/B,", "too."});
  CHECK(joined({"a block of 16", "x 16", "B"}) == Lines{"a block of 16 x 16 B"});
  CHECK(joined({"over 132 x", "4 units"}) == Lines{"over 132 x 4", "units"});
  for (const Lines& apart :
       {Lines{"in 2024", "the bus"}, Lines{"```", "n 64", "bytes", "```"}, Lines{"row 3", "", "B"},
        Lines{"| 4 |", "bytes"}, Lines{"12", "Boxes"}}) {
    CHECK(joined(apart) == apart);
  }
}

std::string separator(std::vector<std::string> table) {
  align_numbers(table);
  return table.at(1);
}

TEST_CASE("columns of numbers stand on the right") {
  CHECK(separator({"| kernel | GB/s | part |", "|---|---|---|",
                   "| copy | <!--v:a-->4140<!--/v--> | 86 % |",
                   "| `sum` | | <!--v:b-->-0.5<!--/v--> % |"}) == "|---|---:|---:|");
  CHECK(separator({"| a | b |", "|---|---|", "| 12.5 ms | 1 to 3 |"}) == "|---:|---|");
  CHECK(separator({"| a | b |", "|:---|---|", "| 12 | |"}) == "|:---|---|");
  CHECK(separator({"| a | b |", "|---|---|", "| `x|y` | **3.4** |"}) == "|---|---:|");
}

TEST_CASE("only tables are touched") {
  std::vector<std::string> lines = {"text", "|---|", "| 1 |"};
  align_numbers(lines);
  CHECK(lines == std::vector<std::string>{"text", "|---|", "| 1 |"});
}
