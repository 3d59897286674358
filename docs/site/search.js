// SPDX-License-Identifier: MIT
// Search over the whole book, in the reader's browser: works for pages opened as files, without a
// server. The index (search_index.js, written after the pages) is loaded on first use.
(function () {
  "use strict";

  const kMostProse = 9;
  const kMostReference = 4;
  const kSnippet = 150;

  // Words in the form in which they are compared: lower case, without surrounding punctuation.
  const wordsOf = (text) =>
    text.toLowerCase().split(/\s+/).map((word) => word.replace(/^["'(]+|["'),.;:?!]+$/g, "")).filter(Boolean);

  // A word without its ending, so that "coalescing" finds "coalesced"; short words stay as they are.
  const stemOf = (word) => word.replace(/^([a-z]{4,}?)(ing|ed|ions?|es|s)$/, "$1");
  const formsOf = (words) => [...new Set([...words, ...words.map(stemOf)])];

  // How well a word fits: at the beginning of a word better than inside of one; 0 when it is not there.
  function fit(word, text) {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    for (let i = at; i >= 0; i = text.indexOf(word, i + 1)) {
      if (i === 0 || !/[\p{L}\p{N}]/u.test(text[i - 1])) return 2;
    }
    return 1;
  }

  // The same for the whole word, or for its stem, which tells half as much.
  const fitInAnyForm = (word, text) => fit(word, text) || fit(stemOf(word), text) / 2;

  const isReference = (entry) => /^(class|struct|union|namespace|\w+_8hpp)/.test(entry[0]);
  // In a topic, whose sections are numbered and come before their parts.
  const isPart = (entry) => entry[0].startsWith("topic_") && !/^\d+\.\d+ /.test(entry[2]);
  const isRecord = (entry) => entry[0].startsWith("adr_");
  // Only the library has names with underscores and colons in them.
  const isName = (query) => /_|::/.test(query);

  // Entries that contain every word, the best first, chapters before the library's reference: a
  // reader who looks for a word usually wants to read about it. An entry: [address, page, heading,
  // text].
  function find(index, query) {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const results = [];
    for (const entry of index) {
      const [page, heading, text] = entry.slice(1).map((part) => part.toLowerCase());
      let score = 0;
      for (const word of words) {
        const points = (isPart(entry) ? 5.5 : 6) * fitInAnyForm(word, heading) + 4 * fitInAnyForm(word, page) + fitInAnyForm(word, text);
        if (points === 0) { score = 0; break; }
        score += points;
      }
      if (score === 0) continue;
      if (words.length > 1 && (heading + " " + text).includes(words.join(" "))) score += 6;
      if (isRecord(entry)) score /= 2;  // why it was made so comes after what it is
      results.push({ entry: entry, score: score });
    }
    results.sort((a, b) => b.score - a.score);
    const found = results.map((result) => result.entry);
    const prose = found.filter((entry) => !isReference(entry)).slice(0, kMostProse);
    const reference = found.filter(isReference).slice(0, kMostReference);
    return isName(query) ? [...reference, ...prose] : [...prose, ...reference];
  }

  // The part of the text around the first match, in whole words.
  function snippet(text, words) {
    const small = text.toLowerCase();
    const places = words.map((word) => small.indexOf(word)).filter((at) => at >= 0);
    const middle = places.length ? Math.min(...places) : 0;
    let begin = Math.max(0, middle - kSnippet / 3);
    if (begin > 0) begin = text.indexOf(" ", begin) + 1;
    const end = begin + kSnippet < text.length ? text.lastIndexOf(" ", begin + kSnippet) : text.length;
    return (begin > 0 ? "... " : "") + text.slice(begin, end) + (end < text.length ? " ..." : "");
  }

  // Puts text into an element, with the search words marked.
  function marked(element, text, words) {
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    for (const part of text.split(new RegExp("(" + escaped.join("|") + ")", "gi"))) {
      const found = words.includes(part.toLowerCase());
      const node = found ? document.createElement("mark") : document.createTextNode(part);
      if (found) node.textContent = part;
      element.append(node);
    }
    return element;
  }

  function element(name, attributes) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    return made;
  }

  function resultOf(entry, words) {
    const [address, page, heading, text] = entry;
    const link = element("a", { href: address });
    link.append(marked(element("strong"), heading || page, words));
    if (heading) {
      const where = element("small");
      where.textContent = page;
      link.append(where);
    }
    link.append(marked(element("span"), snippet(text, words), words));
    const item = element("li");
    item.append(link);
    return item;
  }

  function loadIndex() {
    return new Promise((done, failed) => {
      if (window.rlSearchIndex) return done(window.rlSearchIndex);
      const script = element("script", { src: "search_index.js" });
      script.onload = () => done(window.rlSearchIndex);
      script.onerror = () => failed(new Error("search_index.js is missing; build the site again"));
      document.head.append(script);
    });
  }

  function build() {
    const place = document.getElementById("titlearea");
    if (!place) return;
    const box = element("div", { class: "rl-search", role: "search" });
    const input = element("input", { type: "search", placeholder: "Search the book ( / )", autocomplete: "off",
                                     spellcheck: "false", "aria-label": "Search the book",
                                     "aria-controls": "rl-results" });
    const list = element("ul", { id: "rl-results", "aria-live": "polite", hidden: "" });
    box.append(input, list);
    place.append(box);

    const links = () => [...list.querySelectorAll("a")];
    const say = (text) => {
      const item = element("li", { class: "rl-nothing" });
      item.textContent = text;
      list.replaceChildren(item);
      list.hidden = false;
    };
    const close = () => { list.hidden = true; };

    async function look() {
      const query = input.value;
      if (wordsOf(query).length === 0) return close();
      let index;
      try {
        index = await loadIndex();
      } catch (error) {
        return say(error.message);
      }
      if (query !== input.value) return;  // the query has changed meanwhile
      const found = find(index, query);
      if (found.length === 0) return say("Nothing found for “" + query.trim() + "”.");
      const items = [];
      found.forEach((entry, i) => {
        const begins = i === 0 || isReference(entry) !== isReference(found[i - 1]);
        if (begins && (i > 0 || isReference(entry))) {
          const head = element("li", { class: "rl-part" });
          head.textContent = isReference(entry) ? "Reference" : "Chapters";
          items.push(head);
        }
        items.push(resultOf(entry, formsOf(wordsOf(query))));
      });
      list.replaceChildren(...items);
      list.hidden = false;
    }

    input.addEventListener("input", look);
    input.addEventListener("focus", look);
    box.addEventListener("keydown", (event) => {
      const all = links();
      const here = all.indexOf(document.activeElement);
      if (event.key === "Escape") {
        close();
        input.focus();
        close();
      } else if (event.key === "Enter" && here < 0 && all.length > 0 && !list.hidden) {
        all[0].click();
      } else if (event.key === "ArrowDown" && all.length > 0) {
        all[Math.min(here + 1, all.length - 1)].focus();
      } else if (event.key === "ArrowUp" && here >= 0) {
        (here === 0 ? input : all[here - 1]).focus();
      } else {
        return;
      }
      event.preventDefault();
    });
    list.addEventListener("click", (event) => { if (event.target.closest("a")) close(); });
    document.addEventListener("click", (event) => { if (!box.contains(event.target)) close(); });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input, textarea, select")) return;
      event.preventDefault();
      input.focus();
    });
  }

  if (typeof document !== "undefined") build();
  if (typeof module !== "undefined") module.exports = { find, wordsOf };
})();
