// What can be set, asked and waited for in the current context, and of primary ones.

#include "driver/contexts.h"

using namespace xfer::emulator::driver;

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
  if (pconfig == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto config = cudaFuncCachePreferNone;
  const CUresult error = forward([&] { return cudaDeviceGetCacheConfig(&config); });
  *pconfig = static_cast<CUfunc_cache>(config);
  return error;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return forward(
      [&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  if (pConfig == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto config = cudaSharedMemBankSizeDefault;
  const CUresult error = forward([&] { return cudaDeviceGetSharedMemConfig(&config); });
  *pConfig = static_cast<CUsharedconfig>(config);
  return error;
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
  const OnDevice there(dev);
  *active = 1;
  const CUresult error = forward([&] { return cudaGetDeviceFlags(flags); });
  *flags &= ~static_cast<unsigned>(cudaDeviceMapHost);
  return error;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  if (primary_context(dev) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const OnDevice there(dev);
  return forward([&] { return cudaSetDeviceFlags(flags); });
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev) {
  if (primary_context(dev) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const OnDevice there(dev);
  return forward(cudaDeviceReset);
}
}
