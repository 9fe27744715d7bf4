// Launches, and what can be asked about a kernel.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

#include "cudart/api_call.h"
#include "cudart/execution.h"
#include "cudart/launch.h"
#include "cudart/module.h"
#include "grid/launch.h"

using namespace xfer::emulator;

namespace {

const char* symbol_of(const void* function) {
  const Kernel* const kernel = KernelRegistry::instance().find(function);
  return kernel == nullptr ? nullptr : kernel->name.c_str();
}

bool is_cooperative(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeCooperative)
      return config.attrs[i].val.cooperative != 0;
  return false;
}

/// Bytes of a block's shared memory that the kernel's code takes; 0 if there is no code.
std::size_t static_shared_bytes(Session& session, const Kernel& kernel) {
  const Execution execution = execution_of(session.machine, kernel);
  return execution.code != nullptr ? execution.code->shared_bytes : 0;
}

}  // namespace

extern "C" {

#define XFER_LAUNCH(NAME, VERSIONED, COOPERATIVE, MEANS)                                         \
  cudaError_t NAME(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem, \
                   cudaStream_t stream) {                                                        \
    return XFER_LAUNCH_CALL(VERSIONED, #NAME, func, func, gridDim, blockDim, args, sharedMem,    \
                            stream)                                                              \
        .run([&](Session& session) {                                                             \
          return launch(session, func, {gridDim, blockDim, sharedMem, COOPERATIVE}, args,        \
                        session.machine.stream(stream, MEANS));                                  \
        });                                                                                      \
  }
#define XFER_LAUNCH_CALL(VERSIONED, NAME, FUNCTION, ...)                      \
  ApiCallWith<VERSIONED##_params>(CUPTI_RUNTIME_TRACE_CBID_##VERSIONED, NAME, \
                                  VERSIONED##_params{__VA_ARGS__}, symbol_of(FUNCTION))
XFER_LAUNCH(cudaLaunchKernel, cudaLaunchKernel_v7000, false, DefaultStream::kLegacy)
XFER_LAUNCH(cudaLaunchKernel_ptsz, cudaLaunchKernel_ptsz_v7000, false, DefaultStream::kPerThread)
XFER_LAUNCH(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_v9000, true,
            DefaultStream::kLegacy)
XFER_LAUNCH(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel_ptsz_v9000, true,
            DefaultStream::kPerThread)

// nvcc 13 emits these; the real library forwards them the same way: tracers see cudaLaunchKernel.
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void** args,
                               size_t sharedMem, cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), gridDim, blockDim, args, sharedMem,
                          stream);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void** args,
                                    size_t sharedMem, cudaStream_t stream) {
  return cudaLaunchKernel_ptsz(reinterpret_cast<const void*>(kernel), gridDim, blockDim, args,
                               sharedMem, stream);
}

