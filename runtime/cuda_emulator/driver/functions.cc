// Attributes of a function, and the number of its blocks that a device holds. A CUkernel and a
// CUfunction are one: the runtime's cudaKernel_t.

#include <algorithm>

#include "driver/driver.h"
#include "machine/hooks.h"

using namespace xfer::emulator::driver;

namespace {

CUresult attribute(int* value, CUfunction_attribute which, const void* function) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes its{};
  const CUresult error = forward([&] { return cudaFuncGetAttributes(&its, function); });
  if (error != CUDA_SUCCESS) return error;
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = its.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(its.sharedSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = static_cast<int>(its.constSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(its.localSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = its.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = its.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = its.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = its.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = its.maxDynamicSharedSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = its.preferredShmemCarveout;
      break;
    default:
      if (which < 0 || which >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
      *value = 0;
  }
  return CUDA_SUCCESS;
}

CUresult name(const char** text, const void* function) {
  return forward([&] { return cudaFuncGetName(text, function); });
}

CUresult parameter(const void* function, size_t index, size_t* offset, size_t* bytes) {
  size_t its_bytes = 0;
  if (offset == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!xfer_emulator_kernel_parameter(function, index, offset, &its_bytes))
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes != nullptr) *bytes = its_bytes;
  return CUDA_SUCCESS;
}

template <typename Handle>
CUresult module_of(Handle* module, const void* function) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *module = reinterpret_cast<Handle>(xfer_emulator_module_of(function));
  return *module != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

}  // namespace

extern "C" {

CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
  return attribute(pi, attrib, hfunc);
}
CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice) {
  return attribute(pi, attrib, kernel);
}
CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  return forward(
      [&] { return cudaFuncSetAttribute(hfunc, static_cast<cudaFuncAttribute>(attrib), value); });
}
CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice) {
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attrib, val);
}
CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  return forward([&] { return cudaFuncSetCacheConfig(hfunc, static_cast<cudaFuncCache>(config)); });
}
CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
  return forward(
      [&] { return cudaFuncSetSharedMemConfig(hfunc, static_cast<cudaSharedMemConfig>(config)); });
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice) {
  return cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), config);
}
CUresult cuFuncGetName(const char** text, CUfunction hfunc) { return name(text, hfunc); }
CUresult cuKernelGetName(const char** text, CUkernel hfunc) { return name(text, hfunc); }
CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset,
                            size_t* paramSize) {
  return parameter(func, paramIndex, paramOffset, paramSize);
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset,
                              size_t* paramSize) {
  return parameter(kernel, paramIndex, paramOffset, paramSize);
}
CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) { return module_of(hmod, hfunc); }
CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel) { return module_of(pLib, kernel); }
CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  CUmodule module = nullptr;
  if (pFunc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = module_of(&module, kernel); error != CUDA_SUCCESS) return error;
  *pFunc = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  CUmodule module = nullptr;
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return module_of(&module, function);
}
CUresult cuFuncLoad(CUfunction function) {
  CUmodule module = nullptr;
  return module_of(&module, function);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func,
                                                              int blockSize, size_t dynamicSMemSize,
                                                              unsigned int flags) {
  return forward([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize,
                                                                  dynamicSMemSize, flags);
  });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize,
                                                              dynamicSMemSize, 0);
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func,
                                                 int numBlocks, int blockSize) {
  return forward([&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, func, numBlocks, blockSize);
  });
}

// As the runtime's header does it: the largest block of those that keep the most threads busy.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                   CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit,
                                                   unsigned int flags) {
  if (minGridSize == nullptr || blockSize == nullptr) return CUDA_ERROR_INVALID_VALUE;
  constexpr int kWarp = 32;
  int most_threads = 0;
  if (const CUresult error =
          attribute(&most_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, func);
      error != CUDA_SUCCESS)
    return error;
  if (blockSizeLimit > 0) most_threads = std::min(most_threads, blockSizeLimit);
  int best = 0;
  for (int size = (most_threads + kWarp - 1) / kWarp * kWarp; size > 0; size -= kWarp) {
    const int threads = std::min(size, most_threads);
    const size_t shared = blockSizeToDynamicSMemSize != nullptr
                              ? blockSizeToDynamicSMemSize(threads)
                              : dynamicSMemSize;
    int blocks = 0;
    if (const CUresult error = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, func, threads, shared, flags);
        error != CUDA_SUCCESS)
      return error;
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *blockSize = threads;
    *minGridSize = blocks;
  }
  int multiprocessors = 0;
  const CUresult error = forward([&] {
    return cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                  xfer_emulator_current_device());
  });
  *minGridSize *= multiprocessors;
  return error;
}
CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0);
}
}
