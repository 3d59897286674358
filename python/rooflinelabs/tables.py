# SPDX-License-Identifier: MIT
"""Tables as pandas data frames, in base units; the column names state the unit."""

from typing import Dict, Iterable, Optional

import pandas

from . import _core
from ._data import machines as all_machines


def machines(chosen: Optional[Iterable[_core.Machine]] = None) -> pandas.DataFrame:
    """One row per machine: DRAM bandwidth, capacity, and the best dense peak of common formats."""
    rows = []
    for machine in all_machines() if chosen is None else chosen:
        dram = next(level for level in machine.levels if level.name == "DRAM")
        row = {
            "id": machine.id,
            "name": machine.name,
            "kind": machine.kind,
            "dram_bytes_per_second": dram.bytes_per_second,
            "dram_bytes": dram.capacity_bytes,
        }
        for name in ("fp64", "fp32", "bf16", "fp8"):
            rates = [
                peak.operations_per_second
                for peak in machine.peaks
                if peak.precision == _core.Precision(name) and not peak.sparse
            ]
            row[f"{name}_flops_per_second"] = max(rates, default=None)
        rows.append(row)
    if not rows:
        raise ValueError("no machine is chosen")
    return pandas.DataFrame(rows).set_index("id")


def operators(pass_time: _core.PassTime) -> pandas.DataFrame:
    """One row per operator of a forward pass, in order of execution; FLOP and B are per call."""
    return pandas.DataFrame(
        [
            {
                "operator": timed.name,
                "calls": timed.calls,
                "flops": timed.flops,
                "bytes": timed.bytes,
                "flops_per_byte": timed.intensity,
                "seconds": timed.seconds,
                "bound": timed.bound.name.lower(),
            }
            for timed in pass_time.operators
        ]
    )


def kernels(profile: _core.Profile, machine: Optional[_core.Machine] = None) -> pandas.DataFrame:
    """One row per launch. FLOPs are NaN if they are unknown, and lower bounds if
    ``flops_are_lower_bound`` is set; ``problem`` says why a launch has no counts."""
    rows = []
    for kernel in profile.kernels:
        row: Dict[str, object] = {"id": kernel.id, "kernel": kernel.short_name, "problem": kernel.problem}
        counts = kernel.counts
        if counts is not None:
            point = _core.place(counts, machine)
            row.update(
                seconds=counts.seconds,
                flops=float("nan") if counts.flops is None else counts.flops,
                flops_are_lower_bound=bool(counts.uncounted),
                bytes=counts.bytes[point.level],
                flops_per_byte=point.intensity,
                flops_per_second=point.flops_per_second,
                bytes_per_second=point.bytes_per_second,
                bound=point.bound.name.lower() if point.bound is not None else None,
            )
        rows.append(row)
    return pandas.DataFrame(rows)


def roofs(report: _core.Report) -> pandas.DataFrame:
    """One row per measured roof; rates in B/s, FLOP/s (OP/s), or s for a latency."""
    return pandas.DataFrame(
        [
            {
                "roof": roof.name,
                "kind": roof.kind,
                "level": roof.level,
                "median": roof.rate.median,
                "percentile_5": roof.rate.percentile_5,
                "percentile_95": roof.rate.percentile_95,
                "datasheet": roof.datasheet,
                "refused": roof.refused,
            }
            for roof in report.roofs
        ]
    )
