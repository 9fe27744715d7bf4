#include "module_map.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace xfer {
namespace {

std::string executable_path() {
  char path[4096];
  // Not /proc/self: that is the main thread, which may have ended.
  const ssize_t size = readlink("/proc/thread-self/exe", path, sizeof(path));
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

std::string read_build_id(const dl_phdr_info& info, const ElfW(Phdr) & header) {
  const auto* at = reinterpret_cast<const char*>(info.dlpi_addr + header.p_vaddr);
  const char* const end = at + header.p_memsz;
  while (end - at >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
    const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
    const char* name = at + sizeof(*note);
    const std::size_t name_size = (note->n_namesz + 3u) & ~3u;
    const std::size_t content_size = (note->n_descsz + 3u) & ~3u;
    if (static_cast<std::size_t>(end - name) < name_size + content_size) break;
    const auto* content = reinterpret_cast<const unsigned char*>(name + name_size);
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        std::equal(name, name + 4, "GNU")) {
      std::string hex;
      for (std::size_t i = 0; i < note->n_descsz; ++i) {
        hex += "0123456789abcdef"[content[i] >> 4];
        hex += "0123456789abcdef"[content[i] & 15];
      }
      return hex;
    }
    at = name + name_size + content_size;
  }
  return {};
}

int visit_for_list(dl_phdr_info* info, std::size_t, void* argument) {
  auto& modules = *static_cast<std::vector<LoadedModule>*>(argument);
  LoadedModule module;
  module.begin = UINTPTR_MAX;
  module.bias = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD) {
      const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
      module.begin = std::min(module.begin, begin);
      module.end = std::max(module.end, begin + header.p_memsz);
    } else if (header.p_type == PT_NOTE && module.build_id.empty()) {
      module.build_id = read_build_id(*info, header);
    }
  }
  if (module.begin >= module.end) return 0;
  // The program itself is the first entry and has no name.
  module.path = info->dlpi_name != nullptr ? info->dlpi_name : "";
  if (module.path.empty() && modules.empty()) module.path = executable_path();
  modules.push_back(std::move(module));
  return 0;
}

int visit_for_generation(dl_phdr_info* info, std::size_t size, void* argument) {
  auto& generation = *static_cast<std::uint64_t*>(argument);
  if (size >= offsetof(dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs))
    generation = info->dlpi_adds + info->dlpi_subs;
  return 1;
}

}  // namespace

std::uint64_t module_generation() {
  std::uint64_t generation = 0;
  dl_iterate_phdr(visit_for_generation, &generation);
  return generation;
}

std::vector<LoadedModule> loaded_modules() {
  std::vector<LoadedModule> modules;
  dl_iterate_phdr(visit_for_list, &modules);
  return modules;
}

void ModuleMap::refresh(std::vector<LoadedModule> modules, std::vector<LoadedModule>& added) {
  std::sort(modules.begin(), modules.end(),
            [](const LoadedModule& a, const LoadedModule& b) { return a.begin < b.begin; });
  for (LoadedModule& module : modules) {
    const LoadedModule* old = find(module.begin);
    if (old != nullptr && old->begin == module.begin && old->end == module.end &&
        old->path == module.path && old->build_id == module.build_id) {
      module.id = old->id;
    } else {
      module.id = next_id_++;
      added.push_back(module);
    }
  }
  modules_ = std::move(modules);
}

const LoadedModule* ModuleMap::find(std::uintptr_t address) const {
  auto next = std::upper_bound(
      modules_.begin(), modules_.end(), address,
      [](std::uintptr_t value, const LoadedModule& module) { return value < module.begin; });
  if (next == modules_.begin()) return nullptr;
  const LoadedModule& module = *--next;
  return address < module.end ? &module : nullptr;
}

}  // namespace xfer
