#include "elf_writer.h"

#include <elf.h>

#include <cstring>

namespace xfer::test {
namespace {

struct Section {
  std::string_view name;
  std::uint32_t type;
  std::uint32_t link;
  std::string content;
};

template <class Value>
void append(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::uint32_t add_text(std::string& texts, std::string_view text) {
  const auto at = static_cast<std::uint32_t>(texts.size());
  texts.append(text).push_back('\0');
  return at;
}

}  // namespace

std::string elf_file(const std::vector<WrittenFunction>& functions,
                     const std::vector<std::string_view>& more) {
  std::vector<Section> sections = {{"", SHT_NULL, 0, {}},
                                   {".symtab", SHT_SYMTAB, 2, {}},
                                   {".strtab", SHT_STRTAB, 0, std::string(1, '\0')},
                                   {".shstrtab", SHT_STRTAB, 0, {}}};
  for (const std::string_view name : more) sections.push_back({name, SHT_PROGBITS, 0, {}});
  for (const WrittenFunction& function : functions) {
    Elf64_Sym symbol{};
    symbol.st_name = add_text(sections[2].content, function.name);
    symbol.st_info = ELF64_ST_INFO(function.is_local ? STB_LOCAL : STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = function.is_defined ? 1 : SHN_UNDEF;
    symbol.st_value = function.address;
    append(sections[1].content, symbol);
  }
  std::vector<std::uint32_t> names;
  for (const Section& section : sections)
    names.push_back(add_text(sections[3].content, section.name));

  std::string file(sizeof(Elf64_Ehdr), '\0');
  std::string table;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    Elf64_Shdr header{};
    header.sh_name = names[i];
    header.sh_type = sections[i].type;
    header.sh_link = sections[i].link;
    header.sh_offset = file.size();
    header.sh_size = sections[i].content.size();
    append(table, header);
    file += sections[i].content;
  }
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shoff = file.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(sections.size());
  header.e_shstrndx = 3;
  std::memcpy(file.data(), &header, sizeof(header));
  return file + table;
}

}  // namespace xfer::test
