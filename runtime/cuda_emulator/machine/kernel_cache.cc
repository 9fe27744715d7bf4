#include "machine/kernel_cache.h"

namespace xfer::emulator {
namespace {

/// Others are to be ignored, says the XDG Base Directory Specification.
bool is_absolute(const char* path) { return path != nullptr && *path == '/'; }

}  // namespace

std::string kernel_cache_directory(const Options& options, const char* xdg_cache_home,
                                   const char* home) {
  if (options.cache) return *options.cache;
  std::string base;
  if (is_absolute(xdg_cache_home))
    base = xdg_cache_home;
  else if (is_absolute(home))
    base = std::string(home) + "/.cache";
  return base.empty() ? base : base + "/xfercheck/kernels";
}

}  // namespace xfer::emulator
