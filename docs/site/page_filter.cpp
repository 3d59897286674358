// SPDX-License-Identifier: MIT
// Doxygen's filter for Markdown: page_filter PROJECT_ROOT SEALS_FOLDER FILE prints FILE as a page
// of the book. Links become those of the site; topics get contents, self-check boxes and links to
// their neighbours.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/html.hpp"
#include "book.hpp"
#include "grader/exercise/exercise.hpp"
#include "grader/exercise/variant.hpp"
#include "grader/handout/handout.hpp"
#include "typography.hpp"

namespace {

namespace fs = std::filesystem;
using docs::Page;

/// Formulas ($`...`$ and ```math blocks) in Doxygen's notation; names of computed numbers are
/// removed. Bold text with code in it, and emphasised text with an exponent, become HTML elements,
/// because Doxygen would leave their stars. A computed number at the start of a line that ends a
/// sentence must not become a list item.
std::string plain_line(const std::string& line) {
  static const std::regex kFormula(R"(\$`([^`]*)`\$)");
  static const std::regex kValue(R"(<!--v:[^>]*-->|<!--/v-->)");
  static const std::regex kBoldCode(R"(\*\*([^*]*`[^`*]*`[^*]*)\*\*)");
  static const std::regex kRaised(R"((^|[ (])\*([^ *`][^*`]*\^[^*`]*)\*)");
  static const std::regex kNumberAtStart(R"(^(<!--v:[^>]*-->\d+<!--/v-->)\. )");
  std::string text = std::regex_replace(line, kFormula, "\\f$$$1\\f$$");
  text = std::regex_replace(text, kNumberAtStart, "$1\\. ");
  text = std::regex_replace(text, kValue, "");
  text = std::regex_replace(text, kBoldCode, "<b>$1</b>");
  return std::regex_replace(text, kRaised, "$1<em>$2</em>");
}

/// A line for doc_examples: it marks the output of a command or a file, or prepares one.
bool is_mark_of_example(const std::string& line) {
  static const std::regex kMark("<!--(output|before|session|recorded|code): .*");
  return std::regex_match(line, kMark);
}

/// Converts one file to a page.
class Filter {
 public:
  Filter(fs::path root, fs::path seals, const fs::path& file)
      : root_(std::move(root)),
        seals_(std::move(seals)),
        file_(file.lexically_relative(root_)),
        pages_(docs::book(root_)),
        page_(docs::page_of(pages_, file_)) {}

  std::string run() {
    if (page_ && *file_.begin() == "topics") load_exercises();
    std::istringstream in(base::read_file(root_ / file_));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    docs::join_amounts(lines);
    docs::align_numbers(lines);
    for (const std::string& line : lines) take(line);
    boxes_before("");
    finish();
    return out_;
  }

 private:
  void load_exercises() {
    const fs::path toml = root_ / file_.parent_path() / "exercises.toml";
    const std::string topic = file_.parent_path().filename().string();
    const fs::path sealed = seals_ / (topic + ".json");
    if (!fs::exists(toml) || !fs::exists(sealed)) return;
    for (const grader::Seal& seal : grader::parse_seals(base::read_file(sealed))) {
      sealed_[seal.label] = grader::seals_json({seal});
    }
    std::vector<grader::SchemaError> errors;
    for (grader::Exercise& exercise : grader::load_topic(toml.parent_path(), errors).exercises) {
      if (sealed_.contains(exercise.id)) boxes_[exercise.writeup].push_back(std::move(exercise));
    }
  }

