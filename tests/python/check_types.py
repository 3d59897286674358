# SPDX-License-Identifier: MIT
"""mypy finds nothing wrong with the package, nor with a program that uses it as its types say, and
finds what is wrong with one that does not."""

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
context: float = rl.predict("llama-3.1-8b", machine, batch=4, context=128).answer.context
"""
BAD = """
import rooflinelabs as rl
rl.machine("h200-sxm").roof(3.5)
rate: str = rl.ridge(rl.Roof(1, 1))
"""


def mypy(file: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--no-incremental", str(file)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "MYPYPATH": os.environ["PYTHONPATH"]},
    )


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
        right, wrong = mypy(good), mypy(bad)
    if right.returncode != 0:
        print(right.stdout)
        return 1
    if wrong.stdout.count("error:") < 2:
        print("a wrong use passes:", wrong.stdout)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
