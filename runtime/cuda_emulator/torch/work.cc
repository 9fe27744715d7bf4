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
#include <optional>
#include <unordered_map>

#include "cudart/library_kernel.h"
#include "torch/on_host.h"
#include "torch/operators.h"

namespace xfer::emulated_torch {
namespace {

void run_submitted(const emulator::LaunchContext*, void** args) {
  Work* const work = *static_cast<Work**>(args[0]);
  if (work->is_of_graph) return Work(*work).run();
  work->run();
  delete work;
}

/// The stub to launch to compute the operator.
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

/// Nothing but what is called: no autograd, no autocast, and no profiler is told, where one
/// listens.
struct Below {
  Below() {
    if (at::hasCallbacks()) unrecorded.emplace();
  }
  const at::AutoDispatchBelowADInplaceOrView no_autograd{};
  const c10::impl::ExcludeDispatchKeyGuard no_autocast{c10::autocast_dispatch_keyset};
  std::optional<at::DisableRecordFunctionGuard> unrecorded{};
};

}  // namespace

void compute(const Operator& its, const c10::OperatorHandle& handle, Stack* stack) {
  const Below below;
  if (its.own)
    its.own(stack);
  else
    handle.redispatchBoxed(c10::DispatchKeySet(its.on_host), stack);
}

namespace {

bool is_at(const at::Tensor& result, const at::Tensor& place) {
  return result.data_ptr() == place.data_ptr() && result.strides() == place.strides() &&
         result.dtype() == place.dtype() && result.is_conj() == place.is_conj() &&
         result.is_neg() == place.is_neg();
}

/// Of those that the kernel put elsewhere; some may lie in the place of another.
void put(const std::vector<at::Tensor>& results, const std::vector<HostResult>& places,
         const ResultMemory& memory) {
  const Below below;
  std::vector<std::pair<at::Tensor, at::Tensor>> elsewhere;  // place, result
  for (std::size_t i = 0; i < std::min(results.size(), places.size()); ++i) {
    const at::Tensor& place = places[i].tensor;
    const at::Tensor& result = results[i];
    if (!place.defined() || !result.defined() || place.sizes() != result.sizes() ||
        result.numel() == 0 || is_at(result, place))
      continue;
    elsewhere.emplace_back(place, memory.holds(result) ? result.clone() : result);
  }
  for (const auto& [place, result] : elsewhere) place.copy_(result);
}

}  // namespace

void Work::run() try {
  if (is_done) return;
  ResultMemory memory(places);
  compute(*its, handle, &stack);
  memory.close();
  put(tensors_of(stack), places, memory);
} catch (const std::exception& error) {
  tell_not_computed(*its, error.what());
  const Below below;
  const bool is_nan = xfer_emulator_missing_byte() > 0;
  for (const HostResult& place : places)
    if (place.tensor.defined())
      place.tensor.fill_(is_nan && place.tensor.is_floating_point() ? std::nan("") : 0);
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
