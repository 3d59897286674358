// SPDX-License-Identifier: MIT
// Values that the texts print and the figures draw, computed here once for both.
#pragma once

#include <string>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/operation.hpp"
#include "roofline/precision.hpp"
#include "value.hpp"

namespace docs {

// --- A first prediction: eight billion parameters in 16 bits on an H200 ---

inline constexpr double kParameters = 8e9;

struct Bound {
  double stated = 0;   ///< seconds by the datasheet
  double reached = 0;  ///< seconds by what `roofline measure` reached
};
/// Of one token: every weight is read once.
Bound token_bound(const Sources& sources);
inline constexpr double kPromptTokens = 2048;
/// FLOPs of a prompt: two for each parameter and token.
inline constexpr double kPromptFlops = 2 * kParameters * kPromptTokens;
/// Of a prompt: matrix products in BF16.
Bound prompt_bound(const Sources& sources);

// --- Six operations, one after another ---

std::vector<roofline::Work> six_operations();
inline constexpr roofline::Roof kSixRoof{4608e9, 96e9};

// --- The same parameters in 4 bits on a desktop, its arithmetic in FP32 ---

inline constexpr roofline::Roof kDesktopRoof{1e12, 80e9};
inline constexpr double kDesktopBytes = 4.5e9;

// --- A block of four weights in four bits ---

inline const std::vector<double> kBlock = {0.011, -0.024, 0.0065, 0.03};
/// NVFP4's two levels in a tensor whose largest weight is 0.11.
double nvfp4_tensor_scale();
double nvfp4_block_scale();  ///< as stored, in E4M3
double nvfp4_scale();        ///< their product

// --- Multi-token prediction ---

inline constexpr double kSecondTokenAcceptance = 0.85;
inline constexpr double kSecondTokenCost = 0.05;  ///< of the extra layer and head, in steps

// --- Speculation: Llama-3.1-8B in BF16 on an H200, by the predictor ---

inline constexpr int kDrafted = 4;
inline constexpr double kAcceptance = 0.8;
inline constexpr double kDraftCost = 0.1;  ///< of one drafted token, in steps

/// Time of verifying all drafted tokens plus one more, divided by the time of a step.
double check_cost(const Sources& sources, double batch, double context);
/// Tokens per second with drafts divided by those without.
double speculation_gain(const Sources& sources, double batch, double context);

// --- Latent attention: one layer of DeepSeek-V3 ---

/// FLOPs for the last `added` tokens of a context, either with the up-projections absorbed or with
/// keys and values expanded.
double latent_flops(const Sources& sources, double context, double added, bool is_absorbed);

inline constexpr double kLatentBytes = 1152;  ///< per token
inline constexpr double kIndexBytes = 128;    ///< of the short key stored with it
inline constexpr double kChosenTokens = 2048;

/// Bytes that a step reads from one layer's cache: either all entries, or all short keys and the
/// chosen entries.
double dense_cache_bytes(double context);
double sparse_cache_bytes(double context);

// --- A layer of 4096 x 4096 on an H100, by its roofline, in seconds ---

double layer_seconds(const Sources& sources, double batch, double weight_bytes,
                     double activation_bytes, roofline::Precision precision);
double bf16_layer_seconds(const Sources& sources, double batch);
double w4a16_layer_seconds(const Sources& sources, double batch);
double w8a8_layer_seconds(const Sources& sources, double batch);

// --- The experts of one layer of Qwen3-30B-A3B in BF16 on an H200 ---

struct ExpertLayer {
  double touched = 0;          ///< experts, if every token chose uniformly
  double rows = 0;             ///< of each of them, on average
  double reading_seconds = 0;  ///< of their weights, by the datasheet's bandwidth
  double computing_seconds = 0;
};
ExpertLayer expert_layer(double batch);

// --- A product of 4096 x 4096 with a vector on an H200, in four formats of weights ---

struct StoredProduct {
  const char* name;
  double bytes;  ///< weights, scales, inputs and outputs
};
std::vector<StoredProduct> stored_products();
/// What a kernel takes in addition to its bytes.
inline constexpr double kStartSeconds = 2e-6;
double product_seconds(const StoredProduct& product);

// --- A launch in the measured time, on an H200 ---

double launch_seconds(const Sources& sources);
double read_bandwidth(const Sources& sources);
/// Bytes divided by the time that a program measures around one launch that reads them.
double reported_bandwidth(const Sources& sources, double bytes);

// --- Reading on two cores of an EPYC, the best of 40 samples ---

/// Bytes per second from a working set of `n` doubles (data/measured/cpu_ladder.csv).
double ladder_of_two_cores(const Sources& sources, const std::string& n);

// --- A transformer block on an H200, FP16: batch 32, sequence 1024, width 768 ---

std::vector<roofline::Operation> printed_block();
/// Matrix units and DRAM, according to the datasheet.
roofline::Roof block_roof(const Sources& sources);
double block_seconds(const Sources& sources, const roofline::Operation& row);

struct BlockTime {
  double seconds = 0;        ///< of the rows, one after another
  double sums_seconds = 0;   ///< the bound of their sums
  double waiting_flops = 0;  ///< fraction of all FLOPs in memory-bound rows
  double waiting_time = 0;   ///< fraction of the time in these rows
};
BlockTime block_time(const Sources& sources);

}  // namespace docs
