// SPDX-License-Identifier: MIT
// Self-check boxes: opens the sealed answers of grader/src/handout/seal.cpp in the reader's
// browser. There is no server and no answer in plain text: a value near the correct one, or near a
// known mistake, derives the key that decrypts its ciphertext.
(function () {
  "use strict";

  // Units: the same as roofline/src/machine/units.cpp. Dimension: [bytes, operations, seconds, joules, tokens].
  const UNITS = {
    FLOP: [1, [0, 1, 0, 0, 0]], OP: [1, [0, 1, 0, 0, 0]], B: [1, [1, 0, 0, 0, 0]],
    bit: [0.125, [1, 0, 0, 0, 0]], s: [1, [0, 0, 1, 0, 0]], Hz: [1, [0, 0, -1, 0, 0]],
    J: [1, [0, 0, 0, 1, 0]], W: [1, [0, 0, -1, 1, 0]], tok: [1, [0, 0, 0, 0, 1]],
    "%": [0.01, [0, 0, 0, 0, 0]],
  };
  Object.assign(UNITS, {
    FLOPs: UNITS.FLOP, flop: UNITS.FLOP, flops: UNITS.FLOP, OPs: UNITS.OP, byte: UNITS.B, bytes: UNITS.B,
    bits: UNITS.bit, token: UNITS.tok, tokens: UNITS.tok,
  });
  const PREFIXES = { "": 1, p: 1e-12, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };
  const BINARY = { Ki: 1024, Mi: 1048576, Gi: 1073741824, Ti: 1099511627776, Pi: 1125899906842624 };
  const DIMENSION_NAMES = ["bytes", "operations", "seconds", "joules", "tokens"];

  function unitPart(symbol) {
    if (symbol === "1") return [1, [0, 0, 0, 0, 0]];
    for (const [name, [scale, dimension]] of Object.entries(UNITS)) {
      if (!symbol.endsWith(name)) continue;
      const prefix = symbol.slice(0, symbol.length - name.length);
      if (Object.hasOwn(PREFIXES, prefix)) return [PREFIXES[prefix] * scale, dimension];
      if ((dimension === UNITS.B[1] || dimension === UNITS.bit[1]) && Object.hasOwn(BINARY, prefix)) {
        return [BINARY[prefix] * scale, dimension];
      }
    }
    throw new Error("unknown unit '" + symbol + "'; the units are B, bit, FLOP, OP, s, Hz, J, W, tok and %");
  }

  function parseUnit(text) {
    const parts = text.replace(/ per /, "/").split("/");
    const above = unitPart(parts[0].trim());
    if (parts.length === 1) return above;
    const symbol = parts.slice(1).join("/").trim();
    // In "flop/b" it can only mean byte; elsewhere some use b for bit.
    const below = unitPart(symbol === "b" && above[1] === UNITS.FLOP[1] ? "B" : symbol);
    return [above[0] / below[0], above[1].map((power, i) => power - below[1][i])];
  }

  function describe(dimension) {
    const above = [], below = [];
    dimension.forEach((power, i) => {
      for (let k = 0; k < Math.abs(power); ++k) (power > 0 ? above : below).push(DIMENSION_NAMES[i]);
    });
    if (above.length + below.length === 0) return "a plain number";
    return (above.join("*") || "1") + (below.length ? "/" + below.join("*") : "");
  }

  // A number or a fraction of two, with or without a unit, in base units. A plain number is in the
  // exercise's unit.
  const DECIMAL = String.raw`([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`;
  const WRITTEN = new RegExp(String.raw`^\s*${DECIMAL}(?:\s*/\s*${DECIMAL})?\s*(.*?)\s*$`);
  function parseNumber(text, unit) {
    const match = WRITTEN.exec(text.replace(/[\t\u00a0\u2009\u202f]/g, " "));
    if (!match) throw new Error("write a plain decimal number such as 12.5 or 2e9, or a fraction such as 1/6");
    const [, above, below, rest] = match;
    if (/^[,_;]/.test(rest)) throw new Error("write a decimal point, and nothing between digits");
    const expected = unit === "" ? [1, [0, 0, 0, 0, 0]] : parseUnit(unit);
    const given = rest === "" ? expected : parseUnit(rest);
    const isCount = (unit === "" || unit === "1") && given[1] === UNITS.tok[1]; // a number of tokens is a number
    if (given[1].join() !== expected[1].join() && !isCount) {
      const hasUnit = given[1].some((power) => power !== 0);
      throw new Error("this is " + (hasUnit ? "in " : "") + describe(given[1]) + ", and " +
                      describe(expected[1]) + " is asked for");
    }
    if (Number(below) === 0) throw new Error("the denominator of a fraction must not be 0");
    const value = Number(above) / Number(below ?? 1) * given[0];
    if (![value, Number(below ?? 1)].every(Number.isFinite)) throw new Error("the number is out of range");
    return value;
  }

  const bytesOf = (text) => new TextEncoder().encode(text);
  const fromHex = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
  async function keyFor(seal, name) {
    const password = bytesOf(seal.label + "|" + name);
    const material = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveKey"]);
    const options = { name: "PBKDF2", hash: "SHA-256", salt: fromHex(seal.salt), iterations: seal.iterations };
    return crypto.subtle.deriveKey(options, material, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
  }

  // The texts that this key decrypts: a ciphertext is a nonce of 12 bytes, the encrypted text, and
  // a tag.
  async function opened(seal, key) {
    const texts = await Promise.all(seal.ciphertexts.map((hex) => {
      const bytes = fromHex(hex);
      const how = { name: "AES-GCM", iv: bytes.slice(0, 12) };
      return crypto.subtle.decrypt(how, key, bytes.slice(12)).catch(() => null);  // another key's
    }));
    return texts.filter((text) => text !== null).map((text) => new TextDecoder().decode(text));
  }

  function binName(seal, x, steps) {
    const number = (position) => String(Math.floor(position) + steps);
    if (!seal.logarithmic) return number(x / seal.width);
    if (x === 0) return "0";
    return (x > 0 ? "+" : "-") + number(Math.log(Math.abs(x)) / seal.width);
  }

  // "right", "wrong", or the message of the mistake.
  async function judgeNumber(seal, x) {
    let mistake = null, nearest = Infinity;
    for (let steps = -seal.reach; steps <= seal.reach; ++steps) {
      const name = binName(seal, x, steps);
      for (const text of await opened(seal, await keyFor(seal, name))) {
        const [, value, rtol, atol, padded] = /^(\S+) (\S+) (\S+) ([^]*)$/.exec(text);
        const message = padded.trimEnd();  // every plaintext is padded to the longest
        const distance = Math.abs(x - value);
        if (distance > Number(atol) + rtol * Math.abs(value)) continue;
        if (message === "") return "right";
        if (distance >= nearest) continue;
        nearest = distance;
        mistake = message;
      }
      if (name === "0") break;
    }
    return mistake === null ? "wrong" : mistake;
  }

  // The same for a word.
  async function judgeWord(seal, word) {
    const [message] = await opened(seal, await keyFor(seal, "word " + word));
    return message === undefined ? "wrong" : message.trimEnd() || "right";
  }

  async function judgeForm(form) {
    if (!globalThis.crypto?.subtle) {
      return ["note", "Browsers keep their cryptography from pages that come over plain http. Open this one over " +
              "https, or as a file."];
    }
    const seal = JSON.parse(form.querySelector("script").textContent).seals[0];
    const chosen = form.querySelector("input[type=radio]:checked");
    if (form.querySelector("input[type=radio]")) {
      if (!chosen) return ["note", "Choose one."];
      const verdict = await judgeWord(seal, chosen.value);
      if (verdict === "right") return ["right", "Right."];
      if (verdict === "wrong") return ["wrong", "Wrong. Read the section again."];
      return ["wrong", "Wrong. It looks like this: " + verdict];
    }
    const text = form.querySelector("input").value;
    if (text.trim() === "") return ["note", "Type a number first."];
    let value;
    try {
      value = parseNumber(text, form.dataset.unit);
    } catch (error) {
      return ["note", "This cannot be read: " + error.message + "."];
    }
    const verdict = await judgeNumber(seal, value);
    if (verdict === "right") return ["right", "Right."];
    if (verdict === "wrong") return ["wrong", "Wrong, and not one of the known mistakes."];
    if (verdict.startsWith("close")) return ["wrong", "Wrong, but " + verdict];
    return ["wrong", "Wrong. It looks like this: " + verdict];
  }

  function attach(form) {
    const output = form.querySelector("output");
    // What is heard with the answer's field. A row has its own name.
    const question = form.querySelector("p:not(.rl-check-row)");
    if (question) {
      question.id = form.dataset.exercise + ".question";
      form.setAttribute("role", "group");
      form.setAttribute("aria-labelledby", question.id);
    }
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      output.className = "";
      output.textContent = "...";
      const [kind, text] = await judgeForm(form);
      output.className = "rl-" + kind;
      output.textContent = text;
    });
  }

  if (typeof document !== "undefined") document.querySelectorAll("form.rl-check").forEach(attach);
  if (typeof module !== "undefined") module.exports = { judgeNumber, judgeWord, parseNumber };
})();
