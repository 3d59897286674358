# SPDX-License-Identifier: MIT
# Draws the FP32 rate of a sweep: gnuplot -c topics/02-peaks/plateau.gnuplot SWEEP.csv COLUMN OUT.svg
# SWEEP.csv is the output of `fma_chains --csv`; COLUMN is chains or iterations.
if (ARGC != 3) { print "usage: gnuplot -c plateau.gnuplot SWEEP.csv chains|iterations OUT.svg"; exit status 1 }
set datafile separator ","
set terminal svg size 640,420 font "sans-serif,13" background rgb "white"
set output ARG3
set logscale xy 2
set xlabel (ARG2 eq "chains" ? "independent chains per thread" : "iterations")
set ylabel "GFLOP/s, FP32"
set grid
unset key
plot ARG1 using (column(ARG2)):(column("gflop_per_s")) with linespoints linewidth 2 pointtype 7 linecolor rgb "#1f6fb4"
