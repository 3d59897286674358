# SPDX-License-Identifier: MIT
"""Compares the library's products in `roofline measure` with PyTorch's, in one run on one card.

usage: compare_products.py ROOFLINE > products.csv

Both follow the same protocol: the same square matrices, and operands with the same distribution. All ways to
call the product are tried alternately, and the fastest is sampled 40 times. `median` is with rests of three
sample lengths, in which the clock recovers. `sustained` is the rate of work without pauses, called in the way
that is fastest under these conditions, over a second after another second in which the clock settles; watts and
clock are of such work, too. In each precision PyTorch's product comes right after the roof. `roofline` has one
row per roof, PyTorch one per size.
"""
import csv
import datetime
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import torch

from torch_timing import seconds_of

SAMPLES, TUNING_ROUNDS, RESTS, SAMPLE_SECONDS = 40, 3, 3, 5e-3
SECONDS_OF_TRIED, SECONDS_OF_BEST = 0.25, 1  # without a pause, after as long to settle
METERED_SECONDS, SETTLING_SECONDS, MOST_SECONDS, METERED_SAMPLES = 1.5, 0.1, 10, 4
SMALLEST = 2048
COLUMNS = ("date", "device", "driver", "power_limit_watts", "library", "version", "roof", "n", "way",
           "samples", "median", "percentile_5", "percentile_95", "sustained", "sustained_way", "watts",
           "reported_clock_hz", "held_back_by")
# Reason names as in roofline.
# https://docs.nvidia.com/deploy/nvml-api/group__nvmlClocksEventReasons.html
HELD_BACK_BY = {0x04: "the power cap", 0x08: "the hardware (temperature or power)",
                0x10: "another GPU that it keeps pace with", 0x20: "temperature",
                0x40: "temperature (hardware)", 0x80: "the power supply"}


class Board:
    """NVML's information about the card, or nothing if its Python bindings are missing."""

    def __init__(self):
        self.handle = None
        try:
            import pynvml
            pynvml.nvmlInit()
            uuid = torch.cuda.get_device_properties(0).uuid
            self.nvml = pynvml
            self.handle = pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{uuid}")
        except Exception as error:  # the products are measured anyway
            print(f"no power, clock and driver: {error}", file=sys.stderr)

    def driver(self):
        if self.handle is None:
            return ""
        version = self.nvml.nvmlSystemGetDriverVersion()
        return version.decode() if isinstance(version, bytes) else version

    def power_limit(self):
        return self.nvml.nvmlDeviceGetEnforcedPowerLimit(self.handle) * 1e-3 if self.handle else ""

    def joules(self):
        return self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.handle) * 1e-3

    def clock(self):
        return self.nvml.nvmlDeviceGetClockInfo(self.handle, self.nvml.NVML_CLOCK_SM) * 1e6

    def reasons(self):
        bits = self.nvml.nvmlDeviceGetCurrentClocksThrottleReasons(self.handle)
        return [text for bit, text in HELD_BACK_BY.items() if bits & bit]


@dataclass
class Product:
    """A roof of `roofline measure` and the PyTorch calls for the same product."""

    roof: str
    types: tuple
    largest: int
    tf32: bool = False


PRODUCTS = [
    Product("fp64.gemm", (torch.float64, torch.float64, torch.float64), 8192),
    Product("fp32.gemm", (torch.float32, torch.float32, torch.float32), 8192),
    Product("tf32.gemm", (torch.float32, torch.float32, torch.float32), 16384, tf32=True),
    Product("fp16.gemm", (torch.float16, torch.float16, torch.float16), 16384),
    Product("bf16.gemm", (torch.bfloat16, torch.bfloat16, torch.bfloat16), 16384),
    Product("fp8.gemm", (torch.float8_e4m3fn, torch.float8_e4m3fn, torch.bfloat16), 16384),
    Product("fp8.gemm.e5m2", (torch.float8_e5m2, torch.float8_e4m3fn, torch.bfloat16), 16384),
    Product("int8.gemm", (torch.int8, torch.int8, torch.int32), 16384),
]


