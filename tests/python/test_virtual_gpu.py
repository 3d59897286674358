# SPDX-License-Identifier: MIT
"""profile_kernel() runs ./lab, and reads what it writes."""

import os
import tempfile
import unittest
from pathlib import Path

import rooflinelabs as rl

ROOT = Path(os.environ["ROOFLINE_ROOT"])
LAB = Path(os.environ["ROOFLINE_PROGRAM"]).with_name("lab")
BUILD = LAB.parent.parent


class ProfileKernel(unittest.TestCase):
    def front_door(self, folder, script) -> Path:
        file = Path(folder) / "lab"
        file.write_text("#!/bin/sh\n" + script)
        file.chmod(0o755)
        return file

    def test_a_profile(self):
        # The program that ./lab calls, because ./lab itself might build.
        with tempfile.TemporaryDirectory() as folder:
            lab = self.front_door(folder, f"exec '{LAB}' --root '{ROOT}' --build '{BUILD}' \"$@\"\n")
            profile = rl.profile_kernel(
                str(ROOT / "solutions/02-peaks/code/saxpy.cu"), n=1 << 16, lab=lab
            )
        counts = profile.kernels[0].counts
        self.assertEqual(counts.flops, 2 << 16)
        self.assertGreaterEqual(counts.bytes["DRAM"], 8 << 16)

    def test_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            lab = self.front_door(folder, "echo 'there is no exercise 99' >&2; exit 1\n")
            with self.assertRaisesRegex(RuntimeError, "no exercise 99"):
                rl.profile_kernel("99", lab=lab)
            with self.assertRaisesRegex(FileNotFoundError, "lab="):
                rl.profile_kernel("01", lab=Path(folder) / "absent")


if __name__ == "__main__":
    unittest.main()
