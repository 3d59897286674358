#!/bin/sh
# SPDX-License-Identifier: MIT
# The program roofline from outside: exit codes, files, interruption. Usage: program.sh ROOFLINE ROOT
set -u
roofline=$1
root=$2
. "$(dirname "$0")/../support/shell.sh"
cd "$work" || exit 1


# shape: the output of a measurement without what differs between machines. It keeps names and
# columns, the unit of every column, and the form of each line below a roof.
shape() {
  grep -v '^# \|^  not measured: ' | sed -E -e 's/  [0-9.]+ % of datasheet.*//' \
    -e 's/^(cpu): .*, [0-9]+ units, [0-9.]+ [kMG]?Hz measured$/\1: NAME, N units, CLOCK measured/' \
    -e 's/(non-temporal|ordinary) stores/KIND stores/' |
    awk '
      function unit(text) { # of "19.25 GB/s" in a column: B/s
        if (text !~ /^ *[0-9.e+-]+ [kMGTPmun]?(B\/s|FLOP\/s|s)$/) return "?" text
        sub(/^ *[0-9.e+-]+ /, "", text)
        sub(/^[kMGTPmun]/, "", text)
        return text
      }
      /^  [^ ]/ {
        middle = index($0, " to ")
        print substr($0, 1, 24), unit(substr($0, 26, 14)), substr($0, 40, 3),
          unit(substr($0, 43, middle - 43)), unit(substr($0, middle + 4, length($0) - middle - 4))
        next
      }
      {gsub(/[0-9]+/, "N"); print}'
}

expect 0 "$roofline" measure --quick --out quick.json --csv quick.csv
if [ "$(uname -m)" = x86_64 ]; then # elsewhere no store bypasses the caches: two roofs fewer
  shape <out.txt >shape_now.txt
  shape <"$root/data/measured/roofline_measure_quick.txt" >shape_recorded.txt
  grep -q '^  read .* B/s   ( B/s B/s$' shape_now.txt || { cat shape_now.txt; fail "the table's columns"; }
  diff shape_recorded.txt shape_now.txt ||
    fail "data/measured/roofline_measure_quick.txt is no longer what measure prints: record it anew"
fi
grep -q '"complete": true' quick.json || fail "the report is not complete"
for roof in read write copy scale add triad fp32.vector fp64.vector launch; do
  grep -q "^$roof," quick.csv || fail "no line for $roof in the CSV"
done
grep -q '\[1/' err.txt || fail "no progress on stderr"
grep -q "$(printf '\r')" err.txt && fail "a moving line although stderr is not a terminal"

for names in triadd read,write; do # a typo and a list with commas
  expect 1 "$roofline" measure --quick --only read "$names" --out typo.json
  tr -s '\n ' '  ' <err.txt | grep "called '$names'.* read write .*launch.round_trip" >/dev/null || fail "the names are not listed for $names"
  [ -e typo.json ] && fail "a report although nothing was measured"
