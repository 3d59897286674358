#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `roofline predict` from the command line: tables of 80 columns, files, refusals.
set -euo pipefail
roofline="${1:?usage: program.sh ROOFLINE DATA_FOLDER}"
data="${2:?usage: program.sh ROOFLINE DATA_FOLDER}"
command=predict
. "$(dirname "$0")/../command.sh"

# too_large WORDS ARGUMENTS...: exit code 3, a table with WORDS, and one sentence about what to do
too_large() {
  answers 3 "$@"
  grep -q "does not fit into the memory" "$work/err" || complain "predict $*: $(cat "$work/err")"
}

rows="$data/measured/llm_measured.csv"
for file in "$data"/models/*.json; do
  answers "0 3" "time per output token" "$(basename "$file" .json)" --machine h200-sxm --context 1000
done
accepts "time to first token" "$data/models/qwen3-8b.json" --machine h100-sxm --batch 8 \
  --prompt 1024 --output 256 --json "$work/p.json" --csv "$work/p.csv"
"$roofline" predict qwen3-8b --machine h100-sxm --context 1000 --chart >"$work/chart"
grep -q "of the roof" "$work/chart" || complain "--chart draws no chart"
grep -q '"schema": "roofline.prediction"' "$work/p.json" || complain "no prediction in the JSON"
[[ "$(awk -F, '{ print NF }' "$work/p.csv" | sort -u)" == 13 ]] || complain "ragged CSV"
too_large "largest batch            none" llama-3.1-405b --machine h200-sxm --context 100
too_large "THIS BATCH DOES NOT FIT" llama-3.1-8b --machine l4 --context 8192 --batch 64 \
  --json "$work/large.json"
grep -q '"fits": false' "$work/large.json" || complain "the JSON does not say that it does not fit"
accepts "expected" llama-3-8b --machine h200-sxm --prompt 1000 --output 100
accepts "the bound counts no collectives" llama-3.1-70b --machine h200-sxm --context 10 --tp 2
accepts "PyTorch's own operators" llama-3.1-8b --machine h200-sxm --context 10 --engine pytorch
accepts "roofs as this report measured them" llama-3.1-8b --machine "$data/measured/h200_roofs.json" \
  --context 1000
accepts "takes the highest rate" llama-3.1-8b --machine "$data/measured/h200_roofs_full.json" --prompt 4096
said="$(tr -s ' \n' ' ' <"$work/out")"
for words in "highest rate that was measured, 786.8 TFLOP/s; the expectation takes what products" \
  "without rests, 689.6 TFLOP/s" "metered at 89 % of the rate"; do
  [[ "$said" == *"$words"* ]] || complain "predict with a report: no '$words' in: $said"
done
accepts "all-reduces between the ranks" llama-3.1-70b --machine h200-sxm --tp 8 --context 1000 \
  --allreduce-latency 6us --allreduce-bandwidth '300 GB/s'
accepts "launches and cost per layer" llama-3.1-8b --machine h200-sxm --context 10 \
  --launch kernel --launch-cost 4us
accepts "x plain decoding" llama-3.1-70b --machine h200-sxm --context 500 --weights int4/128 \
  --draft llama-3.1-8b --draft-weights int4/128 --draft-tokens 4 --acceptance 0.8
accepts "serving_decode: vllm" --validate "$rows" --csv "$work/v.csv"
accepts "cost per layer: fitted" --fit "$rows" --json "$work/c.json"
accepts "for others' prefill" llama-3.1-8b --machine h100-sxm --batch 64 --prompt 4096 \
  --output 512 --continuous --calibration "$work/c.json" \
  --group "serving_decode: trtllm 1.0.0rc3 on H100-SXM-80GB"

awk -F, 'NR == 1 || $2 == "serving_decode"' "$rows" >"$work/served.csv"
accepts "The rows hold no kernels" --validate "$work/served.csv"
accepts "predicted by a calibration from other rows" --fit "$rows" --validate "$work/served.csv"
accepts "predicted by a calibration from other rows" --validate "$work/served.csv" \
  --calibration "$work/c.json"

refuses "name a model" --machine h200-sxm --context 10
refuses "name a machine" llama-3.1-8b --context 10
accepts "A context of 1024 tokens is assumed" llama-3.1-8b --machine h200-sxm
refuses "state a prompt or the context" llama-3.1-8b --machine h200-sxm --output 10
refuses "no model 'gpt-9'" gpt-9 --machine h200-sxm --context 10
refuses "no machine" llama-3.1-8b --machine abacus --context 10
refuses "has no dense BF16 peak" llama-3.1-8b --machine t4 --context 10 --arithmetic bf16
refuses "all-reduce" llama-3.1-8b --machine h200-sxm --context 10 --tp 2 --engine none
refuses "choose one" llama-3.1-8b --machine h200-sxm --context 10 --engine pytorch --kv-efficiency 1
refuses "no engine 'abacus'" llama-3.1-8b --machine h200-sxm --context 10 --engine abacus
refuses "need --draft" llama-3.1-8b --machine h200-sxm --context 10 --draft-tokens 3
refuses "--group names a calibration" llama-3.1-8b --machine h200-sxm --context 10 --group x
refuses "output in tokens is -4000" llama-3.1-8b --machine h200-sxm --prompt 10 --output -4000
refuses "number of sequences is 2.5" llama-3.1-8b --machine h200-sxm --context 10 --batch 2.5
refuses "whole number up to 2^30" llama-3.1-8b --machine h200-sxm --context 10 --batch 1e30
refuses "shorter than the prompt" llama-3.1-8b --machine h200-sxm --prompt 4096 --context 10
refuses "cannot be divided over 3 ranks" llama-3.1-8b --machine h200-sxm --context 10 --tp 3 \
  --allreduce-latency 6us --allreduce-bandwidth '300 GB/s'
refuses "go together" llama-3.1-8b --machine h200-sxm --context 10 --allreduce-latency 6us
refuses "number of sequences is 0" llama-3.1-8b --machine h200-sxm --context 10 --batch 0
refuses "context in tokens is -5" llama-3.1-8b --machine h200-sxm --context -5
refuses "efficiency of KV streaming" llama-3.1-8b --machine h200-sxm --context 5 --kv-efficiency 2
refuses "fp77" llama-3.1-8b --machine h200-sxm --context 5 --weights fp77
refuses "launch cost" llama-3.1-8b --machine h200-sxm --context 5 --launch graph
refuses "--draft-tokens and --acceptance" llama-3.1-8b --machine h200-sxm --context 5 \
  --draft llama-3.1-8b
refuses "several groups" llama-3.1-8b --machine h200-sxm --context 5 --calibration "$work/c.json"
refuses "cannot read" --validate "$work/none.csv"
refuses "--json holds the calibrations" --validate "$rows" --json "$work/x.json"
sed 's/"hidden_size": 4096/"hidden_size": "4096"/' "$data/models/llama-3.1-8b.json" >"$work/m.json"
refuses "m.json: hidden_size must be an integer" "$work/m.json" --machine h200-sxm --context 5
exit "$bad"
