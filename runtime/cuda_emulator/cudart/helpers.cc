#include "cudart/helpers.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <regex>
#include <string>

#include "machine/beside.h"
#include "machine/hooks.h"
#include "machine/say.h"

namespace xfer::emulator {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> came{true};

fs::path path_of(void* library) {
  link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? fs::path(map->l_name) : fs::path();
}

/// "2.15", by the header that comes with PyTorch's libraries.
std::optional<std::string> torch_version(const fs::path& libraries) {
  for (const char* header : {"headeronly/version.h", "csrc/api/include/torch/version.h"}) {
    std::ifstream file(libraries.parent_path() / "include" / "torch" / header);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::smatch major;
    std::smatch minor;
    if (std::regex_search(text, major, std::regex("TORCH_VERSION_MAJOR (\\d+)")) &&
        std::regex_search(text, minor, std::regex("TORCH_VERSION_MINOR (\\d+)")))
      return major[1].str() + "." + minor[1].str();
  }
  return std::nullopt;
}

/// The helper for this PyTorch, to be called when libraries have come; null: there is none.
using Help = void (*)();
Help help_for_torch(void* torch) {
  const fs::path folder = path_of(torch).parent_path();
  const std::optional<std::string> version = torch_version(folder);
  const fs::path library = beside(reinterpret_cast<const void*>(&load_helpers),
                                  "libxfer_torch-" + version.value_or("?") + ".so");
  if (!fs::exists(library)) {
    say("xfercheck: PyTorch {} in {} is not a version whose operators are emulated: they are "
        "skipped\n",
        version.value_or("of an unknown version"), folder.string());
    return nullptr;
  }
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    say("xfercheck: PyTorch's operators are skipped: {}\n", dlerror());
    return nullptr;
  }
  return reinterpret_cast<Help>(dlsym(handle, "xfer_torch_compute"));
}

}  // namespace

void load_helpers() {
  if (!came.load(std::memory_order_relaxed)) return;
  static std::recursive_mutex loading;
  const std::lock_guard lock(loading);
  if (!came.exchange(false)) return;
  static bool is_known = false;
  static Help help = nullptr;
  if (!is_known) {
    void* const torch = dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_NOLOAD);
    if (torch == nullptr) return;
    is_known = true;
    help = help_for_torch(torch);
    dlclose(torch);
  }
  if (help != nullptr) help();
}

}  // namespace xfer::emulator

extern "C" void xfer_emulator_libraries_came() { xfer::emulator::came.store(true); }
