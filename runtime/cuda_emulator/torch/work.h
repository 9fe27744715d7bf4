#pragma once
// An operator as work of a stream: PyTorch's CPU kernel runs on the device's memory at the moment
// when the stream comes to it, in whatever thread that is.

#include <ATen/core/dispatch/Dispatcher.h>

#include <functional>
#include <vector>

#include "torch/result_memory.h"
#include "torch/touches.h"

namespace xfer::emulated_torch {

using c10::Stack;

struct Operator;

struct Work {
  const Operator* its = nullptr;
  c10::OperatorHandle handle;
  Stack stack{};                     ///< arguments, all on the host
  std::vector<HostResult> places{};  ///< of each result

  bool is_done = false;      ///< by the host, before the stream came to it
  bool is_of_graph = false;  ///< it runs at each launch, and stays as long as the process

  /// Computes, and puts the results in their places. Does not throw: what fails is told of.
  void run();
};

/// PyTorch's CPU kernel, or what stands for it; then the stack holds the results.
void compute(const Operator& its, const c10::OperatorHandle& handle, Stack* stack);

/// Gives the work to the device's current stream, as a kernel of the operator's name that touches
/// this; nothing: it may touch anything. Throws c10::Error where CUDA refuses.
void submit(Work work, c10::Device device, const std::optional<Touches>& touches);

}  // namespace xfer::emulated_torch
