# SPDX-License-Identifier: MIT
"""Decode and prefill of a transformer with random weights in PyTorch, from a config.json of
data/models, as CSV on standard output.

Decode is measured at a fixed context: the cache is full of random numbers, one step writes its last
row and reads all of it. "graph" replays a CUDA graph of one step, "eager" calls every operator.
"""
import argparse
import json
import statistics
import time

import torch
import torch.nn.functional as F

from torch_timing import seconds_of

SAMPLES, WARM_UP = 25, 3


class Transformer:
    """Llama's layers: norms, grouped-query attention with rotary positions, gated feed-forward."""

    def __init__(self, config):
        self.hidden, self.layers = config["hidden_size"], config["num_hidden_layers"]
        self.heads, self.kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
        self.dim = config.get("head_dim", self.hidden // self.heads)
        self.inner, self.vocabulary = config["intermediate_size"], config["vocab_size"]
        make = lambda rows, columns: torch.empty(
            rows, columns, dtype=torch.bfloat16, device="cuda").normal_(std=0.02)
        qkv = (self.heads + 2 * self.kv_heads) * self.dim
        self.weights = [(make(qkv, self.hidden), make(self.hidden, self.heads * self.dim),
                         make(2 * self.inner, self.hidden), make(self.hidden, self.inner))
                        for _ in range(self.layers)]
        self.embedding = make(self.vocabulary, self.hidden)
        self.head = make(self.vocabulary, self.hidden)
        self.gain = torch.ones(self.hidden, dtype=torch.bfloat16, device="cuda")

    def make_cache(self, batch, context):
        shape = (self.layers, 2, batch, self.kv_heads, context, self.dim)
        return torch.empty(shape, dtype=torch.bfloat16, device="cuda").normal_(std=0.5)

    def rotation(self, positions):
        rate = 500000.0 ** (-torch.arange(0, self.dim, 2, device="cuda") / self.dim)
        angle = torch.outer(positions.float(), rate)
        return (torch.cat((angle.cos(), angle.cos()), -1).bfloat16(),
                torch.cat((angle.sin(), angle.sin()), -1).bfloat16())

    def rotate(self, x, rotation):
        cos, sin = rotation
        half = self.dim // 2
        return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin

    def glue(self, x, qkv, gate_up, a, cache, position, rotation):
        """What a layer does besides its four products and its attention."""
        new = x.shape[1]
        F.rms_norm(x, (self.hidden,), self.gain)
        y = qkv.view(x.shape[0], new, -1, self.dim).transpose(1, 2)
        q, k, v = y.split((self.heads, self.kv_heads, self.kv_heads), 1)
        q, k = self.rotate(q, rotation), self.rotate(k, rotation)
        keys, values = cache[0]
        keys[:, :, position:position + new] = k
        values[:, :, position:position + new] = v
        x = x + a.transpose(1, 2).reshape(x.shape)
        F.rms_norm(x, (self.hidden,), self.gain)
        gate, up = gate_up.chunk(2, -1)
        return x + (F.silu(gate) * up)[..., :self.hidden]

    def forward(self, tokens, cache, position, rotation):
        """tokens [batch, new] at position ... of the cache; logits of the last token."""
        batch, new = tokens.shape
        x = F.embedding(tokens, self.embedding)
        for layer, (qkv, output, gate_up, down) in enumerate(self.weights):
            y = F.linear(F.rms_norm(x, (self.hidden,), self.gain), qkv)
            y = y.view(batch, new, -1, self.dim).transpose(1, 2)
            q, k, v = y.split((self.heads, self.kv_heads, self.kv_heads), 1)
            q, k = self.rotate(q, rotation), self.rotate(k, rotation)
            keys, values = cache[layer]
            keys[:, :, position:position + new] = k
            values[:, :, position:position + new] = v
            a = self.attention(q, keys[:, :, :position + new], values[:, :, :position + new])
            x = x + F.linear(a, output)
            gate, up = F.linear(F.rms_norm(x, (self.hidden,), self.gain), gate_up).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, down)
        return F.linear(F.rms_norm(x[:, -1], (self.hidden,), self.gain), self.head)

    def attention(self, q, keys, values):
        batch, _, new, _ = q.shape
        a = F.scaled_dot_product_attention(q, keys, values, is_causal=new > 1, enable_gqa=True)
        return a.transpose(1, 2).reshape(batch, new, -1)


