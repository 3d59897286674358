// SPDX-License-Identifier: MIT
// Inspects the docs site in headless Chromium: every page of the book on a desktop, a phone and in
// dark mode; the reference on a phone and in dark mode; the search, the folded answers, and every
// self-check box with correct answers, wrong ones and common mistakes.
//   site-browser PROJECT_ROOT BUILD SITE some|all [SCREENSHOTS]
// some: the search, the folded answers, the pages that differ most, and a few boxes of each topic.
// Exit code 77: no Chromium here.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "book.hpp"
#include "browser.hpp"
#include "grader/handout/export_student.hpp"
#include "grader/handout/handout.hpp"
#include "grader/handout/seal.hpp"
#include "grader/judge/number.hpp"
#include "grader/judge/session.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using site_test::Browser;

constexpr int kPhoneWidth = 390;
/// Minimum number of questions with folded answers per topic.
constexpr int kFewestFolds = 6;
/// Boxes of each kind that are tested unless all are.
constexpr std::size_t kFewBoxes = 2;

/// The whole inspection of a site.
class Look {
 public:
  Look(fs::path root, const fs::path& build, fs::path site, fs::path shots, Browser& browser)
      : root_(std::move(root)),
        seals_(build / "docs" / "seals"),
        site_(std::move(site)),
        shots_(std::move(shots)),
        browser_(&browser),
        session_(workspace(root_, build)) {}

  int run(bool all) {
    pages_ = docs::book(root_);
    for (const docs::Page& page : pages_) {
      if (all || is_chosen(page)) look_at(page);
    }
    for (const std::string& page : reference_pages(all)) look_at_reference(page);
    search();
    browser_->refuse_addresses_with("mathjax");  // what follows has no formulas, and they are slow
    for (const docs::Page& page : pages_) {
      if (*page.file.begin() != "topics") continue;
      open_folds(page);
      drive_boxes(page, all ? SIZE_MAX : kFewBoxes);
    }
    return report();
  }

 private:
  /// The start, the topics, and one page of each other kind: options with output, tables, a record.
  static bool is_chosen(const docs::Page& page) {
    return *page.file.begin() == "topics" || page.id == "index" || page.id == "tool_roofline" ||
           page.id == "instructor_guide" || page.id == "virtual_gpu" ||
           page.id == "profiler_counters" || page.id == "adr_handout";
  }

  int report() {
    std::printf(
        "%zu pages looked at, %zu searches followed, %zu answers unfolded, %zu boxes driven, "
        "%zu mistakes named, %zu complaints\n",
        looks_, searches_, folds_, boxes_, mistakes_, bad_);
    if (boxes_ == 0) complain("no page has a self-check box", "");
    return bad_ == 0 ? 0 : 1;
  }

  static grader::Workspace workspace(const fs::path& root, const fs::path& build) {
    grader::Workspace result;
    result.root = root;
    result.build = build;
    return result;
  }

  void complain(const std::string& where, const std::string& what) {
    ++bad_;
    std::printf("%s: %s\n", where.c_str(), what.c_str());
  }

  std::string url(const docs::Page& page) const {
    return "file://" + (site_ / docs::address(page)).string();
  }

