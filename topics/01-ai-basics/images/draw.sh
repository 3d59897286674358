#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the pictures of this topic: draw.sh PATH/TO/roofline [FOLDER]
set -eu
roofline=$1
images=${2:-$(cd "$(dirname "$0")" && pwd)}

# FP32 on an A100 with 80 GB, as in the text: FLOP/s and B/s.
peak=19.5e12
bandwidth=2039e9

# NAME:INTENSITY:RATE, at the best rate that the roof allows for so many FLOPs and bytes.
point() {
  awk -v name="$1" -v flops="$2" -v bytes="$3" -v peak="$peak" -v bandwidth="$bandwidth" 'BEGIN {
    intensity = flops / bytes
    rate = intensity * bandwidth < peak ? intensity * bandwidth : peak
    printf "%s:%.6g:%.6gGFLOP/s\n", name, intensity, rate / 1e9 }'
}

"$roofline" plot a100-80gb-sxm --precision fp32 --out "$images/elementary.svg" \
  --kernel "$(point 'vector addition' 1 12)" \
  --kernel "$(point 'SAXPY' 2 12)" \
  --kernel "$(point 'dot product' 2 8)" \
  --kernel "$(point '5-point stencil' 4 8)" \
  --kernel "$(point 'LayerNorm' 8 8)" \
  --kernel "$(point '3x3 convolution' 17 8)"

# A product of 4096 x 4096 matrices: FLOPs, and the bytes loaded and stored at each level.
n=4096
flops=$(awk -v n=$n 'BEGIN { printf "%.0f", 2 * n * n * n }')
tiles() { awk -v n=$n -v tile="$1" 'BEGIN { printf "%.0f", 4 * (2 * n * n * n / tile + n * n) }'; }
"$roofline" plot a100-80gb-sxm --precision fp32 --out "$images/tiling.svg" \
  --kernel "$(point 'naive loads' "$flops" "$(tiles 1)")" \
  --kernel "$(point '16 x 16 tiles' "$flops" "$(tiles 16)")" \
  --kernel "$(point '128 x 128 tiles' "$flops" "$(tiles 128)")" \
  --kernel "$(point 'ideal' "$flops" "$(awk -v n=$n 'BEGIN { printf "%.0f", 12 * n * n }')")"
