#pragma once
// Where this product keeps what it can make again.

#include <string>

namespace xfer {

/// $XDG_CACHE_HOME/xfercheck or ~/.cache/xfercheck, from the values of the variables; empty:
/// neither is an absolute path. Others are to be ignored, says the XDG Base Directory
/// Specification.
inline std::string user_caches(const char* xdg_cache_home, const char* home) {
  const auto is_absolute = [](const char* path) { return path != nullptr && *path == '/'; };
  if (is_absolute(xdg_cache_home)) return std::string(xdg_cache_home) + "/xfercheck";
  return is_absolute(home) ? std::string(home) + "/.cache/xfercheck" : std::string();
}

}  // namespace xfer
