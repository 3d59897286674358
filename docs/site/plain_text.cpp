// SPDX-License-Identifier: MIT
// Removes tags, and TeX.
#include "plain_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <utility>
#include <vector>

namespace docs {
namespace {

using Rules = std::vector<std::pair<std::regex, std::string>>;

std::string with_rules(std::string text, const Rules& rules) {
  for (const auto& [what, instead] : rules) text = std::regex_replace(text, what, instead);
  return text;
}

/// Text in which formulas are made readable.
std::string with_plain_formulas(const std::string& text) {
  static const std::regex kFormula(R"(\\\((.*?)\\\)|\\\[(.*?)\\\])");
  std::string result;
  auto rest = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), kFormula), end; it != end; ++it) {
    result.append(rest, (*it)[0].first);
    result += plain_formula((*it)[1].matched ? (*it)[1] : (*it)[2]);
    rest = (*it)[0].second;
  }
  result.append(rest, text.cend());
  return result;
}

/// Appends text with single spaces.
class Text {
 public:
  void add(char c) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      text_ += c;
    } else if (!text_.empty() && text_.back() != ' ') {
      text_ += ' ';
    }
  }
  void add(std::string_view text) {
    for (const char c : text) add(c);
  }
  /// A tag: a space, or what separates the cells and rows of a table. The tables of the reference
  /// are its layout.
  void tag(std::string_view tag) {
    const std::string_view name = tag.substr(0, tag.find_first_of(" \n"));
    add(' ');
    if (name == "table") {
      has_cells_ = tag.find("markdownTable") != std::string_view::npos ||
                   tag.find("doxtable") != std::string_view::npos;
      rows_ = 0;
    }
    if (!has_cells_) return;
    if (name == "tr") {
      if (rows_++ > 0) separate("; ");
      cells_ = 0;
    }
    if ((name == "td" || name == "th") && cells_++ > 0) separate(" \u00b7 ");
    if (name == "/table") separate(". ");
  }
  std::string result() {
    text_.erase(text_.find_last_not_of(' ') + 1);
    return text_;
  }

 private:
  void separate(std::string_view by) {
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += by;
  }

  std::string text_;
  bool has_cells_ = false;
  int rows_ = 0, cells_ = 0;
};

}  // namespace

std::string plain_formula(std::string tex) {
  static const Rules kNames = {{std::regex(R"(\\times(?![A-Za-z]))"), "\u00d7"},
                               {std::regex(R"(\\cdot(?![A-Za-z]))"), "\u00b7"},
                               {std::regex(R"(\\leq?(?![A-Za-z]))"), "\u2264"},
                               {std::regex(R"(\\geq?(?![A-Za-z]))"), "\u2265"},
                               {std::regex(R"(\\l?dots(?![A-Za-z]))"), "..."},
                               {std::regex(R"(\\approx)"), "\u2248"},
                               {std::regex(R"(\\pm(?![A-Za-z]))"), "\u00b1"},
                               {std::regex(R"(\\leftarrow)"), "\u2190"},
                               {std::regex(R"(\\lfloor *)"), "\u230a"},
                               {std::regex(R"( *\\rfloor)"), "\u230b"},
                               {std::regex(R"(\\pi(?![A-Za-z]))"), "\u03c0"},
                               {std::regex(R"(\\beta)"), "\u03b2"},
                               {std::regex(R"(\\alpha)"), "\u03b1"},
                               {std::regex(R"(\\rho)"), "\u03c1"},
                               {std::regex(R"(\\tau)"), "\u03c4"},
                               {std::regex(R"(\\varepsilon)"), "\u03b5"},
                               {std::regex(R"(\\sum)"), "\u03a3"},
                               {std::regex(R"(\\bmod)"), "mod"},
                               {std::regex(R"(\\(?:begin|end)\{\w+\}|&)"), " "},
                               {std::regex(R"( *\\(?:left|right|limits|big) *)"), ""},
                               {std::regex(R"(\\q?quad)"), " "},
                               {std::regex(R"(\\[,;!\\])"), " "}};
  // From the innermost braces outwards.
  static const Rules kBraces = {{std::regex(R"(\\(?:text|mathrm)\{([^{}]*)\})"), "{$1}"},
                                {std::regex(R"(_\{(\w{1,2})\}|_(\w))"), "$1$2"},
                                {std::regex(R"(_\{([^{}]*)\})"), " $1"},
                                {std::regex(R"(\^(?:\*|\{\*\}))"), "*"},
                                {std::regex(R"(\^(?:2(?!\d)|\{2\}))"), "\u00b2"},
                                {std::regex(R"(\^(?:3(?!\d)|\{3\}))"), "\u00b3"},
                                {std::regex(R"(\^\{(-?[\w.]+)\})"), "^$1"},
                                {std::regex(R"(\^\{([^{}]*)\})"), "^($1)"},
                                {std::regex(R"(\\sqrt\{([^{}]*)\})"), "\u221a($1)"},
                                {std::regex(R"(\\frac\{([^{} ]*)\}\{([^{} /]*)\})"), "$1/$2"},
                                {std::regex(R"(\\frac\{([^{} ]*)\}\{([^{}]*)\})"), "$1/($2)"},
                                {std::regex(R"(\\frac\{([^{}]*)\}\{([^{}]*)\})"), "($1)/($2)"}};
  static const std::regex kGroup(R"((^|[^A-Za-z^_}])\{([^{}]*)\})");
  tex = with_rules(std::move(tex), kNames);
  for (std::string before; before != tex;) {
    before = tex;
    tex = with_rules(std::move(tex), kBraces);
    if (before == tex) tex = std::regex_replace(tex, kGroup, "$1$2");
  }
  static const Rules kRest = {{std::regex(R"(\\([A-Za-z]+))"), "$1"},
                              {std::regex(R"([{}\\])"), ""},
                              {std::regex("  +"), " "},
                              {std::regex("^ | $"), ""}};
  return with_rules(std::move(tex), kRest);
}

std::string plain_text(std::string_view html) {
  static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&lt;", "<"},   {"&gt;", ">"},        {"&quot;", "\""},      {"&#39;", "'"},
      {"&nbsp;", " "}, {"&#181;", "\u00b5"}, {"&ndash;", "\u2013"}, {"&zwj;", ""},
      {"&#160;", " "}, {"&amp;", "&"},       {"&#9670;", "\u25c6"}, {"\u00a0", " "}};
  Text text;
  for (std::size_t i = 0; i < html.size();) {
    if (html[i] == '<') {
      const std::string_view tag =
          html.substr(i + 1, std::min(html.find('>', i), html.size()) - i - 1);
      text.tag(tag);
      i += tag.size() + 2;
      continue;
    }
    const auto* entity =
        std::find_if(std::begin(kEntities), std::end(kEntities),
                     [&](const auto& one) { return html.substr(i).starts_with(one.first); });
    if (entity == std::end(kEntities)) {
      text.add(html[i++]);
    } else {
      text.add(entity->second);
      i += entity->first.size();
    }
  }
  // Tags have become spaces, also between a word and the punctuation after it.
  static const std::regex kBeforeStop(" +([.,;:)]+)(?= |$)");
  return std::regex_replace(with_plain_formulas(text.result()), kBeforeStop, "$1");
}

}  // namespace docs
