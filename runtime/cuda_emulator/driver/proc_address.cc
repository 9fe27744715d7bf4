// cuGetProcAddress: of a name, the newest version of the function that a program of some CUDA
// version knows.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "driver/driver.h"

namespace {

/// When each version of a function came, first to last: of f these are f, f_v2, f_v3, …
using Introductions = std::map<std::string, std::vector<int>>;
const Introductions& introductions() {
  static const auto* const all = [] {
    auto* const made = new Introductions;
#define XFER_DRIVER_VERSION(NAME, VERSION) (*made)[#NAME].push_back(VERSION);
#include "emulator_driver_versions.inc"
#undef XFER_DRIVER_VERSION
    for (auto& [name, versions] : *made) std::sort(versions.begin(), versions.end());
    return made;
  }();
  return *all;
}

/// Null for functions that are not emulated (stubs.cc, weak): the caller then takes another way.
void* emulated(const std::string& symbol) {
  static void* const library = [] {
    Dl_info here{};
    dladdr(reinterpret_cast<const void*>(&introductions), &here);
    return dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  void* const found = library != nullptr ? dlsym(library, symbol.c_str()) : nullptr;
  Dl_info info{};
  void* entry = nullptr;
  if (found == nullptr || dladdr1(found, &info, &entry, RTLD_DL_SYMENT) == 0) return nullptr;
  const bool stub =
      entry != nullptr && ELF64_ST_BIND(static_cast<Elf64_Sym*>(entry)->st_info) == STB_WEAK;
  return stub ? nullptr : found;
}

/// The nth version of a function.
void* find(const std::string& name, std::size_t version, bool per_thread) {
  const std::string symbol = version <= 1 ? name : name + "_v" + std::to_string(version);
  if (per_thread)
    for (const char* const suffix : {"_ptsz", "_ptds"})
      if (void* const found = emulated(symbol + suffix)) return found;
  return emulated(symbol);
}

}  // namespace

extern "C" CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion,
                                     cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* symbolStatus) {
  if (symbol == nullptr || pfn == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto known = introductions().find(symbol);
  std::size_t versions = 1;
  bool too_old = false;
  if (known != introductions().end()) {
    const auto& all = known->second;
    versions = static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), cudaVersion) -
                                        all.begin());
    too_old = versions == 0;
  }
  *pfn = too_old ? nullptr
                 : find(symbol, versions, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  if (symbolStatus != nullptr)
    *symbolStatus = *pfn != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS
                    : too_old       ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                    : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *pfn != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
