// SPDX-License-Identifier: MIT
// Inspects the docs site in headless Chromium: every page of the book on a desktop, a phone and in
// dark mode; the reference on a phone and in dark mode; the search, the folded answers, and every
// self-check box with correct answers, wrong ones and common mistakes.
//   site-browser PROJECT_ROOT BUILD SITE some|all [SCREENSHOTS]
// some: the search, the folded answers, the pages that differ most, and a few boxes of each topic.
// Exit code 77: no Chromium here.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "book.hpp"
#include "browser.hpp"
#include "grader/handout/export_student.hpp"
#include "grader/handout/handout.hpp"
#include "grader/handout/seal.hpp"
#include "grader/judge/number.hpp"
#include "grader/judge/session.hpp"

namespace {

namespace fs = std::filesystem;
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
    notations();
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
        "%zu mistakes named, %zu notations read, %zu complaints\n",
        looks_, searches_, folds_, boxes_, mistakes_, notations_, bad_);
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

  void shoot(const std::string& name) {
    if (!shots_.empty()) browser_->screenshot(shots_ / (name + ".png"));
  }

  void look_at(const docs::Page& page) {
    ++looks_;
    browser_->prefer_dark(false);
    browser_->resize(1280, 900, false);
    browser_->open(url(page));
    shoot(page.id + "-desktop");
    for (const std::string& request : browser_->requests()) {
      if (!request.starts_with("file:") && !request.starts_with("data:") &&
          !request.starts_with("about:")) {
        complain(page.id, "asks the network for " + request);
      }
    }
    for (const std::string& text : browser_->complaints()) complain(page.id, text);
    if (browser_->number("document.querySelectorAll('.MathJax_Error, .merror').length") != 0) {
      complain(page.id, "a formula cannot be typeset");
    }
    if (browser_->is_true("/\\\\(frac|times|text|min|max)\\b/.test(document.querySelector("
                          "'.contents').innerText)")) {
      complain(page.id, "a formula is shown as its source");
    }
    const std::string title =
        browser_->text("document.querySelector('.title').textContent.trim().replace(/\\s+/g, ' ')");
    if (title != page.title) complain(page.id, "has the title " + title + ", not " + page.title);
    const std::string marks = browser_->text(R"js((() => {
      const copy = document.querySelector('.contents').cloneNode(true);
      copy.querySelectorAll('code, pre, .fragment, script, .MathJax').forEach(e => e.remove());
      return (copy.textContent.match(/.{0,20}(\*\*|`|<!--|\]\(|(?<=^|\s)\*["A-Za-z])[^\n]{0,20}/) || [''])[0];
    })())js");
    if (marks != "") complain(page.id, "shows its Markdown: " + marks);
    // Doxygen puts a blank between a bracket and a formula.
    const std::string loose = browser_->text(
        "[...document.querySelectorAll('.contents .MathJax_Preview')].map(e => "
        "e.previousSibling?.data || '').filter(text => /\\(\\s+$/.test(text)).join('; ')");
    if (loose != "") complain(page.id, "a blank follows the bracket of " + loose);
    const std::string paths = browser_->text(
        "[...document.querySelectorAll('.contents code')].map(e => e.textContent)"
        ".filter(text => text.startsWith('../../')).join(' ')");
    if (paths != "") complain(page.id, "names a file from where its own Markdown is: " + paths);
    const std::string entities = browser_->text(R"js((() => {
      const copy = document.querySelector('.contents').cloneNode(true);
      copy.querySelectorAll('script').forEach(e => e.remove());
      return (copy.textContent.match(/.{0,30}(&nbsp;|<sup>).{0,20}/) || [''])[0];
    })())js");
    if (entities != "") complain(page.id, "shows its HTML: " + entities);
    const std::string lists = browser_->text(
        "[...document.querySelectorAll('.contents ol')].filter(list => list.children.length < 2)"
        ".map(list => list.textContent.trim().slice(0, 40)).join('; ')");
    if (lists != "") complain(page.id, "a list of one item: " + lists);
    if (!browser_->is_true("!!document.querySelector('.rl-neighbours a')")) {
      complain(page.id, "no link to the neighbours");
    }
    const std::string cut = browser_->text(
        "[...document.querySelectorAll('.contents table.markdownTable')].filter(e => "
        "e.scrollWidth > e.clientWidth + 1).map(e => e.innerText.slice(0, 40)).join('; ')");
    if (cut != "") complain(page.id, "a table is cut on a desktop: " + cut);
    browser_->resize(kPhoneWidth, 844, true);
    check_width(page.id);
    shoot(page.id + "-phone");
    browser_->resize(1280, 900, false);
    check_contrast(page.id, false);
    check_contrast(page.id, true);
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
    check_contrast(name, false);
    check_contrast(name, true);
    shoot(name + "-dark");
  }

  void check_width(const std::string& name) {
    const double width = browser_->number("document.documentElement.scrollWidth");
    if (width > kPhoneWidth) {
      complain(name, "is " + std::to_string(int(width)) +
                         " pixels wide on a phone: " + browser_->text(kWidest));
    }
    // Tables and listings scroll; a paragraph's code has to break.
    const std::string cut = browser_->text(
        "[...document.querySelectorAll('.contents p code, .contents li code, .contents p a')]"
        ".filter(e => !e.closest('td, pre, .fragment') && e.checkVisibility()"
        " && e.getBoundingClientRect().right > innerWidth)"
        ".map(e => e.innerText).slice(0, 3).join(' ')");
    if (cut != "") complain(name, "code is cut on a phone: " + cut);
  }

  /// Text with too little contrast to its background, according to the web's accessibility
  /// guidelines, in light and dark mode.
  void check_contrast(const std::string& name, bool dark) {
    browser_->prefer_dark(dark);
    const std::string unreadable = browser_->text(R"js((() => {
      document.querySelectorAll('details').forEach(one => { one.open = true; });
      const channels = (css) => css.match(/[\d.]+/g).map(Number);
      const light = (rgb) => {
        const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const over = ([r, g, b, a = 1], back) => [r, g, b].map((v, i) => v * a + back[i] * (1 - a));
      const backgrounds = new Map();
      const background = (e) => {
        if (e === null) return [255, 255, 255];
        if (!backgrounds.has(e)) backgrounds.set(e, over(channels(getComputedStyle(e).backgroundColor), background(e.parentElement)));
        return backgrounds.get(e);
      };
      const bad = new Set();
      const look = (e, style, what) => {
        const back = background(e);
        const a = light(over(channels(e.ownerSVGElement ? style.fill : style.color), back)), b = light(back);
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const size = parseFloat(style.fontSize), is_large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
        if (contrast < (is_large ? 3 : 4.5)) bad.add(what + e.tagName + '.' + (e.getAttribute('class') || '') + ' ' + contrast.toFixed(1));
      };
      for (const e of document.querySelectorAll('body *')) {
        if (e.closest('.MathJax, .MathJax_Preview, script, style') || e.disabled || !e.checkVisibility()) continue;
        if ([...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim()) || e.matches('select')) look(e, getComputedStyle(e), '');
        if (e.placeholder) look(e, getComputedStyle(e, '::placeholder'), 'placeholder of ');
      }
      return [...bad].slice(0, 4).join(', ');
    })())js");
    if (unreadable != "")
      complain(name, std::string("hard to read in ") + (dark ? "dark" : "light") +
                         " mode: " + unreadable);
  }

  /// The texts of a search's results, as soon as there are any, or the site's message that there
  /// are none.
  std::vector<std::string> results() {
    return browser_->texts(R"js(new Promise(done => {
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
        {"ridge", "topic_03_roofline_modeling.html#", "3.3 The model"},
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
      const std::string address = browser_->text("location.href");
      if (address.find(one.address) == std::string::npos) {
        complain("search", std::string(one.words) + " leads to " + address);
      }
      const std::string shown = browser_->text(
          "(document.getElementById(location.hash.slice(1)) || document.body)"
          ".closest('h1, h2, h3, h4, body, div').innerText");
      if (browser_->is_true("location.hash !== '' && "
                            "!document.getElementById(location.hash.slice(1))") ||
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
    const bool fits = !results().empty() && browser_->is_true(
                                                "document.getElementById('rl-results')"
                                                ".getBoundingClientRect().right <= innerWidth");
    if (!fits) complain("search", "the results do not fit a phone");
    shoot("search-phone");
    browser_->run("document.querySelector('.rl-search input').value = ''; 0");
    browser_->type("qxzvkj");
    const std::vector<std::string> none = results();
    if (none.size() != 1 || !none.front().starts_with("Nothing found")) {
      complain("search", "a word that is nowhere is found");
    }
    browser_->press("Escape");
    if (!browser_->is_true("document.getElementById('rl-results').hidden")) {
      complain("search", "Escape does not close the results");
    }
    browser_->resize(1280, 900, false);
  }

  /// Excerpts have readable formulas and whole words, and chapters come before the reference, which
  /// has its own heading.
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
      const std::string cut =
          browser_->text(R"js([...document.querySelectorAll('#rl-results a')].filter(link => {
        const texts = rlSearchIndex.filter(one => one[0] === link.getAttribute('href')).map(one => one[3]);
        const excerpt = link.querySelector('span').textContent.replace(/^\.\.\. | \.\.\.$/g, '');
        return !texts.some(text => (' ' + text + ' ').includes(' ' + excerpt + ' '));
      }).map(link => link.innerText).join('; '))js");
      if (cut != "") complain("search", "cuts a word: " + cut);
      const std::string place =
          is_reference
              ? "document.querySelector('.rl-part').previousElementSibling.querySelector('a')"
              : "document.querySelector('#rl-results li:last-child a')";
      const std::string last = browser_->text(place + ".getAttribute('href')");
      if (last.starts_with("namespace") || last.starts_with("struct") ||
          last.starts_with("class")) {
        complain("search", std::string(words) + " has the reference among chapters: " + last);
      }
      ++searches_;
    }
  }

  /// An answer as someone might write it, mostly wrongly.
  std::string some_notation() {
    const auto any = [&](const std::vector<const char*>& all) {
      return std::string(
          all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random_)]);
    };
    const auto blank = [&] {
      return any({"", "", " ", " ", "  ", "\u00a0", "\u202f", "\u2009", "\t"});
    };
    const auto number = [&] {
      return any({"1", "12.5", ".5", "5.", "1e3", "2E-3", "-2", "+3", "4096", "0", "7", "64",
                  "1e9"}) +
             any({"", "", "", "", "", "", "e999", "x10", "_000", ",5", "e", ".2", " 2"});
    };
    const auto unit = [&] {
      return any({"", "", "", "k", "M", "G", "T", "P", "m", "u", "n", "p", "Ki", "Mi", "Gi", "K",
                  "\u00b5"}) +
             any({"B",     "byte",   "bytes", "bit", "bits",  "FLOP", "FLOPs", "flop",
                  "flops", "OP",     "OPs",   "s",   "Hz",    "J",    "W",     "tok",
                  "token", "tokens", "%",     "1",   "FLOPS", "b",    "bps"});
    };
    std::string text = blank() + number();
    if (any({"", "", "", "/"}) == "/") text += blank() + "/" + blank() + number();
    if (any({"", "unit", "unit"}) == "unit") text += blank() + unit();
    if (any({"", "", "rate"}) == "rate") {
      text += any({"/", "/", " / ", " per ", "\u00a0per\u00a0", "per", " over "}) + unit();
    }
    return text + any({"", "", "", "", "", "", " ", "\u00a0", "!", " x", "/2", "nan", ";"});
  }

  /// The boxes read what the command reads, refuse what it refuses, and take it for the same value.
  void notations() {
    constexpr int kNotations = 8000;
    static const std::vector<std::string> kUnits = {"",  "1", "GB/s", "FLOP/B", "s",     "tok/s",
                                                    "%", "B", "ms",   "TFLOP",  "J/tok", "GiB"};
    std::string cases;  // of JavaScript: text, unit and value, null if it is refused
    for (int i = 0; i < kNotations; ++i) {
      const std::string text = some_notation();
      const std::string& unit = kUnits[static_cast<std::size_t>(i) % kUnits.size()];
      char value[32] = "null";
      try {
        const std::string with_blanks = base::with_plain_blanks(text);
        std::snprintf(value, sizeof value, "%.17g",
                      grader::parse_number(base::trimmed(with_blanks), unit));
        ++notations_;
      } catch (const std::invalid_argument&) {
        // Refused.
      }
      cases += "[" + site_test::quoted(text) + "," + site_test::quoted(unit) + "," + value + "],";
    }
    browser_->open(url(pages_.front()));  // which has no boxes
    const std::string compare =
        "(() => { const module = {}; " + base::read_file(site_ / "selfcheck.js") + R"js(
          const read = (text, unit) => { try { return module.exports.parseNumber(text, unit); } catch (error) { return null; } };
          return cases.filter(([text, unit, value]) => {
            const is = read(text, unit);
            return is === null || value === null ? is !== value : Math.abs(is - value) > 1e-12 * Math.abs(value);
          }).map(([text, unit, value]) => JSON.stringify(text) + ' in ' + unit + ' is ' + read(text, unit) + ' to the page and ' + value + ' to the command');
        })())js";
    for (const std::string& wrong : browser_->texts("const cases = [" + cases + "]; " + compare)) {
      complain("boxes", wrong);
    }
  }

  /// Folded answers: closed at first, opened by mouse and by keyboard; every "predict" has one.
  void open_folds(const docs::Page& page) {
    browser_->prefer_dark(false);
    browser_->resize(1280, 900, false);
    browser_->open(url(page));
    const double unanswered =
        browser_->number(R"js([...document.querySelectorAll('.contents blockquote')]
      .filter(e => /^\W*Predict before/.test(e.innerText))
      .filter(e => !e.nextElementSibling || !e.nextElementSibling.matches('details')).length)js");
    if (unanswered != 0) {
      complain(page.id, std::to_string(int(unanswered)) + " predictions without a folded answer");
    }
    const int count =
        int(browser_->number("document.querySelectorAll('.contents details').length"));
    if (count < kFewestFolds) {
      complain(page.id, "only " + std::to_string(count) + " questions with folded answers");
    }
    browser_->run(
        "document.querySelectorAll('.contents details').forEach((e, i) => { e.id = 'fold' + i; }); "
        "0");
    for (int i = 0; i < count; ++i) {
      const std::string id = "#fold" + std::to_string(i);
      const auto is_open = [&] {
        // The part of the answer that the reader sees: none while it is closed.
        return browser_->is_true(
            "(() => { const e = document.querySelector('" + id +
            "'); return [...e.children].some(c => !c.matches('summary') && c.checkVisibility() && "
            "c.innerText.length > 20); })()");
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
    return browser_->text(R"js((async () => {
      const form = document.querySelector('form[data-exercise="' + )js" +
                          site_test::quoted(id) + R"js( + '"]');
      const answer = )js" +
                          site_test::quoted(answer) +
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
  std::size_t notations_ = 0;  ///< that the command reads
  std::mt19937 random_{22};
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
