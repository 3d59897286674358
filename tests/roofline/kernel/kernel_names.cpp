// SPDX-License-Identifier: MIT
// Short names of kernels, from names that profilers printed.
#include "roofline/kernel/kernel_name.hpp"
#include "support/catch.hpp"

using roofline::short_kernel_name;

TEST_CASE("a plain kernel loses return type and parameters") {
  CHECK(short_kernel_name("saxpy_kernel(long, float, const float *, float *)") == "saxpy_kernel");
  CHECK(short_kernel_name("void gemm_naive_kernel<float>(int, int, int, const T1 *, const T1 *)") ==
        "gemm_naive_kernel<float>");
  CHECK(short_kernel_name("void in_place_kernel<float, Scale<float>>(long, T2, T1 *)") ==
        "in_place_kernel<float, Scale<float>>");
  CHECK(short_kernel_name("ampere_sgemm_128x64_tn") == "ampere_sgemm_128x64_tn");
  CHECK(short_kernel_name("").empty());
}

// As printed by ncu: template arguments with casts, lambdas in brackets.
TEST_CASE("names with casts and namespaces without a name") {
  CHECK(short_kernel_name("void at::native::vectorized_elementwise_kernel<(int)4, "
                          "at::native::CUDAFunctor_add<float>>(int, T2, T3)") ==
        "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>>");
  CHECK(short_kernel_name("void <unnamed>::softmax_warp_forward<float, float, (int)10, (bool)0>(T2 "
                          "*, const T1 *, int)") == "softmax_warp_forward<float, float, 10, 0>");
  CHECK(short_kernel_name("void (anonymous namespace)::softmax_warp_forward<float, 10>(float*)") ==
        "softmax_warp_forward<float, 10>");
}

// From posted profiles: github.com/sgl-project/sglang/pull/22353 and
// github.com/adityaiitb/pyprof2/pull/5.
TEST_CASE("PyTorch's lambdas are called after the function they stand in") {
  CHECK(short_kernel_name(
            "void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<"
            "at::native::index_kernel_impl<at::native::OpaqueType<2> >(at::TensorIteratorBase&, "
            "c10::ArrayRef<long>, c10::ArrayRef<long>)::{lambda(char*, char const*, long)#1}>("
            "at::TensorIteratorBase&, c10::ArrayRef<long>, c10::ArrayRef<long>, "
            "at::native::index_kernel_impl<at::native::OpaqueType<2> >(at::TensorIteratorBase&, "
            "c10::ArrayRef<long>, c10::ArrayRef<long>)::{lambda(char*, char const*, long)#1} "
            "const&, bool)::{lambda(int)#1}>") ==
        "index_elementwise_kernel<128, 4, gpu_index_kernel<index_kernel_impl<...>>>");
  CHECK(short_kernel_name(
            "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<"
            "at::native::fill_kernel_cuda(at::TensorIterator&, c10::Scalar)::{lambda()#1}::"
            "operator()() const::{lambda()#6}::operator()() const::{lambda()#1}>("
            "at::TensorIterator&, at::native::fill_kernel_cuda(at::TensorIterator&, c10::Scalar)::"
            "{lambda()#1}::operator()() const::{lambda()#6}::operator()() const::{lambda()#1} "
            "const&)::{lambda(int)#4}>(int, at::native::gpu_kernel_impl<int>)") ==
        "elementwise_kernel<128, 4, gpu_kernel_impl<fill_kernel_cuda>>");
}

TEST_CASE("inner arguments give way first, then the middle of the name") {
  const char* add =
      "void at::native::vectorized_elementwise_kernel<8, "
      "at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int)";
  CHECK(short_kernel_name(add, 78) ==
        "vectorized_elementwise_kernel<8, CUDAFunctor_add<BFloat16>, array<char*, 3ul>>");
  CHECK(short_kernel_name(add, 77) ==
        "vectorized_elementwise_kernel<8, CUDAFunctor_add<...>, array<...>>");
  CHECK(short_kernel_name(add, 40) == "vectorized_elementwise_kernel<...>");
  CHECK(short_kernel_name("abcdefghijklmnopqrstuvwxyz", 12) == "abcdef...xyz");
}

TEST_CASE("what is not a name comes back, whole or cut") {
  for (const char* text : {"<", ">", "((", "a<b", "::", "{lambda()#1}", "f<g(", "void ", "(int)"}) {
    CHECK(short_kernel_name(text).size() <= 76);
  }
}
