#include "cupti_api.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace xfer::tracer {
namespace {

// CUDA 12.0: the first whose activity records begin as today's do.
constexpr std::uint32_t kOldestVersion = 18;

std::string_view file_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// The digits after ".so.": 13 of libcudart.so.13.0.96; empty when there are none.
std::string major_version(std::string_view library) {
  const auto at = library.find(".so.");
  if (at == std::string_view::npos) return {};
  const std::string_view version = library.substr(at + 4);
  return std::string(version.substr(0, version.find('.')));
}

std::vector<std::string> candidates(bool emulated) {
  const std::string cudart = loaded_library("libcudart.so");
  // Emulated CUDA has a CUPTI of its own, also in a program that brings NVIDIA's along.
  if (emulated) return {cudart.substr(0, cudart.rfind('/') + 1) + "libcupti.so.13"};

  const std::string major = major_version(file_name(cudart));
  std::vector<std::string> names;
  if (!major.empty()) names.push_back("libcupti.so." + major);
  if (major.empty())
    for (const char* name : {"libcupti.so.13", "libcupti.so.12"}) names.emplace_back(name);
  names.emplace_back("libcupti.so");

  std::vector<std::string> folders;
  if (const auto slash = cudart.rfind('/'); slash != std::string::npos) {
    const std::string folder = cudart.substr(0, slash);
    for (const char* below :
         {"", "/../extras/CUPTI/lib64", "/../../../extras/CUPTI/lib64", "/../../cuda_cupti/lib"})
      folders.push_back(folder + below);
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable); root != nullptr && *root != '\0')
      for (const char* below : {"/extras/CUPTI/lib64", "/lib64", "/lib"})
        folders.push_back(std::string(root) + below);
  folders.emplace_back();  // the loader's own search
  folders.emplace_back("/usr/local/cuda/extras/CUPTI/lib64");
  folders.emplace_back("/usr/local/cuda/lib64");

  std::vector<std::string> paths;
  if (std::string loaded = loaded_library("libcupti.so"); !loaded.empty())
    paths.push_back(std::move(loaded));
  for (const std::string& folder : folders)
    for (const std::string& name : names)
      paths.push_back(folder.empty() ? name : folder + "/" + name);
  return paths;
}

}  // namespace

std::string loaded_library(const char* prefix) {
  struct Search {
    const char* prefix;
    std::string path;
  } search{prefix, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (!file_name(path).starts_with(wanted.prefix)) return 0;
        wanted.path = path;
        return 1;
      },
      &search);
  return search.path;
}

void* loaded_handle(const std::string& path) {
  return path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
}

void* loaded_function(const char* prefix, const char* name) {
  void* const library = loaded_handle(loaded_library(prefix));
  if (library == nullptr) return nullptr;
  void* const found = dlsym(library, name);
  dlclose(library);
  return found;
}

bool CuptiApi::load(bool emulated, std::string& problem) {
  void* library = nullptr;
  for (const std::string& path : candidates(emulated)) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    problem =
        "libcupti was not found beside the CUDA runtime nor in the toolkit's places (it comes "
        "with the CUDA toolkit in extras/CUPTI, or with pip's nvidia-cuda-cupti); add its "
        "folder to LD_LIBRARY_PATH";
    return false;
  }
  const char* missing = nullptr;
#define XFER_CUPTI_FIND(function) \
  function = reinterpret_cast<decltype(function)>(dlsym(library, #function));
#define XFER_CUPTI_CHECK(function) \
  if (function == nullptr && missing == nullptr) missing = #function;
  XFER_CUPTI_REQUIRED(XFER_CUPTI_FIND)
  XFER_CUPTI_OPTIONAL(XFER_CUPTI_FIND)
  XFER_CUPTI_REQUIRED(XFER_CUPTI_CHECK)
#undef XFER_CUPTI_FIND
#undef XFER_CUPTI_CHECK
  if (Dl_info info; cuptiGetVersion != nullptr &&
                    dladdr(reinterpret_cast<const void*>(cuptiGetVersion), &info) != 0)
    path = info.dli_fname;
  if (missing != nullptr) {
    problem = path + " has no " + missing + ": it is too old, or not CUPTI";
    return false;
  }
  if (const CUptiResult result = cuptiGetVersion(&version); result != CUPTI_SUCCESS) {
    problem = path + " does not start: " + explain(result);
    return false;
  }
  if (version < kOldestVersion) {
    problem = path + " has CUPTI API version " + std::to_string(version) +
              "; CUDA 12.0 (version 18) or newer is needed";
    return false;
  }
  return true;
}

std::string CuptiApi::explain(CUptiResult result) const {
  const char* text = nullptr;
  if (cuptiGetResultString == nullptr || cuptiGetResultString(result, &text) != CUPTI_SUCCESS ||
      text == nullptr)
    return "CUPTI error " + std::to_string(result);
  return std::string(text) + " (" + std::to_string(result) + ")";
}

}  // namespace xfer::tracer
