# SPDX-License-Identifier: MIT
"""Predicts what torch_transformer.py measures, from single kernels measured before on the same machine.

    predict_transformer.py ROOFLINE MODEL MACHINE KERNELS.csv GLUE.csv > predicted.csv

KERNELS.csv is torch_kernels.py's output, GLUE.csv that of torch_transformer.py --glue. Products with few
rows and attentions of one token get a line of time over bytes each: its slope is the rate of streaming
weights or caches, and what it costs at no bytes is added for each product and attention of a layer.
Computing gets the best rate that a product reached; a layer gets its measured glue, interpolated over its
tokens. "bound" is the bare roofline of the datasheet.
"""
import csv
import json
import subprocess
import sys
import tempfile

DECODE = ((1, 1024), (1, 8192), (4, 4096), (8, 1024), (16, 8192), (32, 2048), (64, 1024),
          (64, 4096), (64, 8192), (128, 2048), (256, 1024))
PREFILL = ((1, 512), (1, 2048), (1, 8192), (4, 2048), (16, 1024))
BANDWIDTH, PEAK = 4800e9, 989.4e12  # of the machine file, which the efficiencies are parts of
PRODUCTS = 4  # of a layer: query, key and value; output; gate and up; down
MEMORY_BOUND_ROWS = 32  # with more, a product is no longer all streaming


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def streaming_line(points):
    """Seconds at zero bytes and bytes per second, by least squares of the relative error."""
    weights = [1 / (seconds * seconds) for _, seconds in points]
    total = sum(weights)
    mean_x = sum(w * x for w, (x, _) in zip(weights, points)) / total
    mean_y = sum(w * y for w, (_, y) in zip(weights, points)) / total
    slope = (sum(w * (x - mean_x) * (y - mean_y) for w, (x, y) in zip(weights, points))
             / sum(w * (x - mean_x) ** 2 for w, (x, _) in zip(weights, points)))
    return mean_y - slope * mean_x, 1 / slope


def points(kernels, kernel, only=lambda row: True):
    return [(float(row["bytes"]), float(row["seconds_median"])) for row in kernels
            if row["kernel"] == kernel and not row["variant"].endswith("eager") and only(row)]


def product_shape(row):
    return tuple(map(int, row["shape"].split("x")))


def product_rate(kernels):
    rates = []
    for row in kernels:
        if row["kernel"] == "linear":
            m, k, n = product_shape(row)
            rates.append(2 * m * k * n / float(row["seconds_median"]))
    return max(rates)


def glue_seconds(glue, tokens):
    points = sorted((int(r["batch"]) * int(r["tokens"]), float(r["seconds_median"])) for r in glue)
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if tokens <= x1 or (x1, y1) == points[-1]:
            return y0 + (y1 - y0) * (tokens - x0) / (x1 - x0)
    raise ValueError("no glue was measured")


def predict(roofline, model, machine, arguments):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([roofline, "predict", model, "--machine", machine, "--json", file.name,
                        *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)
        return json.load(open(file.name))


def main():
    roofline, model, machine, kernel_file, glue_file = sys.argv[1:]
    kernels, glue = rows(kernel_file), rows(glue_file)
    product, weight_rate = streaming_line(
        points(kernels, "linear", lambda row: product_shape(row)[0] <= MEMORY_BOUND_ROWS))
    attention, cache_rate = streaming_line(points(kernels, "attention"))
    efficiencies = ["--weight-efficiency", weight_rate / BANDWIDTH,
                    "--kv-efficiency", cache_rate / BANDWIDTH,
                    "--compute-efficiency", product_rate(kernels) / PEAK]
    if product < 0 or attention < 0:
        sys.exit(f"{kernel_file}: a line of time over bytes begins below zero; it needs products and "
                 "attentions of several sizes, from a quiet machine")
    begin_and_end = PRODUCTS * product + attention
    print("# " + " ".join(map(str, efficiencies)) + f"; a product {product * 1e6:.2f} us and an "
          f"attention {attention * 1e6:.2f} us beside their bytes")
    print("phase,batch,tokens,seconds_bound,seconds_predicted")
    for phase, cases, key in (("decode", DECODE, "--context"), ("prefill", PREFILL, "--prompt")):
        for batch, tokens in cases:
            shape = ["--batch", batch, key, tokens]
            new = batch * (tokens if phase == "prefill" else 1)
            cost = ["--layer-cost", f"{(glue_seconds(glue, new) + begin_and_end) * 1e6:.3f}us"]
            bound, full = (predict(roofline, model, machine, shape + extra)[phase]["seconds"]
                           for extra in ([], efficiencies + cost))
            print(f"{phase},{batch},{tokens},{bound:.6e},{full:.6e}")


if __name__ == "__main__":
    main()
