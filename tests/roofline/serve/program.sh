#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `roofline serve` from the command line: tables of 80 columns, files, refusals.
set -euo pipefail
roofline="${1:?usage: program.sh ROOFLINE}"
command=serve
. "$(dirname "$0")/../command.sh"
cd "$work"

small=(llama-3.1-8b --machine h200-sxm --requests 200 --prompt 200 --output 20)
accepts "time to first token" "${small[@]}" --rate 10 --json run.json --requests-csv requests.csv
grep -q '"schema": "roofline.serving"' run.json || complain "no run in the JSON"
[[ "$(wc -l <requests.csv)" == 201 ]] || complain "not a line for each request"
cp run.json first.json
accepts "time to first token" "${small[@]}" --rate 10 --json run.json
cmp -s first.json run.json || complain "two runs of the same seed differ"
accepts "goodput" "${small[@]}" --rate 10 --ttft-limit 200ms --tpot-limit 20ms
accepts "cache" "${small[@]}" --users 8 --memory
accepts "saved" "${small[@]}" --rate 10 --prefix-cache --prefix-groups 2 --prefix-tokens 512
accepts "preemptions" "${small[@]}" --users 64 --blocks 100
accepts "time per output token" "${small[@]}" --rate 5 --decode-instances 1 --decode-machine h100-sxm
accepts "time per output token" llama-3.1-70b --machine h200-sxm --tp 4 --rate 2 --requests 50 \
  --prompt 100 --output 20 --draft llama-3.1-8b --draft-tokens 3 --acceptance 0.7
printf 'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9,374,44\n2023-11-16 18:17:04.1,396,109\n' >azure.csv
accepts "2 requests" llama-3.1-8b --machine h200-sxm --trace azure.csv
accepts "Best that meets the limits" "${small[@]}" --sweep --users 1,4,16 --tp 1,2 --batch 32,64 \
  --tpot-limit 20ms --attain 0.9 --csv sweep.csv --svg sweep.svg --html sweep.html
[[ "$(wc -l <sweep.csv)" == 13 ]] || complain "not a line for each of 12 configurations"
grep -q 'tp 2' sweep.svg || complain "no configuration is named in the SVG"
grep -q '"text":".*within the limits' sweep.html || complain "the page describes no point"

refuses "name a model" --machine h200-sxm --rate 1
refuses "say how requests arrive" llama-3.1-8b --machine h200-sxm
refuses "need --sweep" "${small[@]}" --rate 1,2
refuses "need --draft" "${small[@]}" --rate 1 --draft-tokens 3
refuses "leave no room" llama-3.1-70b --machine h100-sxm --rate 1
refuses "not a distribution of lengths" llama-3.1-8b --machine h200-sxm --rate 1 --output pareto:3
refuses "cannot be divided over 3 ranks" "${small[@]}" --rate 1 --tp 3
refuses "--svg and --html" "${small[@]}" --rate 1 --svg x.svg
refuses "fraction of the memory is 7" "${small[@]}" --rate 1 --memory-fraction 7
refuses "tokens of a block of the cache is 0" "${small[@]}" --rate 1 --block 0
exit "$bad"
