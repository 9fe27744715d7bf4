// The tables of functions without names, by which NVIDIA's own libraries reach the driver. None is
// emulated. NVRTC and nvJitLink ask for one and do without; a CUDA runtime that is linked in
// statically, as in cuFFT and its kin, does not: its calls return errors.

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "driver/driver.h"
#include "machine/say.h"
#include "src/linked_runtime.h"
#include "src/mapped_file.h"

namespace {

bool is_program(const char* file) {
  char program[PATH_MAX];
  char its[PATH_MAX];
  return realpath("/proc/self/exe", program) != nullptr && realpath(file, its) != nullptr &&
         std::string_view(program) == its;
}

std::string_view remedy(const char* file) {
  const xfer::LinkedRuntime runtime = xfer::linked_runtime(xfer::MappedFile(file).bytes());
  if (runtime.functions.empty() || !runtime.has_current_calls)
    return "its CUDA calls fail; if it is yours, link it with nvcc -cudart shared";
  if (is_program(file)) return "start it with xfertrace --emulate or LD_PRELOAD=libcudart.so.13";
  return "it was loaded too late: put it into LD_PRELOAD, or link it with nvcc -cudart shared";
}

/// Those ask, and do without.
bool is_compiler(std::string_view file) {
  return file.find("libnvrtc") != std::string_view::npos ||
         file.find("libnvJitLink") != std::string_view::npos;
}

void say_once(const char* file) {
  static auto* const mutex = new std::mutex;
  static auto* const said = new std::set<std::string, std::less<>>;
  const std::lock_guard lock(*mutex);
  if (!said->insert(file).second) return;
  xfer::emulator::say("xfercheck: {} links the CUDA runtime statically: {}\n", file, remedy(file));
}

}  // namespace

extern "C" CUresult cuGetExportTable(const void** ppExportTable, const CUuuid*) {
  Dl_info caller{};
  if (ppExportTable != nullptr) *ppExportTable = nullptr;
  if (dladdr(__builtin_return_address(0), &caller) == 0 || caller.dli_fname == nullptr)
    return CUDA_ERROR_NOT_FOUND;
  if (!is_compiler(caller.dli_fname)) say_once(caller.dli_fname);
  return CUDA_ERROR_NOT_FOUND;
}
