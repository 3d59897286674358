#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian package: made by CPack, with the programs, the libraries and what they depend on.
#   deb.sh BUILD_TREE VERSION
set -euo pipefail
. "$(dirname "$0")/../support/shell.sh"
cpack --config "$1/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || { tail "$work/log" >&2; exit 1; }
package=("$work"/*.deb)
dpkg-deb --contents "${package[0]}" >"$work/contents"
for file in /usr/bin/lab /usr/bin/grader /usr/bin/roofline /usr/share/man/man1/grader.1 \
  /usr/share/roofline-labs/data/machines/ RooflineLabsConfig.cmake librl_gpu.a; do
  grep -qF "$file" "$work/contents" || fail "the package has no $file"
done
if grep -qE "solutions/|/topics/|/oracle/" "$work/contents"; then
  echo "the package holds solutions: $(grep -E 'solutions/|/topics/|/oracle/' "$work/contents")" >&2
  exit 1
fi
[[ $(dpkg-deb --field "${package[0]}" Version) == "$2"* ]] || fail "another version"
dpkg-deb --field "${package[0]}" Depends | grep libc6 >/dev/null || fail "it depends on nothing"
