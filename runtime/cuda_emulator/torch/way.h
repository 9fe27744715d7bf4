#pragma once
// How an operator on CUDA tensors is computed.

#include <string_view>

namespace xfer::emulated_torch {

enum class Way {
  kAsItIs,    ///< it computes nothing: PyTorch's own kernel serves
  kBeside,    ///< PyTorch's own kernel makes the results, with launches that do nothing; what they
              ///< hold is work of the stream
  kAtOnce,    ///< the same, but the host computes before the call ends: it draws from a generator,
              ///< in the order of the calls
  kDownload,  ///< how large the results are depends on the data, so a device would tell the host
  kInstead,   ///< PyTorch's own kernel reads results back, or needs a library of NVIDIA's that no
              ///< emulated device has: only the host computes
  kIndex,     ///< kDownload with a mask, else kBeside
  kConvolution,  ///< kInstead in channels_last, else kBeside
  kCopy,         ///< copy_, which crosses devices by copies of CUDA
};

/// By the full name: "aten::add.Tensor".
Way way_of(std::string_view name);

/// Whether the operator, by its name without the overload's, is computed as a whole where it is
/// given sparse or nested tensors: "aten::add".
bool is_computed_of_parts(std::string_view name);

/// PyTorch's own kernel failed in a library of NVIDIA's that no emulated device has.
bool is_of_missing_library(std::string_view error);

}  // namespace xfer::emulated_torch
