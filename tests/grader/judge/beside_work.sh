#!/bin/sh
# SPDX-License-Identifier: MIT
# beside_work.sh COMMAND... runs a command while two busy loops for each processor compete with it.
loops=""
trap 'kill $loops' EXIT
for _ in $(seq $((2 * $(getconf _NPROCESSORS_ONLN)))); do
  while :; do :; done &
  loops="$loops $!"
done
"$@"
