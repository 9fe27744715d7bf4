#include "places.h"

#include <string>

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;

// Below the folder that holds bin/.
std::optional<fs::path> find_library(const fs::path& name) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  const fs::path root = self.parent_path().parent_path();
  for (const char* folder : {XFER_LIBDIR, "lib", "lib64"})
    if (const fs::path candidate = root / folder / name; fs::exists(candidate, error))
      return candidate;
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> tracer_library() { return find_library("libxfertrace.so"); }

std::optional<fs::path> emulator_folder() {
  const auto library = find_library("emulator/libcudart.so.13");
  if (!library) return std::nullopt;
  return library->parent_path();
}

}  // namespace xfer::launcher
