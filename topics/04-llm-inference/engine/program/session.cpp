// SPDX-License-Identifier: MIT
// Prompts to tokens to text, and the measured and predicted time per token.
#include "session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "base/program.hpp"
#include "engine/predict/step_time.hpp"
#include "engine/text/tokenizer.hpp"
#include "engine/text/utf8_stream.hpp"
#include "engine/weights/save.hpp"
#include "roofline/machine.hpp"

namespace engine::program {
namespace {

namespace fs = std::filesystem;

/// The small model that comes with the course.
constexpr const char* kOwnModel = "models/kjv-3m";

fs::path model_folder(const Options& options) {
  if (!options.model.empty()) return options.model;
  fs::path own = base::data_folder() / kOwnModel;
  if (fs::exists(own)) return own;
  throw std::runtime_error("the course's model is not in " + own.string() +
                           "; name a folder with --model");
}

std::optional<roofline::Machine> machine_of(const Options& options) {
  if (options.machine.empty()) return {};
  return roofline::load_machine(
      roofline::resolve_machine(options.machine, base::data_folder() / "machines"));
}

/// The kernels; says where they come from, and why each unused lab is not used.
KernelChoice announced_kernels() {
  KernelChoice choice = choose_kernels(linked_kernels());
  std::string used;
  for (const LabStatus& lab : choice.labs) {
    if (lab.is_used) used += (used.empty() ? "" : ", ") + lab.name;
  }
  std::fprintf(stderr, "Kernels from %s: %s\n", linked_name(),
               used.empty() ? "none" : used.c_str());
  bool is_first = true;
  for (const LabStatus& lab : choice.labs) {
    if (lab.is_used) continue;
    if (is_first) std::fputs("The engine's own kernels for:\n", stderr);
    is_first = false;
    std::fprintf(stderr, "  %-15s  %s; ./lab check %s\n", lab.name.c_str(), lab.reason.c_str(),
                 lab.exercise.c_str());
  }
  return choice;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Prints tokens as they are generated, and how long they took.
class Session {
 public:
  explicit Session(const Options& options)
      : options_(options),
        machine_(machine_of(options)),
        folder_(model_folder(options)),
        kernels_(announced_kernels()),
        generator_(folder_, kernels_.kernels,
                   {.weights = options.weights,
                    .cache = options.cache,
                    .context = options.context,
                    .batch = std::max<int>(1, static_cast<int>(options.prompts.size()))}) {
    // No tokenizer is needed if ids go in and come out.
    if (options.prompt_ids.empty() || !options.prints_ids) {
      tokenizer_.emplace(folder_ / "tokenizer.json");
      if (tokenizer_->size() > generator_.config().vocabulary) {
        throw std::runtime_error((folder_ / "tokenizer.json").string() + " has ids up to " +
                                 std::to_string(tokenizer_->size() - 1) +
                                 ", and config.json a vocabulary of " +
                                 std::to_string(generator_.config().vocabulary));
      }
    }
  }

  std::vector<std::int32_t> encode(const std::string& text) const {
    std::vector<std::int32_t> ids = tokenizer_->encode(text);
    if (ids.empty()) throw std::invalid_argument("the prompt is empty");
    return ids;
  }

  /// Continues one prompt, printing as tokens come.
  Generated stream(std::vector<std::int32_t> prompt) {
    const Request request{std::move(prompt), options_.tokens, options_.sampling};
    Utf8Stream text;
    bool is_first = true;
    Generated result = generator_.generate(request, [&](std::size_t, std::int32_t id) {
      if (options_.prints_ids) {
        std::printf(is_first ? "%d" : ",%d", id);
      } else {
        std::fputs(text.add(tokenizer_->bytes_of(id)).c_str(), stdout);
      }
      is_first = false;
      std::fflush(stdout);
    });
    std::printf("%s\n", text.finish().c_str());
    std::fflush(stdout);
    return result;
  }

  /// Continues all prompts in shared steps, and prints each when all are done.
  std::vector<Generated> batch() {
    std::vector<Request> requests;
    for (std::size_t i = 0; i < options_.prompts.size(); ++i) {
      requests.push_back({encode(options_.prompts[i]), options_.tokens, options_.sampling});
      requests.back().sampling.seed += i;
    }
    std::vector<Generated> results = generator_.generate(requests);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (options_.prints_ids) {
        for (std::size_t t = 0; t < results[i].tokens.size(); ++t) {
          std::printf(t == 0 ? "%d" : ",%d", results[i].tokens[t]);
        }
        std::printf("\n");
      } else {
        std::printf("%s%s\n", options_.prompts[i].c_str(),
                    tokenizer_->decode(results[i].tokens).c_str());
      }
    }
    return results;
  }

  /// Reads lines until the input ends; an empty line continues the text so far.
  int chat() {
    const bool asks = isatty(STDIN_FILENO) == 1;
    if (asks) {
      std::fprintf(
          stderr, "Write the beginning of a sentence; an empty line continues it, Ctrl-D quits.\n");
    }
    std::vector<std::int32_t> text;
    for (std::string line;;) {
      if (asks) std::fputs("> ", stderr);
      if (!std::getline(std::cin, line)) break;
      if (line.empty() && text.empty()) continue;
      if (!line.empty()) text = encode(line);
      const auto room = static_cast<std::size_t>(generator_.context());
      if (text.size() >= room) {
        std::fprintf(stderr, "The text has %zu tokens, and the context %zu; begin a new one.\n",
                     text.size(), room);
        text.clear();
        continue;
      }
      if (!line.empty() && !options_.prints_ids) std::fputs(line.c_str(), stdout);
      const Generated result = stream(text);
      text.insert(text.end(), result.tokens.begin(), result.tokens.end());
      report({result});
    }
    if (asks) std::fputs("\n", stderr);
    return 0;
  }

  /// Tokens per second, and the predicted time per token.
  void report(const std::vector<Generated>& results) const {
    const std::vector<double>& steps =
        std::max_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
          return a.step_seconds.size() < b.step_seconds.size();
        })->step_seconds;
    const Generated& first = results.front();
    std::fprintf(stderr, "prompt %d tokens, %d of them known, in %.2f ms\n", first.prompt_tokens,
                 first.reused_tokens, 1e3 * first.prefill_seconds);
    if (steps.empty()) return;
    const double seconds = std::accumulate(steps.begin(), steps.end(), 0.0);
    const double middle = median(steps);
    const auto sequences = static_cast<double>(results.size());
    double tokens = 0;
    for (const Generated& result : results)
      tokens += static_cast<double>(result.step_seconds.size());
    std::fprintf(stderr, "%.0f tokens/s; a step takes %.3f ms (median of %zu), %d operator calls\n",
                 tokens / seconds, 1e3 * middle, steps.size(), generator_.decoder().calls());
    if (machine_) {
      report_prediction(middle, sequences,
                        first.prompt_tokens + static_cast<double>(steps.size()) / 2);
    }
  }