  void take(const std::string& line) {
    if (line.starts_with("```")) return fence(line);
    if (in_math_ || in_code_) {
      out_ += line + '\n';
      return;
    }
    if (is_mark_of_example(line)) return;
    static const std::regex kExplore("<!--explore: ([a-z_]+)-->");
    std::smatch explored;
    if (std::regex_match(line, explored, kExplore)) return explore(explored[1]);
    if (figure(line)) return;
    continue_list(line);
    // Code by indentation: from an empty line to the first line that is indented less.
    in_indented_code_ = line.starts_with("    ") && (in_indented_code_ || was_empty_);
    was_empty_ = line.empty();
    if (in_indented_code_) {
      out_ += line + '\n';
      return;
    }
    static const std::regex kAnchor(R"rx(^<a id="([^"]+)"></a>$)rx");
    std::smatch match;
    if (std::regex_match(line, match, kAnchor)) {
      boxes_before(match[1]);
      // Hidden from Doxygen, which requires anchors to be unique across all pages.
      out_ += "\\htmlonly\n" + line + "\n\\endhtmlonly\n";
      return;
    }
    // A folded answer: Doxygen has no element for it, and its contents are ordinary Markdown.
    if (line.starts_with("<details>") || line == "</details>") {
      out_ += "\\htmlonly[block]\n" + docs::with_exponents_and_units(plain_line(line)) +
              "\n\\endhtmlonly\n";
      return;
    }
    if (page_ && !titled_ && line.starts_with("# ")) return title();
    // The numbered list of the first page becomes the table of contents in the tree.
    is_contents_ = page_ && page_->id == "index" && !line.empty() &&
                   std::isdigit(static_cast<unsigned char>(line.front())) != 0;
    out_ += prose(line) + '\n';
  }

  std::string prose(const std::string& line) const {
    return with_links(docs::with_exponents_and_units(plain_line(line)));
  }

  /// A picture on its own, with the emphasised paragraph after it as its caption. Consumes the line
  /// if it belongs to one.
  bool figure(const std::string& line) {
    static const std::regex kImage(R"(^!\[([^\]]*)\]\(([^) ]+)\)$)");
    std::smatch match;
    if (std::regex_match(line, match, kImage)) {
      end_figure();
      out_ += "\n\\htmlonly[block]\n<figure class=\"rl-figure\" tabindex=\"0\">" +
              picture(match[1], match[2]) + "\n\\endhtmlonly\n";
      figure_ = Figure::kPicture;
      return true;
    }
    if (figure_ == Figure::kNone) return false;
    if (figure_ == Figure::kPicture && line.empty()) return true;
    const bool begins =
        figure_ == Figure::kPicture && line.starts_with('*') && !line.starts_with("**");
    if (!begins && figure_ == Figure::kPicture) {
      end_figure();
      return false;
    }
    if (begins) {
      out_ += "\\htmlonly[block]\n<figcaption>" + figure_number() + "\n\\endhtmlonly\n";
      figure_ = Figure::kCaption;
    }
    const bool ends = line.ends_with('*');
    const std::size_t first = begins ? 1 : 0;
    out_ += prose(line.substr(first, line.size() - first - (ends ? 1 : 0))) + '\n';
    if (ends) end_figure();
    return true;
  }

  void end_figure() {
    if (figure_ == Figure::kNone) return;
    out_ += std::string("\\htmlonly[block]\n") +
            (figure_ == Figure::kCaption ? "</figcaption>" : "") + "</figure>\n\\endhtmlonly\n\n";
    figure_ = Figure::kNone;
  }

  /// "Figure 3.2" in topic 03; other pages have no numbers.
  std::string figure_number() {
    if (!page_ || *file_.begin() != "topics") return "";
    return "<b>Figure " + std::to_string(std::stoi(page_->title)) + "." +
           std::to_string(++figures_) + "</b> ";
  }

  /// A list that continues after other text: Doxygen would restart it at 1.
  void continue_list(const std::string& line) {
    static const std::regex kItem(R"(^(\d+)\. .*)");
    std::smatch match;
    const bool is_item = std::regex_match(line, match, kItem);
    if (is_item && !in_list_ && match[1] != "1") {
      out_ += "\\htmlonly[block]\n<div class=\"rl-continued\" style=\"counter-reset: rl-item " +
              std::to_string(std::stoi(match[1]) - 1) + "\"></div>\n\\endhtmlonly\n";
    }
    in_list_ = is_item || (in_list_ && !line.empty());
  }

  void explore(const std::string& name) {
    out_ += "\n\\htmlonly\n<section class=\"rl-explore\" data-explore=\"" + name +
            "\"></section>\n\\endhtmlonly\n\n";
    has_explorers_ = true;
  }

  void fence(const std::string& line) {
    if (line == "```math") {
      in_math_ = true;
      out_ += "\\f[\n";
    } else if (in_math_) {
      in_math_ = false;
      out_ += "\\f]\n";
    } else {
      in_code_ = !in_code_;
      // Doxygen has no syntax highlighting for these.
      const bool plain = line == "```text" || line == "```sh" || line == "```bash" ||
                         line == "```console" || line == "```toml" || line == "```json";
      out_ += (plain ? "```" : line) + '\n';
    }
  }

  void title() {
    titled_ = true;
    const std::string id = page_->id == "index" ? "mainpage" : page_->id;
    // A title that begins with "2. " would be a list to Doxygen.
    static const std::regex kNumber(R"(^(\d+\.) )");
    out_ += "# " + std::regex_replace(page_->title, kNumber, "$1\u00a0") + " {#" + id + "}\n";
    if (*file_.begin() == "topics" || file_ == "CONTRIBUTING.md") out_ += "\n[TOC]\n";
  }

  /// [text](target): becomes a page's address, or only the text if the site has no such file.
  std::string with_links(const std::string& line) const {
    static const std::regex kLink(R"(\[([^\]]+)\]\(([^) ]+)\))");
    std::string result;
    auto rest = line.cbegin();
    for (std::sregex_iterator it(line.begin(), line.end(), kLink), end; it != end; ++it) {
      result.append(rest, (*it)[0].first);
      result += link((*it)[1], (*it)[2]);
      rest = (*it)[0].second;
    }
    result.append(rest, line.cend());
    return result;
  }

  std::string link(const std::string& text, const std::string& target) const {
    static const std::regex kOutside(R"(^[a-z]+:.*)");
    if (std::regex_match(target, kOutside)) return "[" + text + "](" + target + ")";
    const auto hash = target.find('#');
    const std::string anchor = hash == std::string::npos ? "" : target.substr(hash);
    const std::string path = target.substr(0, hash);
    if (path.empty()) return "<a href=\"" + anchor + "\">" + text + "</a>";
    fs::path file = (file_.parent_path() / path).lexically_normal();
    if (!fs::exists(root_ / file)) file = fs::path(path).lexically_normal();
    const auto page = docs::page_of(pages_, file);
    if (!page) return text + " (`" + file.generic_string() + "`)";
    if (is_contents_) {
      static const std::regex kCode("`");
      return "\\subpage " + page->id + " \"" + std::regex_replace(text, kCode, "") + "\"";
    }
    return "<a href=\"" + docs::address(*page) + anchor + "\">" + text + "</a>";
  }

  std::string picture(const std::string& alt, const std::string& address) const {
    const fs::path file = (file_.parent_path() / address).lexically_normal();
    return "<img src=\"images/" + file.filename().string() + "\" alt=\"" + base::html_escaped(alt) +
           "\"" + size_of_picture(root_ / file) + "/>";
  }

  /// Width and height of a figure of docs/figures, so that the page does not shift while it loads,
  /// and the class for figures that follow the reader's colours.
  static std::string size_of_picture(const fs::path& file) {
    static const std::regex kSize(R"rx(viewBox="0 0 (\S+) (\S+)")rx");
    if (!fs::exists(file)) return "";
    const std::string svg = base::read_file(file);
    std::smatch match;
    if (svg.find("var(--page)") == std::string::npos || !std::regex_search(svg, match, kSize)) {
      return "";
    }
    return " class=\"rl-drawn\" width=\"" + match[1].str() + "\" height=\"" + match[2].str() + "\"";
  }

  /// The boxes of the section that ends where section `next` begins.
  void boxes_before(const std::string& next) {
    const auto section = boxes_.find(section_);
    if (section != boxes_.end()) {
      boxes(section->second);
      boxes_.erase(section);
    }
    section_ = next;
    if (!next.empty()) return;
    // Exercises whose section is missing in the write-up come at the end.
    for (const auto& [name, exercises] : boxes_) boxes(exercises);
    boxes_.clear();
  }

  /// One box with the section's exercises.
  void boxes(const std::vector<grader::Exercise>& exercises) {
    out_ +=
        "\n\\htmlonly[block]\n<div class=\"rl-checks\"><p class=\"rl-checks-head\">Check "
        "yourself</p>\n";
    for (auto first = exercises.begin(); first != exercises.end();) {
      const auto last = std::find_if_not(
          first, exercises.end(),
          [&](const grader::Exercise& exercise) { return are_rows(*first, exercise); });
      if (last - first > 1) {
        rows(first, last);
        first = last;
      } else {
        box(*first++);
      }
    }
    out_ += "</div>\n\\endhtmlonly\n\n";
  }

  /// The part of a task before its colon; empty if it has none.
  static std::string question_of(const grader::Exercise& exercise) {
    const std::string task = grader::task_text(exercise);
    const auto colon = task.find(": ");
    return colon == std::string::npos ? "" : task.substr(0, colon);
  }

  /// Whether two tasks ask one question of different things.
  static bool are_rows(const grader::Exercise& one, const grader::Exercise& other) {
    return one.choices().empty() && other.choices().empty() && one.unit() == other.unit() &&
           !question_of(one).empty() && question_of(one) == question_of(other);
  }

  using Place = std::vector<grader::Exercise>::const_iterator;

  /// A question, and a row for each exercise that asks it.
  void rows(Place first, Place last) {
    const std::string question = question_of(*first);
    out_ += "<div class=\"rl-rows\"><p>" +
            docs::with_exponents_and_units(base::html_escaped(question)) + "?" +
            form_of_answer(*first) + "</p>\n";
    for (Place exercise = first; exercise != last; ++exercise) {
      std::string asks = grader::task_text(*exercise).substr(question.size() + 2);
      if (asks.ends_with('?')) asks.pop_back();
      open_form(*exercise);
      out_ += "<p class=\"rl-check-row\"><span>" +
              docs::with_exponents_and_units(base::html_escaped(asks)) + "</span> ";
      close_form(*exercise, base::html_escaped(asks));
    }
    out_ += "</div>\n";
  }

  void box(const grader::Exercise& exercise) {
    open_form(exercise);
    out_ += "<p>" + docs::with_exponents_and_units(base::html_escaped(grader::task_text(exercise)));
    if (exercise.choices().empty()) out_ += form_of_answer(exercise);
    out_ += "</p><p class=\"rl-check-row\">";
    close_form(exercise, "Your answer");
  }

  static std::string form_of_answer(const grader::Exercise& exercise) {
    const std::string form = exercise.rules().answer_form(exercise);
    return " Answer: " + docs::with_exponents_and_units(base::html_escaped(form)) + ".";
  }

  void open_form(const grader::Exercise& exercise) {
    out_ += "<form class=\"rl-check\" data-exercise=\"" + exercise.id + "\" data-unit=\"" +
            base::html_escaped(exercise.unit()) + "\">";
  }

  /// What the reader fills in, and what judges it. `label` is for readers who hear the page.
  void close_form(const grader::Exercise& exercise, const std::string& label) {
    const std::string unit = base::html_escaped(exercise.unit());
    for (const std::string& choice : exercise.choices()) {
      const std::string word = base::html_escaped(choice);
      out_ += "<label><input type=\"radio\" name=\"answer\" value=\"" + word + "\"/> " + word +
              "</label> ";
    }
    if (exercise.choices().empty()) {
      out_ +=
          "<input type=\"text\" name=\"answer\" autocomplete=\"off\" spellcheck=\"false\" "
          "aria-label=\"" +
          label + "\" placeholder=\"" +
          (unit.empty() || unit == "1" ? "a number" : "a number in " + unit) + "\"/> ";
    }
    out_ += "<button type=\"submit\">Check</button> <code>" + exercise.id +
            "</code></p><output aria-live=\"polite\"></output>"
            "<script type=\"application/json\">" +
            sealed_.at(exercise.id) + "</script></form>\n";
    has_boxes_ = true;
  }

  void finish() {
    end_figure();
    if (!page_) return;
    if (has_boxes_) out_ += script("selfcheck.js");
    out_ += script("data.js");
    if (has_explorers_) out_ += script("model.js") + script("explore.js");
    std::size_t here = 0;
    while (pages_[here].id != page_->id) ++here;
    std::string neighbours;
    if (here > 0) neighbours += neighbour(pages_[here - 1], "rl-previous", "Previous");
    if (here > 0) {
      neighbours += "<a class=\"rl-contents\" href=\"" + docs::address(pages_.front()) +
                    "\"><small>All pages</small> Contents</a>";
    }
    if (here + 1 < pages_.size()) neighbours += neighbour(pages_[here + 1], "rl-next", "Next");
    out_ += "\n\\htmlonly\n<nav class=\"rl-neighbours\">" + neighbours + "</nav>\n\\endhtmlonly\n";
  }

  static std::string script(const std::string& name) {
    return "\n\\htmlonly\n<script src=\"" + name + "\"></script>\n\\endhtmlonly\n";
  }

  static std::string neighbour(const Page& page, const std::string& kind, const std::string& word) {
    return "<a class=\"" + kind + "\" href=\"" + docs::address(page) + "\"><small>" + word +
           "</small> " + base::html_escaped(page.title) + "</a>";
  }

  fs::path root_;
  fs::path seals_;
  fs::path file_;
  std::vector<Page> pages_;
  std::optional<Page> page_;
  std::map<std::string, std::string> sealed_;                   ///< JSON by id
  std::map<std::string, std::vector<grader::Exercise>> boxes_;  ///< by section
  std::string section_;
  std::string out_;
  enum class Figure { kNone, kPicture, kCaption } figure_ = Figure::kNone;
  int figures_ = 0;
  bool has_explorers_ = false;
  bool titled_ = false;
  bool is_contents_ = false;
  bool in_list_ = false;
  bool in_math_ = false;
  bool in_code_ = false;
  bool in_indented_code_ = false;
  bool was_empty_ = false;
  bool has_boxes_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: page_filter PROJECT_ROOT SEALS_FOLDER FILE\n", stderr);
    return 2;
  }
  try {
    std::fputs(Filter(argv[1], argv[2], argv[3]).run().c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "page_filter: %s\n", error.what());
    return 1;
  }
}
