#include "kernels/cache/own_build.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace xfer::kernels {
namespace {

struct Search {
  std::uintptr_t address;
  std::string_view found;
};

std::string_view build_id_in(std::string_view notes) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof(note));
    notes.remove_prefix(sizeof(note));
    const std::size_t name = padded(note.n_namesz);
    if (notes.size() < name + note.n_descsz) break;
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(0, 4) == std::string_view("GNU", 4))
      return notes.substr(name, note.n_descsz);
    if (notes.size() < name + padded(note.n_descsz)) break;
    notes.remove_prefix(name + padded(note.n_descsz));
  }
  return {};
}

int visit(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool here = false;
  std::string_view id;
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & part = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD) here = here || search.address - begin < part.p_memsz;
    if (part.p_type == PT_NOTE && id.empty())
      id = build_id_in({reinterpret_cast<const char*>(begin), part.p_memsz});
  }
  if (here) search.found = id;
  return here ? 1 : 0;
}

}  // namespace

std::string_view own_build() {
  static const std::string_view id = [] {
    Search search{reinterpret_cast<std::uintptr_t>(&own_build), {}};
    dl_iterate_phdr(&visit, &search);
    return search.found;
  }();
  return id;
}

}  // namespace xfer::kernels
