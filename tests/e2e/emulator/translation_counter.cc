// Gets into a program by CUDA_INJECTION64_PATH, and says at its end how many kernels were
// translated.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "machine/hooks.h"

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  std::atexit([] {
    const auto get = reinterpret_cast<decltype(&xfer_emulator_get_counters)>(
        dlsym(RTLD_DEFAULT, "xfer_emulator_get_counters"));
    xfer_emulator_counters counters{};
    if (get != nullptr) get(&counters);
    std::fprintf(stderr, "launches %s, translated %d\n", counters.launches != 0 ? "seen" : "unseen",
                 static_cast<int>(counters.translations));
  });
  return 1;
}
