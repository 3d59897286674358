#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `roofline predict` from the command line: tables of 80 columns, files, refusals.
set -euo pipefail
roofline="${1:?usage: program.sh ROOFLINE DATA_FOLDER}"
data="${2:?usage: program.sh ROOFLINE DATA_FOLDER}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
bad=0

complain() {
  echo "FAILED: $*"
  bad=1
}

# accepts WORDS ARGUMENTS...: exit code 0, at most 80 columns, and WORDS in the output
accepts() {
  local words="$1"
  shift
  if ! "$roofline" predict "$@" >"$work/out" 2>"$work/err"; then
    complain "predict $*: $(cat "$work/err")"
    return
  fi
  grep -qF -- "$words" "$work/out" || complain "predict $*: no '$words' in the output"
  if awk 'length($0) > 80 { exit 1 }' "$work/out"; then :; else
    complain "predict $*: a line is longer than 80 columns"
  fi
}

# refuses WORDS ARGUMENTS...: exit code not 0, nothing on stdout, and WORDS in the message
refuses() {
  local words="$1"
  shift
  if "$roofline" predict "$@" >"$work/out" 2>"$work/err"; then
    complain "predict $*: accepted"
  fi
  [[ ! -s $work/out ]] || complain "predict $*: refused, and yet it printed a table"
  grep -qF -- "$words" "$work/err" || complain "predict $*: no '$words' in: $(cat "$work/err")"
}

rows="$data/measured/llm_measured.csv"
for file in "$data"/models/*.json; do
  accepts "time per output token" "$(basename "$file" .json)" --machine h200-sxm --context 1000
done
accepts "time to first token" "$data/models/qwen3-8b.json" --machine h100-sxm --batch 8 \
  --prompt 1024 --output 256 --json "$work/p.json" --csv "$work/p.csv"
"$roofline" predict qwen3-8b --machine h100-sxm --context 1000 --chart >"$work/chart"
grep -q "of the roof" "$work/chart" || complain "--chart draws no chart"
grep -q '"schema": "roofline.prediction"' "$work/p.json" || complain "no prediction in the JSON"
[[ "$(awk -F, '{ print NF }' "$work/p.csv" | sort -u)" == 13 ]] || complain "ragged CSV"
accepts "largest batch            none" llama-3.1-405b --machine h200-sxm --context 100
accepts "THIS BATCH DOES NOT FIT" llama-3.1-8b --machine l4 --context 8192 --batch 64
accepts "all-reduces between the ranks" llama-3.1-70b --machine h200-sxm --tp 8 --context 1000 \
  --allreduce-latency 6us --allreduce-bandwidth '300 GB/s'
accepts "launches and cost per layer" llama-3.1-8b --machine h200-sxm --context 10 \
  --launch kernel --launch-cost 4us
accepts "x plain decoding" llama-3.1-70b --machine h200-sxm --context 500 --weights int4/128 \
  --draft llama-3.1-8b --draft-weights int4/128 --draft-tokens 4 --acceptance 0.8
accepts "serving_decode: vllm" --validate "$rows" --csv "$work/v.csv"
accepts "cost per layer: fitted" --fit "$rows" --json "$work/c.json"
accepts "for other prompts' prefill" llama-3.1-8b --machine h100-sxm --batch 64 --prompt 4096 \
  --output 512 --continuous --calibration "$work/c.json" \
  --group "serving_decode: trtllm 1.0.0rc3"

awk -F, 'NR == 1 || $2 == "serving_decode"' "$rows" >"$work/served.csv"
accepts "The rows hold no kernels" --validate "$work/served.csv"
accepts "predicted by a calibration from other rows" --fit "$rows" --validate "$work/served.csv"
accepts "predicted by a calibration from other rows" --validate "$work/served.csv" \
  --calibration "$work/c.json"

refuses "name a model" --machine h200-sxm --context 10
refuses "name a machine" llama-3.1-8b --context 10
refuses "state a prompt or the context" llama-3.1-8b --machine h200-sxm
refuses "no model 'gpt-9'" gpt-9 --machine h200-sxm --context 10
refuses "no machine" llama-3.1-8b --machine abacus --context 10
refuses "has no dense BF16 peak" llama-3.1-8b --machine t4 --context 10
refuses "all-reduce" llama-3.1-8b --machine h200-sxm --context 10 --tp 2
refuses "cannot be divided over 3 ranks" llama-3.1-8b --machine h200-sxm --context 10 --tp 3 \
  --allreduce-latency 6us --allreduce-bandwidth '300 GB/s'
refuses "go together" llama-3.1-8b --machine h200-sxm --context 10 --allreduce-latency 6us
refuses "number of sequences is 0" llama-3.1-8b --machine h200-sxm --context 10 --batch 0
refuses "context" llama-3.1-8b --machine h200-sxm --context -5
refuses "efficiency of KV streaming" llama-3.1-8b --machine h200-sxm --context 5 --kv-efficiency 2
refuses "fp77" llama-3.1-8b --machine h200-sxm --context 5 --weights fp77
refuses "launch cost" llama-3.1-8b --machine h200-sxm --context 5 --launch graph
refuses "--draft-tokens and --acceptance" llama-3.1-8b --machine h200-sxm --context 5 \
  --draft llama-3.1-8b
refuses "several groups" llama-3.1-8b --machine h200-sxm --context 5 --calibration "$work/c.json"
refuses "cannot open" --validate "$work/none.csv"
refuses "--json holds the calibrations" --validate "$rows" --json "$work/x.json"
sed 's/"hidden_size": 4096/"hidden_size": "4096"/' "$data/models/llama-3.1-8b.json" >"$work/m.json"
refuses "m.json: hidden_size must be an integer" "$work/m.json" --machine h200-sxm --context 5
exit "$bad"
