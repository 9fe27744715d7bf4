#include "curand/tables.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "machine/say.h"

namespace xfer::emulator {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> places() {
  std::vector<fs::path> found;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* const root = std::getenv(variable))
      for (const char* folder : {"lib64", "lib"}) found.push_back(fs::path(root) / folder);
  if (const char* const path = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) found.emplace_back(folder);
  }
  found.emplace_back(XFER_TOOLKIT_LIBRARIES);
  found.emplace_back("/usr/local/cuda/lib64");
  return found;
}

/// By its path, as this library has its name.
void* nvidia_library() {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&nvidia_function), &self) == 0) return nullptr;
  for (const fs::path& folder : places()) {
    std::error_code error;
    const fs::path library = folder / "libcurand.so.10";
    if (!fs::exists(library, error) || fs::equivalent(library, self.dli_fname, error)) continue;
    void* const found = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    // Another emulator's has no tables either.
    if (found != nullptr && dlsym(found, "xfer_emulated_curand_not_supported") == nullptr)
      return found;
  }
  say("xfercheck: quasirandom numbers need the tables of NVIDIA's libcurand.so.10, which is in "
      "none of CUDA_PATH, CUDA_HOME and LD_LIBRARY_PATH\n");
  return nullptr;
}

bool has(curandStatus_t status) { return status == CURAND_STATUS_SUCCESS; }

}  // namespace

void* nvidia_function(const char* name) {
  static void* const library = nvidia_library();
  return library == nullptr ? nullptr : dlsym(library, name);
}

bool find_tables(curandRngType_t type, SobolTables* tables) {
  const bool scrambled =
      type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  tables->wide = is_wide(type);
  if (tables->wide) {
    curandDirectionVectors64_t* directions = nullptr;
    unsigned long long* constants = nullptr;
    const bool found = has(curandGetDirectionVectors64(
                           &directions, scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
                                                  : CURAND_DIRECTION_VECTORS_64_JOEKUO6)) &&
                       (!scrambled || has(curandGetScrambleConstants64(&constants)));
    tables->directions = directions;
    tables->constants = constants;
    return found;
  }
  curandDirectionVectors32_t* directions = nullptr;
  unsigned int* constants = nullptr;
  const bool found = has(curandGetDirectionVectors32(
                         &directions, scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6
                                                : CURAND_DIRECTION_VECTORS_32_JOEKUO6)) &&
                     (!scrambled || has(curandGetScrambleConstants32(&constants)));
  tables->directions = directions;
  tables->constants = constants;
  return found;
}

}  // namespace xfer::emulator
