#include "elf_sections.h"

#include <elf.h>

#include <cstring>
#include <optional>

namespace xfer {
namespace {

std::string_view part(std::string_view file, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > file.size() || bytes > file.size() - offset) return {};
  return file.substr(offset, bytes);
}

template <class Header>
std::optional<Header> read(std::string_view file, std::uint64_t offset) {
  const std::string_view bytes = part(file, offset, sizeof(Header));
  if (bytes.empty()) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

}  // namespace

std::string_view elf_text(std::string_view texts, std::size_t offset) {
  if (offset >= texts.size()) return {};
  const std::size_t end = texts.find('\0', offset);
  return end == texts.npos ? std::string_view() : texts.substr(offset, end - offset);
}

std::vector<ElfSection> elf_sections(std::string_view file) {
  const auto header = read<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return {};
  std::vector<ElfSection> sections;
  std::vector<std::uint32_t> names;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto its = read<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!its) return {};
    const bool in_file = its->sh_type != SHT_NOBITS;
    sections.push_back({{},
                        its->sh_type,
                        its->sh_link,
                        in_file ? part(file, its->sh_offset, its->sh_size) : std::string_view()});
    names.push_back(its->sh_name);
  }
  if (header->e_shstrndx >= sections.size()) return {};
  for (std::size_t i = 0; i < sections.size(); ++i)
    sections[i].name = elf_text(sections[header->e_shstrndx].content, names[i]);
  return sections;
}

}  // namespace xfer