def operand(n, dtype):
    """As in roofline measure: uniform in [-0.5, 0.5), or all bits of an INT8."""
    if dtype == torch.int8:
        return torch.randint(-128, 128, (n, n), dtype=dtype, device="cuda")
    wide = dtype if dtype == torch.float64 else torch.float32
    return (torch.rand(n, n, dtype=wide, device="cuda") - 0.5).to(dtype)


def ways(product, a, b, c):
    """Every call of PyTorch that makes c = a b^T or c = a b, by name, and the operand on the right."""
    if product.roof.startswith("fp8"):
        half = torch.full((), 0.5, device="cuda")
        yield "torch._scaled_mm", b.t(), lambda: torch._scaled_mm(
            a, b.t(), scale_a=half, scale_b=half, out_dtype=c.dtype, use_fast_accum=True, out=c)
        return
    for layout, right in (("a b^T", b.t()), ("a b", b)):
        if product.roof.startswith("int8"):
            yield f"torch._int_mm {layout}", right, lambda right=right: torch._int_mm(a, right, out=c)
            continue
        for library in ("cublas", "cublaslt"):
            def call(right=right, library=library):
                torch.backends.cuda.preferred_blas_library(library)
                torch.matmul(a, right, out=c)
            yield f"torch.matmul {layout} {library}", right, call


def check(product, a, right, c):
    """Some rows and columns against sums in FP64."""
    scale = 0.25 if product.roof.startswith("fp8") else 1
    wanted = scale * (a[:32].double() @ right[:, :32].double())
    tolerance = {torch.float64: 1e-10, torch.float32: 1e-2 if product.tf32 else 1e-4,
                 torch.int32: 0}.get(c.dtype, 3e-2)
    torch.testing.assert_close(c[:32, :32].double(), wanted, rtol=tolerance,
                               atol=tolerance * scale * a.shape[0] ** 0.5)


class Way:
    """One call for one size, as a CUDA graph with the length of a sample."""

    def __init__(self, n, name, call):
        self.n, self.name = n, name
        call()
        calls = 1
        while (took := seconds_of(lambda: [call() for _ in range(calls)])) < SAMPLE_SECONDS:
            calls = int(calls * min(64, max(1.5, 1.2 * SAMPLE_SECONDS / took))) + 1
        time.sleep(RESTS * took)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(calls):
                call()
        self.operations = 2 * n**3 * calls

    def rate(self, rests):
        took = seconds_of(self.graph.replay)
        time.sleep(rests * took)
        return self.operations / took

    def without_pause(self):
        """Keeps METERED_SAMPLES samples in the queue; yields how many are done, and in how many seconds of
        the device's time."""
        start = torch.cuda.Event(enable_timing=True)
        start.record()
        queue, done = [], 0
        while True:
            while len(queue) < METERED_SAMPLES:
                self.graph.replay()
                queue.append(torch.cuda.Event(enable_timing=True))
                queue[-1].record()
            end = queue.pop(0)
            end.synchronize()
            done += 1
            yield done, start.elapsed_time(end) * 1e-3

    def rate_without_pause(self, seconds):
        """The rate over this time, after the same time in which the clock settles."""
        begun = None
        for done, now in self.without_pause():
            if begun is None and now >= seconds:
                begun = done, now
            elif begun is not None and now >= begun[1] + seconds:
                break
        torch.cuda.synchronize()
        return self.operations * (done - begun[0]) / (now - begun[1])


def metered(way, board):
    """Watts, median clock and what limited it, of work without pauses."""
    if board.handle is None:
        return "", "", ""
    steps, clocks, reasons = [], [], []
    start, before = time.perf_counter(), None
    for _ in way.without_pause():
        joules, now = board.joules(), time.perf_counter()
        if before is not None and joules != before and now - start > SETTLING_SECONDS:
            steps.append((now, joules))  # the counter has just changed
        before = joules
        if steps:
            clocks.append(board.clock())
            reasons += [reason for reason in board.reasons() if reason not in reasons]
        so_far = now - start
        if so_far > MOST_SECONDS or (so_far > METERED_SECONDS + SETTLING_SECONDS and len(steps) > 1):
            break
    torch.cuda.synchronize()
    if len(steps) < 2:
        return "", "", ""  # the counter does not change
    (begun, first), (ended, last) = steps[0], steps[-1]
    return (last - first) / (ended - begun), statistics.median(clocks), ", ".join(reasons)


