#include "half_emulated.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "messages.h"
#include "src/elf_sections.h"
#include "src/mapped_file.h"

namespace xfer::tracer {
namespace {

constexpr std::string_view kRuntime = "libcudart.so";
constexpr std::string_view kEmulatedVersion = "13";

std::string wanted_devices() {
  const char* wanted = std::getenv("XFERCHECK_EMULATE");
  return wanted != nullptr && std::atoi(wanted) > 0 ? wanted : "";
}

bool emulator_is_loaded() {
  return dlsym(RTLD_DEFAULT, "xfer_emulator_register_kernel") != nullptr;
}

std::vector<std::string> loaded_runtimes() {
  std::vector<std::string> paths;
  const auto visit = [](dl_phdr_info* info, std::size_t, void* data) {
    const std::string_view path = info->dlpi_name != nullptr ? info->dlpi_name : "";
    if (path.substr(path.rfind('/') + 1).starts_with(kRuntime))
      static_cast<std::vector<std::string>*>(data)->emplace_back(path);
    return 0;
  };
  dl_iterate_phdr(visit, &paths);
  return paths;
}

/// "12" of /usr/lib/libcudart.so.12.4.1.
std::string runtime_version(const std::string& path) {
  const std::size_t at = path.rfind(std::string(kRuntime) + '.');
  if (at == std::string::npos) return {};
  const std::string rest = path.substr(at + kRuntime.size() + 1);
  return rest.substr(0, rest.find('.'));
}

/// nvcc's fat binary in the program itself.
bool has_device_code(const char* program) {
  const MappedFile file(program);
  return std::ranges::any_of(elf_sections(file.bytes()), [](const ElfSection& section) {
    return section.name == ".nv_fatbin";
  });
}

std::string no_effect(const std::string& devices) {
  return "XFERCHECK_EMULATE=" + devices + " has no effect here: ";
}

}  // namespace

void say_if_not_emulated() noexcept try {
  const std::string devices = wanted_devices();
  if (devices.empty() || emulator_is_loaded()) return;
  say(no_effect(devices) + "the program uses the real CUDA runtime; start it with xfertrace " +
      "--emulate=" + devices);
} catch (const std::exception&) {
}

void say_if_bypassed() noexcept try {
  const std::string devices = wanted_devices();
  if (devices.empty()) return;
  const bool emulator = emulator_is_loaded();
  for (const std::string& path : loaded_runtimes()) {
    if (!emulator)
      return say(no_effect(devices) + "the program uses " + path +
                 "; start it with xfertrace --emulate=" + devices);
    if (runtime_version(path) != kEmulatedVersion)
      return say(no_effect(devices) + "the program uses " + path +
                 ", and the emulated CUDA runtime is libcudart.so." +
                 std::string(kEmulatedVersion) + ": use a build for CUDA " +
                 std::string(kEmulatedVersion));
  }
  if (!emulator && has_device_code("/proc/self/exe"))
    say(no_effect(devices) +
        "the program links the CUDA runtime statically; start it with xfertrace " +
        "--emulate=" + devices);
} catch (const std::exception&) {
}

}  // namespace xfer::tracer
