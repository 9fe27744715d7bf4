#include "kernels/support.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/matrix/matrix.h"
#include "kernels/small_float.h"
#include "kernels/touches.h"
#include "kernels/warp/helpers.h"

extern "C" {
// Of the compiler's own library: what x86 has no instructions for.
std::uint16_t __truncdfhf2(double);
}

namespace xfer::kernels {
namespace {

std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  // The |offset|th bit at or above (below) the base; 0: the base itself, if it is set.
  base &= 31;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : 0xFFFFFFFF;
  const int step = offset > 0 ? 1 : -1;
  std::int32_t left = offset > 0 ? offset : -offset;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
  return 0xFFFFFFFF;
}

/// Which of the eight bytes of (b, a) becomes byte i, in the modes that need no selector a byte.
unsigned byte_in_mode(std::uint32_t mode, unsigned selector, unsigned i) {
  switch (mode) {
    case 1: return (selector + i) & 7;             // f4e
    case 2: return (selector + 8 - i) & 7;         // b4e
    case 3: return selector;                       // rc8
    case 4: return std::max(selector, i);          // ecl
    case 5: return std::min(selector, i);          // ecr
    default: return (selector & 1) * 2 + (i & 1);  // rc16
  }
}

std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t selector,
                      std::uint32_t mode) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned from = byte_in_mode(mode, selector & 3, i);
    result |= (static_cast<std::uint32_t>(both >> (8 * from)) & 255) << (8 * i);
  }
  return result;
}

void copy_padded(std::byte* to, const std::byte* from, std::uint32_t bytes, std::uint32_t size) {
  bytes = std::min(bytes, size);
  std::memcpy(to, from, bytes);
  std::memset(to + bytes, 0, size - bytes);
}

std::uint32_t encode_small(double value, std::uint32_t format, std::uint32_t how,
                           std::uint32_t finite) {
  return encode(value, static_cast<SmallFloat>(format), static_cast<Rounding>(how), finite != 0);
}

double decode_small(std::uint32_t code, std::uint32_t format) {
  return decode(code, static_cast<SmallFloat>(format));
}

using F32 = float (*)(float, float, std::uint32_t);
using F64 = double (*)(double, double, std::uint32_t);