def pytorch_rows(product, board):
    torch.backends.cuda.matmul.allow_tf32 = product.tf32
    n = product.largest
    while n >= SMALLEST:
        left, right_type, result = product.types
        a, b = operand(n, left), operand(n, right_type)
        c = torch.empty(n, n, dtype=result, device="cuda")
        tried = []
        for name, right, call in ways(product, a, b, c):
            c.fill_(0)
            try:
                call()
            except RuntimeError as error:
                print(f"{product.roof} {n} {name}: {error}", file=sys.stderr)
                continue
            check(product, a, right, c)
            tried.append(Way(n, name, call))
        rates = {way: [] for way in tried}
        for _ in range(TUNING_ROUNDS):
            for way in tried:
                rates[way].append(way.rate(RESTS))
        if tried:
            best = max(tried, key=lambda way: statistics.median(rates[way]))
            samples = [best.rate(RESTS) for _ in range(SAMPLES)]
            twentieths = statistics.quantiles(samples, n=20, method="inclusive")
            settled = {way: way.rate_without_pause(SECONDS_OF_TRIED) for way in tried}
            lasting = max(settled, key=settled.get)
            sustained = lasting.rate_without_pause(SECONDS_OF_BEST)
            watts, clock, reasons = metered(lasting, board)
            yield {"library": "PyTorch", "version": f"{torch.__version__}, {cublas_of_pytorch()}",
                   "n": n, "way": best.name, "samples": SAMPLES,
                   "median": statistics.median(samples), "percentile_5": twentieths[0],
                   "percentile_95": twentieths[-1], "sustained": sustained,
                   "sustained_way": lasting.name, "watts": watts, "reported_clock_hz": clock,
                   "held_back_by": reasons}
        del a, b, c, tried, rates
        torch.cuda.empty_cache()
        n //= 2


def cublas_of_pytorch():
    for name in ("nvidia-cublas", "nvidia-cublas-cu13", "nvidia-cublas-cu12"):
        try:
            return f"cuBLAS {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            continue
    return f"CUDA {torch.version.cuda}"


def roofline_row(program, product):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        run = subprocess.run([program, "measure", "--only", product.roof, "--out", report],
                             capture_output=True, text=True)
        if run.returncode != 0:  # refused or not measured: no roof to compare with
            sys.exit(f"{product.roof}: {run.stdout}{run.stderr}")
        found = json.loads(report.read_text())
    roof = next(each for each in found["roofs"] if each["name"] == product.roof)
    power = roof.get("power") or {}
    size, _, way = roof["configuration"].partition(", ")
    return {"library": "roofline", "version": roof["note"].partition(",")[0] + ", commit " +
            found["build"]["commit"], "n": int(size.removeprefix("n = ")), "way": way,
            "samples": roof["samples"], "median": roof["median"],
            "percentile_5": roof["percentile_5"], "percentile_95": roof["percentile_95"],
            "sustained": roof.get("sustained", ""),
            "sustained_way": roof.get("sustained_configuration", ""), "watts": power.get("watts", ""),
            "reported_clock_hz": power.get("clock_hz", ""),
            "held_back_by": power.get("held_back_by", "")}


def number(value):
    return f"{value:.6g}" if isinstance(value, float) else value


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    board = Board()
    run = {"date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
           "device": torch.cuda.get_device_name(), "driver": board.driver(),
           "power_limit_watts": board.power_limit()}
    table = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    table.writeheader()
    for product in PRODUCTS:
        rows = [roofline_row(sys.argv[1], product), *pytorch_rows(product, board)]
        for row in rows:
            table.writerow({key: number(value) for key, value in
                            {**run, "roof": product.roof, **row}.items()})
        sys.stdout.flush()
        for figure in ("median", "sustained"):
            ours = float(rows[0][figure] or "nan")  # a product on the vector units does not rest
            best = max((row[figure] for row in rows[1:]), default=float("nan"))
            print(f"{product.roof:14s} {figure:9s} roofline {ours / 1e12:8.1f}  "
                  f"PyTorch {best / 1e12:8.1f}  ratio {ours / best:.3f}", file=sys.stderr)


if __name__ == "__main__":
    with torch.inference_mode():
        main()
