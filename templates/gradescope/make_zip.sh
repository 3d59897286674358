#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packs the committed course and the two scripts for Gradescope: make_zip.sh OUT.zip [SECRET_FILE]
# With the secret of the handout it grades by the numbers of its class.
set -euo pipefail
out="$(realpath -m "${1:?usage: make_zip.sh OUT.zip [SECRET_FILE]}")"
secret="${2:-}"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
git -C "$root" archive --format=tar.gz --prefix=course/ -o "$work/course.tar.gz" HEAD
cp "$here/setup.sh" "$here/run_autograder" "$work/"
files=(course.tar.gz setup.sh run_autograder)
if [[ -n $secret ]]; then
  cp "$secret" "$work/secret.txt"
  files+=(secret.txt)
fi
rm -f "$out"
# bsdtar and zip are not everywhere; CMake is, because the course needs it.
(cd "$work" && cmake -E tar cf "$out" --format=zip "${files[@]}")
echo "$out"
