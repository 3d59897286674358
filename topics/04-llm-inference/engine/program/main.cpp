// SPDX-License-Identifier: MIT
// The program engine: continues texts with a language model, using the kernels of this topic's
// labs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "base/help.hpp"
#include "base/program.hpp"
#include "options.hpp"
#include "session.hpp"

namespace {

constexpr int kExitUsage = 2;

void add_options(CLI::App& app, engine::program::Options& options) {
  using engine::CacheFormat;
  using engine::WeightFormat;
  app.add_option("--model", options.model,
                 "A folder with config.json, model.safetensors and tokenizer.json (default: the "
                 "course's own small model)");
  app.add_option("--prompt", options.prompts, "A text to continue; several are one batch");
  app.add_option("--prompt-ids", options.prompt_ids, "A prompt as token ids, such as 12,7,301")
      ->delimiter(',');
  app.add_flag("--chat", options.chat, "Continue each line of standard input");
  app.add_option("--tokens", options.tokens, "Maximum number of tokens to generate for each prompt")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--temperature", options.sampling.temperature,
                 "0 takes the most probable token; 1 draws as the model says")
      ->capture_default_str();
  app.add_option("--top-k", options.sampling.top_k, "Draw among the k most probable; 0: all")
      ->capture_default_str();
  app.add_option("--top-p", options.sampling.top_p,
                 "Draw among the most probable tokens that together reach this probability")
      ->capture_default_str();
  app.add_option("--seed", options.sampling.seed, "The same seed draws the same tokens")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--ids", options.prints_ids, "Print token ids instead of text");
  app.add_option("--weights", options.weights,
                 "Storage format of matrices: fp32, fp16, int8 or int4")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, WeightFormat>{{"fp32", WeightFormat::kFp32},
                                              {"fp16", WeightFormat::kFp16},
                                              {"int8", WeightFormat::kInt8},
                                              {"int4", WeightFormat::kInt4}}))
      ->default_str("fp32");
  app.add_option("--cache", options.cache, "Storage format of keys and values: bf16 or fp32")
      ->transform(CLI::CheckedTransformer(std::map<std::string, CacheFormat>{
          {"bf16", CacheFormat::kBf16}, {"fp32", CacheFormat::kFp32}}))
      ->default_str("bf16");
  app.add_option("--context", options.context, "Maximum length of a sequence in tokens")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--save-int8", options.save_int8,
                 "Write the model with its matrices in INT8 to this folder, and exit");
  app.add_option("--save-int4", options.save_int4, "The same in INT4, one scale per 128 weights");
  app.add_option("--machine", options.machine,
                 "Report of roofline measure, or id of a machine: predicts the time per token");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Continues texts with a language model, on the CPU", "engine"};
  base::fit_help(app);
  engine::program::Options options;
  add_options(app, options);
  app.set_version_flag("--version", "engine " + base::version());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "engine: %s; see engine --help\n", error.what());
    return kExitUsage;
  }
  try {
    const int code = engine::program::run(options);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fputs("engine: not all of the output could be written; is the disk full?\n", stderr);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "engine: %s\n", error.what());
    return 1;
  }
}
