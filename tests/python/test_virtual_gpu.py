# SPDX-License-Identifier: MIT
"""profile_kernel() asks the course's front door, and reads what it writes."""

import os
import tempfile
import unittest
from pathlib import Path

import rooflinelabs as rl

ROOT = Path(os.environ["ROOFLINE_ROOT"])


class ProfileKernel(unittest.TestCase):
    def front_door(self, folder, script) -> Path:
        file = Path(folder) / "lab"
        file.write_text("#!/bin/sh\n" + script)
        file.chmod(0o755)
        return file

    def test_a_profile(self):
        # It stands in for ./lab, and answers only what ./lab would be asked.
        with tempfile.TemporaryDirectory() as folder:
            lab = self.front_door(
                folder,
                '[ "$1 $2 $3 $4 $5 $7 $8" = "profile 01.saxpy.kernel --machine h200-sxm --csv --n 1024" ] '
                "|| exit 3\n"
                f"cp '{ROOT}/tests/roofline/ncu/saxpy_raw.csv' \"$6\"\n",
            )
            profile = rl.profile_kernel("01.saxpy.kernel", n=1024, lab=lab)
        self.assertEqual(profile.kernels[0].counts.flops, 2 << 20)

    def test_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            lab = self.front_door(folder, "echo 'there is no exercise 99' >&2; exit 1\n")
            with self.assertRaisesRegex(RuntimeError, "no exercise 99"):
                rl.profile_kernel("99", lab=lab)
            with self.assertRaisesRegex(FileNotFoundError, "lab="):
                rl.profile_kernel("01", lab=Path(folder) / "absent")


if __name__ == "__main__":
    unittest.main()
