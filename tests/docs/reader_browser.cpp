// SPDX-License-Identifier: MIT
// The site's features for readers, in headless Chromium: progress that persists, can be exported
// and imported, predictions next to answers, explained terms, reading times, the menu and the
// folded sections on a phone, use by keyboard, and the printed book: reader-browser SITE. Exit code
// 77: no Chromium here.
#include <cstdio>
#include <filesystem>
#include <string>

#include "browser.hpp"

namespace {

namespace fs = std::filesystem;
using site_test::Browser;

/// A4 minus the margins of the style sheet, in CSS pixels.
constexpr int kPaperWidth = 672;
constexpr int kPhoneWidth = 390, kPhoneHeight = 844;
/// The most phone screens that the list of a topic's sections may take.
constexpr int kMostScreens = 6;
/// How often Tab is pressed: past the menu, into the text.
constexpr int kTabs = 120;
/// How many sections are open.
const std::string kOpen =
    "document.querySelectorAll('.rl-section > h1 > [aria-expanded=true]').length";

class Look {
 public:
  Look(Browser& browser, fs::path site) : browser_(&browser), site_(std::move(site)) {}

  int run() {
    waiting();
    progress();
    predictions();
    terms();
    minutes();
    menu();
    folds();
    names();
    questions();
    keyboard();
    for (const char* page : {kTopics[0], kTopics[1], kTopics[2], kTopics[3], "tool_roofline.html",
                             "tool_grader.html", "virtual_gpu.html"}) {
      unbroken(page);
    }
    paper();
    std::printf("%d expectations, %d complaints\n", looked_, bad_);
    return bad_ == 0 ? 0 : 1;
  }

 private:
  void open(const std::string& page) { browser_->open("file://" + (site_ / page).string()); }

  /// Checks that `expression` is true, or otherwise reports its value.
  void expect(const std::string& what, const std::string& expression) {
    ++looked_;
    const std::string result = browser_->json_of(expression);
    if (result == "true") return;
    ++bad_;
    std::printf("%s: %s\n", what.c_str(), result.c_str());
  }

  /// On a slow machine formulas are typeset long after the page has loaded.
  void waiting() {
    browser_->open(
        "data:text/html,<script>MathJax = { isReady: false, Hub: { Queue: then => setTimeout(() =>"
        " { MathJax.isTypeset = true; then(); }, 200) } };"
        " setTimeout(() => { MathJax.isReady = true; }, 500);</script>");
    expect("a page is opened when its formulas are typeset", "MathJax.isTypeset === true");
  }

