#!/bin/sh
# SPDX-License-Identifier: MIT
# PROGRAM --csv: every row has all fields of the header, even if entries have different scalars.
# Usage: csv.sh PROGRAM ROWS
set -eu
"$1" --csv --repeats 1 --n 256 | awk -F, -v rows="$2" '
  NR == 1 { fields = NF }
  NF != fields { print "row with " NF " fields, the header names " fields ": " $0; bad = 1 }
  END { if (NR != rows + 1) { print NR - 1 " rows, should be " rows; bad = 1 } exit bad }'
