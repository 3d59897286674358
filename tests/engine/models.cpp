// SPDX-License-Identifier: MIT
// Random models compared with a forward pass in double; batches, prefixes and pages compared with
// simple runs.
#include <algorithm>
#include <cmath>

#include "engine/generate/generator.hpp"
#include "engine/weights/save.hpp"
#include "gpu/copy.hpp"
#include "harness/unsolved.hpp"
#include "reference_model.hpp"
#include "support/catch.hpp"
#include "tiny_model.hpp"

using engine::CacheFormat;
using engine::Generated;
using engine::Generator;
using engine::LabKernels;
using engine::Request;
using engine::WeightFormat;
using engine::test::TinyModel;

namespace {

std::vector<std::int32_t> prompt(int count, int step = 17) {
  std::vector<std::int32_t> ids;
  for (int i = 0; i < count; ++i) ids.push_back((3 + i * step + i * i) % 99);
  return ids;
}

/// The largest difference of two rows of logits, relative to the largest logit.
double difference(const std::vector<float>& is, const std::vector<double>& should) {
  double largest = 0;
  double worst = 0;
  for (std::size_t i = 0; i < should.size(); ++i) {
    largest = std::max(largest, std::fabs(should[i]));
    const double off = std::fabs(is[i] - should[i]);
    worst = std::isnan(off) ? INFINITY : std::max(worst, off);
  }
  return worst / largest;
}

struct Formats {
  WeightFormat weights;
  CacheFormat cache;
  double tolerance;
};

/// Rounding of each format: FP32 sums, halves in the products, the eight bits of BF16 in attention,
/// and seven-bit weights.
constexpr Formats kFormatPairs[] = {{WeightFormat::kFp32, CacheFormat::kFp32, 1e-5},
                                    {WeightFormat::kFp32, CacheFormat::kBf16, 2e-2},
                                    {WeightFormat::kFp16, CacheFormat::kFp32, 3e-3},
                                    {WeightFormat::kInt8, CacheFormat::kFp32, 5e-2}};

void check_model(const std::string& type, const LabKernels& kernels) {
  const TinyModel model(type, 11);
  for (const Formats& formats : kFormatPairs) {
    Generator generator(model.folder(), kernels,
                        {.weights = formats.weights, .cache = formats.cache});
    // One token, part of a page, and more than two pages.
    for (const int count : {1, 7, 35}) {
      INFO(type << ", weights " << engine::name_of(formats.weights) << ", cache "
                << engine::name_of(formats.cache) << ", " << count << " tokens");
      CHECK(difference(generator.logits(prompt(count)),
                       engine::test::reference_logits(model, prompt(count))) < formats.tolerance);
    }
  }
}

Generator plain_generator(const TinyModel& model, int batch = 1) {
  return Generator(model.folder(), engine::linked_kernels(), {.batch = batch});
}

}  // namespace

TEST_CASE("models of three families give the logits of a forward pass in double", "[engine]") {
  for (const char* type : {"llama", "qwen2", "qwen3"}) {
    check_model(type, engine::linked_kernels());
    check_model(type, engine::plain_kernels());
  }
}

TEST_CASE("scaled rotary positions give the logits of a forward pass in double", "[engine]") {
  // Theta 1000 and four pairs: wavelengths of 6, 35, 199 and 1117 positions. With a context of 300,
  // the third is between the bounds of 75 and 300, the fourth above both.
  TinyModel model("llama", 17);
  model.set("rope_scaling", {{"rope_type", "llama3"},
                             {"factor", 8.0},
                             {"low_freq_factor", 1.0},
                             {"high_freq_factor", 4.0},
                             {"original_max_position_embeddings", 300}});
  const TinyModel plain("llama", 17);
  Generator generator(model.folder(), engine::linked_kernels(), {.cache = CacheFormat::kFp32});
  const std::vector<float> logits = generator.logits(prompt(60));
  CHECK(difference(logits, engine::test::reference_logits(model, prompt(60))) < 1e-5);
  CHECK(difference(logits, engine::test::reference_logits(plain, prompt(60))) > 1e-3);
}

