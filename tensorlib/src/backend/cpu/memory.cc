// Host memory: aligned to a cache line, so that vector loads never split.
#include <cstdlib>
#include <string>

#include "backend/cpu/cpu_backend.h"
#include "backend/platform.h"
#include "tensorlib/error.h"

namespace tensorlib {

namespace cpu {

void* CpuBackend::allocate(size_t nbytes) {
  constexpr size_t kAlignment = 64;
  void* data = nullptr;
  if (posix_memalign(&data, kAlignment, nbytes) != 0) {
    throw DeviceError("out of memory on cpu: " + std::to_string(nbytes) + " bytes asked for",
                      CallSite::none());
  }
  return data;
}

void CpuBackend::release(void* data, size_t) noexcept { std::free(data); }

}  // namespace cpu

Backend& cpu_backend() {
  static cpu::CpuBackend* const backend = new cpu::CpuBackend;  // outlives every static tensor
  return *backend;
}

}  // namespace tensorlib
