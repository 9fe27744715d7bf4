#include "gpu/kernels/device_kernel.h"

#include <array>
#include <cstdint>
#include <stdexcept>

namespace xfer::gpu {

void check(cudaError_t error, const std::string& doing) {
  if (error != cudaSuccess) throw std::runtime_error(doing + ": " + cudaGetErrorName(error));
}

DeviceKernel::DeviceKernel(const std::string& ptx, const char* name) {
  std::array<char, 4096> log{};
  std::array options{cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(std::uintptr_t{log.size()})};
  check(cudaLibraryLoadData(&library_, ptx.c_str(), options.data(), values.data(), 2, nullptr,
                            nullptr, 0),
        log.data());
  const cudaError_t found = cudaLibraryGetKernel(&kernel_, library_, name);
  if (found != cudaSuccess) cudaLibraryUnload(library_);
  check(found, std::string(log.data()) + name);
}

DeviceKernel::~DeviceKernel() { cudaLibraryUnload(library_); }

void DeviceKernel::run(unsigned threads, std::vector<const void*> addresses) const {
  std::vector<void*> arguments;
  for (const void*& address : addresses) arguments.push_back(&address);
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_), dim3(1), dim3(threads),
                         arguments.data(), 0, nullptr),
        "launch");
  check(cudaDeviceSynchronize(), "run");
}

}  // namespace xfer::gpu
