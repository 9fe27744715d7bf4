#pragma once
// Operators for which PyTorch's CPU kernel will not do: it has none, or it needs what its own
// forward pass leaves, where the one for CUDA leaves something else.

#include <ATen/ATen.h>
#include <ATen/core/stack.h>

#include <functional>
#include <initializer_list>
#include <string_view>

namespace xfer::emulated_torch {

/// Takes the arguments from the stack, all on the host, and leaves the results.
using OwnKernel = std::function<void(c10::Stack*)>;

/// Empty: PyTorch's CPU kernel serves, or there is none.
OwnKernel own_kernel(std::string_view name);

// By subject; empty: it is none of these.
OwnKernel fused_cell(std::string_view name);
OwnKernel fused_attention(std::string_view name);
OwnKernel sync_batch_norm(std::string_view name);

class Arguments {
 public:
  explicit Arguments(const c10::Stack& stack) : stack_(stack) {}
  /// Undefined where there is none.
  at::Tensor operator[](std::size_t i) const {
    return stack_[i].isTensor() ? stack_[i].toTensor() : at::Tensor();
  }

 private:
  const c10::Stack& stack_;
};

inline void set_results(c10::Stack* stack, std::initializer_list<at::Tensor> results) {
  c10::Stack all;
  for (const at::Tensor& result : results) all.emplace_back(result);
  *stack = std::move(all);
}

}  // namespace xfer::emulated_torch
