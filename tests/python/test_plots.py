# SPDX-License-Identifier: MIT
"""Plots show what the chart model says; tables hold what the objects hold."""

import io
import math
import sys
import unittest
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import pandas  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: {missing}; on Debian and Ubuntu: apt-get install python3-matplotlib python3-pandas")
    sys.exit(0)

import matplotlib.pyplot as plt

import rooflinelabs as rl
from rooflinelabs import plots, tables

NCU = Path(__file__).resolve().parents[1] / "roofline" / "ncu"
PROFILE = (
    Path(__file__).resolve().parents[2]
    / "topics" / "03-roofline-modeling" / "profiles" / "kernels_h200.csv"
)


def ends(line):
    return list(zip(line.get_xdata(), line.get_ydata()))


class Plots(unittest.TestCase):
    def tearDown(self):
        plt.close("all")

    def chart(self):
        chart = rl.chart_of(rl.machine("h200-sxm"), ["fp32", "fp64"])
        chart.add("saxpy", 1 / 6, 7e11)
        return chart

    def test_roofline_is_the_chart(self):
        chart = self.chart()
        axes = plots.roofline(chart)
        limits = chart.range()
        self.assertEqual(axes.get_xlim(), (limits.intensity_low, limits.intensity_high))
        self.assertEqual(axes.get_ylim(), (limits.rate_low, limits.rate_high))
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        slopes = [line for line in axes.lines if len(line.get_xdata()) == 2 and ends(line)[0][1] != ends(line)[1][1]]
        flat = [line for line in axes.lines if len(line.get_xdata()) == 2 and ends(line)[0][1] == ends(line)[1][1]]
        self.assertEqual(len(slopes), len(chart.slopes))
        self.assertEqual(len(flat), len(chart.ceilings))
        for line, slope in zip(slopes, chart.slopes):
            for intensity, rate in ends(line):
                self.assertAlmostEqual(rate / intensity / slope.bytes_per_second, 1, 12)
        for line, ceiling in zip(flat, chart.ceilings):
            self.assertEqual(ends(line)[0][1], ceiling.flops_per_second)
            # It starts where it meets the steepest slope.
            steepest = max(slope.bytes_per_second for slope in chart.slopes)
            self.assertAlmostEqual(ends(line)[0][0] * steepest / ceiling.flops_per_second, 1, 12)
        self.assertIn((1 / 6, 7e11), [ends(line)[0] for line in axes.lines if len(line.get_xdata()) == 1])
        file = io.BytesIO()
        axes.figure.savefig(file, format="svg")
        self.assertIn(b"saxpy", file.getvalue())

    def test_a_lower_bound_is_open_and_has_an_arrow(self):
        chart = self.chart()
        chart.add("partial", 2, 3e12, at_least=True)
        self.assertEqual([point.at_least for point in chart.points], [False, True])
        axes = plots.roofline(chart)
        style = {line.get_label(): line.get_fillstyle() for line in axes.lines}
        self.assertEqual((style["saxpy"], style["partial"]), ("full", "none"))
        (arrow,) = [text for text in axes.texts if text.arrow_patch is not None]
        self.assertEqual(arrow.xyann, (2, 3e12))
        self.assertGreater(arrow.xy[0], 2.2)
        self.assertAlmostEqual(arrow.xy[1] / 3e12, arrow.xy[0] / 2, 12)
        legend = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertIn("open, with an arrow: at least, as not all FLOPs were counted", legend)
        legend = [text.get_text() for text in plots.roofline(self.chart()).get_legend().get_texts()]
        self.assertFalse([text for text in legend if "at least" in text])

    def test_hierarchical(self):
        profile = rl.import_profile(PROFILE)
        tiled = [kernel for kernel in profile.kernels if "gemm_tiled" in kernel.name][:1]
        axes = plots.hierarchical(rl.machine("h200-sxm"), tiled, ["fp32"])
        points = sorted(ends(line)[0] for line in axes.lines if len(line.get_xdata()) == 1)
        counts = tiled[0].counts
        self.assertEqual(points, sorted((counts.flops / moved, counts.flops / counts.seconds)
                                        for moved in counts.bytes.values()))
        self.assertTrue(counts.uncounted)  # tensor cores were not collected: lower bounds
        self.assertEqual({line.get_fillstyle() for line in axes.lines if len(line.get_xdata()) == 1}, {"none"})

    def test_trajectory(self):
        axes = plots.trajectory(self.chart(), [("naive", 1, 1e12), ("tiled", 16, 8e12), ("best", 60, 4e13)])
        self.assertEqual(sum(annotation.arrow_patch is not None for annotation in axes.texts), 2)

    def test_pareto(self):
        self.assertEqual(plots.pareto_front([(2, 5), (1, 3), (3, 4), (1, 2), (4, 9), (4, 9)]),
                         [(1, 3), (2, 5), (4, 9)])
        self.assertEqual(plots.pareto_front([]), [])
        axes = plots.pareto([("a", 1.0, 3.0), ("b", 2.0, 5.0), ("c", 3.0, 4.0)])
        self.assertEqual([text.get_text() for text in axes.texts], ["a", "b", "c"])


class Tables(unittest.TestCase):
    def test_machines(self):
        table = tables.machines()
        self.assertEqual(table.loc["h200-sxm", "dram_bytes_per_second"], 4.8e12)
        self.assertEqual(len(table), len(rl.machines()))

    def test_operators(self):
        prediction = rl.predict("llama-3.1-8b", "h200-sxm", batch=4, context=2048)
        table = tables.operators(prediction.decode)
        self.assertAlmostEqual(table.seconds.sum(), prediction.decode.operator_seconds, 15)
        self.assertEqual(set(table.bound), {"memory"})

    def test_kernels(self):
        table = tables.kernels(rl.import_profile(PROFILE), rl.machine("h200-sxm"))
        self.assertEqual(table.loc[0, "kernel"], "gemm_naive_kernel<float>")
        self.assertEqual(table.loc[0, "flops"], 2 * 4096**3)
        self.assertTrue(table.loc[0, "flops_are_lower_bound"])
        unknown = tables.kernels(rl.import_profile(NCU / "matrix_raw.csv"))
        self.assertTrue(math.isnan(unknown.loc[0, "flops"]))
        self.assertIn("counters", tables.kernels(rl.import_profile(NCU / "saxpy_set_details.csv")).problem[0])


if __name__ == "__main__":
    unittest.main()