const SupportFunction kFunctions[] = {
    {"fma", address_of(static_cast<double (*)(double, double, double)>(std::fma))},
    {"fmaf", address_of(static_cast<float (*)(float, float, float)>(std::fma))},
    {"trunc", address_of(static_cast<double (*)(double)>(std::trunc))},
    {"truncf", address_of(static_cast<float (*)(float)>(std::trunc))},
    {"floor", address_of(static_cast<double (*)(double)>(std::floor))},
    {"floorf", address_of(static_cast<float (*)(float)>(std::floor))},
    {"ceil", address_of(static_cast<double (*)(double)>(std::ceil))},
    {"ceilf", address_of(static_cast<float (*)(float)>(std::ceil))},
    {"roundeven", address_of(static_cast<double (*)(double)>(roundeven))},
    {"roundevenf", address_of(static_cast<float (*)(float)>(roundevenf))},
    {"memcpy", address_of(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memcpy))},
    {"memset", address_of(static_cast<void* (*)(void*, int, std::size_t)>(std::memset))},
    {"memmove", address_of(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memmove))},
    {"__truncdfhf2", address_of(__truncdfhf2)},
    // Not by the C library's names: LLVM would make sincosf() of sinf() and cosf().
    {"xfer_sin_f32", address_of(static_cast<float (*)(float)>(std::sin))},
    {"xfer_cos_f32", address_of(static_cast<float (*)(float)>(std::cos))},
    {"xfer_tanh_f32", address_of(static_cast<float (*)(float)>(std::tanh))},
    {"xfer_fns", address_of(find_nth_set)},
    {"xfer_prmt", address_of(permute)},
    {"xfer_copy_padded", address_of(copy_padded)},
    {"xfer_encode", address_of(encode_small)},
    {"xfer_decode", address_of(decode_small)},
    {"xfer_add_f32", address_of(static_cast<F32>(rounding::add))},
    {"xfer_add_f64", address_of(static_cast<F64>(rounding::add))},
    {"xfer_mul_f32", address_of(static_cast<F32>(rounding::mul))},
    {"xfer_mul_f64", address_of(static_cast<F64>(rounding::mul))},
    {"xfer_div_f32", address_of(static_cast<F32>(rounding::div))},
    {"xfer_div_f64", address_of(static_cast<F64>(rounding::div))},
    {"xfer_fma_f32",
     address_of(static_cast<float (*)(float, float, float, std::uint32_t)>(rounding::fma))},
    {"xfer_fma_f64",
     address_of(static_cast<double (*)(double, double, double, std::uint32_t)>(rounding::fma))},
    {"xfer_sqrt_f32", address_of(static_cast<float (*)(float, std::uint32_t)>(rounding::sqrt))},
    {"xfer_sqrt_f64", address_of(static_cast<double (*)(double, std::uint32_t)>(rounding::sqrt))},
    {"xfer_cvt_f32_f64",
     address_of(static_cast<float (*)(double, std::uint32_t)>(rounding::to_f32))},
    {"xfer_cvt_f32_s64",
     address_of(static_cast<float (*)(std::int64_t, std::uint32_t)>(rounding::to_f32))},
    {"xfer_cvt_f32_u64",
     address_of(static_cast<float (*)(std::uint64_t, std::uint32_t)>(rounding::to_f32))},
    {"xfer_cvt_f64_s64",
     address_of(static_cast<double (*)(std::int64_t, std::uint32_t)>(rounding::to_f64))},
    {"xfer_cvt_f64_u64",
     address_of(static_cast<double (*)(std::uint64_t, std::uint32_t)>(rounding::to_f64))},
    {"xfer_odd_f64_s64", address_of(static_cast<double (*)(std::int64_t)>(rounding::odd_f64))},
    {"xfer_odd_f64_u64", address_of(static_cast<double (*)(std::uint64_t)>(rounding::odd_f64))},
    {"xfer_matrix_multiply", address_of(matrix::multiply)},
    {"xfer_matrix_load", address_of(matrix::load)},
    {"xfer_matrix_store", address_of(matrix::store)},
    {"xfer_matrix_load_rows", address_of(matrix::load_rows)},
    {"xfer_matrix_store_rows", address_of(matrix::store_rows)},
    {"xfer_matrix_turn", address_of(matrix::turn)},
    {"xfer_warp_matrix_multiply", address_of(matrix::together::multiply)},
    {"xfer_warp_matrix_load", address_of(matrix::together::load)},
    {"xfer_warp_matrix_store", address_of(matrix::together::store)},
    {"xfer_warp_matrix_load_rows", address_of(matrix::together::load_rows)},
    {"xfer_warp_matrix_store_rows", address_of(matrix::together::store_rows)},
    {"xfer_warp_matrix_turn", address_of(matrix::together::turn)},
    {"xfer_touch", address_of(touches::mark)},
    {"xfer_touch_lanes", address_of(touches::mark_lanes)},
    {"xfer_touch_elsewhere", address_of(touches::mark_elsewhere)},
    {"xfer_warp_frame", address_of(warp::frame)},
    {"xfer_warp_state", address_of(warp::state)},
    {"xfer_warp_match", address_of(warp::match)},
    {"xfer_warp_reduce", address_of(warp::reduce)},
    {"xfer_mbarrier_init", address_of(mbarrier::init)},
    {"xfer_mbarrier_arrive", address_of(mbarrier::arrive)},
    {"xfer_mbarrier_expect", address_of(mbarrier::expect)},
    {"xfer_mbarrier_complete", address_of(mbarrier::complete)},
    {"xfer_mbarrier_passed", address_of(mbarrier::passed)},
    {"xfer_mbarrier_passed_parity", address_of(mbarrier::passed_parity)},
    {"xfer_mbarrier_pending", address_of(mbarrier::pending)},
};

}  // namespace

std::span<const SupportFunction> support_functions() { return kFunctions; }

}  // namespace xfer::kernels