def report(phase, batch, tokens, launch, run):
    for _ in range(WARM_UP):
        run()
    times = sorted(seconds_of(run) for _ in range(SAMPLES))
    print(f"{phase},{batch},{tokens},{launch},{statistics.median(times):.6e},{times[1]:.6e},"
          f"{times[-2]:.6e},{SAMPLES}", flush=True)


def measure_decode(model, batch, context):
    cache = model.make_cache(batch, context)
    tokens = torch.zeros(batch, 1, dtype=torch.long, device="cuda")
    rotation = model.rotation(torch.tensor([context - 1], device="cuda"))
    step = lambda: model.forward(tokens, cache, context - 1, rotation)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(2):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    report("decode", batch, context, "graph", graph.replay)
    report("decode", batch, context, "eager", step)


def measure_prefill(model, batch, prompt):
    cache = model.make_cache(batch, prompt)
    tokens = torch.zeros(batch, prompt, dtype=torch.long, device="cuda")
    rotation = model.rotation(torch.arange(prompt, device="cuda"))
    report("prefill", batch, prompt, "eager",
           lambda: model.forward(tokens, cache, 0, rotation))


def measure_glue(model, batch, new):
    """Seconds of one layer's glue, from a graph of sixteen."""
    make = lambda *shape: torch.rand(*shape, device="cuda").bfloat16()
    cache = torch.zeros(1, 2, batch, model.kv_heads, new, model.dim, device="cuda").bfloat16()
    x = make(batch, new, model.hidden)
    qkv = make(batch, new, (model.heads + 2 * model.kv_heads) * model.dim)
    gate_up = make(batch, new, 2 * model.inner)
    a = make(batch, model.heads, new, model.dim)
    rotation = model.rotation(torch.arange(new, device="cuda"))
    calls = 16

    def run():
        for _ in range(calls):
            model.glue(x, qkv, gate_up, a, cache, 0, rotation)

    run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    times = sorted(seconds_of(graph.replay) / calls for _ in range(SAMPLES))
    print(f"glue,{batch},{new},graph,{statistics.median(times):.6e},{times[1]:.6e},"
          f"{times[-2]:.6e},{SAMPLES}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("config")
    parser.add_argument("--glue", action="store_true",
                        help="only the operators between products and attention, of one layer")
    parser.add_argument("--decode", nargs="+", metavar="BATCH:CONTEXT",
                        help="only these steps of decode")
    options = parser.parse_args()
    began = time.time()
    with open(options.config) as file, torch.inference_mode():
        model = Transformer(json.load(file))
        print(f"# {options.config}: PyTorch {torch.__version__} on "
              f"{torch.cuda.get_device_name()}; {SAMPLES} samples; loaded in "
              f"{time.time() - began:.1f} s")
        print("phase,batch,tokens,launch,seconds_median,seconds_low,seconds_high,samples")
        if options.glue:
            for batch, new in ((1, 1), (8, 1), (64, 1), (256, 1), (1, 512), (1, 2048), (1, 8192)):
                measure_glue(model, batch, new)
            raise SystemExit
        if options.decode:
            for case in options.decode:
                measure_decode(model, *map(int, case.split(":")))
            raise SystemExit
        for batch, context in ((1, 1024), (1, 8192), (4, 4096), (8, 1024), (16, 8192), (32, 2048),
                               (64, 1024), (64, 4096), (64, 8192), (128, 2048), (256, 1024)):
            measure_decode(model, batch, context)
        for batch, prompt in ((1, 512), (1, 2048), (1, 8192), (4, 2048), (16, 1024)):
            measure_prefill(model, batch, prompt)
