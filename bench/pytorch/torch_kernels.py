# SPDX-License-Identifier: MIT
"""The shapes of bench-llm through PyTorch's own operators, with the same columns on standard output.

Every call reads operands that the last calls did not: several copies in turn. A sample is a replay of
a CUDA graph over all copies, so that PyTorch's own launch cost is not in it; rows named "eager" are
calls from Python one by one.
"""
import torch
import torch.nn.functional as F

from torch_timing import seconds_of

SAMPLES, WARM_UP, COLD_BYTES = 25, 3, 500e6


def report(kernel, shape, variant, size, calls, run):
    for _ in range(WARM_UP):
        run()
    times = sorted(seconds_of(run) / calls for _ in range(SAMPLES))
    at = lambda share: times[int(share * (SAMPLES - 1))]
    print(f"{kernel},{shape},{variant},{size:.0f},{at(0.5):.6e},{at(0.05):.6e},{at(0.95):.6e},"
          f"{SAMPLES},{size / at(0.5) / 1e9:.1f}", flush=True)


def measure(kernel, shape, variant, size, copies, call):
    calls = max(copies, 16)

    def run():
        for i in range(calls):
            call(i % copies)

    run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    report(kernel, shape, variant, size, calls, graph.replay)
    report(kernel, shape, variant + " eager", size, calls, run)


def copies_for(size):
    return max(1, int(COLD_BYTES / size)) + 1


def gemv(rows, columns, dtype, variant):
    width = torch.tensor([], dtype=dtype).element_size()
    size = width * (rows * columns + columns) + 4 * rows
    w = [torch.rand(rows, columns, device="cuda").to(dtype) for _ in range(copies_for(size))]
    x = torch.rand(columns, device="cuda").to(dtype)
    measure("gemv", f"{rows}x{columns}", f"torch.mv {variant}", size, len(w),
            lambda i: torch.mv(w[i], x))


def attention(batch, query_heads, kv_heads, dim, context):
    size = 4 * batch * kv_heads * dim * context + 4 * batch * query_heads * dim
    make = lambda *shape: torch.rand(*shape, device="cuda").to(torch.bfloat16)
    copies = copies_for(size)
    q = make(batch, query_heads, 1, dim)
    k = [make(batch, kv_heads, context, dim) for _ in range(copies)]
    v = [make(batch, kv_heads, context, dim) for _ in range(copies)]
    shape = f"batch {batch} heads {query_heads}/{kv_heads}/{dim} context {context}"
    measure("attention", shape, "torch sdpa gqa", size, copies,
            lambda i: F.scaled_dot_product_attention(q, k[i], v[i], enable_gqa=True))


def prefill_attention(query_heads, kv_heads, dim, prompt):
    """Causal, 2 Hq d S^2 FLOP; the bytes column counts queries, keys, values and output."""
    make = lambda heads: torch.rand(1, heads, prompt, dim, device="cuda").to(torch.bfloat16)
    q, k, v = make(query_heads), make(kv_heads), make(kv_heads)
    size = 4 * prompt * dim * (query_heads + kv_heads)
    measure("prefill attention", f"heads {query_heads}/{kv_heads}/{dim} prompt {prompt}",
            "torch sdpa gqa", size, 1,
            lambda i: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True))


def read_bandwidth(tokens, row):
    size = 2 * tokens * row + 2 * tokens
    cache = [torch.rand(tokens, row, device="cuda").to(torch.bfloat16)
             for _ in range(copies_for(size))]
    measure("kv_stream", f"{tokens}x{row}", "torch sum", size, len(cache),
            lambda i: torch.sum(cache[i], dim=1))


def matmul(rows, inner, columns):
    """[rows, inner] times a matrix of weights [columns, inner]: decode of `rows` sequences."""
    size = 2 * (rows * inner + inner * columns + rows * columns)
    x = torch.rand(rows, inner, device="cuda").bfloat16()
    w = [torch.rand(columns, inner, device="cuda").bfloat16() for _ in range(copies_for(size))]
    measure("linear", f"{rows}x{inner}x{columns}", "torch linear bf16", size, len(w),
            lambda i: F.linear(x, w[i]))


if __name__ == "__main__":
    print(f"# PyTorch {torch.__version__} on {torch.cuda.get_device_name()}; {SAMPLES} samples")
    print("kernel,shape,variant,bytes,seconds_median,seconds_p5,seconds_p95,samples,gb_per_s")
    with torch.inference_mode():
        gemv(8192, 8192, torch.float32, "fp32")
        gemv(16384, 8192, torch.float32, "fp32")
        for rows, columns in ((4096, 4096), (8192, 8192), (16384, 8192)):
            gemv(rows, columns, torch.float16, "fp16")
        read_bandwidth(1 << 18, 1024)
        for rows in (1, 8, 32, 64, 128, 256):
            matmul(rows, 4096, 28672)
        for inner, columns in ((4096, 4096), (4096, 6144), (14336, 4096)):
            for rows in (1, 8, 32):
                matmul(rows, inner, columns)
        matmul(2048, 4096, 28672)
        matmul(8192, 8192, 8192)
        attention(64, 32, 8, 128, 4096)
        attention(4, 32, 8, 128, 4096)
        attention(32, 32, 8, 128, 2048)
        attention(1, 32, 8, 128, 8192)
        attention(1, 32, 8, 128, 131072)
        for prompt in (512, 2048, 8192):
            prefill_attention(32, 8, 128, prompt)
