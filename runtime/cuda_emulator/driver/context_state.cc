// State of the current context and of primary ones, and waiting for it.

#include "cudart/on_device.h"
#include "driver/contexts.h"

using namespace xfer::emulator::driver;

namespace {

/// A setting of the runtime's, whose numbers are the driver's.
template <typename Its, typename Ours>
CUresult ask(cudaError_t (*runtime)(Its*), Ours* setting) {
  if (setting == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Its its{};
  const CUresult error = forward([&] { return runtime(&its); });
  *setting = static_cast<Ours>(its);
  return error;
}

}  // namespace

extern "C" {

CUresult cuCtxSynchronize() { return forward(cudaDeviceSynchronize); }

// The runtime's limits have the driver's numbers.
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return forward([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  return forward([&] { return cudaDeviceGetLimit(pvalue, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return forward([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  return ask(cudaDeviceGetCacheConfig, pconfig);
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return forward(
      [&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  return ask(cudaDeviceGetSharedMemConfig, pConfig);
}

CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return forward([&] { return cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority); });
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  const Context* const peer = context_of(peerContext);
  if (peer == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return forward([&] { return cudaDeviceEnablePeerAccess(peer->device, Flags); });
}
CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  const Context* const peer = context_of(peerContext);
  if (peer == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return forward([&] { return cudaDeviceDisablePeerAccess(peer->device); });
}

// A primary context is there as long as the process is.
CUresult cuDevicePrimaryCtxRelease(CUdevice dev) {
  return primary_context(dev) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  if (primary_context(dev) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const xfer::emulator::OnDevice there(dev);
  *active = 1;
  const CUresult error = forward([&] { return cudaGetDeviceFlags(flags); });
  *flags &= ~static_cast<unsigned>(cudaDeviceMapHost);
  return error;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  if (primary_context(dev) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const xfer::emulator::OnDevice there(dev);
  return forward([&] { return cudaSetDeviceFlags(flags); });
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev) {
  if (primary_context(dev) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const xfer::emulator::OnDevice there(dev);
  return forward(cudaDeviceReset);
}
}