TEST_CASE("greedy tokens are those of the forward pass in double", "[engine]") {
  const TinyModel model("llama", 5);
  Generator generator(model.folder(), engine::linked_kernels(), {.cache = CacheFormat::kFp32});
  std::vector<std::int32_t> text = prompt(9);
  const Generated result = generator.generate({text, 12});
  REQUIRE(result.tokens.size() == 12);
  for (const std::int32_t token : result.tokens) {
    const std::vector<double> logits = engine::test::reference_logits(model, text);
    CHECK(token == std::max_element(logits.begin(), logits.end()) - logits.begin());
    text.push_back(token);
  }
}

TEST_CASE("a batch gives each sequence what it gives alone", "[engine]") {
  const TinyModel model("qwen3", 3);
  Generator together = plain_generator(model, 3);
  Generator alone = plain_generator(model);
  const std::vector<Request> requests = {
      {prompt(5), 20},
      {prompt(30, 5), 9, {.temperature = 1, .top_k = 9, .top_p = 0.9, .seed = 7}},
      {prompt(18, 29), 33}};
  const std::vector<Generated> results = together.generate(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CHECK(results[i].tokens.size() == static_cast<std::size_t>(requests[i].tokens));
    CHECK(results[i].tokens == alone.generate(requests[i]).tokens);
  }
  CHECK_THROWS_WITH(alone.generate(requests), Catch::Matchers::Contains("3 requests are more"));
}

TEST_CASE("a known beginning is not computed again and gives the same tokens", "[engine]") {
  const TinyModel model("qwen2", 8);
  Generator generator = plain_generator(model, 2);
  const Request request{prompt(50), 10};
  const Generated first = generator.generate(request);
  CHECK(first.reused_tokens == 0);
  const Generated again = generator.generate(request);
  CHECK(again.reused_tokens == 48);
  CHECK(again.tokens == first.tokens);
  // The full pages of the generated tokens are known too.
  std::vector<std::int32_t> longer = request.prompt;
  longer.insert(longer.end(), first.tokens.begin(), first.tokens.end());
  longer.resize(80, 4);
  const Request further{longer, 5};
  const Generated known = generator.generate(further);
  CHECK(known.reused_tokens == 48);
  Generator fresh = plain_generator(model);
  CHECK(fresh.generate(further).tokens == known.tokens);
  // Two requests in one batch share a beginning, too.
  const std::vector<Generated> both = generator.generate(std::vector<Request>{request, further});
  CHECK(both[0].tokens == first.tokens);
  CHECK(both[1].tokens == known.tokens);
  CHECK(both[1].reused_tokens == 64);
}

TEST_CASE("the placement of pages does not change any number", "[engine]") {
  const TinyModel model("llama", 21);
  const engine::ModelConfig config = engine::read_config(model.folder());
  const engine::Checkpoint checkpoint(model.folder());
  const auto logits = [&](const std::vector<std::int32_t>& pages) {
    engine::Decoder decoder(config, engine::load_weights(config, checkpoint, WeightFormat::kFp32),
                            engine::linked_kernels(), {.pages = 9, .most_context = 48});
    const std::vector<std::int32_t> ids = prompt(40);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const engine::StepToken token{ids[i], static_cast<std::int32_t>(i), &pages, true};
      decoder.step(std::span(&token, 1));
    }
    const engine::In<float> last = decoder.logits(0);
    return gpu::to_host(last);
  };
  CHECK(logits({0, 1, 2}) == logits({7, 3, 5}));
}

TEST_CASE("a seed decides what is drawn", "[engine]") {
  const TinyModel model("llama", 2);
  Generator generator = plain_generator(model);
  const auto drawn = [&](std::uint64_t seed) {
    return generator.generate({prompt(4), 30, {.temperature = 1.5, .seed = seed}}).tokens;
  };
  CHECK(drawn(1) == drawn(1));
  CHECK(drawn(1) != drawn(2));
}

