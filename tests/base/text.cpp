// SPDX-License-Identifier: MIT
// UTF-8, lines, word wrap, order, distance, hexadecimal digits, CSV and HTML.
#include "base/text.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "base/csv.hpp"
#include "base/hex.hpp"
#include "base/html.hpp"
#include "base/terminal.hpp"
#include "base/utf8.hpp"
#include "support/catch.hpp"

TEST_CASE("UTF-8 is distinguished from other bytes", "[base]") {
  CHECK(base::is_utf8("aä€😀"));
  for (const char* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    CHECK_FALSE(base::is_utf8(bad));
  }
  CHECK(base::utf8_or_escaped("M\xfcller") == "M%FCller");
  CHECK(base::without_byte_order_mark("\xef\xbb\xbfid") == "id");
  CHECK(base::width_of("aä€") == 3);
  CHECK(base::first_characters("aä€", 2) == "aä");
}

TEST_CASE("blanks are taken off both ends", "[base]") {
  CHECK(base::trimmed(" \ta b\r") == "a b");
  CHECK(base::trimmed("a") == "a");
  CHECK(base::trimmed(" \t ").empty());
  CHECK(base::trimmed("").empty());
}

TEST_CASE("formatted text has any length", "[base]") {
  CHECK(base::formatted("%s|%5.1f|%d", "a", 2.25, 7) == "a|  2.2|7");
  const std::string long_text(5000, 'x');
  CHECK(base::formatted("%s", long_text.c_str()) == long_text);
  CHECK(base::formatted("%s", "").empty());
}

TEST_CASE("words are joined with a separator between them", "[base]") {
  CHECK(base::joined(std::vector<std::string>{"a", "", "b"}) == "a, , b");
  CHECK(base::joined(std::vector<std::string>{"a", "b"}, " or ") == "a or b");
  CHECK(base::joined(std::vector<std::string>{"a"}) == "a");
  CHECK(base::joined(std::vector<std::string>{}).empty());
}

TEST_CASE("texts are replaced, the first pair that fits before the others") {
  constexpr auto kPairs = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"\r\n", "\n"}, {"\r", "\n"}, {"b", ""}});
  CHECK(base::replaced("a\r\nb\rc\xc2", kPairs) == "a\n\nc\xc2");
  CHECK(base::replaced("", kPairs).empty());
}

TEST_CASE("tabs, no-break and thin spaces become blanks, other characters stay", "[base]") {
  CHECK(base::with_plain_blanks("1\t2\u00a03\u20094\u202f5") == "1 2 3 4 5");
  CHECK(base::with_plain_blanks("\u00b5s \u00e0 \u20ac \xc2") == "\u00b5s \u00e0 \u20ac \xc2");
}

TEST_CASE("names have an order and a distance", "[base]") {
  CHECK(base::natural_less("a9", "a10"));
  CHECK(base::natural_less("a", "a1"));
  CHECK_FALSE(base::natural_less("b1", "a2"));
  CHECK(base::edit_distance("kitten", "sitting") == 3);  // the textbook's example
  CHECK(base::edit_distance("", "abc") == 3);
  CHECK(base::edit_distance("same", "same") == 0);
}

TEST_CASE("text is split at its line ends", "[base]") {
  CHECK(base::lines_of("a\nb\n") == std::vector<std::string>{"a", "b"});
  CHECK(base::lines_of("a\n\nb") == std::vector<std::string>{"a", "", "b"});
  CHECK(base::lines_of("").empty());
}

TEST_CASE("a command is wrapped as the shell puts it together again", "[base]") {
  CHECK(base::wrap_command("ncu --m a,b prog", 80) == "ncu --m a,b prog\n");
  CHECK(base::wrap_command("ncu --m a,b prog", 9) == "ncu --m \\\na,b prog\n");
  CHECK(base::wrap_command("a,b,c", 4) == "a,\\\nb,c\n");
  CHECK(base::wrap_command("longword,x", 4) == "longword,\\\nx\n");
}

TEST_CASE("words are wrapped by characters, not by bytes", "[base]") {
  CHECK(base::wrap("aa bb cc", 5) == "aa bb\ncc\n");
  CHECK(base::wrap("aa bb cc", 6, "> ") == "> aa\n> bb\n> cc\n");
  CHECK(base::wrap("aa bb cc", 7, "* ", "  ") == "* aa bb\n  cc\n");
  CHECK(base::wrap("ää öö", 5) == "ää öö\n");
  CHECK(base::wrap("longer a", 3) == "longer\na\n");
  CHECK(base::wrap("", 10).empty());
}

TEST_CASE("bytes become hexadecimal digits and come back", "[base]") {
  const std::string bytes("\x00\x7f\xff", 3);
  CHECK(base::to_hex(bytes) == "007fff");
  CHECK(base::from_hex("007FfF") == bytes);
  for (const char* bad : {"0", "0g", "+1", " 1", "0x"}) {
    CHECK_THROWS_AS(base::from_hex(bad), std::invalid_argument);
  }
}

TEST_CASE("CSV keeps separators, quotes and line ends of a field", "[base]") {
  const base::CsvTable table = base::parse_csv("a,\"b,\"\"c\"\"\n2\"\r\n\nd,e\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0] == base::CsvRow{"a", "b,\"c\"\n2"});
  CHECK(table.lines == std::vector<std::size_t>{1, 4});
  CHECK_FALSE(table.cut_off);
  CHECK(base::parse_csv("a,\"b").cut_off);
  CHECK(base::parse_csv("a;b,c", ';').rows.at(0) == base::CsvRow{"a", "b,c"});
  CHECK(base::csv_field("plain") == "plain");
  CHECK(base::csv_field("a,\"b\"") == "\"a,\"\"b\"\"\"");
}

TEST_CASE("text is escaped for HTML", "[base]") {
  CHECK(base::html_escaped("<a & \"b\">") == "&lt;a &amp; &quot;b&quot;&gt;");
}

TEST_CASE("colours end where their text ends", "[base]") {
  CHECK(base::painted("x", base::Paint::kRed) == "\x1b[31mx\x1b[0m");
}
