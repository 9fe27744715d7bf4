#include "machine/kernel_cache.h"

#include "src/user_caches.h"

namespace xfer::emulator {

std::string kernel_cache_directory(const Options& options, const char* xdg_cache_home,
                                   const char* home) {
  if (options.cache) return *options.cache;
  const std::string caches = user_caches(xdg_cache_home, home);
  return caches.empty() ? caches : caches + "/kernels";
}

}  // namespace xfer::emulator
