// SPDX-License-Identifier: MIT
// Self-check boxes: opens the sealed answers of grader/src/handout/seal.cpp in the reader's browser. There is
// no server and no answer in clear: a value near the right one, or near a known mistake, derives the
// key that opens its ciphertext.
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
    FLOPs: UNITS.FLOP, OPs: UNITS.OP, byte: UNITS.B, bytes: UNITS.B, bits: UNITS.bit,
    token: UNITS.tok, tokens: UNITS.tok,
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
    const parts = text.split("/");
    const above = unitPart(parts[0].trim());
    if (parts.length === 1) return above;
    const below = unitPart(parts.slice(1).join("/").trim());
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

  // A number or a fraction of two, with or without a unit, in base units. A bare number is in the
  // exercise's unit.
  const DECIMAL = String.raw`([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`;
  const WRITTEN = new RegExp(String.raw`^\s*${DECIMAL}(?: */ *${DECIMAL})?\s*(.*?)\s*$`);
  function parseNumber(text, unit) {
    const match = WRITTEN.exec(text);
    if (!match) throw new Error("write a plain decimal number such as 12.5 or 2e9, or a fraction such as 1/6");
    const [, above, below, rest] = match;
    if (/^[,_;]/.test(rest)) throw new Error("write a decimal point, and nothing between digits");
    const expected = unit === "" ? [1, [0, 0, 0, 0, 0]] : parseUnit(unit);
    const given = rest === "" ? expected : parseUnit(rest);
    if (given[1].join() !== expected[1].join()) {
      throw new Error("this is in " + describe(given[1]) + ", and " + describe(expected[1]) + " is asked for");
    }
    if (Number(below) === 0) throw new Error("a fraction with 0 below is no number");
    const value = Number(above) / Number(below ?? 1) * given[0];
    if (!Number.isFinite(value)) throw new Error("the number is out of range");
    return value;
  }

  const bytesOf = (text) => new TextEncoder().encode(text);
  const fromHex = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  function joined(a, b) {
    const result = new Uint8Array(a.length + b.length);
    result.set(a);
    result.set(b, a.length);
    return result;
  }

  // SHA-256 and PBKDF2 for browsers that keep crypto.subtle from pages opened as files.
  const K = new Uint32Array(64);
  (function constants() {
    let found = 0;
    for (let n = 2; found < 64; ++n) {
      let prime = true;
      for (let d = 2; d * d <= n; ++d) if (n % d === 0) prime = false;
      if (!prime) continue;
      const root = Math.cbrt(n);
      K[found++] = Math.floor((root - Math.floor(root)) * 4294967296);
    }
  })();
  const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
  const schedule = new Uint32Array(64);

  function compress(state, block, offset) {
    const w = schedule;
    for (let i = 0; i < 16; ++i) {
      const at = offset + 4 * i;
      w[i] = (block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3];
    }
    for (let i = 16; i < 64; ++i) {
      const x = w[i - 15], y = w[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; ++i) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
    }
    return [state[0] + a | 0, state[1] + b | 0, state[2] + c | 0, state[3] + d | 0,
            state[4] + e | 0, state[5] + f | 0, state[6] + g | 0, state[7] + h | 0];
  }

  function padded(data, before) {
    const length = Math.ceil((data.length + 9) / 64) * 64;
    const block = new Uint8Array(length);
    block.set(data);
    block[data.length] = 0x80;
    new DataView(block.buffer).setUint32(length - 4, (data.length + before) * 8);
    return block;
  }

  function toBytes(state) {
    const bytes = new Uint8Array(32);
    const view = new DataView(bytes.buffer);
    state.forEach((word, i) => view.setUint32(4 * i, word));
    return bytes;
  }

  function hashFrom(state, data, before) {
    const block = padded(data, before);
    for (let offset = 0; offset < block.length; offset += 64) state = compress(state, block, offset);
    return toBytes(state);
  }
  const sha256Pure = (data) => hashFrom(START, data, 0);

  function pbkdf2Pure(password, salt, iterations) {
    const key = new Uint8Array(64);
    key.set(password.length > 64 ? sha256Pure(password) : password);
    const inner = compress(START, key.map((byte) => byte ^ 0x36), 0);
    const outer = compress(START, key.map((byte) => byte ^ 0x5c), 0);
    const mac = (data) => hashFrom(outer, hashFrom(inner, data, 64), 64);
    let block = mac(joined(salt, new Uint8Array([0, 0, 0, 1])));
    const result = block.slice();
    for (let i = 1; i < iterations; ++i) {
      block = mac(block);
      for (let k = 0; k < 32; ++k) result[k] ^= block[k];
    }
    return result;
  }

  const subtle = typeof crypto !== "undefined" && crypto.subtle;

  async function keyFor(seal, name, pure) {
    const password = bytesOf(seal.label + "|" + name);
    const salt = fromHex(seal.salt);
    if (!subtle || pure) return pbkdf2Pure(password, salt, seal.iterations);
    const material = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const options = { name: "PBKDF2", hash: "SHA-256", salt: salt, iterations: seal.iterations };
    return new Uint8Array(await crypto.subtle.deriveBits(options, material, 256));
  }

  const tagOf = (key) => toHex(sha256Pure(joined(key, bytesOf("tag"))).slice(0, 16));

  function decrypted(key, hex) {
    const bytes = fromHex(hex);
    for (let first = 0; first < bytes.length; first += 32) {
      const stream = sha256Pure(joined(key, bytesOf("stream" + first / 32)));
      for (let i = first; i < Math.min(first + 32, bytes.length); ++i) bytes[i] ^= stream[i - first];
    }
    return new TextDecoder().decode(bytes);
  }

  function binName(seal, x, steps) {
    const number = (position) => String(Math.floor(position) + steps);
    if (!seal.logarithmic) return number(x / seal.width);
    if (x === 0) return "0";
    return (x > 0 ? "+" : "-") + number(Math.log(Math.abs(x)) / seal.width);
  }

  // "right", "wrong", or the message of the mistake.
  async function judgeNumber(seal, x, pure) {
    let mistake = null;
    for (let steps = -seal.reach; steps <= seal.reach; ++steps) {
      const name = binName(seal, x, steps);
      const key = await keyFor(seal, name, pure);
      const tag = tagOf(key);
      for (const [itsTag, text] of seal.ciphertexts) {
        if (itsTag !== tag) continue;
        const [, value, rtol, atol, padded] = /^(\S+) (\S+) (\S+) ([^]*)$/.exec(decrypted(key, text));
        const message = padded.trimEnd();  // every plaintext is as long as the longest
        if (Math.abs(x - value) > Number(atol) + rtol * Math.abs(value)) continue;
        if (message === "") return "right";
        mistake = message;
      }
      if (name === "0") break;
    }
    return mistake === null ? "wrong" : mistake;
  }

  // The same for a word.
  async function judgeWord(seal, word, pure) {
    const key = await keyFor(seal, "word " + word, pure);
    const tag = tagOf(key);
    const found = seal.ciphertexts.find(([itsTag]) => itsTag === tag);
    if (!found) return "wrong";
    return decrypted(key, found[1]).trimEnd() || "right";
  }

  // A test may ask for the fallback with #pure in the address.
  const wantsPure = () => typeof location !== "undefined" && location.hash === "#pure";

  async function judgeForm(form) {
    const seal = JSON.parse(form.querySelector("script").textContent).seals[0];
    const chosen = form.querySelector("input[type=radio]:checked");
    if (form.querySelector("input[type=radio]")) {
      if (!chosen) return ["note", "Choose one."];
      const verdict = await judgeWord(seal, chosen.value, wantsPure());
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
    const verdict = await judgeNumber(seal, value, wantsPure());
    if (verdict === "right") return ["right", "Right."];
    if (verdict === "wrong") return ["wrong", "Wrong, and it is none of the usual mistakes."];
    if (verdict.startsWith("close")) return ["wrong", "Wrong, but " + verdict];
    return ["wrong", "Wrong. It looks like this: " + verdict];
  }

  function attach(form) {
    const output = form.querySelector("output");
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
