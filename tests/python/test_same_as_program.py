# SPDX-License-Identifier: MIT
"""Python and the program roofline give the same numbers, to the last digit.

usage: ROOFLINE_PROGRAM=.../roofline ROOFLINE_ROOT=... test_same_as_program.py
"""

import csv
import io
import itertools
import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

import rooflinelabs as rl

PROGRAM = os.environ["ROOFLINE_PROGRAM"]
ROOT = Path(os.environ["ROOFLINE_ROOT"])


def program_says(*arguments) -> dict:
    """What the program writes with --json."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answer.json"
        done = subprocess.run(
            [PROGRAM, "predict", *arguments, "--json", str(file)],
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        if done.returncode not in (0, 3):  # 3: it does not fit in memory
            raise RuntimeError(done.stderr)
        return json.loads(file.read_text())


# The name of an option in Python and in the program.
OPTIONS = {"tp": "--tp", "allreduce_latency": "--allreduce-latency", "per_layer": "--layer-cost",
           "allreduce_bandwidth": "--allreduce-bandwidth", "weights": "--weights", "kv": "--kv",
           "weight_efficiency": "--weight-efficiency", "kv_efficiency": "--kv-efficiency",
           "compute_efficiency": "--compute-efficiency", "batch": "--batch", "context": "--context",
           "prompt": "--prompt", "output": "--output", "activations": "--activations",
           "memory_fraction": "--memory-fraction"}


def questions(count):
    rng = random.Random(42)
    for _ in range(count):
        options = {"batch": rng.choice([1, 3, 16, 64]), "weights": rng.choice(["", "fp8", "int4/128"]),
                   "kv": rng.choice(["", "fp8"]), "memory_fraction": rng.choice([0.9, 0.85])}
        if rng.random() < 0.5:
            options.update(prompt=rng.randrange(10, 5000), output=rng.randrange(2, 1000))
        else:
            options["context"] = rng.randrange(1, 8000)
        if rng.random() < 0.4:
            options.update(weight_efficiency=0.83, kv_efficiency=0.71, compute_efficiency=0.6,
                           per_layer="13.7us")
        if rng.random() < 0.3:
            options.update(tp=2, allreduce_latency="6.3us", allreduce_bandwidth="311 GB/s")
        yield options


class Predictions(unittest.TestCase):
    models = ["llama-3.1-8b", "mixtral-8x7b", "gemma-2-9b", "qwen3-30b-a3b", "deepseek-v3"]
    machines = ["h200-sxm", "mi300x", "b200-hgx"]

    def test_many_questions(self):
        pairs = itertools.cycle(itertools.product(self.models, self.machines))
        for options, (model, machine) in zip(questions(60), pairs):
            with self.subTest(model=model, machine=machine, **options):
                arguments = [model, "--machine", machine]
                for name, value in options.items():
                    if value != "":
                        arguments += [OPTIONS[name], str(value)]
                prediction = rl.predict(model, machine, **options)
                said = program_says(*arguments)
                self.assertEqual(prediction.json(), said)
                self.same_attributes(prediction, said)

    def same_attributes(self, prediction, said):
        """The contents of Python's attributes, not only the JSON that the same code writes."""
        text = json.dumps(said)
        for value in (prediction.decode.seconds, prediction.decode.operator_seconds,
                      prediction.time_per_output_token, prediction.tokens_per_second,
                      prediction.memory.weight_bytes, prediction.memory.kv_bytes,
                      *(timed.seconds for timed in prediction.decode.operators)):
            self.assertIn(json.dumps(value), text)
        joules = prediction.joules_per_output_token
        self.assertEqual(joules is not None, "energy" in said)
        if joules is not None:
            self.assertIn(json.dumps(joules.middle), text)

    def test_a_table_of_operators(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "operators.csv"
            subprocess.run([PROGRAM, "predict", "llama-3.1-8b", "--machine", "h200-sxm", "--context",
                            "1234", "--csv", str(file)], check=True, stdout=subprocess.DEVNULL)
            rows = list(csv.DictReader(io.StringIO(file.read_text())))
        operators = rl.predict("llama-3.1-8b", "h200-sxm", context=1234).decode.operators
        self.assertEqual(len(rows), len(operators))


class Profiles(unittest.TestCase):
    def test_imported_profiles(self):
        files = sorted((ROOT / "tests" / "roofline" / "ncu").glob("*.csv"))
        files += sorted((ROOT / "topics" / "03-roofline-modeling" / "profiles").glob("*.csv"))
        files += sorted((ROOT / "topics" / "03-roofline-modeling" / "profiles").glob("*.db"))
        self.assertGreater(len(files), 5)
        h200 = rl.machine("h200-sxm")
        for file in files:
            with self.subTest(file=file.name), tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "profile.json"
                subprocess.run([PROGRAM, "import", str(file), "--machine", "h200-sxm", "--out",
                                str(out)], check=False, stdout=subprocess.DEVNULL)
                profile = rl.import_profile(file)
                said = json.loads(out.read_text())
                self.assertEqual(json.loads(profile.json(h200)), said)
                for kernel, entry in zip(profile.kernels, said["kernels"]):
                    if kernel.counts is None:
                        self.assertIsNone(entry["roofline"])
                        continue
                    self.assertEqual(kernel.counts.flops, entry["roofline"]["flops"])
                    self.assertEqual(kernel.counts.seconds, entry["roofline"]["seconds"])
                    self.assertEqual(kernel.counts.bytes, entry["roofline"]["bytes"])


if __name__ == "__main__":
    unittest.main()
