// Makes NVIDIA's libraries inside a program use the emulated runtime. The loader initialises this
// library first, before those that it is linked to and this one's C++ library.

#include <link.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "loading/on_load.h"
#include "loading/redirect.h"
#include "loading/static_runtime.h"

namespace xfer::emulator {
namespace {

/// The C library is not initialised yet: getenv() would find nothing.
bool is_emulated(char** environment) {
  constexpr std::string_view kName = "XFERCHECK_EMULATE=";
  for (; environment != nullptr && *environment != nullptr; ++environment)
    if (std::string_view(*environment).starts_with(kName))
      return std::atoi(*environment + kName.size()) > 0;
  return false;
}

std::vector<LoadedModule> modules() {
  std::vector<LoadedModule> found;
  const auto visit = [](dl_phdr_info* info, std::size_t, void* data) {
    const bool is_program = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
    static_cast<std::vector<LoadedModule>*>(data)->push_back(
        {is_program ? "/proc/self/exe" : info->dlpi_name, info->dlpi_addr, nullptr});
    return 0;
  };
  dl_iterate_phdr(visit, &found);
  return found;
}

void visit(const LoadedModule& module) noexcept try {
  const EmulatedRuntime emulated;
  redirect(module, emulated);
  replace_static_runtime(module, emulated);
} catch (...) {  // as if it were none of NVIDIA's
}

void visit_loaded(const LoadedModule& module) noexcept {
  static const auto came =
      reinterpret_cast<void (*)()>(EmulatedRuntime().function("xfer_emulator_libraries_came"));
  if (came != nullptr) came();
  visit(module);
}

[[gnu::constructor]] void start(int, char**, char** environment) noexcept try {
  if (!is_emulated(environment)) return;
  const EmulatedRuntime emulated;
  if (!emulated.is_loaded()) return;
  for (const LoadedModule& module : modules()) visit(module);
  on_each_load(visit_loaded);
} catch (...) {  // as if there were none: its calls will fail, and that is said
}

}  // namespace
}  // namespace xfer::emulator
