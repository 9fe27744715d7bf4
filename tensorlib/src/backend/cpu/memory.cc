// Host memory: aligned to a cache line, so that vector loads never split.
#include <cstdlib>
#include <string>

#include "backend/cpu/block_cache.h"
#include "backend/cpu/cpu_backend.h"
#include "backend/platform.h"
#include "tensorlib/error.h"

namespace tensorlib {

namespace cpu {

namespace {

BlockCache& blocks() {
  static BlockCache* const cache = new BlockCache;  // outlives every static tensor
  return *cache;
}

}  // namespace

void* CpuBackend::allocate(size_t nbytes) {
  if (void* const kept = blocks().take(nbytes)) return kept;
  constexpr size_t kAlignment = 64;
  void* data = nullptr;
  const auto get = [&] { return posix_memalign(&data, kAlignment, BlockCache::size_of(nbytes)) == 0; };
  if (get()) return data;
  blocks().clear();
  if (get()) return data;
  throw DeviceError("out of memory on cpu: " + std::to_string(nbytes) + " bytes asked for",
                    CallSite::none());
}

void CpuBackend::release(void* data, size_t nbytes) noexcept {
  if (!blocks().keep(data, nbytes)) std::free(data);
}

}  // namespace cpu

Backend& cpu_backend() {
  static cpu::CpuBackend* const backend = new cpu::CpuBackend;  // outlives every static tensor
  return *backend;
}

}  // namespace tensorlib