  /// MathJax typesets after the page has loaded.
  void settle() {
    browser_->evaluate(R"js(new Promise(done => {
      const look = () => {
        if (!document.querySelector('script[src*="MathJax"]')) return done(0);
        if (!window.MathJax || !MathJax.isReady) return setTimeout(look, 50);
        MathJax.Hub.Queue(() => done(1));
      };
      look();
    }))js");
  }

  void shoot(const std::string& name) {
    if (!shots_.empty()) browser_->screenshot(shots_ / (name + ".png"));
  }

  void look_at(const docs::Page& page) {
    ++looks_;
    browser_->prefer_dark(false);
    browser_->resize(1280, 900, false);
    browser_->open(url(page));
    settle();
    shoot(page.id + "-desktop");
    for (const std::string& request : browser_->requests()) {
      if (!request.starts_with("file:") && !request.starts_with("data:") &&
          !request.starts_with("about:")) {
        complain(page.id, "asks the network for " + request);
      }
    }
    for (const std::string& text : browser_->complaints()) complain(page.id, text);
    if (browser_->evaluate("document.querySelectorAll('.MathJax_Error, .merror').length") != 0) {
      complain(page.id, "a formula cannot be typeset");
    }
    if (browser_->evaluate("/\\\\(frac|times|text|min|max)\\b/.test(document.querySelector("
                           "'.contents').innerText)") == true) {
      complain(page.id, "a formula is shown as its source");
    }
    const json marks = browser_->evaluate(R"js((() => {
      const copy = document.querySelector('.contents').cloneNode(true);
      copy.querySelectorAll('code, pre, .fragment, script, .MathJax').forEach(e => e.remove());
      return (copy.textContent.match(/.{0,20}(\*\*|`|<!--|\]\(|(?<=^|\s)\*["A-Za-z])[^\n]{0,20}/) || [''])[0];
    })())js");
    if (marks != "") complain(page.id, "shows its Markdown: " + marks.get<std::string>());
    const json entities = browser_->evaluate(R"js((() => {
      const copy = document.querySelector('.contents').cloneNode(true);
      copy.querySelectorAll('script').forEach(e => e.remove());
      return (copy.textContent.match(/.{0,30}(&nbsp;|<sup>).{0,20}/) || [''])[0];
    })())js");
    if (entities != "") complain(page.id, "shows its HTML: " + entities.get<std::string>());
    const json lists = browser_->evaluate(
        "[...document.querySelectorAll('.contents ol')].filter(list => list.children.length < 2)"
        ".map(list => list.textContent.trim().slice(0, 40)).join('; ')");
    if (lists != "") complain(page.id, "a list of one item: " + lists.get<std::string>());
    if (!browser_->evaluate("!!document.querySelector('.rl-neighbours a')")) {
      complain(page.id, "no link to the neighbours");
    }
    browser_->resize(kPhoneWidth, 844, true);
    check_width(page.id);
    shoot(page.id + "-phone");
    browser_->resize(1280, 900, false);
    browser_->prefer_dark(true);
    check_dark(page.id);
    shoot(page.id + "-dark");
  }

  static constexpr const char* kWidest =
      "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 391)"
      ".slice(0, 3).map(e => e.tagName + '.' + e.className).join(' ')";

  /// Pages of the API reference: one of each kind, or all.
  std::vector<std::string> reference_pages(bool all) const {
    if (!all) {
      return {"namespaceroofline", "structroofline_1_1Machine", "annotated", "files",
              "class__list_8hpp_source"};
    }
    std::vector<std::string> pages = {"annotated", "files", "namespaces"};
    for (const auto& entry : fs::directory_iterator(site_)) {
      const std::string name = entry.path().stem().string();
      const bool is_page = entry.path().extension() == ".html" && !name.ends_with("-members");
      const bool is_reference =
          name.starts_with("namespace") || name.starts_with("struct") || name.starts_with("class");
      if (is_page && is_reference && name != "namespaces") pages.push_back(name);
    }
    std::sort(pages.begin(), pages.end());
    return pages;
  }

  void look_at_reference(const std::string& name) {
    ++looks_;
    browser_->prefer_dark(false);
    browser_->resize(kPhoneWidth, 844, true);
    browser_->open("file://" + (site_ / (name + ".html")).string());
    check_width(name);
    shoot(name + "-phone");
    browser_->resize(1280, 900, false);
    browser_->prefer_dark(true);
    check_dark(name);
    shoot(name + "-dark");
  }

  void check_width(const std::string& name) {
    const int width = browser_->evaluate("document.documentElement.scrollWidth");
    if (width > kPhoneWidth) {
      complain(name, "is " + std::to_string(width) + " pixels wide on a phone: " +
                         browser_->evaluate(kWidest).get<std::string>());
    }
    // Tables and listings scroll; a paragraph's code has to break.
    const json cut = browser_->evaluate(
        "[...document.querySelectorAll('.contents p code, .contents li code, .contents p a')]"
        ".filter(e => !e.closest('td, pre, .fragment') && e.checkVisibility()"
        " && e.getBoundingClientRect().right > innerWidth)"
        ".map(e => e.innerText).slice(0, 3).join(' ')");
    if (cut != "") complain(name, "code is cut on a phone: " + cut.get<std::string>());
  }

  /// Text with too little contrast to its background, according to the web's accessibility
  /// guidelines.
  void check_dark(const std::string& name) {
    const json unreadable = browser_->evaluate(R"js((() => {
      const light = (css) => {
        const [r, g, b] = css.match(/[\d.]+/g).slice(0, 3).map(v => v / 255)
          .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const background = (e) => {
        for (; e; e = e.parentElement) {
          const css = getComputedStyle(e).backgroundColor;
          if (!/, 0\)$/.test(css) && css !== 'transparent') return css;
        }
        return 'rgb(255, 255, 255)';
      };
      const bad = new Set();
      for (const e of document.querySelectorAll('.contents p, .contents li, .contents td, .contents th,'
          + ' .contents h1, .contents h2, .contents h3, .contents a, .contents code, .contents .line,'
          + ' .contents span, .contents button, .contents input')) {
        if (e.closest('.MathJax, svg, script') || !e.textContent.trim()) continue;
        const a = light(getComputedStyle(e).color), b = light(background(e));
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4) bad.add(e.tagName + '.' + e.className + ' ' + contrast.toFixed(1));
      }
      return [...bad].slice(0, 4).join(', ');
    })())js");
    if (unreadable != "")
      complain(name, "hard to read in dark mode: " + unreadable.get<std::string>());
  }

  /// The texts of a search's results, as soon as there are any, or the site's message that there
  /// are none.
  std::vector<std::string> results() {
    return browser_->evaluate(R"js(new Promise(done => {
      let tries = 0;
      const look = () => {
        const list = document.getElementById('rl-results');
        const items = list && !list.hidden ? [...list.children].map(e => e.innerText) : [];
        if (items.length || ++tries > 100) done(items); else setTimeout(look, 30);
      };
      look();
    }))js");
  }

  /// Searches for words in a page opened as a file, and follows the best result by keyboard.
  void search() {
    struct Case {
      const char* words;
      const char* address;  ///< part of the address of the best result
      const char* shows;    ///< text that is there
    };
    // A word of the text that is in no heading, a heading, another ending, a name of the library.
    static constexpr Case kCases[] = {
        {"scheduler needs four warps", "topic_02_peaks.html#", "GPU deep dive"},
        {"online softmax", "topic_04_llm_inference.html#", "Online softmax"},
        {"write-allocate", "topic_02_peaks.html#", "Write-allocate"},
        {"predicting", "tool_roofline.html#", "roofline predict"},
        {"hierarchical_bound", "namespaceroofline.html#a", "hierarchical_bound"}};
    browser_->prefer_dark(false);
    for (const Case& one : kCases) {
      browser_->open(url(pages_.front()));
      browser_->press("/");
      browser_->type(one.words);
      const std::vector<std::string> found = results();
      if (found.empty() || found.front().starts_with("Nothing found")) {
        complain("search", std::string("nothing is found for ") + one.words);
        continue;
      }
      browser_->press("ArrowDown");
      browser_->press("Enter");
      browser_->wait_for_page();
      const std::string address = browser_->evaluate("location.href");
      if (address.find(one.address) == std::string::npos) {
        complain("search", std::string(one.words) + " leads to " + address);
      }
      const std::string shown = browser_->evaluate(
          "(document.getElementById(location.hash.slice(1)) || document.body)"
          ".closest('h1, h2, h3, h4, body, div').innerText");
      if (browser_->evaluate("location.hash !== '' && "
                             "!document.getElementById(location.hash.slice(1))") == true ||
          shown.find(one.shows) == std::string::npos) {
        complain("search", address + " does not show " + one.shows);
      }
      ++searches_;
    }
    look_at_results();
    browser_->open(url(pages_.front()));
    browser_->resize(kPhoneWidth, 844, true);
    browser_->click(".rl-search input");
    browser_->type("roofline");
    const bool fits =
        !results().empty() && browser_->evaluate(
                                  "document.getElementById('rl-results')"
                                  ".getBoundingClientRect().right <= innerWidth") == true;
    if (!fits) complain("search", "the results do not fit a phone");
    shoot("search-phone");
    browser_->evaluate("document.querySelector('.rl-search input').value = ''; 0");
    browser_->type("qxzvkj");
    const std::vector<std::string> none = results();
    if (none.size() != 1 || !none.front().starts_with("Nothing found")) {
      complain("search", "a word that is nowhere is found");
    }
    browser_->press("Escape");
    if (browser_->evaluate("document.getElementById('rl-results').hidden") != true) {
      complain("search", "Escape does not close the results");
    }
    browser_->resize(1280, 900, false);
  }

  /// Excerpts have readable formulas, and chapters come before the reference, which has its own
  /// heading.
  void look_at_results() {
    for (const char* words : {"ridge", "softmax", "attainable"}) {
      browser_->open(url(pages_.front()));
      browser_->press("/");
      browser_->type(words);
      bool is_reference = false;
      for (const std::string& result : results()) {
        if (result.find('\\') != std::string::npos) complain("search", "shows TeX: " + result);
        if (result == "Reference") is_reference = true;
      }
      const std::string place =
          is_reference
              ? "document.querySelector('.rl-part').previousElementSibling.querySelector('a')"
              : "document.querySelector('#rl-results li:last-child a')";
      const std::string last = browser_->evaluate(place + ".getAttribute('href')");
      if (last.starts_with("namespace") || last.starts_with("struct") ||
          last.starts_with("class")) {
        complain("search", std::string(words) + " has the reference among chapters: " + last);
      }
      ++searches_;
    }
  }

  /// Folded answers: closed at first, opened by mouse and by keyboard; every "predict" has one.
  void open_folds(const docs::Page& page) {
    browser_->prefer_dark(false);
    browser_->resize(1280, 900, false);
    browser_->open(url(page));
    const int unanswered =
        browser_->evaluate(R"js([...document.querySelectorAll('.contents blockquote')]
      .filter(e => /^\W*Predict before/.test(e.innerText))
      .filter(e => !e.nextElementSibling || !e.nextElementSibling.matches('details')).length)js");
    if (unanswered != 0) {
      complain(page.id, std::to_string(unanswered) + " predictions without a folded answer");
    }
    const int count = browser_->evaluate("document.querySelectorAll('.contents details').length");
    if (count < kFewestFolds) {
      complain(page.id, "only " + std::to_string(count) + " questions with folded answers");
    }
    browser_->evaluate(
        "document.querySelectorAll('.contents details').forEach((e, i) => { e.id = 'fold' + i; }); "
        "0");
    for (int i = 0; i < count; ++i) {
      const std::string id = "#fold" + std::to_string(i);
      const auto is_open = [&] {
        // The part of the answer that the reader sees: none while it is closed.
        return browser_->evaluate(
                   "(() => { const e = document.querySelector('" + id +
                   "'); const answer = [...e.children].find(c => c.matches('p, ul, div'));"
                   " return answer.checkVisibility() && answer.innerText.length > 20; })()") ==
               true;
      };
      std::string states(1, is_open() ? 'o' : 'c');
      browser_->click(id + " summary");
      states += is_open() ? 'o' : 'c';
      browser_->press(" ");  // the click has set the focus
      states += is_open() ? 'o' : 'c';
      browser_->press("Enter");
      states += is_open() ? 'o' : 'c';
      if (states != "coco") complain(page.id, "fold " + std::to_string(i) + " goes " + states);
      ++folds_;
    }
    shoot(page.id + "-folds");
  }

  /// Types into a box and returns its response.
  std::string ask(const std::string& id, const std::string& answer) {
    return browser_->evaluate(R"js((async () => {
      const form = document.querySelector('form[data-exercise="' + )js" +
                              json(id).dump() + R"js( + '"]');
      const answer = )js" + json(answer).dump() +
                              R"js(;
      const radios = [...form.querySelectorAll('input[type=radio]')];
      if (radios.length) radios.forEach(r => { r.checked = r.value === answer; });
      else form.querySelector('input').value = answer;
      const output = form.querySelector('output');
      output.textContent = '...';
      form.querySelector('button').click();
      while (output.textContent === '...') await new Promise(done => setTimeout(done, 10));
      return output.textContent;
    })())js");
  }

  void expect(const std::string& id, const std::string& answer, bool right) {
    const std::string said = ask(id, answer);
    if ((said == "Right.") != right) complain(id, "'" + answer + "' is judged: " + said);
    if (!right && !said.starts_with("Wrong")) complain(id, "'" + answer + "' is judged: " + said);
  }

  /// Tests at most this many boxes with numbers and with choices per topic.
  void drive_boxes(const docs::Page& page, std::size_t most) {
    std::vector<grader::SchemaError> errors;
    const grader::Topic topic = grader::load_topic(root_ / page.file.parent_path(), errors);
    std::map<std::string, grader::Seal> seals;
    for (grader::Seal& seal :
         grader::parse_seals(base::read_file(seals_ / (topic.name + ".json")))) {
      seals[seal.label] = std::move(seal);
    }
    browser_->open(url(page));
    for (const grader::Kind kind : {grader::Kind::kNumber, grader::Kind::kChoice}) {
      std::size_t left = most;
      for (const grader::Exercise& exercise : topic.exercises) {
        if (exercise.kind() == kind && grader::can_be_sealed(exercise) && left-- > 0) {
          drive(exercise);
          if (kind == grader::Kind::kNumber) {
            drive_mistakes(exercise, seals.at(exercise.id));
            drive_notations(exercise, seals.at(exercise.id));
          }
        }
        if (left == 0) break;
      }
    }
  }

  void drive(const grader::Exercise& exercise) {
    ++boxes_;
    const grader::ReferenceAnswer reference = session_.reference(exercise, exercise.id);
    if (exercise.kind() == grader::Kind::kChoice) {
      for (const std::string& word : exercise.as<grader::ChoiceExercise>().choices) {
        expect(exercise.id, word, word == reference.word);
      }
      for (const grader::Misconception& mistake : exercise.misconceptions) {
        if (mistake.word != reference.word) expect_mistake(exercise.id, mistake.word, mistake);
      }
      return;
    }
    char text[64];
    std::snprintf(text, sizeof text, "%.12g %s", reference.value, reference.unit.c_str());
    expect(exercise.id, text, true);
    std::snprintf(text, sizeof text, "%.12g %s", reference.value * 1.2345 + 7,
                  reference.unit.c_str());
    expect(exercise.id, text, false);
    if (ask(exercise.id, "many").find("plain decimal") == std::string::npos) {
      complain(exercise.id, "text that is not a number is not refused");
    }
  }

  /// Types the mistakes listed for an exercise, and twice and eight times the correct value (an FMA
  /// counted twice, bits for bytes). The page must say what the grader's own opener finds in the
  /// box.
  void drive_mistakes(const grader::Exercise& exercise, const grader::Seal& seal) {
    const grader::ReferenceAnswer right = session_.reference(exercise, exercise.id);
    const std::size_t before = mistakes_;
    for (const grader::Misconception& mistake : exercise.misconceptions) {
      if (!mistake.answer.empty()) {
        const grader::ReferenceAnswer wrong = session_.reference(exercise, mistake.answer);
        ask_mistake(exercise, seal, wrong.value, wrong.unit);
      } else if (mistake.value) {
        ask_mistake(exercise, seal, *mistake.value, exercise.unit());
      } else {
        ask_mistake(exercise, seal, *mistake.factor * right.value, right.unit);
      }
    }
    const std::size_t listed = mistakes_ - before;
    if (!exercise.misconceptions.empty() && listed == 0 && exercise.rtol <= 0.05) {
      complain(exercise.id, "the page names none of the mistakes that it lists");
    }
    for (const double factor : {2.0, 8.0}) {
      ask_mistake(exercise, seal, factor * right.value, right.unit);
    }
    if (mistakes_ == before) complain(exercise.id, "the page names no mistake at all");
  }

  void ask_mistake(const grader::Exercise& exercise, const grader::Seal& seal, double value,
                   const std::string& unit) {
    char text[64];
    std::snprintf(text, sizeof text, "%.12g %s", value, unit.c_str());
    if (expect_same(exercise, seal, text)) ++mistakes_;
  }

  /// The page reads every notation as the command does: fractions, plurals, and what is refused.
  void drive_notations(const grader::Exercise& exercise, const grader::Seal& seal) {
    const grader::ReferenceAnswer right = session_.reference(exercise, exercise.id);
    char threefold[64];
    std::snprintf(threefold, sizeof threefold, "%.12g / 3 %s", 3 * right.value, right.unit.c_str());
    expect(exercise.id, threefold, true);
    for (const char* text : {"1/6",      "-1.5e3/.5", "1/0",      "1/2/3",          "1/s",
                             "1e999",    "1,5",       "1_000",    "0x10",           "nan",
                             "24 bytes", "1 byte",    "3 Mbytes", "2 Kibytes",      "8 Gbits",
                             "3 GFLOPs", "3 GFLOPS",  "3 TOPs/s", "1/6 FLOPs/byte", "5 tokens/s",
                             "5 ms",     "7 %"}) {
      expect_same(exercise, seal, text);
    }
  }

  /// The page says what the grader reads and finds in the box. Returns whether that is a mistake.
  bool expect_same(const grader::Exercise& exercise, const grader::Seal& seal,
                   const std::string& text) {
    std::string should = "This cannot be read";
    bool is_mistake = false;
    try {
      const auto opened = grader::open_number(seal, grader::parse_number(text, exercise.unit()));
      is_mistake = opened && !opened->is_right;
      should = !opened            ? "Wrong, and not one of the known mistakes."
               : opened->is_right ? "Right."
               : opened->message.starts_with("close")
                   ? "Wrong, but " + opened->message
                   : "Wrong. It looks like this: " + opened->message;
    } catch (const std::invalid_argument&) {
      // The wording may differ.
    }
    const std::string said = ask(exercise.id, text);
    if (!said.starts_with(should)) {
      complain(exercise.id, text + ": should say '" + should + "': " + said);
    }
    return is_mistake;
  }

  void expect_mistake(const std::string& id, const std::string& answer,
                      const grader::Misconception& mistake) {
    const std::string said = ask(id, answer);
    if (said.find(mistake.message) != std::string::npos) return;
    complain(id, answer + " should show '" + mistake.message + "', and shows: " + said);
  }

  fs::path root_;
  fs::path seals_;  ///< contents of the boxes, one file per topic
  fs::path site_;
  fs::path shots_;
  Browser* browser_;
  grader::Session session_;
  std::vector<docs::Page> pages_;
  std::size_t looks_ = 0;
  std::size_t boxes_ = 0;
  std::size_t mistakes_ = 0;  ///< recognised by boxes
  std::size_t searches_ = 0;
  std::size_t folds_ = 0;
  std::size_t bad_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 4 ? argv[4] : "";
  if (what != "some" && what != "all") {
    std::fputs("usage: site-browser PROJECT_ROOT BUILD SITE some|all [SCREENSHOTS]\n", stderr);
    return 2;
  }
  return site_test::with_browser("site-browser", [&](Browser& browser) {
    const fs::path shots = argc > 5 ? fs::path(argv[5]) : fs::path();
    return Look(argv[1], argv[2], fs::absolute(argv[3]), shots, browser).run(what == "all");
  });
}
