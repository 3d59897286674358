# SPDX-License-Identifier: MIT
"""mypy finds nothing wrong with the package, nor with a program that uses it as its types say, and
finds what is wrong with one that does not. The stub names exactly what the module has."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

GOOD = """
import rooflinelabs as rl
machine: rl.Machine = rl.machine("h200-sxm")
rate: float = rl.attainable(machine.roof("fp32"), 0.5)
flops: float = rl.axpy(1024, "fp32").flops
answer: rl.Answer = rl.predict("llama-3.1-8b", machine, batch=4, context=128).answer
context: float = answer.context + answer.decode.seconds
counts = rl.import_profile("profile.csv").kernels[0].counts
if counts is not None:
    point: rl.ProfilePoint = rl.place(counts, None)
"""
BAD = """
import rooflinelabs as rl
rl.machine("h200-sxm").roof(3.5)
rate: str = rl.ridge(rl.Roof(1, 1))
"""
# What stubtest says of every class of pybind11: its metaclass, and a constructor without arguments.
ODDITIES = r"""
rooflinelabs\._core\.[A-Z]\w*
rooflinelabs\._core\.[A-Z]\w*\.__init__
"""


def run(module: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        capture_output=True, text=True, check=False,
        env={**os.environ, "MYPYPATH": os.environ["PYTHONPATH"]},
    )


def mypy(*arguments: str) -> subprocess.CompletedProcess:
    return run("mypy", "--ignore-missing-imports", "--no-incremental", *arguments)


def main() -> int:
    try:
        import mypy as _  # noqa: F401
    except ImportError:
        print("SKIPPED: no mypy; on Debian and Ubuntu: apt-get install mypy")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        good, bad = Path(folder) / "good.py", Path(folder) / "bad.py"
        good.write_text(GOOD)
        bad.write_text(BAD)
        ini = Path(folder) / "mypy.ini"
        ini.write_text("[mypy]\nignore_missing_imports = True\n")
        right, wrong = [mypy("-p", "rooflinelabs"), mypy(str(good))], mypy(str(bad))
        odd = Path(folder) / "allowed"
        odd.write_text(ODDITIES)
        right.append(run("mypy.stubtest", "rooflinelabs._core", "--mypy-config-file", str(ini),
                         "--allowlist", str(odd)))
    for checked in right:
        if checked.returncode != 0:
            print(checked.stdout, checked.stderr)
            return 1
    if wrong.stdout.count("error:") < 2:
        print("a wrong use passes:", wrong.stdout)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