TEST_CASE("a sequence ends where it must", "[engine]") {
  const TinyModel model("llama", 5);
  Generator generator(model.folder(), engine::linked_kernels(), {.context = 20});
  const Generated full = generator.generate({prompt(17), 99});
  CHECK(full.ending == engine::Ending::kContext);
  CHECK(full.tokens.size() == 4);  // the fourth is chosen but has no room any more
  CHECK(generator.pool().free_pages() == generator.pool().size());

  // The same model with its second token as the end of text.
  nlohmann::json content = model.config();
  content["eos_token_id"] = full.tokens[1];
  const base::TemporaryFolder folder;
  base::write_file_atomically(folder.path() / "config.json", content.dump());
  std::filesystem::copy(model.folder() / "model.safetensors", folder.path());
  Generator stopping(folder.path(), engine::linked_kernels(), {.context = 20});
  const Generated stopped = stopping.generate({prompt(17), 99});
  CHECK(stopped.ending == engine::Ending::kStopToken);
  CHECK(stopped.tokens.size() == (full.tokens[0] == full.tokens[1] ? 0 : 1));
}

TEST_CASE("requests that cannot be run are refused in one sentence", "[engine]") {
  using Catch::Matchers::Contains;
  const TinyModel model("llama", 5);
  Generator generator(model.folder(), engine::linked_kernels(), {.context = 20});
  CHECK_THROWS_WITH(generator.generate({{}, 1}), Contains("the prompt has no token"));
  CHECK_THROWS_WITH(generator.generate({prompt(21), 1}),
                    Contains("the prompt has 21 tokens, and the context has room for 20"));
  CHECK_THROWS_WITH(generator.generate({{99}, 1}),
                    Contains("token id 99 is not in the vocabulary"));
  CHECK_THROWS_WITH(generator.generate({{-1}, 1}), Contains("token id -1"));
  CHECK_THROWS_WITH(Generator(model.folder(), engine::linked_kernels(), {.context = 161}),
                    Contains("the context must be 1 to 160 tokens"));
}

TEST_CASE("bytes of a step are those that the predictor counts", "[engine]") {
  // FP32 matrices of the tiny Llama: four products and the head.
  const TinyModel model("llama", 5);
  Generator generator(model.folder(), engine::linked_kernels(), {.cache = CacheFormat::kFp32});
  const double layer = 48.0 * (48 + 2 * 16) + 48 * 48 + 3 * 48 * 56;
  CHECK(generator.decoder().bytes_read(1, 0) == 4 * (2 * layer + 99 * 48));
  // Two layers, keys and values, two heads of eight numbers.
  CHECK(generator.decoder().bytes_read(1, 10) - generator.decoder().bytes_read(1, 0) ==
        10 * 2 * 2 * 2 * 8 * 4);
  CHECK(generator.decoder().bytes_read(3, 0) == 3 * generator.decoder().bytes_read(1, 0));
  Generator halves(model.folder(), engine::linked_kernels(), {.weights = WeightFormat::kFp16});
  CHECK(halves.decoder().bytes_read(3, 0) == 2 * (2 * layer + 99 * 48));
  // Low-bit weights are shared if there is a batch product for them.
  for (const WeightFormat format : {WeightFormat::kInt8, WeightFormat::kInt4}) {
    LabKernels kernels = engine::linked_kernels();
    Generator shared(model.folder(), kernels, {.weights = format});
    CHECK(shared.decoder().bytes_read(3, 0) == shared.decoder().bytes_read(1, 0));
    kernels.gemv_int8_batch = nullptr;
    kernels.gemv_int4_batch = nullptr;
    Generator each(model.folder(), kernels, {.weights = format});
    CHECK(each.decoder().bytes_read(3, 0) == 3 * each.decoder().bytes_read(1, 0));
  }
}

