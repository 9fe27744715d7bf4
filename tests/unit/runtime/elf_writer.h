#pragma once
// Writes small ELF files: a table of sections and one of symbols, and no code.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xfer::test {

struct WrittenFunction {
  std::string_view name;
  std::uint64_t address = 0;
  bool is_local = true;
  bool is_defined = true;
};

/// Sections: none, .symtab, .strtab, .shstrtab, and `more`, which are empty.
std::string elf_file(const std::vector<WrittenFunction>& functions,
                     const std::vector<std::string_view>& more = {});

}  // namespace xfer::test
