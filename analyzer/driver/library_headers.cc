#include "analyzer/driver/library_headers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

// A folder below `parent` that has `file`; the last by name.
std::optional<fs::path> folder_with(const fs::path& parent, const fs::path& file) {
  std::optional<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error))
    if (fs::exists(entry.path() / file, error) && (!found || *found < entry.path()))
      found = entry.path();
  return found;
}

bool has_cxx_library(const fs::path& root) {
  std::error_code error;
  return folder_with(root / "usr/include/c++", "vector") ||
         folder_with(root / "usr/local/include/c++", "vector") ||
         folder_with(root / "usr/lib", "include/c++/v1/vector") ||
         folder_with(root / "opt/rh", "root/usr/include/c++");
}

bool names_library(const std::string& word) {
  constexpr std::array kPrefixes = {
      std::string_view("--sysroot"),         std::string_view("-isysroot"),
      std::string_view("--gcc-toolchain"),   std::string_view("--gcc-install-dir"),
      std::string_view("-nostdinc"),         std::string_view("-nostdlibinc"),
      std::string_view("-stdlib++-isystem"), std::string_view("-stdlib=libc++"),
      std::string_view("--target")};
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return word.starts_with(prefix); });
}

}  // namespace

std::optional<LibraryHeaders> own_library_headers(const fs::path& beside, const fs::path& root) {
  const auto cxx = folder_with(beside / "c++", "vector");
  if (!cxx || has_cxx_library(root)) return std::nullopt;
  // x86_64-linux-gnu/c++/12
  const fs::path below = fs::path("c++") / cxx->filename();
  const auto target = folder_with(beside, below / "bits/c++config.h");
  if (!target) return std::nullopt;
  std::error_code error;
  return LibraryHeaders{beside, *cxx, *target, fs::exists(root / "usr/include/stdio.h", error)};
}

std::vector<std::string> with_library_headers(const LibraryHeaders& headers,
                                              const std::vector<std::string>& arguments) {
  if (std::ranges::any_of(arguments, names_library)) return {};
  std::vector<std::string> added;
  const fs::path of_target = headers.target / "c++" / headers.cxx.filename();
  for (const fs::path& folder : {headers.cxx, of_target, headers.cxx / "backward"})
    added.insert(added.end(), {"-stdlib++-isystem", folder.string()});
  if (!headers.c_is_there)
    for (const fs::path& folder : {headers.target, headers.folder})
      added.insert(added.end(), {"-idirafter", folder.string()});
  return added;
}

}  // namespace xfer::lint