  void progress() {
    browser_->prefer_dark(false);
    browser_->resize(1280, 900, false);
    open(kTopic);
    browser_->run("localStorage.clear(); 0");
    open(kTopic);
    expect("nothing is marked at first", "document.querySelectorAll('.rl-done').length === 0");
    // The message of selfcheck.js for a correct answer.
    browser_->run(R"js((async () => {
      const [first, second] = document.querySelectorAll('form.rl-check');
      first.querySelector('input[type=text]').value = '0.5';
      first.querySelector('output').className = 'rl-right';
      second.querySelector('output').className = 'rl-wrong';
      await new Promise(done => setTimeout(done, 50));
    })())js");
    expect("a right answer is marked, a wrong one is not",
           "document.querySelectorAll('.rl-done').length === 1");
    open(kTopic);
    expect("the mark stays",
           "document.querySelector('form.rl-check').classList.contains('rl-done')");
    expect("it is counted",
           "/1 of \\d\\d/.test(document.querySelector('.rl-progress').innerText) || "
           "document.querySelector('.rl-progress').innerText");
    const std::string file = browser_->text(R"js((async () => {
      const made = URL.createObjectURL;
      let blob;
      URL.createObjectURL = (one) => { blob = one; return made.call(URL, one); };
      [...document.querySelectorAll('.rl-progress button')].find(b => b.innerText === 'Export').click();
      URL.createObjectURL = made;
      return await blob.text();
    })())js");
    expect("it is exported",
           "Object.keys(JSON.parse(" + site_test::quoted(file) + ").checks).length === 2");
    const std::string forget =
        "[...document.querySelectorAll('.rl-progress button')].find(b => "
        "b.innerText.startsWith('Forget')).click(); 0";
    browser_->run(forget);
    expect("it is not forgotten at once", "document.querySelectorAll('.rl-done').length === 1");
    browser_->run(forget);
    expect("it can be forgotten", "document.querySelectorAll('.rl-done').length === 0");
    import_text(file);
    expect("it comes back from a file", "document.querySelectorAll('.rl-done').length === 1");
    import_text("{}");
    expect("another file is refused",
           "/does not hold progress in this book/.test(document.querySelector('.rl-progress "
           "output').innerText)");
    open("index.html");
    expect("the first page sums up",
           "/Topic 01: 1 of/.test(document.querySelector('.rl-progress').innerText) || "
           "document.querySelector('.rl-progress').innerText");
  }

  void import_text(const std::string& text) {
    browser_->run("(async () => { const files = new DataTransfer(); files.items.add(new File([" +
                  site_test::quoted(text) +
                  R"js(], 'progress.json'));
      const input = document.querySelector('.rl-progress input[type=file]');
      input.files = files.files;
      input.dispatchEvent(new Event('change'));
      await new Promise(done => setTimeout(done, 100));
    })())js");
  }

  void predictions() {
    for (const char* page : kTopics) {
      open(page);
      expect(
          std::string(page) + ": every prediction has a place to be written, and no two share one",
          "(() => { const boxes = document.querySelectorAll('.rl-predict').length;"
          " const asked = [...document.querySelectorAll('blockquote')].filter(q => "
          "/^\\W*Predict before/.test(q.innerText)).length;"
          " for (const text of document.querySelectorAll('.rl-predict textarea')) {"
          "   text.value = 'mine'; text.dispatchEvent(new Event('input')); }"
          " const kept = Object.keys(JSON.parse(localStorage.getItem('roofline-labs')).predictions)"
          "   .filter(key => location.pathname.includes(key.split('#')[0])).length;"
          " localStorage.clear();"
          " return boxes > 10 && boxes === asked && kept === boxes || [boxes, asked, kept]; })()");
    }
    open(kTopic);
    expect("nothing to compare yet", "document.querySelector('.rl-predict button').disabled");
    browser_->click(".rl-predict textarea");
    browser_->type("the stencil");
    open(kTopic);
    expect("what was written stays",
           "document.querySelector('.rl-predict textarea').value === 'the stencil'");
    browser_->click(".rl-predict button");
    expect("the answer opens, with the prediction over it",
           "(() => { const d = "
           "document.querySelector('.rl-predict').closest('blockquote').nextElementSibling;"
           " return d.open && d.innerText.includes('You predicted: the stencil') || d.innerText; "
           "})()");
  }

  void terms() {
    open(kTopic);
    expect("terms are marked", "document.querySelectorAll('dfn.rl-term').length > 10");
    expect("none in code, links, headings or boxes",
           "document.querySelectorAll('a dfn, code dfn, h1 dfn, .rl-checks dfn').length === 0");
    expect("a term says what it means, inside the window", R"js((() => {
      for (const term of [...document.querySelectorAll('dfn.rl-term')].filter(e => e.checkVisibility())) {
        term.scrollIntoView({ block: 'center' });
        term.focus();
        const says = document.getElementById('rl-says'), box = says.getBoundingClientRect();
        if (says.hidden || says.textContent !== rlData.glossary[term.dataset.term]) return term.outerHTML;
        if (box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight) return term.innerText + ' ' + JSON.stringify(box);
      }
      return true;
    })())js");
    open(kTopic);
    bool is_below = false;
    for (int i = 0; i < kTabs && !is_below; ++i) {
      browser_->press("Tab");
      is_below = browser_->is_true(
          "document.activeElement.matches('dfn') && "
          "document.querySelector('#doc-content').scrollTop > 0");
    }
    expect("the meaning stays when Tab scrolls to its term",
           R"js(new Promise(done => setTimeout(() => {
      const says = document.getElementById('rl-says'), box = says.getBoundingClientRect(), term = document.activeElement.getBoundingClientRect();
      done(document.activeElement.matches('dfn') && !says.hidden && (Math.abs(box.bottom + 8 - term.top) < 2 || Math.abs(box.top - 8 - term.bottom) < 2) || says.outerHTML);
    }, 200)))js");
    browser_->press("Escape");
    expect("Escape hides it", "document.getElementById('rl-says').hidden");
    browser_->resize(kPhoneWidth, kPhoneHeight, true);
    open(kTopic);
    browser_->tap(".contents dfn");
    expect("a touch shows it", "!document.getElementById('rl-says').hidden");
    browser_->tap(".title");
    expect("a touch elsewhere hides it", "document.getElementById('rl-says').hidden");
    browser_->resize(1280, 900, false);
  }

  void minutes() {
    for (const char* page : kTopics) {
      open(page);
      expect(std::string(page) + ": every section says how long it takes",
             "(() => { const heads = [...document.querySelectorAll('.contents h1')];"
             " return heads.length > 10 && heads.every(h => /^about \\d+ "
             "minutes?$/.test(h.nextElementSibling.innerText)); })()");
    }
  }

  void menu() {
    browser_->resize(375, 800, true);
    open(kTopic);
    const std::string visible = "document.getElementById('nav-tree').checkVisibility()";
    expect("the contents are folded on a phone", "!" + visible);
    browser_->click(".rl-menu");
    expect("the menu opens them", visible);
    expect(
        "a figure has the width of the phone",
        "Math.abs(document.querySelector('img.rl-drawn').getBoundingClientRect().width - 375) < 2");
    browser_->resize(1280, 900, false);
  }

  /// Every control has a name, and what changes is announced.
  void names() {
    for (const char* page : kTopics) {
      open(page);
      expect(std::string(page) + ": every control has a name", R"js((() => {
        const all = [...document.querySelectorAll('input:not([hidden]), select, textarea, progress, button, summary')];
        const nameless = all.filter(e => !(e.getAttribute('aria-label') || e.closest('label')?.textContent.trim() || e.textContent.trim()) || e.matches('select') && !e.closest('label')?.querySelector('span').textContent.trim());
        return all.length > 50 && nameless.length === 0 || nameless.map(e => e.outerHTML).slice(0, 5).join(' ');
      })())js");
      expect(std::string(page) + ": verdicts and notes are announced", R"js((() => {
        const live = [...document.querySelectorAll('form.rl-check output, .rl-progress output, .rl-explore > p')];
        return live.length > 10 && live.every(e => e.getAttribute('aria-live') === 'polite') || live.length;
      })())js");
      expect(std::string(page) + ": a box is named after its question",
             "[...document.querySelectorAll('.rl-checks > form')].every(form => "
             "document.getElementById(form.getAttribute('aria-labelledby'))?.textContent.trim())");
      expect(std::string(page) + ": sliders say their value and belong to a named region", R"js(
        [...document.querySelectorAll('.rl-explore')].every(e => e.getAttribute('aria-label') &&
          [...e.querySelectorAll('[type=range]')].every(r => r.getAttribute('aria-valuetext'))))js");
      expect(std::string(page) + ": every picture is described",
             "[...document.querySelectorAll('.contents img, .contents svg[role=img]')].every(e => "
             "(e.alt || e.getAttribute('aria-label') || '').length > 5)");
    }
  }

  /// One question of several models is one question, with a row for each.
  void questions() {
    open(kTopics[3]);
    expect("the caches of seven models are rows of one question", R"js((() => {
      const rows = document.querySelector('form[data-exercise="04.kv.llama2_7b"]').parentElement;
      const names = [...rows.querySelectorAll('.rl-check-row > span')].map(e => e.textContent);
      const inputs = [...rows.querySelectorAll('input')].map(e => e.getAttribute('aria-label'));
      const places = [...rows.querySelectorAll('code')].map(e => Math.round(e.getBoundingClientRect().left));
      return rows.matches('.rl-rows') && rows.querySelectorAll('p:not(.rl-check-row)').length === 1 &&
             names.length === 7 && names[0].startsWith('Llama-2-7B') && names.join() === inputs.join() &&
             new Set(places).size === 1 || [rows.className, names, inputs, places].join(' | ');
    })())js");
    browser_->resize(kPhoneWidth, kPhoneHeight, true);
    open(kTopics[3]);
    expect("and count once", R"js((() => {
      const box = document.querySelector('.rl-rows').closest('.rl-checks');
      const count = box.querySelectorAll('form').length - 6;
      return box.querySelector('.rl-checks-head').textContent.includes(count + ' questions') ||
             box.querySelector('.rl-checks-head').textContent + ', not ' + count;
    })())js");
    browser_->resize(1280, 900, false);
  }

  /// The text is reached past the menu, and the focus is always seen.
  void keyboard() {
    open(kTopic);
    browser_->press("Tab");
    expect("the first Tab offers to skip the menu, in sight", R"js((() => {
      const box = document.activeElement.getBoundingClientRect();
      return document.activeElement.matches('.rl-skip') && box.top >= 0 && box.height > 10;
    })())js");
    browser_->press("Enter");
    browser_->press("Tab");
    expect("and does", "!!document.activeElement.closest('#doc-content')");
    open(kTopic);
    const std::string seen = R"js((() => {
      const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
      const line = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
      const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0;
      return line && inside || e.outerHTML.slice(0, 100) + ' ' + style.outline + ' ' + box.top;
    })())js";
    for (int i = 0; i < kTabs; ++i) {
      browser_->press("Tab");
      expect("the focus is seen", seen);
    }
    expect("no formula is in its way",
           "document.querySelectorAll('.MathJax').length > 0 && "
           "document.querySelectorAll('.MathJax[tabindex=\"0\"]').length === 0");
    for (const char* control :
         {".contents summary", ".rl-explore select", ".rl-explore [type=range]", ".rl-check button",
          ".rl-check input", ".rl-predict textarea", ".rl-progress button", ".rl-neighbours a"}) {
      browser_->run(
          "(() => { const all = [...document.querySelectorAll('a, button, input, "
          "select, textarea, summary, [tabindex]')].filter(e => "
          "e.checkVisibility()); const at = all.indexOf(document.querySelector('" +
          std::string(control) + "')); all[at - 1].focus(); })()");
      for (int i = 0; i < 3 && !browser_->is_true("document.activeElement.matches('" +
                                                  std::string(control) + "')");
           ++i) {
        browser_->press("Tab");
      }
      expect(std::string(control) + " is reached",
             "document.activeElement.matches('" + std::string(control) + "')");
      expect(std::string(control) + ": the focus is seen", seen);
    }
  }

  /// Options, exercises, sizes, and numbers with their units stay on one line, wide or narrow.
  void unbroken(const std::string& page) {
    for (const int width : {1280, kPhoneWidth}) {
      browser_->resize(width, kPhoneHeight, width == kPhoneWidth);
      open(page);
      browser_->run(
          "document.querySelectorAll('.rl-body, .rl-checks > div').forEach(body => "
          "body.rlOpen?.()); document.querySelectorAll('details').forEach(one => { one.open = "
          "true; }); 0");
      expect_unbroken(page);
    }
    browser_->resize(1280, 900, false);
  }

  void expect_unbroken(const std::string& page) {
    expect(page + ": nothing is broken that belongs together", R"js((() => {
      const unit = '(?:%|(?:(?:[numkKMGTP]|\u00b5)i?)?(?:FLOPs?|OPs?|bits?|bytes?|tok|B|Hz|s|J|W)(?![A-Za-z]))';
      const whole = new RegExp('\\d[\\d.]*\u00a0x\u00a0\\d[\\d.]*|\\d[\\d.]*\u00a0' + unit, 'g');
      const loose = new RegExp('\\d[\\d.,]*(?:[ \\n]x[ \\n]\\d[\\d.,]*)+|\\d[ \\n]' + unit, 'g');
      const kMostFactors = 3;
      const apart = 'code, pre, .fragment, script, .MathJax, .MathJax_Display, .MathJax_Preview, h1, h2, h3, h4, .toc, .rl-cover, .rl-explore, .rl-progress, .rl-neighbours';
      const contents = document.querySelector('.contents');
      const bad = [], seen = { names: 0, amounts: 0 };
      const look = (from, begin, end) => {
        const range = document.createRange();
        range.setStart(from, begin);
        range.setEnd(from, end);
        const lines = new Set([...range.getClientRects()].filter(r => r.width > 0).map(r => Math.round(r.top)));
        if (lines.size > 1) bad.push(String(range));
      };
      for (const code of contents.querySelectorAll('code')) {
        if (!/^(-.{1,30}|\d\d\.[\w.-]{1,27})$/.test(code.textContent) || !code.checkVisibility()) continue;
        ++seen.names;
        look(code, 0, code.childNodes.length);
      }
      const walker = document.createTreeWalker(contents, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement.checkVisibility() || node.parentElement.closest(apart)) continue;
        for (const match of node.data.matchAll(whole)) {
          ++seen.amounts;
          look(node, match.index, match.index + match[0].length);
        }
        for (const [found] of node.data.matchAll(loose)) if (found.split(/[ \n]x[ \n]/).length <= kMostFactors) bad.push('loose: ' + found);
      }
      return bad.length === 0 && seen.names + seen.amounts > 40 || JSON.stringify(seen) + bad.slice(0, 5).join('; ');
    })())js");
  }

  /// On a phone a topic is a list of its sections, and each opens separately.
  void folds() {
    open(kTopic);
    expect("nothing is folded on a desktop", "document.querySelector('.rl-section') === null");
    browser_->resize(kPhoneWidth, kPhoneHeight, true);
    for (const char* page : kTopics) {
      open(page);
      expect(std::string(page) + ": all of its sections stand on few screens of a phone",
             "(() => { const height = document.documentElement.scrollHeight;"
             " const heads = [...document.querySelectorAll('.contents h1')];"
             " return height < " +
                 std::to_string(kMostScreens * kPhoneHeight) +
                 " && heads.length > 10 && heads.every(h => h.checkVisibility()) || height; })()");
      expect(std::string(page) + ": no section is empty, none holds the way on",
             "[...document.querySelectorAll('.rl-body')].every(b => b.textContent.trim() !== '' && "
             "!b.querySelector('.rl-neighbours, .rl-progress'))");
    }
    browser_->click(".rl-section > h1 > .rl-fold");
    expect("a touch opens one section", kOpen + " === 1");
    expect("and its address leads back to it", "location.hash !== ''");
    open(std::string(kTopics[3]) + "#blocks");
    expect("a link opens the section, the part in it, and no other", R"js((() => {
      const top = document.getElementById('blocks').getBoundingClientRect().top;
      const open = [...document.querySelectorAll('.rl-section > :is(h1, h2) > [aria-expanded=true]')].map(e => e.innerText.trim());
      return top >= 0 && top < 200 && open.join() === '4.7 Quantised weights,Blocks that share a scale' || top + ' ' + open;
    })())js");
    expect("its head stays in sight", R"js((() => {
      scrollBy(0, 600);
      return [...document.querySelectorAll('h1')].some(h => Math.abs(h.getBoundingClientRect().top) < 2);
    })())js");
    expect("the questions of a section are counted, and open",
           R"js((() => {
      const head = [...document.querySelectorAll('.rl-checks .rl-fold')].find(b => b.checkVisibility());
      const form = head.closest('.rl-checks').querySelector('form');
      const before = form.checkVisibility();
      head.click();
      return /^Check yourself: \d+ questions?$/.test(head.innerText.trim()) && !before && form.checkVisibility() || head.innerText;
    })())js");
    browser_->as_on_paper();
    expect("everything is there on paper",
           "[...document.querySelectorAll('.rl-body > p, form.rl-check, details > p')].every(e => "
           "e.checkVisibility())");
    browser_->prefer_dark(false);
    browser_->resize(1280, 900, false);
  }

  void paper() {
    browser_->as_on_paper();
    browser_->resize(kPaperWidth, 1000, false);
    open("print.html");
    expect("every chapter is in the page's contents",
           "[...document.querySelectorAll('.rl-chapter')].length > 30 && "
           "[...document.querySelectorAll('.rl-chapter')].every(e => "
           "e.parentElement.matches('.contents'))");
    expect("formulas are typeset", "document.querySelectorAll('.MathJax').length > 100");
    expect("every link leads somewhere", R"js((() => {
      const links = [...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'));
      const lost = links.filter(h => h.startsWith('#') ? !document.getElementById(decodeURIComponent(h.slice(1))) : !/^https?:/.test(h));
      return links.length > 50 && lost.length === 0 || links.length + ' links, lost: ' + lost.slice(0, 5).join(' ');
    })())js");
    expect("the contents name every section of a topic", R"js((() => {
      const named = [...document.querySelectorAll('.rl-cover ul a')].map(a => document.getElementById(a.hash.slice(1))?.closest('h2'));
      const numbered = [...document.querySelectorAll('.rl-chapter[id^=topic_] h2')];
      return numbered.length > 80 && numbered.every(h => named.includes(h)) || numbered.length + ' ' + named.length;
    })())js");
    expect("the contents number nothing twice",
           "getComputedStyle(document.querySelector('.rl-cover ol')).listStyleType === 'none'");
    expect("a chapter's title is its only heading of the first level",
           "[...document.querySelectorAll('.rl-chapter')].every(c => "
           "c.querySelectorAll('h1').length === 1 && c.firstElementChild.matches('h1'))");
    expect("no id stands twice", R"js((() => {
      const all = [...document.querySelectorAll('[id]')].map(e => e.id).filter(id => id.includes('--'));
      const twice = all.filter((id, i) => all.indexOf(id) !== i);
      return twice.length === 0 || twice.slice(0, 5).join(' ');
    })())js");
    expect("nothing is wider than the paper", R"js((() => {
      const wide = [...document.querySelectorAll('.rl-chapter table, .rl-chapter .fragment, .rl-chapter img, .rl-chapter pre, .rl-chapter form, .rl-chapter .MathJax_Display > .MathJax')]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1);
      return wide.length === 0 || wide.length + ' are: ' + wide.slice(0, 6).map(e => e.closest('.rl-chapter').id + ' ' + e.tagName + ' ' + Math.round(e.getBoundingClientRect().right) + ' ' + e.innerText.slice(0, 40)).join('; ');
    })())js");
    expect("answers are unfolded", "[...document.querySelectorAll('details')].every(d => d.open)");
    expect_unbroken("print.html");
    expect("nothing asks to be clicked",
           "[...document.querySelectorAll('button, input[type=text], .rl-explore')].every(e => "
           "!e.checkVisibility())");
    browser_->prefer_dark(false);
  }

  static constexpr const char* kTopics[] = {"topic_01_ai_basics.html", "topic_02_peaks.html",
                                            "topic_03_roofline_modeling.html",
                                            "topic_04_llm_inference.html"};
  static constexpr const char* kTopic = kTopics[0];
  Browser* browser_;
  fs::path site_;
  int looked_ = 0;
  int bad_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: reader-browser SITE\n", stderr);
    return 2;
  }
  return site_test::with_browser("reader-browser", [&](Browser& browser) {
    return Look(browser, fs::absolute(argv[1])).run();
  });
}
