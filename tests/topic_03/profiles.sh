#!/bin/sh
# SPDX-License-Identifier: MIT
# The profiles of topic 03 can be read, and the constructed database is what its SQL source makes.
# Usage: profiles.sh ROOFLINE PROJECT_ROOT
set -u
roofline=$1
profiles=$2/topics/03-roofline-modeling/profiles
. "$(dirname "$0")/../support/shell.sh"


"$roofline" import "$profiles/kernels_h200.csv" >"$work/ncu.txt" || fail "kernels_h200.csv"
for kernel in gemm_naive gemm_tiled gemm_registers gemm_vectorised fused_chain fused_norm sweep; do
  grep -q "${kernel}_kernel" "$work/ncu.txt" || fail "kernels_h200.csv has no ${kernel}_kernel"
done
"$roofline" import "$profiles/constructed_gfx942.db" >"$work/db.txt" || fail "constructed_gfx942.db"

if command -v sqlite3 >/dev/null; then
  sqlite3 "$work/again.db" <"$profiles/constructed_gfx942.sql" || fail "the SQL source"
elif command -v python3 >/dev/null; then
  python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' \
    "$work/again.db" "$profiles/constructed_gfx942.sql" || fail "the SQL source"
else
  echo "neither sqlite3 nor python3: the database was not rebuilt"; exit 77
fi
"$roofline" import "$work/again.db" >"$work/again.txt" || fail "the rebuilt database"
cmp "$work/db.txt" "$work/again.txt" || fail "constructed_gfx942.db is not what its source makes"
