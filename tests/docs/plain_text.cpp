// SPDX-License-Identifier: MIT
// What a search result shows of a page: no tags, no TeX.
#include "plain_text.hpp"

#include "support/catch.hpp"

using docs::plain_formula;
using docs::plain_text;

TEST_CASE("formulas are read without their TeX") {
  CHECK(plain_formula(R"(I^* = \pi / \beta)") == "I* = \u03c0 / \u03b2");
  CHECK(plain_formula(R"(H_q d + H_{kv})") == "Hq d + Hkv");
  CHECK(plain_formula(R"(\frac{n}{6})") == "n/6");
  CHECK(plain_formula(R"(\frac{2T^3}{2T^2 \cdot 4})") == "2T\u00b3/(2T\u00b2 \u00b7 4)");
  CHECK(plain_formula(R"(t = \frac{V}{\beta_\text{link}})") == "t = V/(\u03b2 link)");
  CHECK(plain_formula(R"(\max\left(\frac{C}{\pi},\, \frac{M}{\beta}\right))") ==
        "max(C/\u03c0, M/\u03b2)");
  CHECK(plain_formula(R"(2^{10} \times 10^{-5})") == "2^10 \u00d7 10^-5");
  CHECK(plain_formula(R"(e^{x_i - m})") == "e^(xi - m)");
  CHECK(plain_formula(R"(2^{\lfloor \log_2 u \rfloor - e})") == "2^(\u230alog2 u\u230b - e)");
  CHECK(plain_formula(R"(T_\text{sequence} \ge T_0)") == "T sequence \u2265 T0");
}

TEST_CASE("a page's text has neither tags nor entities") {
  CHECK(plain_text("a <b>bold</b>, <code>./lab</code>\n  run &lt;x&gt;&nbsp;&amp; y .") ==
        "a bold, ./lab run <x> & y.");
  CHECK(plain_text("the ridge \\(I^*\\), at \\[ \\frac{1}{2} \\]") == "the ridge I*, at 1/2");
  CHECK(plain_text("launch <code>{.grid, .block}</code>") == "launch {.grid, .block}");
}

TEST_CASE("cells and rows of a table stay apart") {
  CHECK(plain_text(
            "see <table class=\"markdownTable\">\n<thead><tr><th>GPU</th><th>GB/s</th></tr></thead>"
            "<tr>\n<td>A100 </td><td>1880</td></tr></table> on") ==
        "see GPU \u00b7 GB/s; A100 \u00b7 1880. on");
  CHECK(plain_text("<table class=\"memname\"><tr><td>double sum</td><td>(</td><td>int n</td>"
                   "</tr></table>") == "double sum ( int n");
}
