#include "cudart/kernel_translator.h"

#include <dlfcn.h>

#include <atomic>

namespace xfer::emulator {
namespace {

constexpr const char* kName = "libxfer_kernels.so";

std::atomic<kernels::CountTranslations> count{nullptr};  // null: it was not needed yet

struct Translator {
  kernels::LoadProgram load = nullptr;
  std::string why;
};

Translator find() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&find), &here) == 0 || here.dli_fname == nullptr)
    return {nullptr, std::string(kName) + " was not found"};
  std::string path = here.dli_fname;
  path.replace(path.rfind('/') + 1, std::string::npos, kName);
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const error = dlerror();
    return {nullptr, error != nullptr ? error : path + " cannot be loaded"};
  }
  const auto load = reinterpret_cast<kernels::LoadProgram>(dlsym(library, "xfer_kernels_load"));
  count = reinterpret_cast<kernels::CountTranslations>(dlsym(library, "xfer_kernels_translated"));
  return {load, load == nullptr ? path + " has no xfer_kernels_load" : std::string()};
}

}  // namespace

kernels::LoadProgram kernel_translator(std::string* why) {
  static const auto* const translator = new Translator(find());
  if (translator->load == nullptr) *why = translator->why;
  return translator->load;
}

std::uint64_t kernel_translations() {
  const kernels::CountTranslations its = count;
  return its == nullptr ? 0 : its();
}

}  // namespace xfer::emulator
