// SPDX-License-Identifier: MIT
// Prints what NVIDIA's headers make of the number formats of eight and four bits:
// number_formats.csv, against which the course's own functions are held where there is no CUDA.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>

namespace {

double of_half(__half_raw raw) {
  return double{__half2float(__half(raw))};
}
double e4m3(int code) {
  return of_half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), __NV_E4M3));
}
double e5m2(int code) {
  return of_half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), __NV_E5M2));
}
double e2m1(int code) {
  return of_half(__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(code), __NV_E2M1));
}
double e8m0(int code) {
  const auto raw = __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(code));
  return double{__bfloat162float(__nv_bfloat16(raw))};
}

int to_e4m3(double x) {
  return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
}
int to_e2m1(double x) {
  return __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest);
}
int to_e8m0(double x) {
  return __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundZero);
}

void print(const char* format, double x, int code) {
  std::printf("%s,%a,%d\n", format, x, code);
}

/// Both neighbours of a number, and it, with either sign.
template <class Encode>
void print_around(const char* format, double x, const Encode& encode) {
  for (const double near : {std::nextafter(x, 0), x, std::nextafter(x, HUGE_VAL)}) {
    print(format, near, encode(near));
    print(format, -near, encode(-near));
  }
}

/// Every number that there is, every middle between two, and what is too large.
template <class Decode, class Encode>
void print_rounding(const char* format, int largest, const Decode& decode, const Encode& encode) {
  for (int code = 0; code < largest; ++code) {
    print_around(format, decode(code + 1), encode);
    print_around(format, (decode(code) + decode(code + 1)) / 2, encode);
  }
  const double top = decode(largest);
  const double next = 2 * top - decode(largest - 1);
  for (const double x : {(top + next) / 2, next, 1e30}) print_around(format, x, encode);
}

}  // namespace

int main() {
  std::printf("what,from,to\n");
  for (int code = 0; code < 256; ++code) std::printf("decode e4m3,%d,%a\n", code, e4m3(code));
  for (int code = 0; code < 256; ++code) std::printf("decode e5m2,%d,%a\n", code, e5m2(code));
  for (int code = 0; code < 16; ++code) std::printf("decode e2m1,%d,%a\n", code, e2m1(code));
  for (int code = 0; code < 256; ++code) std::printf("decode e8m0,%d,%a\n", code, e8m0(code));
  constexpr int kLargestE4m3 = 126, kLargestE2m1 = 7;
  print_rounding("encode e4m3", kLargestE4m3, e4m3, to_e4m3);
  for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) print("encode e4m3", x, to_e4m3(x));
  print_rounding("encode e2m1", kLargestE2m1, e2m1, to_e2m1);
  for (int exponent = -126; exponent < 128; exponent += 11) {
    const double power = std::ldexp(1, exponent);
    for (const double x : {power, 1.5 * power, std::nextafter(2 * power, 0)}) {
      print("scale", x, to_e8m0(x));
    }
  }
}
