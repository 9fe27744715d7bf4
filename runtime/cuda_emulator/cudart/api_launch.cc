// Launches: a kernel with a host version runs when its stream gets there, any other is skipped and
// counted. Also what can be asked about a kernel.

#include <cuda_runtime_api.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "cudart/api_call.h"
#include "cudart/capture.h"
#include "cudart/device_properties.h"
#include "cudart/kernel_arguments.h"
#include "machine/cost_model.h"
#include "machine/grid_runner.h"

using namespace xfer::emulator;

namespace {

const char* symbol_of(const void* function) {
  const Kernel* const kernel = KernelRegistry::instance().find(function);
  return kernel == nullptr ? nullptr : kernel->name.c_str();
}

bool shape_fits(dim3 grid, dim3 block) {
  const auto in = [](unsigned value, unsigned most) { return value >= 1 && value <= most; };
  return in(grid.x, 0x7fffffff) && in(grid.y, 65535) && in(grid.z, 65535) && in(block.x, 1024) &&
         in(block.y, 1024) && in(block.z, 64) && std::uint64_t{block.x} * block.y * block.z <= 1024;
}

struct Launch {
  Kernel* kernel;
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  std::shared_ptr<const HostVersion> host;     ///< null: skipped
  std::shared_ptr<KernelArguments> arguments;  ///< of the host version
  std::uint64_t duration_ns;
};

cudaError_t queue(Session& session, Stream& stream, const Launch& launch) {
  Machine& machine = session.machine;
  Op op;
  op.activity.kind = Activity::Kind::kKernel;
  op.activity.async = true;
  op.activity.name = launch.kernel->name.c_str();
  op.activity.grid = launch.grid;
  op.activity.block = launch.block;
  op.activity.shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes);
  machine.place(stream, Engine::kCompute, launch.duration_ns, &op.activity);
  KernelRegistry::instance().count_launch(*launch.kernel, launch.host == nullptr);
  ++machine.launches;
  if (launch.host == nullptr) {
    ++machine.launches_skipped;
  } else {
    op.host_ranges = launch.arguments->host_ranges();
    op.run = [&machine, launch] {
      const std::string fault = run_grid(*launch.host, launch.grid, launch.block,
                                         launch.shared_bytes, launch.arguments->pointers());
      if (!fault.empty()) {
        report_kernel_fault(machine, *launch.kernel, fault + launch.arguments->unreachable());
      }
    };
  }
  machine.scheduler().submit(session.lock, stream, std::move(op));
  return cudaSuccess;
}

cudaError_t launch(Session& session, const void* function, dim3 grid, dim3 block, void** args,
                   std::size_t shared_bytes, Stream* stream) {
  Machine& machine = session.machine;
  KernelRegistry& registry = KernelRegistry::instance();
  Kernel* const kernel = registry.find(function);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (stream == nullptr || stream->device != session.thread.device) {
    return cudaErrorInvalidResourceHandle;
  }
  if (!shape_fits(grid, block)) return cudaErrorInvalidConfiguration;
  if (shared_bytes > static_cast<std::size_t>(kernel->max_dynamic_shared)) {
    return cudaErrorInvalidValue;
  }

  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;

  machine.spend(cost::kSubmitNs);
  const std::uint64_t threads =
      std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  const std::uint64_t given_ns = std::exchange(session.thread.next_kernel_ns, 0);
  Launch what{kernel,
              grid,
              block,
              shared_bytes,
              registry.host_version(*kernel),
              nullptr,
              given_ns != 0 ? given_ns : cost::kernel_ns(threads)};
  if (what.host != nullptr) {
    what.arguments =
        std::make_shared<KernelArguments>(machine, stream->device, what.host->arg_sizes, args);
  }
  if (stream->capture == nullptr) return queue(session, *stream, what);
  return keep(*stream,
              [what](Session& later, Stream& target) { return queue(later, target, what); });
}

}  // namespace

extern "C" {

#define XFER_LAUNCH(NAME, VERSIONED, MEANS)                                                      \
  cudaError_t NAME(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem, \
                   cudaStream_t stream) {                                                        \
    return XFER_LAUNCH_CALL(VERSIONED, #NAME, func, func, gridDim, blockDim, args, sharedMem,    \
                            stream)                                                              \
        .run([&](Session& session) {                                                             \
          return launch(session, func, gridDim, blockDim, args, sharedMem,                       \
                        session.machine.stream(stream, MEANS));                                  \
        });                                                                                      \
  }
#define XFER_LAUNCH_CALL(VERSIONED, NAME, FUNCTION, ...)                      \
  ApiCallWith<VERSIONED##_params>(CUPTI_RUNTIME_TRACE_CBID_##VERSIONED, NAME, \
                                  VERSIONED##_params{__VA_ARGS__}, symbol_of(FUNCTION))
XFER_LAUNCH(cudaLaunchKernel, cudaLaunchKernel_v7000, DefaultStream::kLegacy)
XFER_LAUNCH(cudaLaunchKernel_ptsz, cudaLaunchKernel_ptsz_v7000, DefaultStream::kPerThread)
XFER_LAUNCH(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_v9000, DefaultStream::kLegacy)
XFER_LAUNCH(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel_ptsz_v9000,
            DefaultStream::kPerThread)

// What nvcc 13 emits; the real library forwards it the same way, so a tracer sees cudaLaunchKernel.
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

#define XFER_LAUNCH_EXC(NAME, VERSIONED, MEANS)                                                   \
  cudaError_t NAME(const cudaLaunchConfig_t* config, const void* func, void** args) {             \
    return XFER_LAUNCH_CALL(VERSIONED, #NAME, func, config, func, args)                           \
        .run([&](Session& session) {                                                              \
          if (config == nullptr) return cudaErrorInvalidValue;                                    \
          return launch(session, func, config->gridDim, config->blockDim, args,                   \
                        config->dynamicSmemBytes, session.machine.stream(config->stream, MEANS)); \
        });                                                                                       \
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
    *attr = cudaFuncAttributes{};
    attr->maxThreadsPerBlock = 1024;
    attr->numRegs = 32;
    attr->maxDynamicSharedSizeBytes = kernel->max_dynamic_shared;
    // Libraries choose their own variants by this (CUB).
    attr->ptxVersion = attr->binaryVersion = KernelRegistry::instance().architecture_of(
        *kernel, options.capability_major * 10 + options.capability_minor);
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
    }
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache cacheConfig) {
  return XFER_CALL(cudaFuncSetCacheConfig_v3020, func, cacheConfig).run([&](Session&) {
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
      .run([&](Session&) {
        if (numBlocks == nullptr || blockSize <= 0) return cudaErrorInvalidValue;
        if (KernelRegistry::instance().find(func) == nullptr) {
          return cudaErrorInvalidDeviceFunction;
        }
        const int warps = (blockSize + 31) / 32;
        int blocks = blockSize > 1024 ? 0 : std::min(32, 64 / warps);
        if (dynamicSMemSize > 0) {
          blocks = std::min<int>(blocks, static_cast<int>((228 << 10) / (dynamicSMemSize + 1024)));
        }
        *numBlocks = blocks;
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
