#pragma once
// The sections of an ELF file of this kind of machine, read from its bytes. None of them is
// trusted. For code that runs inside a traced program: it needs no library.

#include <cstdint>
#include <string_view>
#include <vector>

namespace xfer {

struct ElfSection {
  std::string_view name;
  std::uint32_t type;        ///< SHT_*
  std::uint32_t link;        ///< number of the section that goes with it, such as its names
  std::string_view content;  ///< empty where the file has none
};

/// Views into `file`. None: it is no 64-bit ELF file, or its table of sections is cut short.
std::vector<ElfSection> elf_sections(std::string_view file);

/// The zero-terminated text at `offset`; empty where it does not end inside.
std::string_view elf_text(std::string_view texts, std::size_t offset);

}  // namespace xfer
