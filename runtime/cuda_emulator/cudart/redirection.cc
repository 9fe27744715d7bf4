#include "cudart/redirection.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string>

namespace xfer::emulator {

void* own_function(std::span<const Redirection> functions, const char* name) {
  const auto found =
      std::ranges::find(functions, name, [](const Redirection& function) { return function.name; });
  if (found != functions.end() && found->original != nullptr) return found->original;
  if (void* const linked = dlsym(RTLD_NEXT, name)) return linked;
  return dlsym(RTLD_NEXT, ("__" + std::string(name) + "_13_0").c_str());  // as nvJitLink's are
}

}  // namespace xfer::emulator

/// For loading/redirect.cc, by its name.
extern "C" std::span<xfer::emulator::RedirectedLibrary> xfer_emulator_redirections() {
  using namespace xfer::emulator;
  static std::array<RedirectedLibrary, 2> all{
      {{"libnvrtc.so", nvrtc_redirections()}, {"libnvJitLink.so", nvjitlink_redirections()}}};
  return all;
}
