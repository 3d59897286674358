// SPDX-License-Identifier: MIT
// What the pages offer their reader: a menu and folded sections on phones, reading times, explained
// terms, predictions that are kept next to the answer, and progress that stays in this browser and
// can be exported as a file.
(function () {
  "use strict";

  const kStore = "roofline-labs";
  const page = location.pathname.split("/").pop().replace(/\.html$/, "") || "index";
  const contents = document.querySelector("div.contents");

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // --- Progress: { checks: { id: { answer, right } }, boxes: { page: number }, predictions: { key: text } } ---

  const kEmpty = () => ({ checks: {}, boxes: {}, predictions: {} });

  // A browser may refuse to store anything; then progress lasts only for this visit.
  let progress = kEmpty();
  function load() {
    try {
      progress = Object.assign(kEmpty(), JSON.parse(localStorage.getItem(kStore)));
    } catch (error) {
      progress = kEmpty();
    }
  }
  function save() {
    try {
      localStorage.setItem(kStore, JSON.stringify(progress));
    } catch (error) { /* nothing is kept */ }
    showProgress();
  }

  const forms = () => [...document.querySelectorAll("form.rl-check")];
  const exerciseOf = (form) => form.dataset.exercise;
  const answerOf = (form) => form.querySelector("input[type=radio]:checked, input[type=text]")?.value || "";

  function mark(form) {
    const done = progress.checks[exerciseOf(form)]?.right === true;
    form.classList.toggle("rl-done", done);
  }

  function watch(form) {
    mark(form);
    const output = form.querySelector("output");
    new MutationObserver(() => {
      if (output.className !== "rl-right" && output.className !== "rl-wrong") return;
      const right = output.className === "rl-right" || progress.checks[exerciseOf(form)]?.right === true;
      progress.checks[exerciseOf(form)] = { answer: answerOf(form), right };
      mark(form);
      save();
    }).observe(output, { attributes: true, attributeFilter: ["class"] });
  }

  // Exercises are named after their topic: 03.model.ridge.
  function rightOf(topic) {
    return Object.entries(progress.checks).filter(([id, one]) => id.startsWith(topic + ".") && one.right).length;
  }

  let panel;
  function showProgress() {
    if (!panel) return;
    const list = panel.querySelector("ul");
    list.replaceChildren(...Object.entries(progress.boxes).sort().map(([topic, all]) =>
      element("li", {}, "Topic " + topic + ": " + rightOf(topic) + " of " + all + " boxes right ",
              element("progress", { max: all, value: rightOf(topic), "aria-label": "Topic " + topic }))));
    if (list.childElementCount === 0) list.append(element("li", {}, "Open a topic and answer a box."));
  }

  function exported() {
    const file = new Blob([JSON.stringify(progress, null, 1) + "\n"], { type: "application/json" });
    const link = element("a", { href: URL.createObjectURL(file), download: "roofline-progress.json" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async function imported(file, say) {
    let given;
    try {
      given = JSON.parse(await file.text());
      if (typeof given.checks !== "object" || given.checks === null) throw new Error();
    } catch (error) {
      return say("This file does not hold progress in this book: choose one that Export has written.");
    }
    for (const [id, one] of Object.entries(given.checks)) {
      if (!progress.checks[id]?.right) progress.checks[id] = { answer: String(one.answer), right: one.right === true };
    }
    for (const [key, text] of Object.entries(given.predictions || {})) progress.predictions[key] ??= String(text);
    for (const [topic, all] of Object.entries(given.boxes || {})) progress.boxes[topic] ??= Number(all);
    save();
    forms().forEach(mark);
    say("Taken over.");
  }

  function buildPanel() {
    const said = element("output", { "aria-live": "polite" });
    const say = (text) => { said.textContent = text; };
    const choose = element("input", { type: "file", accept: ".json,application/json", "aria-label": "Progress to take over", hidden: "" });
    const button = (words, does) => {
      const made = element("button", { type: "button" }, words);
      made.addEventListener("click", does);
      return made;
    };
    // Nothing brings back what was forgotten, so it takes two clicks.
    const kForget = "Forget", kSure = "Forget all of it";
    const forget = button(kForget, () => {
      if (forget.textContent === kForget) return void (forget.textContent = kSure);
      progress = kEmpty();
      countBoxes();
      save();
      forms().forEach(mark);
      say("Forgotten.");
      forget.textContent = kForget;
    });
    forget.addEventListener("blur", () => { forget.textContent = kForget; });
    choose.addEventListener("change", () => { if (choose.files[0]) imported(choose.files[0], say); });
    panel = element("section", { class: "rl-progress" }, element("strong", {}, "Your progress"), element("ul", {}),
                    element("p", {}, "It is kept in this browser only."),
                    element("div", { class: "rl-check-row" }, button("Export", exported), button("Import", () => choose.click()),
                            forget, choose, said));
    const before = contents.querySelector(".rl-neighbours");
    if (before) before.before(panel);
  }

  function countBoxes() {
    for (const form of forms()) {
      const topic = exerciseOf(form).slice(0, 2);
      progress.boxes[topic] = forms().filter((one) => exerciseOf(one).startsWith(topic + ".")).length;
    }
  }

  // --- Predict, then look: the prediction is shown above the answer ---

  function predictions() {
    // Stored under the section's number and the position in it, so that a new box elsewhere moves
    // none.
    let section = "", place = 0;
    for (const quote of contents.querySelectorAll("h1, h2, blockquote")) {
      if (!quote.matches("blockquote")) {
        const number = /^\d+\.\d+ /.exec(quote.textContent.trim());
        if (number) [section, place] = [number[0].trim(), 0];
        continue;
      }
      const details = quote.nextElementSibling;
      if (!/^\W*Predict before you (run|look)/.test(quote.innerText) || !details?.matches("details")) continue;
      const key = page + "#" + section + "/" + place++;
      const text = element("textarea", { rows: 2, "aria-label": "Your prediction", placeholder: "Write your prediction down first" });
      const show = element("button", { type: "button" }, "Compare with the answer");
      const mine = element("aside", { class: "rl-mine" });
      details.querySelector("summary").after(mine);
      text.value = progress.predictions[key] || "";
      const update = () => {
        mine.textContent = text.value.trim() ? "You predicted: " + text.value.trim() : "";
        mine.hidden = mine.textContent === "";
        show.disabled = mine.hidden;
      };
      text.addEventListener("input", () => {
        progress.predictions[key] = text.value;
        update();
        save();
      });
      show.addEventListener("click", () => { details.open = true; details.scrollIntoView({ block: "nearest" }); });
      quote.append(element("div", { class: "rl-predict" }, text, show));
      update();
    }
  }

  // --- Minutes ---

  const kWordsPerMinute = 180, kLinesPerMinute = 25, kMinutesPerBox = 1.5;

  function minutes() {
    const heads = [...contents.querySelectorAll("h1, h2")].filter((head) => /^\d+\.\d+ /.test(head.textContent.trim()));
    const parts = [...contents.querySelectorAll("p, li, td, .line, form.rl-check, h1, h2")];
    for (const head of heads) {
      const from = parts.indexOf(head) + 1;
      let time = 0;
      for (let i = from; i < parts.length && !heads.includes(parts[i]); ++i) {
        const part = parts[i];
        if (part.matches("form.rl-check")) time += kMinutesPerBox;
        else if (part.matches(".line")) time += 1 / kLinesPerMinute;
        else if (!part.closest("form, .rl-explore, .toc")) time += part.textContent.split(/\s+/).length / kWordsPerMinute;
      }
      head.after(element("p", { class: "rl-time" }, "about " + Math.max(1, Math.round(time)) + (Math.round(time) > 1 ? " minutes" : " minute")));
    }
  }

  // --- Terms ---

  function terms() {
    const glossary = window.rlData?.glossary;
    if (!glossary || page === "glossary") return;
    // A check and to check are ordinary words more often than the command's.
    const names = Object.keys(glossary).filter((name) => name !== "check").sort((a, b) => b.length - a.length);
    const isShort = (name) => /^[A-Z]{2}/.test(name);
    const pattern = new RegExp("(?<![\\w-])(" + names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")s?(?![\\w-])", "gi");
    const meaningOf = (word) => names.find((name) => (isShort(name) ? name === word : name.toLowerCase() === word.toLowerCase()));

    const says = element("div", { id: "rl-says", role: "tooltip", hidden: "" });
    document.body.append(says);
    let shown = null;
    const show = (term) => {
      says.textContent = glossary[term.dataset.term];
      says.hidden = false;
      shown = term;
      const at = term.getBoundingClientRect();
      says.style.left = Math.max(8, Math.min(at.left, innerWidth - says.offsetWidth - 8)) + "px";
      const above = at.top - says.offsetHeight - 8;
      says.style.top = (above > 8 ? above : at.bottom + 8) + "px";
    };
    const hide = () => { says.hidden = true; shown = null; };

    let seen = new Set();
    const walker = document.createTreeWalker(contents, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
      if (node.matches("a, code, pre, .fragment, form, script, nav, .toc, .MathJax, .MathJax_Display, .MathJax_Preview, .formulaInl, .formulaDsp, section, summary, h3, h4, th, .rl-time, .rl-checks, .rl-rows")) return NodeFilter.FILTER_REJECT;
      return NodeFilter.FILTER_ACCEPT;
    });
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node);
    for (const node of texts) {
      if (node.nodeType !== Node.TEXT_NODE) {
        // In a new section technical terms are explained again; everyday ones are not.
        if (node.matches("h1, h2")) seen = new Set([...seen].filter((term) => /^[a-z]+$/.test(term)));
        continue;
      }
      if (!node.parentElement.closest("p, li, td, dd, blockquote") || node.parentElement.closest("h1, h2")) continue;
      if (/\\[(\[]|\$/.test(node.data)) continue;  // a formula that is not typeset yet
      for (const match of [...node.data.matchAll(pattern)].reverse()) {
        const term = meaningOf(match[1]);
        if (!term || seen.has(term)) continue;
        seen.add(term);
        const word = node.splitText(match.index);
        word.splitText(match[0].length);
        const made = element("dfn", { class: "rl-term", tabindex: "0", "data-term": term, "aria-describedby": "rl-says" }, match[0]);
        word.replaceWith(made);
        for (const event of ["mouseenter", "focus"]) made.addEventListener(event, () => show(made));
        for (const event of ["mouseleave", "blur"]) made.addEventListener(event, hide);
      }
    }
    // The focus scrolls the page to a term, whose meaning follows it.
    const follow = () => { if (shown !== null) (shown === document.activeElement ? show : hide)(shown); };
    addEventListener("scroll", follow, { capture: true, passive: true });
    addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  }

  // --- Sections and boxes, folded on phones ---

  const kFewestSections = 6, kFewestParts = 2;

  // `head` becomes a button that shows and hides `body`. A browser's search opens what it finds.
  function fold(head, body) {
    const button = element("button", { type: "button", class: "rl-fold", "aria-expanded": "false" }, ...head.childNodes);
    head.append(button);
    body.setAttribute("hidden", "until-found");
    const show = (open) => {
      if (open) body.removeAttribute("hidden"); else body.setAttribute("hidden", "until-found");
      button.setAttribute("aria-expanded", String(open));
    };
    body.addEventListener("beforematch", () => show(true));
    body.rlOpen = () => show(true);
    button.addEventListener("click", () => {
      show(button.getAttribute("aria-expanded") !== "true");
      // A reader who returns to the page finds the section that was being read open.
      if (head.id) history.replaceState(null, "", "#" + head.id);
      if (head.getBoundingClientRect().top < 0) head.scrollIntoView();
    });
  }

  // On a phone a topic is more than a hundred screens long, so each section is folded under its
  // heading.
  function folds() {
    const heads = [...contents.querySelectorAll("h1")];
    if (heads.length < kFewestSections || !matchMedia("(max-width: 48rem)").matches) return;
    document.body.classList.add("rl-folded");
    // A section's own anchor is in an empty paragraph before its heading.
    const anchorOf = (head) => {
      const before = head.previousElementSibling;
      return before?.matches("p") && !before.textContent.trim() ? before.querySelector("a[id]") : null;
    };
    const isEnd = (node, head) => node.nodeType === Node.ELEMENT_NODE &&
      (node.matches(head + ", .rl-progress, .rl-neighbours") || node.querySelector(".rl-neighbours") !== null ||
       (node.nextElementSibling?.matches(head) && anchorOf(node.nextElementSibling)?.parentElement === node));
    const foldSections = (heads, isEnd) => {
      for (const head of heads) {
        const anchor = anchorOf(head)?.parentElement;
        const time = head.nextElementSibling?.matches(".rl-time") ? [head.nextElementSibling] : [];
        const section = element("section", { class: "rl-section" }), body = element("div", { class: "rl-body" });
        (anchor || head).before(section);
        section.append(...(anchor ? [anchor] : []), head, ...time);
        while (section.nextSibling && !isEnd(section.nextSibling)) body.append(section.nextSibling);
        section.append(body);
        head.id ||= head.querySelector("a[id]")?.id + "-head";
        fold(head, body);
      }
    };
    foldSections(heads, (node) => isEnd(node, "h1"));
    for (const body of contents.querySelectorAll(".rl-body")) {
      const parts = body.querySelectorAll(":scope > h2");
      if (parts.length >= kFewestParts) foldSections(parts, (node) => isEnd(node, "h2"));
    }
    for (const boxes of contents.querySelectorAll(".rl-checks")) {
      const head = boxes.querySelector(".rl-checks-head"), body = element("div", {});
      const questions = boxes.querySelectorAll(":scope > form.rl-check, :scope > .rl-rows"), count = questions.length;
      head.append(": " + count + (count > 1 ? " questions" : " question"));
      body.append(...questions);
      boxes.append(body);
      fold(head, body);
    }
    const open = () => {
      const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const section = at?.closest(".rl-section");
      if (!section) return;
      for (let part = at; part !== contents; part = part.parentElement) part.rlOpen?.();
      section.lastElementChild.rlOpen();  // where the link names its head
      at.scrollIntoView();
    };
    addEventListener("hashchange", open);
    // A link to the current address triggers no event.
    contents.addEventListener("click", (event) => {
      if (event.target.closest("a")?.getAttribute("href") === location.hash) open();
    });
    open();
  }

  // --- Options and exercises: no line break after their dashes; long code breaks even in a table ---

  const kLongestUnbroken = 28;

  function unbrokenNames() {
    for (const code of contents.querySelectorAll("code")) {
      if (/^(-.{1,30}|\d\d\.[\w.-]{1,27})$/.test(code.textContent)) code.classList.add("rl-unbroken");
      else if (code.textContent.length > kLongestUnbroken) code.classList.add("rl-broken");
    }
  }

  // --- For the keyboard: the text without the whole menu before it ---

  function skip() {
    if (!document.getElementById("nav-tree")) return;  // the printed book
    document.body.prepend(element("a", { class: "rl-skip", href: "#doc-content" }, "Skip to the text"));
  }

  // --- Menu on phones ---

  function menu() {
    const place = document.getElementById("titlearea");
    if (!place) return;
    const button = element("button", { type: "button", class: "rl-menu", "aria-expanded": "false" }, "Menu");
    button.addEventListener("click", () => {
      const open = document.body.classList.toggle("rl-menu-open");
      button.setAttribute("aria-expanded", String(open));
    });
    place.append(button);
  }

  menu();
  if (!contents) return;
  skip();
  unbrokenNames();
  load();
  if (contents.querySelector(".rl-neighbours")) {
    minutes();
    terms();
    predictions();
    countBoxes();
    if (forms().length > 0 || page === "index") buildPanel();
    forms().forEach(watch);
    save();
    folds();
  }
})();
