# SPDX-License-Identifier: MIT
"""The course's kernels on its virtual GPU, from Python."""

import subprocess
import tempfile
from pathlib import Path
from typing import Optional

from . import _core


def profile_kernel(
    exercise: str,
    *,
    n: Optional[int] = None,
    machine: str = "h200-sxm",
    lab: Optional[Path] = None,
) -> _core.Profile:
    """Profiles an exercise's kernel, or that of a .cu file, with the course's counters.

    No GPU is needed: the kernel runs on the CPU, and a virtual ``machine`` turns what its threads
    did into counters. ``n`` is the size, by default the course's own. ``lab`` is the course's
    ./lab, by default that of the checkout from which this package was built. The kernel is compiled
    if it has changed. FileNotFoundError without a checkout; RuntimeError with ``lab``'s message.
    """
    front_door = Path(lab) if lab else Path(_core.built_data_folder).parent / "lab"
    if not front_door.is_file():
        raise FileNotFoundError(
            f"{front_door}: the course's kernels are profiled in a checkout of the course; name its "
            "./lab with lab="
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile.csv"
        command = [str(front_door), "profile", exercise, "--machine", machine, "--csv"]
        if n is not None:
            command += ["--n", str(n)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip()
            raise RuntimeError(f"{' '.join(command)}: {said}")
        file.write_text(done.stdout)
        return _core.import_profile(file)
