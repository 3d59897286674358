// SPDX-License-Identifier: MIT
// Sliders in the pages: <section class="rl-explore" data-explore="decode">. An explorer is a list
// of controls and a function from their values to numbers and a chart; formulas are in model.js,
// machines and models in data.js.
(function () {
  "use strict";

  const model = window.rlModel;
  const kSvg = "http://www.w3.org/2000/svg";

  // --- Words for numbers ---

  const digits = (x) => (x === 0 ? "0" : Number(x.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 }));
  function withPrefix(x, unit) {
    const prefixes = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
    const [scale, prefix] = prefixes.find(([size]) => x >= size) || [1, ""];
    return digits(x / scale) + "\u00a0" + prefix + unit;
  }
  const percent = (x) => digits(100 * x) + "\u00a0%";

  // --- Elements ---

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }
  function drawn(name, attributes, words) {
    const made = document.createElementNS(kSvg, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (words !== undefined) made.textContent = words;
    return made;
  }

  // --- Charts: { x, y: { label, low, high, log }, lines: [{ points, tone, dashed, label }], dots } ---

  const kPlot = { width: 420, height: 260, left: 62, right: 32, top: 26, bottom: 40 };

  function ticksOf(axis) {
    if (axis.log) {
      const all = [];
      for (let power = Math.ceil(Math.log10(axis.low) - 1e-9); 10 ** power <= axis.high * 1.0001; ++power) all.push(10 ** power);
      const step = Math.ceil(all.length / 6);
      return all.filter((tick, i) => i % step === 0);
    }
    const rough = (axis.high - axis.low) / 4;
    const size = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((k) => k * size).find((one) => one >= rough);
    const all = [];
    for (let tick = axis.low; tick <= axis.high * 1.0001; tick += step) all.push(tick);
    return all;
  }

  function chartOf(spec) {
    const svg = drawn("svg", { viewBox: "0 0 " + kPlot.width + " " + kPlot.height, role: "img", "aria-label": spec.says });
    const wide = kPlot.width - kPlot.left - kPlot.right, high = kPlot.height - kPlot.top - kPlot.bottom;
    const share = (axis, value) => axis.log
      ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
    const atX = (value) => kPlot.left + wide * Math.min(1, Math.max(0, share(spec.x, value)));
    const atY = (value) => kPlot.top + high * (1 - Math.min(1, Math.max(0, share(spec.y, value))));
    const bottom = kPlot.top + high;
    for (const tick of ticksOf(spec.x)) {
      svg.append(drawn("line", { x1: atX(tick), x2: atX(tick), y1: kPlot.top, y2: bottom, class: "rl-grid" }),
                 drawn("text", { x: atX(tick), y: bottom + 16, "text-anchor": "middle" }, digits(tick)));
    }
    for (const tick of ticksOf(spec.y)) {
      svg.append(drawn("line", { x1: kPlot.left, x2: kPlot.left + wide, y1: atY(tick), y2: atY(tick), class: "rl-grid" }),
                 drawn("text", { x: kPlot.left - 6, y: atY(tick) + 4, "text-anchor": "end" }, digits(tick)));
    }
    svg.append(drawn("text", { x: 4, y: 14 }, spec.y.label),
               drawn("text", { x: kPlot.left + wide, y: bottom + 34, "text-anchor": "end" }, spec.x.label));
    for (const line of spec.lines) {
      const path = line.points.filter(([x]) => x >= spec.x.low * 0.9999 && x <= spec.x.high * 1.0001)
        .map(([x, y], i) => (i ? "L" : "M") + atX(x).toFixed(1) + " " + atY(y).toFixed(1)).join("");
      svg.append(drawn("path", { d: path, class: "rl-line rl-" + line.tone + (line.dashed ? " rl-dashed" : "") }));
      if (line.label) {
        const [x, y] = line.labelAt || line.points[0];
        svg.append(drawn("text", { x: Math.min(atX(x) + 6, kPlot.left + wide - 150), y: atY(y) - 6, class: "rl-" + line.tone }, line.label));
      }
    }
    for (const dot of spec.dots) {
      svg.append(drawn("circle", { cx: atX(dot.at[0]), cy: atY(dot.at[1]), r: 6, class: "rl-dot rl-" + dot.tone }));
    }
    return svg;
  }

  // --- Controls ---

  const machineNamed = (id) => window.rlData.machines.find((machine) => machine.id === id);
  const peakOf = (machine, precision) => machine.peaks.find((peak) => peak.precision === precision);
  const kMachine = {
    id: "machine", label: "machine", options: () => window.rlData.machines.map((machine) => [machine.id, machine.name]), value: "h200-sxm",
  };
  // Only the precisions that the machine has. Without the chosen one its FP32 is shown, and the note
  // says so.
  const kPrecision = {
    id: "precision", label: "precision", value: "FP16", otherwise: "FP32",
    options: (values) => machineNamed(values.machine).peaks.map((peak) => [peak.precision, peak.precision]),
  };
  const powers = (id, label, low, high, value) => ({ id, label, low: Math.log2(low), high: Math.log2(high), step: 1, scale: (at) => 2 ** at, value: Math.log2(value) });
  const whole = (id, label, low, high, value) => ({ id, label, low, high, step: 1, scale: (at) => at, value });

  function roofOf(values) {
    const machine = machineNamed(values.machine);
    const peak = peakOf(machine, values.precision);
    return { peak: peak.rate, bandwidth: machine.bandwidth, bytes: peak.bytes, unit: peak.unit };
  }
  const lacks = (values) => values.lacked === undefined ? ""
    : "No " + values.lacked + " peak is known for the " + machineNamed(values.machine).name + ": this is " + values.precision + ".";
  const perByte = (intensity, roof) => digits(intensity) + "\u00a0" + roof.unit + "/B";
  const boundOf = (roof, intensity) => (intensity < model.ridge(roof) ? "memory" : "compute");

  function* steps(low, high, factor) {
    for (let x = low; x < high; x *= factor) yield x;
    yield high;
  }
  const curve = (low, high, of) => [...steps(low, high, 1.15)].map((x) => [x, of(x)]);

  function roofLines(roof, low, high) {
    const at = model.ridge(roof);
    return [low, ...(at > low && at < high ? [at] : []), high].map((x) => [x, model.attainable(roof, x)]);
  }

  // --- The explorers ---

  const kKernels = {
    axpy: ["y = a x + y", (n, s) => model.axpy(n, s)], dot: ["dot product", (n, s) => model.dot(n, s)],
    stencil5: ["5-point stencil", (n, s) => model.stencil5(n, s)], gemv: ["matrix times vector", (n, s) => model.gemv(n, s)],
    gemm: ["matrix product", (n, s) => model.gemm(n, s)],
  };

  const kExplorers = {
    roofline: {
      title: "Try it: a kernel under a roof",
      controls: [kMachine, kPrecision,
                 { id: "kernel", label: "kernel", options: () => Object.entries(kKernels).map(([id, [name]]) => [id, name]), value: "gemm" },
                 powers("n", "n", 16, 65536, 1024)],
      compute(values) {
        const roof = roofOf(values);
        const work = kKernels[values.kernel][1](values.n, roof.bytes);
        const intensity = work.flops / work.bytes;
        const rate = model.attainable(roof, intensity);
        const high = roof.peak * 3, low = model.attainable(roof, 0.05) / 3;
        return {
          numbers: [[roof.unit + "s", withPrefix(work.flops, roof.unit)], ["compulsory bytes", withPrefix(work.bytes, "B")],
                    ["intensity", perByte(intensity, roof)], ["ridge", perByte(model.ridge(roof), roof)],
                    ["bound", boundOf(roof, intensity)], ["at most", withPrefix(rate, roof.unit + "/s")],
                    ["at least", withPrefix(model.seconds(roof, work), "s")]],
          note: lacks(values),
          chart: { says: "roofline with the kernel", x: { label: roof.unit + " per byte", low: 0.05, high: 1e5, log: true },
                   y: { label: roof.unit + "/s, in T", low: low / 1e12, high: high / 1e12, log: true },
                   lines: [{ points: roofLines(roof, 0.05, 1e5).map(([x, y]) => [x, y / 1e12]), tone: "blue" }],
                   dots: [{ at: [intensity, rate / 1e12], tone: "orange" }] },
        };
      },
    },
    layer: {
      title: "Try it: a linear layer over the batch",
      controls: [kMachine, kPrecision, powers("side", "features in and out", 256, 16384, 4096),
                 { id: "weights", label: "weights", options: () => [["same", "as the arithmetic"], ["4", "4 bits, a scale for 128"]], value: "same" },
                 powers("batch", "batch", 1, 8192, 64)],
      compute(values) {
        const roof = roofOf(values);
        const weight = values.weights === "4" ? 4.125 / 8 : roof.bytes;
        const layer = { in: values.side, out: values.side, weight, activation: roof.bytes };
        const intensity = model.layerIntensity(layer, values.batch), ridge = model.ridge(roof);
        const critical = model.criticalBatch(layer, ridge);
        const work = { flops: 2 * values.batch * values.side ** 2, bytes: 2 * values.batch * values.side ** 2 / intensity };
        return {
          numbers: [["intensity", perByte(intensity, roof)], ["ridge", perByte(ridge, roof)],
                    ["bound", boundOf(roof, intensity)], ["critical batch", critical === null ? "none" : digits(critical)],
                    ["at least", withPrefix(model.seconds(roof, work), "s")],
                    ["for one row", withPrefix(model.seconds(roof, work) / values.batch, "s")]],
          note: lacks(values),
          chart: { says: "intensity over the batch, with the ridge", x: { label: "batch", low: 1, high: 8192, log: true },
                   y: { label: roof.unit + " per byte", low: 0.1, high: 20000, log: true },
                   lines: [{ points: curve(1, 8192, (batch) => model.layerIntensity(layer, batch)), tone: "blue" },
                           { points: [[1, ridge], [8192, ridge]], tone: "purple", dashed: true, label: "ridge" }],
                   dots: [{ at: [values.batch, intensity], tone: "orange" }] },
        };
      },
    },
    tile: {
      title: "Try it: tiles of a product",
      controls: [kMachine, kPrecision, powers("n", "n", 256, 16384, 4096), powers("tile", "tile", 1, 256, 16)],
      compute(values) {
        const roof = roofOf(values);
        const work = model.tiledGemm(values.n, values.tile, roof.bytes);
        const least = model.gemm(values.n, roof.bytes);
        const limit = { flops: work.flops, bytes: work.loaded };
        return {
          numbers: [[roof.unit + "s per byte loaded", digits(work.perByteLoaded)], ["into tiles, and C", withPrefix(work.loaded, "B")],
                    ["compulsory", withPrefix(least.bytes, "B")],
                    ["at least, if tiles came from DRAM", withPrefix(model.seconds(roof, limit), "s")],
                    ["at least, with ideal reuse", withPrefix(model.seconds(roof, least), "s")],
                    ["from DRAM it would be bound by", boundOf(roof, work.flops / work.loaded)]],
          note: lacks(values),
          chart: { says: "FLOPs per byte over the side of a tile", x: { label: "side of a tile", low: 1, high: 256, log: true },
                   y: { label: roof.unit + " per byte", low: 0.05, high: 5000, log: true },
                   lines: [{ points: curve(1, 256, (tile) => model.tiledGemm(values.n, tile, roof.bytes).perByteLoaded), tone: "blue" },
                           { points: [[1, model.ridge(roof)], [256, model.ridge(roof)]], tone: "purple", dashed: true, label: "ridge at DRAM" }],
                   dots: [{ at: [values.tile, work.perByteLoaded], tone: "orange" }] },
        };
      },
    },
    stride: {
      title: "Try it: what a warp's request fetches",
      controls: [{ id: "bytes", label: "an element", options: () => [["1", "1 byte"], ["4", "4 bytes (float)"], ["8", "8 bytes (double)"], ["16", "16 bytes (float4)"]], value: "4" },
                 whole("stride", "stride between lanes, in elements", 0, 40, 1), whole("offset", "first element", 0, 31, 0)],
      compute(values) {
        const kLanes = 32, kSector = 32;
        const bytes = Number(values.bytes);
        const touched = model.sectors(kLanes, bytes, values.stride, values.offset);
        const asked = values.stride === 0 ? bytes : kLanes * bytes;
        const used = (stride) => (stride === 0 ? bytes : kLanes * bytes) / (kSector * model.sectors(kLanes, bytes, stride, values.offset));
        return {
          numbers: [["sectors", String(touched)], ["fetched", kSector * touched + "\u00a0B"], ["asked for", asked + "\u00a0B"],
                    ["used", percent(used(values.stride))]],
          note: "",
          chart: { says: "part of the fetched bytes that is used, over the stride", x: { label: "stride", low: 0, high: 40 },
                   y: { label: "% of the fetched bytes used", low: 0, high: 100 },
                   lines: [{ points: Array.from({ length: 41 }, (none, stride) => [stride, 100 * used(stride)]), tone: "blue" }],
                   dots: [{ at: [values.stride, 100 * used(values.stride)], tone: "orange" }] },
        };
      },
    },
    decode: {
      title: "Try it: a step of decode",
      controls: [kMachine,
                 { id: "model", label: "model", options: () => window.rlData.models.map((one) => [one.id, one.name]), value: "llama-3.1-8b" },
                 { id: "weights", label: "weights", options: () => [["2", "16 bits"], ["1", "8 bits"], ["0.515625", "4 bits, a scale for 128"]], value: "2" },
                 { id: "cache", label: "cache", options: () => [["2", "16 bits"], ["1", "8 bits"]], value: "2" },
                 powers("batch", "batch", 1, 512, 16), powers("context", "context", 128, 131072, 4096)],
      compute(values) {
        const machine = machineNamed(values.machine);
        const one = window.rlData.models.find((each) => each.id === values.model);
        const formats = { weights: Number(values.weights), kv: Number(values.cache), activations: 2 };
        const weights = model.streamedWeights(one, formats, values.batch);
        const cache = values.batch * model.kvBytes(one, formats, values.context);
        const time = (batch) => model.decodeSeconds(one, formats, batch, values.context, machine.bandwidth);
        const most = machine.capacity === null ? null : model.largestBatch(one, formats, values.context, 0.9 * machine.capacity);
        const limit = machine.bandwidth / model.kvBytes(one, formats, values.context);
        const rates = curve(1, 512, (batch) => batch / time(batch));
        const fits = most !== null && most >= values.batch;
        return {
          numbers: [["weights in a step", withPrefix(weights, "B")], ["caches in a step", withPrefix(cache, "B")],
                    ["a step takes at least", withPrefix(time(values.batch), "s")],
                    ["tokens per second, at most", digits(values.batch / time(values.batch))],
                    ["limit of any batch", digits(limit)],
                    ["largest batch in 90 % of the memory", machine.capacity === null ? "unknown" : most === null ? "the weights do not fit" : digits(most)]],
          note: machine.capacity === null || fits ? "" : "This does not fit the memory of one machine.",
          chart: { says: "tokens per second over the batch", x: { label: "batch", low: 1, high: 512, log: true },
                   y: { label: "tokens per second", low: 0, high: rates.at(-1)[1] * 1.15 },
                   lines: [{ points: rates, tone: "blue" },
                           ...(most > 1 && most < 512 ? [{ points: [[most, 0], [most, rates.at(-1)[1] * 1.15]], tone: "purple", dashed: true, label: "memory full", labelAt: [most, 0] }] : [])],
                   dots: [{ at: [values.batch, values.batch / time(values.batch)], tone: "orange" }] },
        };
      },
    },
  };

  // --- In the page ---

  // A control adds its value to those of the controls before it, on which its options may depend.
  function choiceOf(spec, changed) {
    const select = element("select", { name: spec.id });
    let wanted = spec.value, shown = "";
    select.addEventListener("change", () => { wanted = select.value; changed(); });
    return {
      row: element("label", {}, element("span", {}, spec.label), select),
      add(values) {
        const options = spec.options(values);
        if (String(options) !== shown) select.replaceChildren(...options.map(([id, name]) => element("option", { value: id }, name)));
        shown = String(options);
        const has = options.some(([id]) => id === wanted);
        select.value = values[spec.id] = has ? wanted : spec.otherwise;
        if (!has) values.lacked = wanted;
      },
    };
  }

  function rangeOf(spec, changed) {
    const output = element("output", {});
    const range = element("input", { type: "range", name: spec.id, min: spec.low, max: spec.high, step: spec.step, value: spec.value });
    range.addEventListener("input", changed);
    return {
      row: element("label", {}, element("span", {}, spec.label, " ", output), range),
      add(values) {
        values[spec.id] = spec.scale(Number(range.value));
        output.textContent = values[spec.id].toLocaleString("en");
        range.setAttribute("aria-valuetext", output.textContent);
      },
    };
  }

  function build(section) {
    const explorer = kExplorers[section.dataset.explore];
    const numbers = element("dl", {}), chart = element("div", { class: "rl-chart" }), note = element("p", { "aria-live": "polite" });
    let controls = [];
    const update = () => {
      const values = {};
      for (const control of controls) control.add(values);
      const result = explorer.compute(values);
      numbers.replaceChildren(...result.numbers.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
      chart.replaceChildren(chartOf(result.chart));
      note.textContent = result.note;
      note.hidden = note.textContent === "";
    };
    controls = explorer.controls.map((spec) => (spec.options ? choiceOf : rangeOf)(spec, update));
    section.setAttribute("aria-label", explorer.title);
    section.append(element("h4", {}, explorer.title),
                   element("div", { class: "rl-controls" }, ...controls.map((control) => control.row)),
                   element("div", { class: "rl-result" }, chart, numbers), note);
    update();
  }

  document.querySelectorAll(".rl-explore").forEach(build);
})();
