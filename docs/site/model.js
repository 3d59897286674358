// SPDX-License-Identifier: MIT
// The formulas behind the site's sliders: those of roofline/, in the reader's browser. Base units:
// B, B/s, FLOP, FLOP/s, s. tests/docs/explore_browser.cpp compares each with the C++ for thousands
// of inputs.
(function () {
  "use strict";

  // --- Operations: FLOPs and compulsory bytes, s bytes a number (roofline/blas.hpp, elementwise.hpp) ---

  const axpy = (n, s) => ({ flops: 2 * n, bytes: 3 * s * n });
  const dot = (n, s) => ({ flops: 2 * n, bytes: 2 * s * n });
  const stencil5 = (n, s) => ({ flops: 4 * n, bytes: 2 * s * n });
  const gemv = (n, s) => ({ flops: 2 * n * n, bytes: s * (n * n + 2 * n) });
  const gemm = (n, s) => ({ flops: 2 * n * n * n, bytes: 3 * s * n * n });

  // A product of n x n matrices in tiles: the bytes loaded into them, and the store of the result.
  function tiledGemm(n, tile, s) {
    const loads = 2 * n * n * n / tile * s;
    return { flops: 2 * n * n * n, loaded: loads + s * n * n, perByteLoaded: tile / s };
  }

  // --- The roofline (roofline/bounds.hpp) ---

  const attainable = (roof, intensity) => Math.min(roof.peak, roof.bandwidth * intensity);
  const seconds = (roof, work) => Math.max(work.flops / roof.peak, work.bytes / roof.bandwidth);
  const ridge = (roof) => roof.peak / roof.bandwidth;

  // --- A linear layer over the batch; a layer: { in, out, weight, activation }, the last two in bytes ---

  function layerIntensity(layer, batch) {
    const weights = layer.weight * layer.in * layer.out;
    return 2 * batch * layer.in * layer.out / (weights + layer.activation * batch * (layer.in + layer.out));
  }

  // The batch at which it meets the ridge; null if it never does.
  function criticalBatch(layer, at) {
    const below = 2 * layer.in * layer.out - at * layer.activation * (layer.in + layer.out);
    return below > 0 ? at * layer.weight * layer.in * layer.out / below : null;
  }

  // --- What a warp's request touches: sectors of 32 bytes ---

  function sectors(lanes, bytes, stride, offset) {
    const kSector = 32;
    const touched = new Set();
    for (let lane = 0; lane < lanes; ++lane) {
      const first = bytes * (offset + stride * lane);
      for (let at = Math.floor(first / kSector); at <= Math.floor((first + bytes - 1) / kSector); ++at) {
        touched.add(at);
      }
    }
    return touched.size;
  }

  // --- Language models (roofline/llm); formats: bytes of { weights, kv, activations } a number ---

  const distinctExperts = (experts, each, tokens) => experts * (1 - (1 - each / experts) ** tokens);

  function weightsWithout(model, formats) {
    return (model.matrices + model.tables) * formats.weights + model.vectors * formats.activations;
  }

  function streamedWeights(model, formats, tokens) {
    let bytes = weightsWithout(model, formats);
    for (const group of model.layers) {
      if (!group.experts) continue;
      const distinct = distinctExperts(group.experts.all, group.experts.each, tokens);
      bytes += group.count * distinct * group.experts.numbers * formats.weights;
      bytes += group.count * (distinct - group.experts.each) * group.experts.biases * formats.activations;
    }
    return bytes;
  }

  function kvBytes(model, formats, context) {
    let bytes = 0;
    for (const group of model.layers) {
      const kept = group.window ? Math.min(context, group.window) : context;
      bytes += group.count * kept * (group.cached * formats.kv + group.rotary * formats.activations);
    }
    return bytes;
  }

  function decodeSeconds(model, formats, batch, context, bandwidth) {
    return (streamedWeights(model, formats, batch) + batch * kvBytes(model, formats, context)) / bandwidth;
  }

  // Number of sequences that fit; null if the weights alone do not.
  function largestBatch(model, formats, context, usable) {
    const all = model.stored.matrices * formats.weights + model.stored.vectors * formats.activations;
    return usable < all ? null : Math.floor((usable - all) / kvBytes(model, formats, context));
  }

  const api = {
    axpy, dot, stencil5, gemv, gemm, tiledGemm, attainable, seconds, ridge, layerIntensity, criticalBatch,
    sectors, distinctExperts, streamedWeights, kvBytes, decodeSeconds, largestBatch,
  };
  if (typeof window !== "undefined") window.rlModel = api;
})();
