#include "program_check.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEmulatedRuntime = "libcudart.so.13";

// As execvp looks for it.
fs::path locate(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  while (true) {
    const auto colon = rest.find(':');
    const fs::path folder(rest.substr(0, colon));
    std::error_code error;
    if (const fs::path candidate = folder / program; fs::is_regular_file(candidate, error))
      return candidate;
    if (colon == std::string_view::npos) return program;
    rest.remove_prefix(colon + 1);
  }
}

struct Facts {
  bool device_code = false;           ///< nvcc's fat binary
  std::vector<std::string> runtimes;  ///< the shared CUDA runtimes that it names
};

void read_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Facts& facts) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr || entry.d_tag != DT_NEEDED)
      continue;
    const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (name != nullptr && std::string_view(name).starts_with("libcudart.so"))
      facts.runtimes.emplace_back(name);
  }
}

Facts read_facts(const fs::path& file) {
  Facts facts;
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return facts;
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(descriptor, ELF_C_READ_MMAP, nullptr),
                                                elf_end);
  std::size_t names = 0;
  if (elf != nullptr && elf_kind(elf.get()) == ELF_K_ELF &&
      elf_getshdrstrndx(elf.get(), &names) == 0) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf.get(), section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      const char* name = elf_strptr(elf.get(), names, header.sh_name);
      if (name != nullptr && std::string_view(name) == ".nv_fatbin") facts.device_code = true;
      if (header.sh_type == SHT_DYNAMIC) read_dynamic(elf.get(), section, header, facts);
    }
  }
  close(descriptor);
  return facts;
}

bool is_static(const Facts& facts) { return facts.device_code && facts.runtimes.empty(); }

}  // namespace

bool has_static_runtime(const std::string& program) {
  return is_static(read_facts(locate(program)));
}

std::optional<std::string> why_not_emulated(const std::string& program) {
  const Facts facts = read_facts(locate(program));
  for (const std::string& runtime : facts.runtimes)
    if (runtime != kEmulatedRuntime)
      return program + " uses " + runtime + "; the emulated CUDA runtime is " +
             std::string(kEmulatedRuntime) + ": build it with CUDA 13";
  if (is_static(facts))
    return program +
           " has the CUDA runtime linked in statically, so it cannot run on emulated devices: link "
           "it with nvcc -cudart shared (CMake: CUDA_RUNTIME_LIBRARY Shared)";
  return std::nullopt;
}

}  // namespace xfer::launcher