 private:
  /// The measured time of a step and the predicted one; `context` is the context in the middle of
  /// the output, as in roofline predict.
  void report_prediction(double seconds, double sequences, double context) const {
    const StepTime step =
        predict_step(*machine_, generator_.decoder().bytes_read(sequences, context));
    std::fprintf(stderr,
                 "predicted %.3f ms: %.2f MB per step at %.1f GB/s from %s; measured / predicted "
                 "%.2f\n",
                 1e3 * step.seconds, step.bytes / 1e6, step.bytes_per_second / 1e9,
                 step.level.c_str(), seconds / step.seconds);
    if (seconds < step.seconds) {
      std::fprintf(stderr,
                   "Faster than that roof: it was measured on a busy machine, or the weights came "
                   "from a cache that roofline measure (without --quick) would show.\n");
    }
  }

  const Options& options_;
  std::optional<roofline::Machine> machine_;
  fs::path folder_;
  KernelChoice kernels_;
  Generator generator_;
  std::optional<Tokenizer> tokenizer_;
};

void check(const Options& options) {
  const int ways = (options.chat ? 1 : 0) + (options.prompts.empty() ? 0 : 1) +
                   (options.prompt_ids.empty() ? 0 : 1) + (options.save_int8.empty() ? 0 : 1) +
                   (options.save_int4.empty() ? 0 : 1);
  if (ways != 1) {
    throw std::invalid_argument(
        "give one of --prompt TEXT, --prompt-ids IDS, --chat, --save-int8 FOLDER and --save-int4 "
        "FOLDER");
  }
  const Sampler checked(options.sampling);  // before a model is read
}

}  // namespace

int run(const Options& options) {
  check(options);
  const bool saves_int8 = !options.save_int8.empty();
  if (saves_int8 || !options.save_int4.empty()) {
    const std::string& to = saves_int8 ? options.save_int8 : options.save_int4;
    save_quantised(model_folder(options), to,
                   saves_int8 ? WeightFormat::kInt8 : WeightFormat::kInt4);
    std::fprintf(stderr, "Written: %s\n", to.c_str());
    return 0;
  }
  Session session(options);
  if (options.chat) return session.chat();
  if (options.prompts.size() > 1) {
    session.report(session.batch());
    return 0;
  }
  const bool has_text = options.prompt_ids.empty();
  const std::vector<std::int32_t> prompt =
      has_text ? session.encode(options.prompts.front()) : options.prompt_ids;
  if (has_text && !options.prints_ids) std::fputs(options.prompts.front().c_str(), stdout);
  session.report({session.stream(prompt)});
  return 0;
}

}  // namespace engine::program
