#pragma once
// The built-in variables and functions of device code that need no other thread: indices, barriers,
// atomics, bit and math intrinsics.

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "xfer/emulator/launch_context.h"

namespace xfer::emulator {

inline ThreadState this_thread{};

template <typename T>
struct Same {
  using type = T;
};
/// A parameter that takes no part in template argument deduction, as atomicAdd(float*, 1) needs.
template <typename T>
using NotDeduced = typename Same<T>::type;

template <typename A, typename B>
using Arithmetic =
    std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, std::common_type_t<A, B>>;

}  // namespace xfer::emulator

static constexpr const uint3& threadIdx = xfer::emulator::this_thread.thread;
static constexpr const uint3& blockIdx = xfer::emulator::this_thread.block;
static constexpr const dim3& blockDim = xfer::emulator::this_thread.block_dim;
static constexpr const dim3& gridDim = xfer::emulator::this_thread.grid_dim;
static constexpr int warpSize = xfer::emulator::kWarpSize;

inline void __syncthreads() { xfer::emulator::this_thread.sync_block(0); }
inline int __syncthreads_count(int predicate) {
  return static_cast<int>(xfer::emulator::this_thread.sync_block(predicate).holding);
}
inline int __syncthreads_and(int predicate) {
  const auto vote = xfer::emulator::this_thread.sync_block(predicate);
  return vote.holding == vote.arrived;
}
inline int __syncthreads_or(int predicate) {
  return xfer::emulator::this_thread.sync_block(predicate).holding != 0;
}

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
[[noreturn]] inline void __trap() {
  xfer::emulator::this_thread.trap();
  std::abort();
}
inline void __nanosleep(unsigned) {}

// Only one thread of a device runs at any time, so read-modify-write needs no lock.
template <typename T>
T atomicExch(T* address, xfer::emulator::NotDeduced<T> value) {
  const T old = *address;
  *address = value;
  return old;
}
template <typename T>
T atomicAdd(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicExch(address, static_cast<T>(*address + value));
}
template <typename T>
T atomicSub(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicExch(address, static_cast<T>(*address - value));
}
template <typename T>
T atomicMin(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicExch(address, value < *address ? value : *address);
}
template <typename T>
T atomicMax(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicExch(address, *address < value ? value : *address);
}
template <typename T>
T atomicAnd(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicExch(address, static_cast<T>(*address & value));
}
template <typename T>
T atomicOr(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicExch(address, static_cast<T>(*address | value));
}
template <typename T>
T atomicXor(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicExch(address, static_cast<T>(*address ^ value));
}
inline unsigned atomicInc(unsigned* address, unsigned limit) {
  return atomicExch(address, *address >= limit ? 0u : *address + 1u);
}
inline unsigned atomicDec(unsigned* address, unsigned limit) {
  return atomicExch(address, *address == 0 || *address > limit ? limit : *address - 1u);
}
template <typename T>
T atomicCAS(T* address, xfer::emulator::NotDeduced<T> expected,
            xfer::emulator::NotDeduced<T> desired) {
  // Bits are compared, as the hardware does: this matters for floating point only.
  const T old = *address;
  if (std::memcmp(&old, &expected, sizeof(T)) == 0) *address = desired;
  return old;
}
template <typename T>
T atomicAdd_block(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicAdd(address, value);
}
template <typename T>
T atomicAdd_system(T* address, xfer::emulator::NotDeduced<T> value) {
  return atomicAdd(address, value);
}

template <typename T>
T __ldg(const T* address) {
  return *address;
}
template <typename T>
T __ldcs(const T* address) {
  return *address;
}
template <typename T>
void __stcs(T* address, xfer::emulator::NotDeduced<T> value) {
  *address = value;
}

template <typename A, typename B>
constexpr xfer::emulator::Arithmetic<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <typename A, typename B>
constexpr xfer::emulator::Arithmetic<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float __saturatef(float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x == x ? x : 0.0f; }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __mul24(int x, int y) { return x * y; }
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) * y) >> 32);
}

namespace xfer::emulator {
template <typename To, typename From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}
}  // namespace xfer::emulator

inline int __float_as_int(float x) { return xfer::emulator::bits_as<int>(x); }
inline unsigned __float_as_uint(float x) { return xfer::emulator::bits_as<unsigned>(x); }
inline float __int_as_float(int x) { return xfer::emulator::bits_as<float>(x); }
inline float __uint_as_float(unsigned x) { return xfer::emulator::bits_as<float>(x); }
inline long long __double_as_longlong(double x) { return xfer::emulator::bits_as<long long>(x); }
inline double __longlong_as_double(long long x) { return xfer::emulator::bits_as<double>(x); }
