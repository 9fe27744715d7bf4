// The tables of functions without names, by which NVIDIA's own libraries reach the driver. None is
// emulated. NVRTC asks for one and does without; a program that is linked to the static runtime
// does not.

#include <dlfcn.h>

#include <string_view>

#include "driver/driver.h"
#include "machine/say.h"

extern "C" CUresult cuGetExportTable(const void** ppExportTable, const CUuuid*) {
  Dl_info caller{};
  if (ppExportTable != nullptr) *ppExportTable = nullptr;
  if (dladdr(__builtin_return_address(0), &caller) == 0 || caller.dli_fname == nullptr)
    return CUDA_ERROR_NOT_FOUND;
  const std::string_view file = caller.dli_fname;
  if (file.find("libnvrtc") == file.npos)
    xfer::emulator::say(
        "xfercheck: {} asks for the driver's unnamed functions, which are not emulated; a program "
        "needs nvcc -cudart shared\n",
        file);
  return CUDA_ERROR_NOT_FOUND;
}
