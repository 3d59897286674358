#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the labs' kernels of labs.txt on a GPU under Nsight Compute.

    cmake --preset cuda
    cmake --build build/cuda --target $(tests/virtual_gpu/count_labs.py --targets)
    tests/virtual_gpu/count_labs.py --build build/cuda --out h200_labs.csv

Writes one CSV in the columns of `ncu --csv --page raw`, without those of the device. Before the launches of
a line of labs.txt stands a row `lab,THE LINE`. A lab that does not run, or that ncu cannot count, is left out
and named at the end; then the exit status is 1.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SECONDS_OF_A_LAB = 60
# Columns that identify the launch; of the others, those of the device are left out.
LAUNCH = ["ID", "Process Name", "Kernel Name", "Block Size", "Grid Size", "Device", "CC"]


def l1(what, operation, space="global"):
    return f"l1tex__t_{what}_pipe_lsu_mem_{space}_op_{operation}.sum"


def executed(operation):
    return f"smsp__sass_thread_inst_executed_op_{operation}_pred_on.sum"


METRICS = (
    ["launch__registers_per_thread", "launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic",
     "launch__waves_per_multiprocessor"]
    + [l1(what, op) for what in ("requests", "sectors") for op in ("ld", "st", "atom", "red")]
    + [l1("sectors", "ld_lookup_hit")]
    + [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")]
    + [f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")]
    + [f"smsp__inst_executed_op_shared_{op}.sum" for op in ("ld", "st", "atom")]
    + [f"lts__t_sectors_srcunit_tex_op_{op}.sum" for op in ("read", "write", "atom", "red")]
    + [f"lts__t_sectors_srcunit_tex_op_{op}_lookup_hit.sum" for op in ("read", "write")]
    + ["dram__bytes_read.sum", "dram__bytes_write.sum", "gpu__time_duration.sum", "sm__cycles_elapsed.avg"]
    + [executed(op) for op in ("fadd", "fmul", "ffma", "dadd", "dmul", "dfma")]
    + ["smsp__inst_executed.sum", "smsp__thread_inst_executed.sum", "smsp__thread_inst_executed_pred_on.sum"]
    + ["sm__warps_active.avg.pct_of_peak_sustained_active", "sm__maximum_warps_per_active_cycle_pct"]
)
# Queried one by one first: not every version of ncu has each of these for every GPU.
WANTED = (
    [executed(op) for op in ("hadd", "hmul", "hfma", "conversion", "integer", "control")]
    + [l1("requests", "ld", "local"), l1("requests", "st", "local")]
    + [f"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st")]
    + ["smsp__sass_branch_targets.sum", "smsp__sass_branch_targets_threads_divergent.sum"]
    + ["smsp__inst_executed_pipe_xu.sum", "smsp__inst_executed_op_ldgsts.sum", "smsp__inst_executed_op_ldsm.sum"]
    + ["sm__inst_executed_pipe_tensor.sum", "smsp__warps_eligible.avg.per_cycle_active", "sm__cycles_active.avg"]
)


def labs():
    lines = (HERE / "labs.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def target_of(line):
    topic, program, _, _, variant = line.split()[:5]
    return f"{topic}-{program}-solution" if variant == "-" else f"wrong-{topic}-{program}"


def command_of(line, build):
    topic, program, entry, n, variant, *options = line.split()
    file = build / "bin" / "solutions" / topic / program
    if variant != "-":
        file = build / "bin" / "tests" / "wrong" / topic / program / variant / topic / program
    return [str(file), "--once", "--entry", entry, "--n", n, *options]


def count(ncu, metrics, command):
    """Rows of the header, the units and each launch; raises RuntimeError with what ncu said."""
    asked = [ncu, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics",
             ",".join(metrics), *command]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=SECONDS_OF_A_LAB, check=False)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"took more than {SECONDS_OF_A_LAB} s") from error
    rows = list(csv.reader(done.stdout.splitlines()))
    begin = next((i for i, row in enumerate(rows) if row and row[0] == "ID"), None)
    if done.returncode != 0 or begin is None or len(rows) < begin + 3:
        raise RuntimeError((done.stdout + done.stderr)[-600:])
    return [row for row in rows[begin:] if len(row) == len(rows[begin])]


def available(ncu, command):
    """METRICS, and those of WANTED that this ncu knows."""
    found = list(METRICS)
    for metric in WANTED:
        try:
            rows = count(ncu, [metric], command)
            if rows[0].count(metric) and rows[2][rows[0].index(metric)] not in ("", "n/a"):
                found.append(metric)
        except RuntimeError:
            pass
    print(f"without {sorted(set(WANTED) - set(found))}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/cuda"), help="the build tree")
    parser.add_argument("--out", type=pathlib.Path, help="the CSV")
    parser.add_argument("--ncu", default="ncu", help="the profiler")
    parser.add_argument("--seconds", type=float, default=3600, help="begin no lab after this time")
    parser.add_argument("--targets", action="store_true", help="print what has to be built, and end")
    options = parser.parse_args()
    if options.targets:
        print("\n".join(sorted({target_of(line) for line in labs()})))
        return 0
    if options.out is None:
        parser.error("--out FILE is needed")
    end = time.monotonic() + options.seconds
    metrics = available(options.ncu, command_of(labs()[0], options.build))
    failed = []
    columns = LAUNCH + metrics
    with options.out.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        for line in labs():
            if time.monotonic() > end:
                failed.append(line)
                continue
            try:
                header, _, *launches = count(options.ncu, metrics, command_of(line, options.build))
                out.writerow(["lab", line])
                for row in launches:
                    values = dict(zip(header, row))
                    out.writerow([values[name] for name in LAUNCH]
                                 + [values.get(name, "").replace(",", "") for name in metrics])
                file.flush()
                print(f"{len(launches)} launches: {line}", flush=True)
            except (RuntimeError, KeyError) as error:
                failed.append(line)
                print(f"FAILED: {line}: {error}", flush=True)
    for line in failed:
        print(f"left out: {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
