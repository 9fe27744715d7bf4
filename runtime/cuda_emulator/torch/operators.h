#pragma once
// The operators that are computed on emulated devices.

#include <ATen/core/dispatch/Dispatcher.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "torch/way.h"

namespace xfer::emulated_torch {

struct Operator {
  std::string name;  ///< "aten::add.Tensor"
  Way way = Way::kBeside;
  std::optional<c10::SafeKernelFunction>
      original{};  ///< PyTorch's own kernel; nothing: it has none
  /// Computes where PyTorch has no CPU kernel: arguments, then results.
  std::function<void(c10::Stack*)> own{};
  std::optional<std::int64_t> answer{};     ///< instead of all that
  std::atomic<bool> original_fails{false};  ///< without its launches, or NVIDIA's libraries
  std::atomic<bool> told{false};            ///< that it is not computed

  bool is_computed(const c10::OperatorHandle& handle) const {
    return own || handle.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU);
  }
};

/// Once for each operator: it is not computed, and why.
void tell_once(Operator& its, std::string_view why);

/// The boxed kernel on the CUDA key.
void call(Operator& its, const c10::OperatorHandle& handle, c10::DispatchKeySet keys,
          c10::Stack* stack);

}  // namespace xfer::emulated_torch