TEST_CASE("a model that was saved in few bits gives the tokens of --weights", "[engine]") {
  using Catch::Matchers::Contains;
  const TinyModel model("qwen2", 9);
  TinyModel rounded("qwen2", 9);
  rounded.round_to_four_bits();
  struct Saved {
    WeightFormat format;
    double tolerance;
    const char* dtype;
  };
  for (const Saved& way :
       {Saved{WeightFormat::kInt8, 5e-2, "I8"}, Saved{WeightFormat::kInt4, 1e-5, "U8"}}) {
    INFO(engine::name_of(way.format));
    const base::TemporaryFolder folder;
    engine::save_quantised(model.folder(), folder.path(), way.format);
    CHECK(std::filesystem::file_size(folder.path() / "model.safetensors") <
          std::filesystem::file_size(model.folder() / "model.safetensors") / 2);
    Generator direct(model.folder(), engine::linked_kernels(), {.weights = way.format});
    Generator saved(folder.path(), engine::linked_kernels(), {.weights = way.format});
    Generator unpacked(folder.path(), engine::linked_kernels(), {.cache = CacheFormat::kFp32});
    const Request request{prompt(9), 20};
    CHECK(saved.generate(request).tokens == direct.generate(request).tokens);
    CHECK(saved.logits(request.prompt) == direct.logits(request.prompt));
    const TinyModel& same = way.format == WeightFormat::kInt4 ? rounded : model;
    CHECK(difference(unpacked.logits(prompt(9)), engine::test::reference_logits(same, prompt(9))) <
          way.tolerance);
    CHECK_THROWS_WITH(engine::save_quantised(model.folder(), folder.path(), way.format),
                      Contains("must be an empty folder or absent"));
    CHECK_THROWS_WITH(engine::save_quantised(folder.path(), folder.path() / "again", way.format),
                      Contains(std::string("is in ") + way.dtype + " already"));
  }
  CHECK_THROWS_WITH(
      engine::save_quantised(model.folder(), model.folder() / "new", WeightFormat::kFp16),
      Contains("int8 or int4"));
  // A number that is NaN has no nearest code, and nothing is written.
  const base::TemporaryFolder broken;
  std::filesystem::copy(model.folder(), broken.path() / "model");
  base::write_file_atomically(
      broken.path() / "model" / "model.safetensors",
      engine::test::safetensors_bytes({{"m", {{1, 2}, {1, std::nanf("")}}}}, engine::Dtype::kF32));
  CHECK_THROWS_WITH(
      engine::save_quantised(broken.path() / "model", broken.path() / "new", WeightFormat::kInt8),
      Contains("tensor m holds a number that is infinite or NaN"));
  CHECK_FALSE(std::filesystem::exists(broken.path() / "new"));
}

TEST_CASE("weights in INT4 are the nearest of fifteen steps of their group's scale", "[engine]") {
  // 150 columns: a group of 128, one of 22 and its padding; a row of zeros; one of small numbers.
  std::vector<float> values(3 * 150, 0.0f);
  for (std::size_t c = 0; c < 150; ++c) values[c] = 0.35f * std::sin(static_cast<float>(c));
  values[5] = -0.7f;   // scale 0.1 in the first group
  values[140] = 1.4f;  // scale 0.2 in the second
  values[300] = 0.0003f;
  const engine::Matrix matrix = engine::pack_matrix("w", 3, 150, values, WeightFormat::kInt4);
  CHECK(matrix.stored_columns() == 256);
  CHECK(matrix.size_bytes() == 3 * 256 / 2 + 3 * 2 * 2);
  const std::vector<std::uint8_t> packed = gpu::to_host(matrix.packed);
  const std::vector<__half> scales = gpu::to_host(matrix.group_scales);
  const auto scale = [&](std::size_t group) { return double{__half2float(scales[group])}; };
  const auto code = [&](std::size_t row, std::size_t column) {
    const unsigned byte = packed[(row * 256 + column) / 2];
    return static_cast<int>(column % 2 == 0 ? byte & 15 : byte >> 4) - 8;
  };
  CHECK(scale(0) == Approx(0.1).epsilon(5e-4));
  CHECK(scale(1) == Approx(0.2).epsilon(5e-4));
  CHECK(scale(4) == 0x1p-14);  // no smaller: 0.0003 is 4.9 times that
  CHECK(code(0, 5) == -7);
  CHECK(code(0, 140) == 7);
  CHECK(code(2, 0) == 5);
  for (std::size_t column = 0; column < 256; ++column) {
    CHECK(code(1, column) == 0);
    if (column >= 150) {
      CHECK(code(0, column) == 0);
    } else {
      const double step = scale(column / 128);
      CHECK(std::fabs(code(0, column) * step - double{values[column]}) <= step * 0.5 * 1.001);
    }
  }
  values[0] = 1e6f;
  CHECK_THROWS_WITH(engine::pack_matrix("w", 3, 150, values, WeightFormat::kInt4),
                    Catch::Matchers::Contains("w has a weight whose scale FP16 cannot hold"));
}

