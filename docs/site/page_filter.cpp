// SPDX-License-Identifier: MIT
// Doxygen's filter for Markdown: page_filter PROJECT_ROOT SEALS_FOLDER FILE prints FILE as a page
// of the book. Links become the site's, topics get contents, self-check boxes and neighbours.
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "book.hpp"
#include "grader/exercise.hpp"
#include "grader/handout.hpp"
#include "grader/variant.hpp"
#include "roofline/html.hpp"
#include "roofline/text_file.hpp"

namespace {

namespace fs = std::filesystem;
using docs::Page;

/// Formulas ($`...`$ and ```math blocks) in Doxygen's notation; names of computed numbers vanish.
/// Bold text with code in it becomes an element, because Doxygen leaves its stars.
std::string plain_line(const std::string& line) {
  static const std::regex kFormula(R"(\$`([^`]*)`\$)");
  static const std::regex kValue(R"(<!--v:[^>]*-->|<!--/v-->)");
  static const std::regex kBoldCode(R"(\*\*([^*]*`[^`*]*`[^*]*)\*\*)");
  std::string text = std::regex_replace(line, kFormula, "\\f$$$1\\f$$");
  text = std::regex_replace(text, kValue, "");
  return std::regex_replace(text, kBoldCode, "<b>$1</b>");
}

/// A line for doc_examples: what a command or a file has shown, or prepares.
bool is_mark_of_example(const std::string& line) {
  static const std::regex kMark("<!--(output|before|session|recorded|code): .*");
  return std::regex_match(line, kMark);
}

/// Turns one file into a page.
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
    std::istringstream in(roofline::read_text_file(root_ / file_));
    for (std::string line; std::getline(in, line);) take(line);
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
    for (const grader::Seal& seal : grader::parse_seals(roofline::read_text_file(sealed))) {
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
    // Marks are shown where contributors read how to write them.
    if (file_ == "CONTRIBUTING.md" && line.starts_with("    ")) {
      out_ += line + '\n';
      return;
    }
    static const std::regex kAnchor(R"rx(^<a id="([^"]+)"></a>$)rx");
    std::smatch match;
    if (std::regex_match(line, match, kAnchor)) {
      boxes_before(match[1]);
      // Hidden from Doxygen, which wants anchors to be unique over all pages.
      out_ += "\\htmlonly\n" + line + "\n\\endhtmlonly\n";
      return;
    }
    // A folded answer: Doxygen has no element for it, and its inside is Markdown as elsewhere.
    if (line.starts_with("<details>") || line == "</details>") {
      out_ += "\\htmlonly[block]\n" + line + "\n\\endhtmlonly\n";
      return;
    }
    if (page_ && !titled_ && line.starts_with("# ")) return title();
    // The numbered list of the first page is the table of contents of the tree.
    is_contents_ = page_ && page_->id == "index" && !line.empty() &&
                   std::isdigit(static_cast<unsigned char>(line.front())) != 0;
    out_ += with_links(with_images(plain_line(line))) + '\n';
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
      // Doxygen knows no highlighting of its own for these.
      const bool plain = line == "```text" || line == "```sh" || line == "```bash" ||
                         line == "```console" || line == "```toml" || line == "```json";
      out_ += (plain ? "```" : line) + '\n';
    }
  }

  void title() {
    titled_ = true;
    const std::string id = page_->id == "index" ? "mainpage" : page_->id;
    out_ += "# " + page_->title + " {#" + id + "}\n";
    if (*file_.begin() == "topics" || file_ == "CONTRIBUTING.md") out_ += "\n[TOC]\n";
  }

  /// [text](target): a page's address, or only the text where the site has no such file.
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
    if (!docs::page_of(pages_, file)) file = fs::path(path).lexically_normal();
    const auto page = docs::page_of(pages_, file);
    if (!page) return text + " (`" + file.generic_string() + "`)";
    if (is_contents_) {
      static const std::regex kCode("`");
      return "\\subpage " + page->id + " \"" + std::regex_replace(text, kCode, "") + "\"";
    }
    return "<a href=\"" + docs::address(*page) + anchor + "\">" + text + "</a>";
  }

  std::string with_images(const std::string& line) const {
    static const std::regex kImage(R"(!\[([^\]]*)\]\(([^) ]+)\))");
    std::smatch match;
    if (!std::regex_search(line, match, kImage)) return line;
    // A topic may keep pictures in its own folder; the site keeps them apart too.
    const fs::path picture = (file_.parent_path() / match[2].str()).lexically_normal();
    const bool of_topic = *picture.begin() == "topics";
    const std::string folder = of_topic ? file_.parent_path().filename().string() + "/" : "";
    const std::string name = folder + picture.filename().string();
    return match.prefix().str() + "<div class=\"rl-figure\" tabindex=\"0\"><img src=\"images/" +
           name + "\" alt=\"" + roofline::html_escaped(match[1]) + "\"/></div>" +
           match.suffix().str();
  }

  /// The boxes of the section that ends where section `next` begins.
  void boxes_before(const std::string& next) {
    const auto section = boxes_.find(section_);
    if (section != boxes_.end()) {
      for (const grader::Exercise& exercise : section->second) box(exercise);
      boxes_.erase(section);
    }
    section_ = next;
    if (!next.empty()) return;
    // Exercises whose section the write-up does not have stand at the end.
    for (const auto& [name, exercises] : boxes_) {
      for (const grader::Exercise& exercise : exercises) box(exercise);
    }
    boxes_.clear();
  }

  void box(const grader::Exercise& exercise) {
    const std::string unit = roofline::html_escaped(exercise.unit);
    out_ += "\n\\htmlonly\n<form class=\"rl-check\" data-exercise=\"" + exercise.id +
            "\" data-unit=\"" + unit + "\"><p><strong>Check yourself.</strong> " +
            roofline::html_escaped(grader::task_text(exercise));
    if (exercise.kind == grader::Kind::kNumber) {
      out_ += " (Answer: " + roofline::html_escaped(grader::answer_form(exercise)) + ")";
    }
    out_ += "</p><p class=\"rl-check-row\">";
    if (exercise.kind == grader::Kind::kChoice) {
      for (const std::string& choice : exercise.choices) {
        const std::string word = roofline::html_escaped(choice);
        out_ += "<label><input type=\"radio\" name=\"answer\" value=\"" + word + "\"/> " + word +
                "</label> ";
      }
    } else {
      out_ +=
          "<input type=\"text\" name=\"answer\" autocomplete=\"off\" spellcheck=\"false\" "
          "aria-label=\"Your answer\" placeholder=\"" +
          (unit.empty() || unit == "1" ? "a number" : "a number in " + unit) + "\"/> ";
    }
    out_ += "<button type=\"submit\">Check</button> <code>" + exercise.id +
            "</code></p><output aria-live=\"polite\"></output>"
            "<script type=\"application/json\">" +
            sealed_.at(exercise.id) + "</script></form>\n\\endhtmlonly\n\n";
    has_boxes_ = true;
  }

  void finish() {
    if (!page_) return;
    if (has_boxes_) out_ += "\n\\htmlonly\n<script src=\"selfcheck.js\"></script>\n\\endhtmlonly\n";
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

  static std::string neighbour(const Page& page, const std::string& kind, const std::string& word) {
    return "<a class=\"" + kind + "\" href=\"" + docs::address(page) + "\"><small>" + word +
           "</small> " + roofline::html_escaped(page.title) + "</a>";
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
  bool titled_ = false;
  bool is_contents_ = false;
  bool in_math_ = false;
  bool in_code_ = false;
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
