#include "linked_runtime.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "elf_sections.h"

namespace xfer {
namespace {

constexpr std::string_view kAlwaysThere = "__cudaRegisterFatBinary";
constexpr std::string_view kOnlyBefore13 = "cudaGetDeviceProperties_v2";

struct Symbol {
  std::uint64_t address;
  std::string_view name;  // empty: none of the runtime's
};

/// The functions that the file defines. Those of the runtime are local: it is made to be linked in.
std::vector<Symbol> functions_of(const std::vector<ElfSection>& sections) {
  std::vector<Symbol> functions;
  for (const ElfSection& section : sections) {
    if (section.type != SHT_SYMTAB || section.link >= sections.size()) continue;
    const std::string_view names = sections[section.link].content;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= section.content.size();
         at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, section.content.data() + at, sizeof(symbol));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      const std::string_view name = elf_text(names, symbol.st_name);
      const bool of_runtime = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL &&
                              (name.starts_with("cuda") || name.starts_with("__cuda"));
      functions.push_back({symbol.st_value, of_runtime ? name : std::string_view()});
    }
  }
  std::ranges::sort(functions, {}, &Symbol::address);
  return functions;
}

}  // namespace

LinkedRuntime linked_runtime(std::string_view file) {
  const std::vector<Symbol> functions = functions_of(elf_sections(file));
  const auto has = [&](std::string_view name) {
    return std::ranges::find(functions, name, &Symbol::name) != functions.end();
  };
  LinkedRuntime runtime;
  if (!has(kAlwaysThere)) return runtime;
  runtime.has_current_calls = !has(kOnlyBefore13);
  for (auto it = functions.begin(); it != functions.end(); ++it) {
    if (it->name.empty()) continue;
    const auto next = std::find_if(
        it, functions.end(), [&](const Symbol& other) { return other.address > it->address; });
    const std::uint64_t room = next == functions.end() ? 0 : next->address - it->address;
    runtime.functions.push_back({std::string(it->name), it->address, room});
  }
  return runtime;
}

}  // namespace xfer
