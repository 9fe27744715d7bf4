#include "loading/redirect.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <utility>

#include "cudart/redirection.h"
#include "loading/open_pages.h"
#include "src/elf_sections.h"
#include "src/mapped_file.h"

namespace xfer::emulator {
namespace {

/// Of __nvJitLinkCreate_13_0: nvJitLinkCreate.
std::string_view without_version(std::string_view name) {
  const auto is_version = [](unsigned char c) { return std::isdigit(c) != 0 || c == '_'; };
  while (!name.empty() && is_version(static_cast<unsigned char>(name.back())))
    name.remove_suffix(1);
  while (name.starts_with('_')) name.remove_prefix(1);
  return name;
}

/// Where its table of symbols lies in memory; null: it tells none.
Elf64_Sym* symbols_of(const LoadedModule& module) {
  for (const auto* entry = static_cast<const Elf64_Dyn*>(module.dynamic);
       entry != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_SYMTAB) {
      const std::uintptr_t address = entry->d_un.d_ptr;  // some loaders have added the bias
      return reinterpret_cast<Elf64_Sym*>(address < module.bias ? address + module.bias : address);
    }
  return nullptr;
}

void redirect_names(const LoadedModule& module, std::span<Redirection> functions) {
  const MappedFile file(module.path.c_str());
  const std::vector<ElfSection> sections = elf_sections(file.bytes());
  const auto table = std::ranges::find(sections, std::uint32_t{SHT_DYNSYM}, &ElfSection::type);
  Elf64_Sym* const symbols = symbols_of(module);
  if (table == sections.end() || table->link >= sections.size() || symbols == nullptr) return;
  const std::size_t count = table->content.size() / sizeof(Elf64_Sym);
  const OpenPages pages(reinterpret_cast<std::uintptr_t>(symbols),
                        reinterpret_cast<std::uintptr_t>(symbols + count));
  if (!pages.is_open()) return;
  for (Elf64_Sym& symbol : std::span(symbols, count)) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    const std::string_view name =
        without_version(elf_text(sections[table->link].content, symbol.st_name));
    const auto function = std::ranges::find(functions, name, &Redirection::name);
    if (function == functions.end()) continue;
    function->original = reinterpret_cast<void*>(module.bias + symbol.st_value);
    if (function->by != nullptr)
      symbol.st_value = reinterpret_cast<std::uintptr_t>(function->by) - module.bias;
  }
}

}  // namespace

void redirect(const LoadedModule& module, const EmulatedRuntime& emulated) {
  using List = std::span<RedirectedLibrary> (*)();
  const auto list = reinterpret_cast<List>(emulated.function("xfer_emulator_redirections"));
  if (list == nullptr) return;
  const std::string_view file = std::string_view(module.path).substr(module.path.rfind('/') + 1);
  for (RedirectedLibrary& library : list())
    if (file.starts_with(library.name) && !std::exchange(library.is_loaded, true))
      redirect_names(module, library.functions);
}

}  // namespace xfer::emulator
