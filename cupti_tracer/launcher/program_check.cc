#include "program_check.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "src/elf_sections.h"
#include "src/linked_runtime.h"
#include "src/mapped_file.h"

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
  LinkedRuntime linked;
};

void add_runtimes(std::string_view dynamic, std::string_view names, Facts& facts) {
  for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.size(); at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    std::memcpy(&entry, dynamic.data() + at, sizeof(entry));
    if (entry.d_tag != DT_NEEDED) continue;
    const std::string_view name = elf_text(names, entry.d_un.d_val);
    if (name.starts_with("libcudart.so")) facts.runtimes.emplace_back(name);
  }
}

Facts read_facts(const fs::path& program) {
  Facts facts;
  const MappedFile file(program.c_str());
  const std::vector<ElfSection> sections = elf_sections(file.bytes());
  for (const ElfSection& section : sections) {
    if (section.name == ".nv_fatbin") facts.device_code = true;
    if (section.type == SHT_DYNAMIC && section.link < sections.size())
      add_runtimes(section.content, sections[section.link].content, facts);
  }
  facts.linked = linked_runtime(file.bytes());
  return facts;
}

bool is_sealed(const Facts& facts) {
  return facts.device_code && facts.runtimes.empty() && facts.linked.functions.empty();
}

}  // namespace

bool has_sealed_runtime(const std::string& program) {
  return is_sealed(read_facts(locate(program)));
}

std::optional<std::string> why_not_emulated(const std::string& program) {
  const Facts facts = read_facts(locate(program));
  for (const std::string& runtime : facts.runtimes)
    if (runtime != kEmulatedRuntime)
      return program + " uses " + runtime + "; the emulated CUDA runtime is " +
             std::string(kEmulatedRuntime) + ": build it with CUDA 13";
  if (!facts.linked.functions.empty() && !facts.linked.has_current_calls)
    return program +
           " links a CUDA runtime older than 13 statically; the emulated one is CUDA 13's: build "
           "it with CUDA 13";
  if (is_sealed(facts))
    return program +
           " links the CUDA runtime statically and has no symbols, so it cannot run on emulated "
           "devices: do not strip it, or link it with nvcc -cudart shared (CMake: "
           "CUDA_RUNTIME_LIBRARY Shared)";
  return std::nullopt;
}

}  // namespace xfer::launcher
