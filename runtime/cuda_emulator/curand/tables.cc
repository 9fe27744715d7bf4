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

/// Constants of plain ones there are none.
template <typename Vectors, typename Word>
bool read(curandStatus_t (*directions)(Vectors**, curandDirectionVectorSet_t),
          curandDirectionVectorSet_t set, curandStatus_t (*constants)(Word**), bool scrambled,
          SobolTables* tables) {
  Vectors* vectors = nullptr;
  Word* words = nullptr;
  if (directions(&vectors, set) != CURAND_STATUS_SUCCESS ||
      (scrambled && constants(&words) != CURAND_STATUS_SUCCESS))
    return false;
  tables->directions = vectors;
  tables->constants = words;
  return true;
}

}  // namespace

void* nvidia_function(const char* name) {
  static void* const library = nvidia_library();
  return library == nullptr ? nullptr : dlsym(library, name);
}

bool find_tables(curandRngType_t type, SobolTables* tables) {
  const bool scrambled =
      type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  tables->wide = is_wide(type);
  if (tables->wide)
    return read(&curandGetDirectionVectors64,
                scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
                          : CURAND_DIRECTION_VECTORS_64_JOEKUO6,
                &curandGetScrambleConstants64, scrambled, tables);
  return read(&curandGetDirectionVectors32,
              scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6
                        : CURAND_DIRECTION_VECTORS_32_JOEKUO6,
              &curandGetScrambleConstants32, scrambled, tables);
}

}  // namespace xfer::emulator
