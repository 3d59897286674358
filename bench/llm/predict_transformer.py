# SPDX-License-Identifier: MIT
"""Predicts what torch_transformer.py measures, from single kernels measured before on the same machine.

    predict_transformer.py ROOFLINE MODEL MACHINE KERNELS.csv GLUE.csv > predicted.csv

KERNELS.csv is torch_kernels.py's output, GLUE.csv that of torch_transformer.py --glue. Weight
streaming, cache streaming and computing get the best rate that a kernel of their kind reached; a layer
gets its measured glue, interpolated over its tokens. "bound" is the bare roofline of the datasheet.
"""
import csv
import json
import subprocess
import sys
import tempfile

DECODE = ((1, 1024), (1, 8192), (4, 4096), (8, 1024), (16, 8192), (32, 2048), (64, 1024),
          (64, 4096), (64, 8192), (128, 2048), (256, 1024))
PREFILL = ((1, 512), (1, 2048), (1, 8192), (4, 2048), (16, 1024), (1, 16384))
BANDWIDTH, PEAK = 4800e9, 989.4e12  # of the machine file, which the efficiencies are parts of


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def best_rate(kernels, kernel, only=lambda row: True):
    return max(float(row["bytes"]) / float(row["seconds_median"])
               for row in kernels if row["kernel"] == kernel and "torch" in row["variant"]
               and only(row))


def product_rate(kernels):
    rates = []
    for row in kernels:
        if row["kernel"] == "linear":
            m, k, n = map(int, row["shape"].split("x"))
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
    efficiencies = ["--weight-efficiency", best_rate(kernels, "linear") / BANDWIDTH,
                    "--kv-efficiency", best_rate(kernels, "attention") / BANDWIDTH,
                    "--compute-efficiency", product_rate(kernels) / PEAK]
    print("# " + " ".join(map(str, efficiencies)))
    print("phase,batch,tokens,seconds_bound,seconds_predicted")
    for phase, cases, key in (("decode", DECODE, "--context"), ("prefill", PREFILL, "--prompt")):
        for batch, tokens in cases:
            shape = ["--batch", batch, key, tokens]
            new = batch * (tokens if phase == "prefill" else 1)
            cost = ["--layer-cost", f"{glue_seconds(glue, new) * 1e6:.3f}us"]
            bound, full = (predict(roofline, model, machine, shape + extra)[phase]["seconds"]
                           for extra in ([], efficiencies + cost))
            print(f"{phase},{batch},{tokens},{bound:.6e},{full:.6e}")


if __name__ == "__main__":
    main()
