#pragma once
// Libraries of this project that lie in the folder of one that is loaded. They are loaded by their
// paths: a sanitizer's dlopen looks beside the sanitizer.

#include <dlfcn.h>

#include <filesystem>
#include <string>

namespace xfer::emulator {

/// The file of this name beside the library that has the function; the name alone where nobody
/// knows that library.
inline std::string beside(const void* function, const std::string& name) {
  Dl_info its{};
  if (dladdr(function, &its) == 0 || its.dli_fname == nullptr) return name;
  return std::filesystem::path(its.dli_fname).replace_filename(name);
}

}  // namespace xfer::emulator
