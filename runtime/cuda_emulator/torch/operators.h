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
  c10::DispatchKey on_host = c10::DispatchKey::CPU;  ///< of the kernel that computes
  std::optional<c10::SafeKernelFunction>
      original{};  ///< PyTorch's own kernel; nothing: it has none
  /// Computes where PyTorch has no CPU kernel: arguments, then results.
  std::function<void(c10::Stack*)> own{};
  std::optional<std::int64_t> answer{};     ///< instead of all that
  std::atomic<bool> original_fails{false};  ///< without its launches, or NVIDIA's libraries
  mutable std::atomic<bool> told{false};    ///< that it is not computed

  bool is_computed(const c10::OperatorHandle& handle) const {
    return own || handle.hasComputedKernelForDispatchKey(on_host);
  }
};

/// A call of it is not computed: counts it for the report, and says so at the first.
void tell_not_computed(const Operator& its, std::string_view why);

/// Fills tensors on devices among these that nothing has computed: see xfer_emulator_missing_byte.
void fill_missing(const std::vector<c10::IValue>& results);
/// Has it fill what PyTorch allocates from now on, since kernels that are none of its own, and are
/// skipped, may have had to.
void fill_new_tensors();

/// The boxed kernel on the CUDA key.
void call(Operator& its, const c10::OperatorHandle& handle, c10::DispatchKeySet keys,
          c10::Stack* stack);

}  // namespace xfer::emulated_torch
