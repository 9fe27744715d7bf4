#include "torch/work.h"

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/record_function.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "cudart/library_kernel.h"
#include "torch/operators.h"

namespace xfer::emulated_torch {
namespace {

void run_submitted(const emulator::LaunchContext*, void** args) {
  Work* const work = *static_cast<Work**>(args[0]);
  if (work->is_of_graph) return Work(*work).run();
  work->run();
  delete work;
}

/// What is launched to compute the operator.
const char* stub_of(const Operator& its) {
  static std::mutex mutex;
  static std::unordered_map<const Operator*, const char*> stubs;
  const std::lock_guard lock(mutex);
  const char*& stub = stubs[&its];
  if (stub == nullptr) {
    stub = its.name.c_str();
    emulator::register_library_kernel(stub, stub, &run_submitted, {sizeof(Work*)});
  }
  return stub;
}

/// Nothing but what is called: no autograd, no autocast, and no profiler is told.
struct Below {
  const at::AutoDispatchBelowADInplaceOrView no_autograd{};
  const c10::impl::ExcludeDispatchKeyGuard no_autocast{c10::autocast_dispatch_keyset};
  const at::DisableRecordFunctionGuard unrecorded{};
};

/// In the same memory; what is done to its shape is done to the twin's alone.
at::Tensor twin_of(const at::Tensor& tensor) {
  return at::Tensor(tensor.unsafeGetTensorImpl()->shallow_copy_and_detach(
      c10::VariableVersion(0), /*allow_tensor_metadata_change=*/true));
}

}  // namespace

void compute(const Operator& its, const c10::OperatorHandle& handle, Stack* stack) {
  const Below below;
  if (its.own)
    its.own(stack);
  else
    handle.redispatchBoxed(c10::DispatchKeySet(its.on_host), stack);
}

bool Work::compute_in_place() {
  if (!its->into || places.empty() || !std::ranges::all_of(places, &at::Tensor::defined))
    return false;
  const Below below;
  Stack with_places = stack;
  for (const at::Tensor& place : places) with_places.emplace_back(twin_of(place));
  try {
    its->into->redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &with_places);
  } catch (const std::exception&) {  // it wants more room, for what it does on the way
    return false;
  }
  return std::ranges::equal(places, with_places, {}, &at::Tensor::sizes,
                            [](const c10::IValue& value) { return value.toTensor().sizes(); });
}

void Work::run() try {
  if (is_done || compute_in_place()) return;
  compute(*its, handle, &stack);
  const Below below;
  const auto put = [](const at::Tensor& place, const at::Tensor& result) {
    if (place.defined() && result.defined() && !place.is_same(result) &&
        place.sizes() == result.sizes() && result.numel() != 0)
      place.copy_(result);
  };
  std::size_t next = 0;
  for (const c10::IValue& result : stack) {
    if (result.isTensor()) {
      if (next < places.size()) put(places[next++], result.toTensor());
    } else if (result.isTensorList()) {
      for (const at::Tensor& tensor : result.toTensorVector())
        if (next < places.size()) put(places[next++], tensor);
    }
  }
} catch (const std::exception& error) {
  tell_once(const_cast<Operator&>(*its), error.what());
  const Below below;
  const bool is_nan = xfer_emulator_missing_byte() > 0;
  for (const at::Tensor& place : places)
    if (place.defined()) place.fill_(is_nan && place.is_floating_point() ? std::nan("") : 0);
}

void submit(Work work, c10::Device device, const std::optional<Touches>& touches) {
  const char* const stub = stub_of(*work.its);
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream(device.index()).stream();
  auto* owned = new Work(std::move(work));
  owned->is_of_graph = xfer_emulator_is_captured(stream) != 0;
  void* args[] = {&owned};
  if (touches) xfer_emulator_next_touches(touches->data(), touches->size());
  const cudaError_t error = cudaLaunchKernel(stub, dim3(1), dim3(1), args, 0, stream);
  if (error == cudaSuccess) return;
  delete owned;
  TORCH_CHECK(false, "CUDA error: ", cudaGetErrorString(error));
}

}  // namespace xfer::emulated_torch
