// SPDX-License-Identifier: MIT
// Inspects the book's figures in headless Chromium, one file each: figure-browser FOLDER
// [SCREENSHOTS]. Each is an SVG with a title and a description; all of its text is inside, does not
// overlap, is large enough on a phone and readable in light and dark. Exit code 77: no Chromium
// here.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "browser.hpp"

namespace {

namespace fs = std::filesystem;
using site_test::Browser;

/// What is wrong with the figure that the browser shows. 375 pixels is the width of a small phone,
/// 11 the minimum readable size there; 4 is the contrast that the other pages must reach.
constexpr const char* kLook = R"js((() => {
  const kPhone = 375, kLeast = 11, kContrast = 4, kSlack = 1;
  const svg = document.documentElement;
  if (svg.tagName !== 'svg' || document.querySelector('parsererror')) return ['is no SVG'];
  const bad = [];
  for (const name of ['title', 'desc']) {
    if (!(svg.querySelector(name)?.textContent.length > 10)) bad.push('has no ' + name);
  }
  const box = svg.viewBox.baseVal;
  const texts = [...svg.querySelectorAll('text')].map(e => ({ e, words: e.textContent, box: e.getBBox() }));
  const light = (css) => {
    const [r, g, b] = css.match(/[\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const rects = [...svg.querySelectorAll('rect')];
  for (const { e, words, box: b } of texts) {
    if (b.x < -kSlack || b.y < -kSlack || b.x + b.width > box.width + kSlack || b.y + b.height > box.height + kSlack) {
      bad.push('"' + words + '" leaves the picture');
    }
    const size = parseFloat(getComputedStyle(e).fontSize) * kPhone / box.width;
    if (size < kLeast) bad.push('"' + words + '" is ' + size.toFixed(1) + ' pixels high on a phone');
    const x = b.x + b.width / 2, y = b.y + b.height / 2;
    const under = rects.filter(r => e.compareDocumentPosition(r) & Node.DOCUMENT_POSITION_PRECEDING)
      .filter(r => getComputedStyle(r).fill !== 'none').filter(r => {
        const a = r.getBBox();
        return a.x <= x && x <= a.x + a.width && a.y <= y && y <= a.y + a.height;
      }).at(-1);
    const one = light(getComputedStyle(e).fill), other = light(getComputedStyle(under).fill);
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < kContrast) bad.push('"' + words + '" has a contrast of ' + contrast.toFixed(1));
  }
  for (let i = 0; i < texts.length; ++i) {
    for (let j = 0; j < i; ++j) {
      const a = texts[i].box, b = texts[j].box;
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (wide > 1 && high > 5) bad.push('"' + texts[i].words + '" lies on "' + texts[j].words + '"');
    }
  }
  return bad;
})())js";

int look(Browser& browser, const fs::path& folder, const fs::path& shots) {
  std::vector<fs::path> figures;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".svg") continue;
    // Gnuplot's charts have a layout of their own.
    const bool is_ours = base::read_file(entry.path()).find("var(--page)") != std::string::npos;
    if (is_ours) figures.push_back(entry.path());
  }
  std::sort(figures.begin(), figures.end());
  std::size_t bad = 0;
  for (const fs::path& figure : figures) {
    browser.resize(420, 520, false);
    for (const bool dark : {false, true}) {
      browser.prefer_dark(dark);
      browser.open("file://" + figure.string());
      for (const std::string& complaint : browser.texts(kLook)) {
        ++bad;
        std::printf("%s%s: %s\n", figure.stem().c_str(), dark ? ", dark" : "", complaint.c_str());
      }
      if (!shots.empty()) {
        browser.screenshot(shots / (figure.stem().string() + (dark ? "-dark.png" : ".png")));
      }
    }
  }
  std::printf("%zu figures looked at, %zu complaints\n", figures.size(), bad);
  return bad == 0 && !figures.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: figure-browser FOLDER [SCREENSHOTS]\n", stderr);
    return 2;
  }
  return site_test::with_browser("figure-browser", [&](Browser& browser) {
    return look(browser, fs::absolute(argv[1]), argc > 2 ? argv[2] : "");
  });
}
