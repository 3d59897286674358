#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run once by Gradescope when the autograder is built: installs and builds the course.
set -euo pipefail
autograder="${AUTOGRADER:-/autograder}"
cd "$autograder/source"
tar xzf course.tar.gz
cd course
./lab start --yes
# All that judges; the command above builds what a student needs first.
cmake --build build/cpu --target course