#define XFER_LAUNCH_EXC(NAME, VERSIONED, MEANS)                                       \
  cudaError_t NAME(const cudaLaunchConfig_t* config, const void* func, void** args) { \
    return XFER_LAUNCH_CALL(VERSIONED, #NAME, func, config, func, args)               \
        .run([&](Session& session) {                                                  \
          if (config == nullptr) return cudaErrorInvalidValue;                        \
          return launch(session, func,                                                \
                        {config->gridDim, config->blockDim, config->dynamicSmemBytes, \
                         is_cooperative(*config)},                                    \
                        args, session.machine.stream(config->stream, MEANS));         \
        });                                                                           \
  }
XFER_LAUNCH_EXC(cudaLaunchKernelExC, cudaLaunchKernelExC_v11060, DefaultStream::kLegacy)
XFER_LAUNCH_EXC(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC_ptsz_v11060,
                DefaultStream::kPerThread)

unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                     cudaStream_t stream) {
  this_thread_context().configurations.push_back({gridDim, blockDim, sharedMem, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                       void* stream) {
  auto& pushed = this_thread_context().configurations;
  if (pushed.empty()) return remember(cudaErrorMissingConfiguration);
  *gridDim = pushed.back().grid;
  *blockDim = pushed.back().block;
  *sharedMem = pushed.back().shared_bytes;
  *static_cast<cudaStream_t*>(stream) = pushed.back().stream;
  pushed.pop_back();
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
  return XFER_CALL(cudaFuncGetAttributes_v3020, attr, func).run([&](Session& session) {
    const Kernel* const kernel = KernelRegistry::instance().find(func);
    if (attr == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const Options& options = session.machine.options();
    const Execution execution = execution_of(session.machine, *kernel);
    *attr = cudaFuncAttributes{};
    attr->maxThreadsPerBlock = 1024;
    attr->numRegs = 32;
    if (const auto* const code = execution.code) {
      attr->maxThreadsPerBlock = static_cast<int>(code->max_threads);
      attr->sharedSizeBytes = code->shared_bytes;
      attr->localSizeBytes = code->local_bytes;
    }
    attr->maxDynamicSharedSizeBytes = kernel->max_dynamic_shared;
    // Libraries choose their own variants by this (CUB).
    attr->ptxVersion = attr->binaryVersion = kernel->module->architecture(options);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
  return XFER_CALL(cudaFuncSetAttribute_v9000, func, attr, value).run([&](Session&) {
    Kernel* const kernel = KernelRegistry::instance().find(func);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      if (value < 0 || value > 227 << 10) return cudaErrorInvalidValue;
      kernel->max_dynamic_shared = value;
      return cudaSuccess;
    }
    if (attr == cudaFuncAttributePreferredSharedMemoryCarveout)
      return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    if (attr < cudaFuncAttributeMaxDynamicSharedMemorySize || attr >= cudaFuncAttributeMax)
      return cudaErrorInvalidValue;
    // The others are of clusters.
    return value == 0 ? cudaSuccess
                      : xfer_emulator_not_supported("cudaFuncSetAttribute of clusters");
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache cacheConfig) {
  return XFER_CALL(cudaFuncSetCacheConfig_v3020, func, cacheConfig).run([&](Session&) {
    return KernelRegistry::instance().find(func) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig config) {
  return XFER_CALL(cudaFuncSetSharedMemConfig_v4020, func, config).run([&](Session&) {
    return KernelRegistry::instance().find(func) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* func) {
  return XFER_CALL(cudaFuncGetName_v12030, name, func).run([&](Session&) {
    const Kernel* const kernel = KernelRegistry::instance().find(func);
    if (name == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    *name = kernel->name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, const void* entryFuncAddr) {
  return XFER_CALL(cudaGetKernel_v12000, kernelPtr, entryFuncAddr).run([&](Session&) {
    Kernel* const kernel = KernelRegistry::instance().find(entryFuncAddr);
    if (kernelPtr == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    *kernelPtr = reinterpret_cast<cudaKernel_t>(kernel);
    return cudaSuccess;
  });
}

// Called by launch stubs, once a kernel: no device is needed to name one.
cudaError_t __cudaGetKernel(cudaKernel_t* kernelPtr, const void* entryFuncAddr) {
  Kernel* const kernel = KernelRegistry::instance().find(entryFuncAddr);
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  *kernelPtr = reinterpret_cast<cudaKernel_t>(kernel);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags) {
  return XFER_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000, numBlocks, func,
                   blockSize, dynamicSMemSize, flags)
      .run([&](Session& session) {
        if (numBlocks == nullptr || blockSize <= 0) return cudaErrorInvalidValue;
        const Kernel* const kernel = KernelRegistry::instance().find(func);
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        *numBlocks = static_cast<int>(grid::blocks_per_multiprocessor(
            static_cast<std::uint32_t>(blockSize),
            dynamicSMemSize + static_shared_bytes(session, *kernel)));
        return cudaSuccess;
      });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func,
                                                          int blockSize, size_t dynamicSMemSize) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize,
                                                                dynamicSMemSize, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func,
                                                      int numBlocks, int blockSize) {
  return XFER_CALL(cudaOccupancyAvailableDynamicSMemPerBlock_v10200, dynamicSmemSize, func,
                   numBlocks, blockSize)
      .run([&](Session&) {
        if (dynamicSmemSize == nullptr || numBlocks <= 0) return cudaErrorInvalidValue;
        *dynamicSmemSize = std::min(227 << 10, (228 << 10) / numBlocks - 1024);
        return cudaSuccess;
      });
}
}
