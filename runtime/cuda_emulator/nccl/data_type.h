#pragma once
// The types of the elements of buffers, and the reductions of them.

#include <cstdint>
#include <string_view>

#include "nccl/abi.h"

namespace xfer::emulated_nccl {

struct DataType {
  std::string_view name;
  std::string_view in_kernels;  ///< as names of NCCL's kernels have it
  std::uint32_t bytes;
  bool is_real;
};

inline constexpr DataType kDataTypes[ncclNumTypes] = {
    {"int8", "i8", 1, false},          {"uint8", "u8", 1, false},
    {"int32", "i32", 4, false},        {"uint32", "u32", 4, false},
    {"int64", "i64", 8, false},        {"uint64", "u64", 8, false},
    {"float16", "f16", 2, true},       {"float32", "f32", 4, true},
    {"float64", "f64", 8, true},       {"bfloat16", "bf16", 2, true},
    {"float8e4m3", "f8e4m3", 1, true}, {"float8e5m2", "f8e5m2", 1, true},
};

inline bool is_data_type(ncclDataType_t type) { return type >= 0 && type < ncclNumTypes; }
inline const DataType& its(ncclDataType_t type) { return kDataTypes[type]; }

enum class Reduction : std::uint32_t { kSum, kProduct, kMax, kMin, kAverage, kScaledSum };

inline constexpr std::string_view kReductionNames[] = {"sum", "prod", "max",
                                                       "min", "avg",  "premulsum"};

}  // namespace xfer::emulated_nccl
