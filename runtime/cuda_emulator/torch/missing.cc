// A result that nothing computes reads as zeros, or as NaN, and not as what an earlier tensor left.

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "machine/hooks.h"
#include "torch/on_host.h"
#include "torch/operators.h"

namespace xfer::emulated_torch {
namespace {

/// All of the tensor's memory, at a moment when no work is under way there.
void fill(const at::Tensor& tensor) {
  if (!is_on_device(tensor) || !tensor.has_storage() || tensor.storage().data() == nullptr) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream(tensor.device().index()).stream();
  if (xfer_emulator_is_captured(stream) != 0) return;
  xfer_emulator_finish(stream);
  std::memset(xfer_emulator_kernel_view(tensor.storage().data()),
              std::max(xfer_emulator_missing_byte(), 0), tensor.storage().nbytes());
}

struct Allocation : c10::OperatorKernel {
  explicit Allocation(c10::SafeKernelFunction its) : original(std::move(its)) {}
  void operator()(const c10::OperatorHandle& handle, c10::DispatchKeySet keys,
                  c10::Stack* stack) const {
    original.callBoxed(handle, keys, stack);
    fill(stack->back().toTensor());
  }
  c10::SafeKernelFunction original;
};

}  // namespace

void fill_missing(const std::vector<c10::IValue>& results) {
  for (const at::Tensor& tensor : tensors_of(results)) fill(tensor);
}

void fill_new_tensors() {
  static std::atomic<bool> is_done{false};
  if (is_done.exchange(true)) return;
  constexpr auto kKey = c10::DispatchKey::CUDA;
  auto* const library = new torch::Library(torch::Library::IMPL, "aten", kKey, __FILE__, __LINE__);
  for (const auto& [name, overload] :
       {std::pair("empty", "memory_format"), std::pair("empty_strided", "")}) {
    const auto handle =
        c10::Dispatcher::singleton().findSchema({std::string("aten::") + name, overload});
    if (!handle) continue;
    auto kernel = std::make_unique<Allocation>(handle->getComputedKernelForDispatchKey(kKey));
    const std::string full = *overload == '\0' ? name : std::string(name) + "." + overload;
    library->impl(full.c_str(), torch::CppFunction::makeFromBoxedFunctor(std::move(kernel)));
  }
}

}  // namespace xfer::emulated_torch
