// SPDX-License-Identifier: MIT
// Valid safetensors files, and every kind of invalid one.
#include "engine/weights/safetensors.hpp"

#include <array>

#include "engine/weights/checkpoint.hpp"
#include "support/catch.hpp"
#include "tiny_model.hpp"

using engine::Checkpoint;
using engine::Dtype;
using engine::Safetensors;
using engine::test::safetensors_bytes;
using nlohmann::json;

namespace {

/// A file with these bytes, and its folder.
struct File {
  explicit File(const std::string& bytes) : path(folder.path() / "model.safetensors") {
    base::write_file_atomically(path, bytes);
  }
  base::TemporaryFolder folder;
  std::filesystem::path path;
};

/// The reader's message about a file with these bytes.
std::string complaint(const std::string& bytes) {
  const File file(bytes);
  try {
    const Safetensors tensors(file.path);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

json entry(const char* dtype, std::vector<int> shape, int begin, int end) {
  return {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {begin, end}}};
}

const std::string kEight(8, '\0');

}  // namespace

TEST_CASE("numbers of three formats are read exactly", "[engine]") {
  const engine::test::Tensors tensors = {{"a", {{2, 2}, {1, -2.5f, 0.15625f, 3e38f}}},
                                         {"b", {{1}, {7}}}};
  for (const Dtype dtype : {Dtype::kF32, Dtype::kBf16}) {
    const File file(safetensors_bytes(tensors, dtype));
    const Checkpoint checkpoint(file.folder.path());
    const std::vector<float> a = checkpoint.floats("a", {2, 2});
    CHECK(a[0] == 1);
    CHECK(a[1] == -2.5f);
    CHECK(a[2] == 0.15625f);
    CHECK(a[3] == Approx(3e38f).epsilon(dtype == Dtype::kF32 ? 0 : 0.01));
    CHECK(checkpoint.floats("b", {1}) == std::vector<float>{7});
  }
  // 1.5, -2 and the smallest subnormal, as halves.
  const File halves(safetensors_bytes({{"h", entry("F16", {3}, 0, 6)}},
                                      std::string("\x00\x3e\x00\xc0\x01\x00", 6)));
  CHECK(Checkpoint(halves.folder.path()).floats("h", {3}) ==
        std::vector<float>{1.5f, -2, 0x1p-24f});
}

TEST_CASE("tensors of several files are found by the index", "[engine]") {
  const File first(safetensors_bytes(engine::test::Tensors{{"a", {{1}, {1}}}}, Dtype::kF32));
  const auto& folder = first.folder.path();
  std::filesystem::rename(first.path, folder / "one.safetensors");
  base::write_file_atomically(
      folder / "two.safetensors",
      safetensors_bytes(engine::test::Tensors{{"b", {{1}, {2}}}}, Dtype::kF32));
  base::write_file_atomically(
      folder / "model.safetensors.index.json",
      R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  const Checkpoint checkpoint(folder);
  CHECK(checkpoint.floats("b", {1}) == std::vector<float>{2});
  CHECK(checkpoint.floats("a", {1}) == std::vector<float>{1});
}

TEST_CASE("a safetensors file that is wrong is refused with the reason", "[engine]") {
  using Catch::Matchers::Contains;
  const std::string good = safetensors_bytes({{"a", entry("F32", {2}, 0, 8)}}, kEight);
  CHECK(complaint(good).empty());
  CHECK_THAT(complaint(""), Contains("truncated"));
  CHECK_THAT(complaint("1234567"), Contains("truncated") && Contains("this one has 7"));
  CHECK_THAT(complaint(good.substr(0, 20)), Contains("truncated") && Contains("header"));
  CHECK_THAT(complaint(good.substr(0, good.size() - 1)),
             Contains("tensor a is outside the file") && Contains("copied completely"));
  CHECK_THAT(complaint(good + "x"), Contains("bytes 8 to 9 belong to no tensor"));
  CHECK_THAT(complaint(std::string(8, '\xff')), Contains("not a safetensors file"));
  CHECK_THAT(complaint(safetensors_bytes(json("text"), "")), Contains("not a JSON object"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", {{"dtype", "F32"}}}}, "")),
             Contains("tensor a lacks"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", 3}}, "")), Contains("tensor a lacks"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", entry("F31", {2}, 0, 8)}}, kEight)),
             Contains("unknown dtype F31"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", entry("F32", {3}, 0, 8)}}, kEight)),
             Contains("has shape [3] in F32, but 8 bytes"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", entry("F32", {-2}, 0, 8)}}, kEight)),
             Contains("has shape [-2]"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", entry("F32", {1 << 30, 1 << 30, 1 << 30}, 0, 8)}},
                                         kEight)),
             Contains("but 8 bytes"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", entry("F32", {2}, 8, 0)}}, kEight)),
             Contains("is outside the file"));
  CHECK_THAT(complaint(safetensors_bytes({{"a", entry("F32", {2}, -8, 0)}}, kEight)),
             Contains("data_offsets"));
  CHECK_THAT(complaint(safetensors_bytes(
                 {{"a", entry("F32", {1}, 0, 4)}, {"b", entry("F16", {3}, 2, 8)}}, kEight)),
             Contains("tensors a and b overlap at byte 2"));
  CHECK_THAT(complaint(safetensors_bytes(
                 {{"a", entry("F16", {1}, 0, 2)}, {"b", entry("F32", {1}, 4, 8)}}, kEight)),
             Contains("bytes 2 to 4 belong to no tensor"));
}

TEST_CASE("a tensor that is not what the model needs is named", "[engine]") {
  using Catch::Matchers::Contains;
  const File file(
      safetensors_bytes({{"a", entry("F32", {1}, 0, 4)}, {"q", entry("I32", {1}, 4, 8)}},
                        std::string("\x00\x00\xc0\x7f\x00\x00\x00\x00", 8)));
  const Safetensors tensors(file.path);
  CHECK_THROWS_WITH(tensors.tensor("b", std::array<std::int64_t, 1>{1}),
                    Contains("tensor b is missing"));
  CHECK_THROWS_WITH(tensors.tensor("a", std::array<std::int64_t, 2>{1, 1}),
                    Contains("tensor a has shape [1]") && Contains("config.json says [1, 1]"));
  CHECK_THROWS_WITH(tensors.tensor("q", std::array<std::int64_t, 1>{1}),
                    Contains("dtype I32") && Contains("F32, F16, BF16, I8 and U8 are read"));
  CHECK_THROWS_WITH(Checkpoint(file.folder.path()).floats("a", {1}),
                    Contains("tensor a holds a number that is infinite or NaN"));
  CHECK_THROWS_WITH(Safetensors(file.folder.path() / "absent"), Contains("cannot be read"));
}
