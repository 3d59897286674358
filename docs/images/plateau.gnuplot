# SPDX-License-Identifier: MIT
# Draws the plateaus of the FMA rate: gnuplot -c plateau.gnuplot MEASURED_FOLDER OUT.svg
set datafile separator ","
set terminal svg size 900,400 font "sans-serif,13" background rgb "white"
set output ARG2
set multiplot layout 1,2
set logscale x 2
set logscale y 10
set grid
set format y "10^{%L}"
set ylabel "FLOP/s, FP32"
set key center right
set xlabel "independent chains per thread"
plot ARG1."/h200_fma_chains.csv" using (column("chains")):(column("gflop_per_s") * 1e9) \
       with linespoints linewidth 2 pointtype 7 linecolor rgb "#2e7d32" title "H200, one warp a scheduler", \
     ARG1."/cpu_fma_chains.csv" using (column("chains")):(column("gflop_per_s") * 1e9) \
       with linespoints linewidth 2 pointtype 5 linecolor rgb "#1f6fb4" title "one core of an EPYC"
unset ylabel
set xlabel "iterations"
plot ARG1."/h200_fma_iterations.csv" using (column("iterations")):(column("gflop_per_s") * 1e9) \
       with linespoints linewidth 2 pointtype 7 linecolor rgb "#2e7d32" title "H200", \
     ARG1."/cpu_fma_iterations.csv" using (column("iterations")):(column("gflop_per_s") * 1e9) \
       with linespoints linewidth 2 pointtype 5 linecolor rgb "#1f6fb4" title "one core of an EPYC"
unset multiplot