TEST_CASE("in INT4 logits and greedy tokens are those of a pass in double with its weights",
          "[engine]") {
  for (const char* type : {"llama", "qwen2", "qwen3"}) {
    const TinyModel model(type, 5);
    TinyModel rounded(type, 5);
    rounded.round_to_four_bits();
    for (const LabKernels& kernels : {engine::linked_kernels(), engine::plain_kernels()}) {
      Generator generator(model.folder(), kernels,
                          {.weights = WeightFormat::kInt4, .cache = CacheFormat::kFp32});
      std::vector<std::int32_t> text = prompt(9);
      // Inputs of products are halves, as with FP16.
      const double tolerance = 3e-3;
      int compared = 0;
      for (const std::int32_t token : generator.generate({text, 12}).tokens) {
        INFO(type << ", token " << text.size());
        const std::vector<double> logits = engine::test::reference_logits(rounded, text);
        CHECK(difference(generator.logits(text), logits) < tolerance);
        std::vector<double> sorted = logits;
        std::sort(sorted.rbegin(), sorted.rend());
        const double largest = std::max(std::fabs(sorted.front()), std::fabs(sorted.back()));
        if (sorted[0] - sorted[1] > 2 * tolerance * largest) {
          CHECK(token == std::max_element(logits.begin(), logits.end()) - logits.begin());
          ++compared;
        }
        text.push_back(token);
      }
      CHECK(compared >= 6);
    }
  }
}

TEST_CASE("a lab that is unsolved or wrong is replaced, and it is said", "[engine]") {
  LabKernels kernels = engine::linked_kernels();
  for (const engine::LabStatus& lab : engine::choose_kernels(kernels).labs) {
    INFO(lab.name << " " << lab.reason);
    CHECK(lab.is_used);
  }
  kernels.gemv = [](engine::In<float>, engine::In<float>, engine::Out<float>) {
    harness::unsolved("04.gemv.kernel", "README.md#gemv");
  };
  kernels.gemv_half = [](engine::In<__half>, engine::In<__half>, engine::Out<float>) {};
  kernels.softmax_online = [](std::int64_t, engine::In<float>, engine::Out<float>) {
    throw std::runtime_error("broken");
  };
  const engine::KernelChoice choice = engine::choose_kernels(kernels);
  CHECK(choice.labs[0].reason == "is not solved yet");
  CHECK(choice.labs[1].reason == "gives wrong results");
  CHECK(choice.labs[2].is_used);
  CHECK(choice.labs[4].name == "gemv_int4");
  CHECK(choice.labs[4].is_used);
  CHECK(choice.labs[6].reason == "fails: broken");
  CHECK(choice.kernels.gemv == engine::plain_kernels().gemv);
  CHECK(choice.kernels.gemv_int8 == kernels.gemv_int8);
}
