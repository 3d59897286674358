# SPDX-License-Identifier: MIT
"""Rooflines with matplotlib, drawn from the chart that the program draws.

Every function draws on ``axes`` (new ones by default) and returns them. Lines differ by dash and
points by shape, not only by colour, so that a chart reads in greyscale. A lower bound (not all FLOPs
were counted) is an open mark with an arrow.
"""

import math
from typing import Iterable, Optional, Sequence, Tuple

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from . import _core

_COLOURS = ["#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
_DASHES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2))]
_ARROW = 1.6  # length of a lower bound's arrow, as a factor
_SHAPES = ["o", "s", "^", "D", "v", "P", "X", "*"]


def _quantity(value: float, _position=None) -> str:
    for scale, prefix in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= scale:
            return f"{value / scale:.4g} {prefix}"
    return f"{value:.4g} "


def _axes(axes, chart: _core.Chart):
    if axes is None:
        _, axes = plt.subplots(figsize=(8, 5), constrained_layout=True)
    limits = chart.range()
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(limits.intensity_low, limits.intensity_high)
    axes.set_ylim(limits.rate_low, limits.rate_high)
    axes.set_xlabel(f"Arithmetic intensity [{chart.intensity_unit}]")
    axes.set_ylabel(f"Performance [{chart.rate_unit}]")
    axes.yaxis.set_major_formatter(FuncFormatter(_quantity))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axes.set_title(chart.title)
    return axes


def _draw_roofs(axes, chart: _core.Chart) -> None:
    limits = chart.range()
    top = max(ceiling.flops_per_second for ceiling in chart.ceilings)
    steepest = max(slope.bytes_per_second for slope in chart.slopes)
    for index, slope in enumerate(chart.slopes):
        end = min(top / slope.bytes_per_second, limits.intensity_high)
        axes.plot(
            [limits.intensity_low, end],
            [limits.intensity_low * slope.bytes_per_second, end * slope.bytes_per_second],
            color=_COLOURS[index % len(_COLOURS)],
            linestyle=_DASHES[index % len(_DASHES)],
            linewidth=1.6,
            label=f"{slope.name} {_quantity(slope.bytes_per_second)}B/s",
        )
    for index, ceiling in enumerate(chart.ceilings):
        rate = ceiling.flops_per_second
        axes.plot(
            [rate / steepest, limits.intensity_high],
            [rate, rate],
            color=_COLOURS[index % len(_COLOURS)],
            linestyle=_DASHES[index % len(_DASHES)],
            linewidth=1.2,
        )
        axes.annotate(
            f"{ceiling.name} {_quantity(rate)}{'OP/s' if ceiling.integers else 'FLOP/s'}",
            (limits.intensity_high, rate),
            xytext=(-4, 3),
            textcoords="offset points",
            ha="right",
            fontsize=8,
        )


def _draw_points(axes, chart: _core.Chart) -> None:
    for index, point in enumerate(chart.points):
        colour = _COLOURS[(index + 1) % len(_COLOURS)]
        axes.plot(
            [point.intensity],
            [point.flops_per_second],
            marker=_SHAPES[index % len(_SHAPES)],
            color=colour,
            fillstyle="none" if point.at_least else "full",
            linestyle="none",
            markersize=7,
            label=point.name,
        )
        if point.at_least:  # along the slope: intensity and rate grow by the same factor
            axes.annotate(
                "",
                (point.intensity * _ARROW, point.flops_per_second * _ARROW),
                xytext=(point.intensity, point.flops_per_second),
                arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.5, "shrinkA": 4, "shrinkB": 0},
            )
    if chart.at_least_note:
        axes.plot([], [], linestyle="none", label=chart.at_least_note)


def roofline(chart: _core.Chart, axes=None):
    """A chart's ceilings, slopes and points."""
    axes = _axes(axes, chart)
    _draw_roofs(axes, chart)
    _draw_points(axes, chart)
    axes.legend(fontsize=8)
    return axes


def hierarchical(
    machine: _core.Machine,
    kernels: Iterable[_core.KernelProfile],
    precisions: Sequence[str] = (),
    axes=None,
):
    """Each kernel once for every counted level, at the intensity with respect to that level.

    The points of a kernel are on one horizontal line; the closer one is to its level's slope, the
    more that level limits the kernel. Kernels without FLOPs, and levels without bytes, are left out.
    """
    chart = _core.chart_of(machine, [_core.Precision(name) for name in precisions])
    drawn = []
    for kernel in kernels:
        counts = kernel.counts
        if counts is None or not counts.flops:
            continue
        rate = counts.flops / counts.seconds
        for level, moved in counts.bytes.items():
            if moved > 0:
                drawn.append((f"{kernel.short_name}, {level}", counts.flops / moved, rate, bool(counts.uncounted)))
    for name, intensity, rate, at_least in drawn:
        chart.add(name, intensity, rate, at_least)
    return roofline(chart, axes)


def trajectory(
    chart: _core.Chart, steps: Sequence[Tuple[str, float, float]], axes=None
):
    """The path of one kernel: ``steps`` are (name, FLOP/B, FLOP/s) from the first version to the last."""
    for name, intensity, rate in steps:
        chart.add(name, intensity, rate)
    axes = roofline(chart, axes)
    for (_, x0, y0), (_, x1, y1) in zip(steps, steps[1:]):
        axes.annotate(
            "",
            (x1, y1),
            xytext=(x0, y0),
            arrowprops={"arrowstyle": "->", "color": "#555555", "shrinkA": 6, "shrinkB": 6},
        )
    return axes


def pareto_front(points: Sequence[Tuple[float, float]]) -> list:
    """The (cost, gain) pairs that no other pair beats, by being as cheap or cheaper with more gain,
    or cheaper with the same gain. Sorted by cost; one of equal pairs."""
    if any(math.isnan(value) for point in points for value in point):
        raise ValueError("a cost or gain is not a number")
    front = []
    best = -math.inf
    for cost, gain in sorted(points, key=lambda point: (point[0], -point[1])):
        if gain > best:
            front.append((cost, gain))
            best = gain
    return front


def pareto(
    points: Sequence[Tuple[str, float, float]],
    xlabel: str = "Time per output token [s]",
    ylabel: str = "Output tokens per second",
    axes=None,
):
    """(name, cost, gain) points and their Pareto front, for example batches of a server: time per
    token (s) against tokens per second."""
    if axes is None:
        _, axes = plt.subplots(figsize=(8, 5), constrained_layout=True)
    front = pareto_front([(cost, gain) for _, cost, gain in points])
    axes.plot(*zip(*front), color=_COLOURS[1], drawstyle="steps-post", linewidth=1.2, zorder=1)
    for name, cost, gain in points:
        on_front = (cost, gain) in front
        axes.plot(
            [cost],
            [gain],
            marker="o" if on_front else "x",
            color=_COLOURS[1 if on_front else 0],
            linestyle="none",
        )
        axes.annotate(name, (cost, gain), xytext=(5, 3), textcoords="offset points", fontsize=8)
    axes.margins(x=0.12, y=0.08)  # room for the names
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    return axes
