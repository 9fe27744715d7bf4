#include "cublas/blas.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>

namespace xfer::emulator {

const Blas* blas() {
  static const Blas* const found = []() -> const Blas* {
    void* const library = dlopen("libxfer_emulated_blas.so", RTLD_NOW | RTLD_LOCAL);
    const void* const table = library == nullptr ? nullptr : dlsym(library, "xfer_emulated_blas");
    if (table == nullptr)
      fmt::print(stderr, "xfercheck: matrix products are skipped: {}\n", dlerror());
    return static_cast<const Blas*>(table);
  }();
  return found;
}

}  // namespace xfer::emulator