done
expect 1 "$roofline" measure --quick --only latency.remote
expect 1 "$roofline" measure --only in_flight # a table that only GPUs have
if ! ls /sys/class/powercap/*/energy_uj >/dev/null 2>&1; then
  cp quick.json kept.json
  expect 1 "$roofline" measure --only energy --out kept.json
  cmp -s quick.json kept.json || fail "an earlier report was replaced by one of nothing"
  tr -s '\n ' '  ' <err.txt | grep 'nothing was measured' >/dev/null || fail "that nothing was measured is not said"
fi

expect 0 "$roofline" plot --terminal quick.json --kernel saxpy:0.1667:1GFLOP/s
grep -q 'A saxpy' out.txt || fail "the kernel is not in the legend"
# h200-sxm: 4.8 TB/s; 0.2 FLOP/B may reach 960 GFLOP/s. Kernels with the same advice share it.
expect 0 "$roofline" plot h200-sxm --kernel slow:0.2:96GFLOP/s --kernel good:0.2:900GFLOP/s \
  --kernel fine:0.2:910GFLOP/s --kernel wrong:0.2:9600GFLOP/s
grep -q '^  slow: Make neighbouring threads' out.txt || fail "no advice at 10 % of the slope"
grep -q '^  good, fine: Store the data in fewer bits' out.txt || fail "no advice at 94 % of the slope"
grep -q '^  wrong: the achieved rate is 1000 % of the roof' out.txt || fail "ten times the roof goes without comment"
[ "$(wc -L <out.txt)" -le 80 ] || fail "advice is wider than a terminal"
expect 0 "$roofline" plot h200-sxm --kernel slow:0.2:96GFLOP/s --no-advice
grep -q 'What to try next' out.txt && fail "--no-advice is ignored"
LC_ALL=C "$roofline" plot quick.json | LC_ALL=C grep -q '[^ -~]' && fail "no ASCII in the C locale"
expect 0 "$roofline" compare quick.json quick.json
grep -q 'x1.000' out.txt || fail "a report differs from itself"
sed 's/"name": "\([a-z]\)/"name": "another_\1/' quick.json >renamed.json
expect 0 "$roofline" compare quick.json renamed.json
grep -q 'only in the second: another_' out.txt || fail "the roofs of one report alone are not listed"
too_long="$(awk 'length($0) > 80' out.txt)"
[ -z "$too_long" ] || fail "longer than 80 columns: $too_long"
expect 0 "$roofline" machines a100-80gb-sxm
expect 1 "$roofline" machines no-such-machine
grep -q 'a100-80gb-sxm' err.txt || fail "the known machines are not listed"
expect 1 "$roofline" machines t4 --measured quick.json
grep -q 'the peak' out.txt || fail "figures of another machine are believed"
printf 'name,flop_per_byte,gflop_per_s,gb_per_s,seconds\nfma 10,2.5,9.5,3.8,1\n' >points.csv
expect 0 "$roofline" plot quick.json --points points.csv
grep -q 'fma 10' out.txt || fail "a point of points.csv is not on the chart"
printf 'name,flop_per_byte,gflop_per_s\n' >points.csv
expect 1 "$roofline" plot quick.json --points points.csv
grep -q 'contains no row of points' err.txt || fail "a file without points is drawn"
expect 2 "$roofline" serve llama-3.1-8b --machine h200-sxm --rate 1 --price -3
expect 2 "$roofline" serve llama-3.1-8b --machine h200-sxm --rate 1 --seed -1
printf 'name,flop_per_byte\nfma 10,2.5\n' >points.csv
expect 1 "$roofline" plot quick.json --points points.csv
grep -q 'gflop_per_s' err.txt || fail "the missing column is not named"
expect 1 "$roofline" plot quick.json --kernel nonsense
expect 1 "$roofline" plot quick.json --out chart.gif
expect 1 "$roofline" measure --quick --out /nonexistent-folder/x.json
# Before measuring, and without replacing what is not a file.
expect 1 "$roofline" measure --quick --out "$work"
grep -q 'it is a folder' err.txt || fail "a folder in place of a report is found only after the measurement"
grep -q '\[1/' err.txt && fail "something was measured for a report that cannot be written"
mkfifo pipe && expect 1 "$roofline" measure --quick --only launch --csv pipe
[ -p pipe ] || fail "a pipe was replaced by a file"
expect 2 "$roofline" plots h200-sxm
grep -q '^roofline: unknown command plots; see roofline --help$' err.txt || fail "a misspelt command: $(cat err.txt)"
expect 2 "$roofline" plot h200-sxm --columns 10
grep -q 'not in range 40 to 400; see roofline plot --help$' err.txt || fail "a number out of range: $(cat err.txt)"
if command -v gnuplot >/dev/null; then
  expect 0 "$roofline" plot a100-80gb-sxm --kernel saxpy:0.1667:300GFLOP/s --out chart.svg
  grep -q 'saxpy' chart.svg || fail "the kernel is not in the image"
  expect 1 "$roofline" plot a100-80gb-sxm --out /nonexistent-folder/chart.svg
  [ "$(wc -l <err.txt)" -eq 1 ] || fail "gnuplot's own words about a missing folder"
  expect 1 env PATH=/nonexistent "$roofline" plot a100-80gb-sxm --out missing.svg
  grep -q "gnuplot-nox" err.txt || fail "what to install is not said"
fi
expect 1 env ROOFLINE_CHART_JS=/nonexistent "$roofline" plot a100-80gb-sxm --out chart.html
grep -q 'libjs-chart.js' err.txt || fail "what to install is not said"

cat >profile.csv <<'CSV'
"ID","Kernel Name","dram__bytes.sum","gpu__time_duration.sum","sm__ops_path_tensor_src_fp16.sum"
"","","byte","nsecond",""
"0","good","1000","10","5000"
"1","bad","n/a","10","5000"
CSV
expect 4 "$roofline" import profile.csv --out profile.json
grep -q '"roofline": null' profile.json || fail "the broken kernel has a roofline"
grep -q '"intensity": 5.0' profile.json || fail "the good kernel has no intensity"
expect 0 "$roofline" plot h200-sxm --profile profile.csv
grep -q "A good" out.txt || fail "the profiled kernel is not on the chart"
# Where everything was counted, what to try next: 5 FLOP/B, 3e9 B in 1 ms are 63 % of 4.8 TB/s.
names='' units='' values=''
for name in dadd dmul dfma fadd fmul hadd hmul hfma; do
  names="$names,\"smsp__sass_thread_inst_executed_op_${name}_pred_on.sum\""
  units="$units,\"\"" values="$values,\"0\""
done
for name in fp16 bf16_dst_fp32 tf32_dst_fp32 fp64 fp8; do
  names="$names,\"sm__ops_path_tensor_src_$name.sum\"" units="$units,\"\"" values="$values,\"0\""
done
cat >complete.csv <<CSV
"ID","Kernel Name","dram__bytes.sum","gpu__time_duration.sum","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"$names
"","","byte","nsecond",""$units
"0","all","3000000000","1000000","7500000000"$values
CSV
expect 0 "$roofline" import complete.csv --machine h200-sxm
grep -q 'memory-bound at 62 % of the roof' out.txt || fail "the complete profile has no bound: $(cat out.txt)"
grep -q '^    try next: Reuse what was loaded' out.txt || fail "import gives no advice"
expect 1 "$roofline" import chart.svg
expect 4 "$roofline" import "$root/tests/roofline/ncu/saxpy_set_details.csv"
grep -q 'build/cuda/bin/02-peaks/saxpy > profile.csv$' out.txt || fail "the command to run instead is not shown"
[ "$(wc -L <out.txt)" -le 80 ] || fail "a line of import is wider than a terminal"
# The shell must see the command as one word of metrics and a program.
tail -n +7 out.txt | sed 's/^ncu/printf "%s;"/' | sed 's/ > profile.csv$//' >command.sh
[ "$(sh ./command.sh | tr ';' '\n' | grep -c .)" -eq 6 ] || fail "the command falls apart in a shell"

# Operations that are not FLOPs have their own rates, and are not a machine's peak.
expect 0 "$roofline" measure --only read fp32.exp2 atomic.contended --out operations.json --csv operations.csv
grep -q '^  fp32.exp2 .* [kMGT]*OP/s  (' out.txt || fail "the rate of exponentials is not in OP/s"
grep -q '^atomic.contended,operations,.*,OP/s,' operations.csv || fail "the CSV lacks the atomics"
grep -q ' energy: not available\|^      [0-9.]* [mk]*W, .* at [0-9.]* % of the roof' out.txt || fail "neither power nor why there is none"
expect 0 "$roofline" machines ./operations.json
grep -q 'exp2\|atomic' out.txt && fail "an operation is shown as a roof of the machine"
expect 0 "$roofline" submit operations.json --id operations
grep -q '^median = ".* [kMGT]*OP/s"' operations.toml || fail "a machine file loses the unit of operations"

bench="$root/tests/roofline/bench"
expect 0 "$roofline" compare --bench "$bench/babelstream_rtx2060.txt" --bench "$bench/clpeak_a100.txt"
grep -q 'Triad  *304.1 GB/s$' out.txt || fail "BabelStream's triad is not shown"
grep -q 'kernel launch  *5.76 us$' out.txt || fail "clpeak's launch is not shown"
expect 0 "$roofline" compare quick.json --bench "$bench/babelstream_rtx2060.txt"
grep -q 'Dot .*  read$' out.txt || fail "the dot product does not stand beside our reads"
grep -q 'another device' out.txt || fail "that the devices differ is not said"
expect 1 "$roofline" compare quick.json
grep -q -e '--bench' err.txt || fail "what compare needs is not said"
expect 1 "$roofline" compare quick.json quick.json --bench "$bench/babelstream_rtx2060.txt"
expect 1 "$roofline" compare quick.json --bench "$bench/README.md"

expect 0 "$roofline" submit quick.json --id this-one
grep -q '^# \[\[peak\]\]' this-one.toml || fail "there is no room for what is stated"
grep -q '^\[\[measured.roof\]\]' this-one.toml || fail "nothing measured is in the file"
expect 0 "$roofline" machines ./this-one.toml

# What was measured is printed although its file cannot be written. No file may grow here, as on a full
# disk; pipes may.
( trap '' XFSZ; ulimit -f 0
  "$roofline" measure --quick --only read --out lost.json; echo "exit code $?" ) 2>&1 | cat >out.txt
grep -q '^exit code 1$' out.txt || { cat out.txt; fail "a report that was not written is a success"; }
grep -q '^  read  *[0-9]' out.txt || fail "the measurement is lost with its file"
grep -q 'lost.json' out.txt || fail "the file that cannot be written is not named"
[ ! -e lost.json ] || fail "half a report was left"

# Interrupted as soon as the first roof is there: its measurement is kept.
rm err.txt
"$roofline" measure --quick --out stopped.json >out.txt 2>err.txt & pid=$!
tries=0
until grep -q '^\[1/' err.txt 2>/dev/null || [ $tries -ge 600 ]; do
  sleep 0.1; tries=$((tries + 1))
done
kill -INT $pid; wait $pid; code=$?
[ $code -eq 130 ] || fail "exit code $code after an interruption"
grep -q '"complete": false' stopped.json || fail "the interrupted report is not marked"
grep -q '"name": "read"' stopped.json || fail "the interrupted report lost its roof"
echo "all checks passed"
