#include "kernels/variables.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace xfer::kernels {
namespace {

/// Writes the number at `at`, or one byte of it.
void place(std::vector<std::byte>& value, const ptx::Relocation& relocation, std::uint64_t number) {
  const bool whole = relocation.byte == 0xFF;
  const std::size_t bytes = whole ? sizeof(number) : 1;
  if (!whole) number >>= relocation.byte * 8;
  if (value.size() < relocation.at + bytes) value.resize(relocation.at + bytes);
  std::memcpy(value.data() + relocation.at, &number, bytes);
}

ModuleVariable variable_of(const ptx::Module& module, const ptx::Variable& source) {
  ModuleVariable variable;
  variable.name = source.name;
  variable.bytes = source.size;
  variable.managed = source.managed;
  for (const std::uint8_t byte : source.value) variable.value.push_back(std::byte{byte});
  for (const ptx::Relocation& relocation : source.relocations) {
    if (const std::uint64_t number = number_of_function(module, relocation.name))
      place(variable.value, relocation, number);
    else if (relocation.byte == 0xFF || relocation.byte == 0)
      variable.addresses.push_back(
          {relocation.at, std::string(relocation.name), relocation.offset});
  }
  return variable;
}

}  // namespace

std::vector<ModuleVariable> variables_of(const ptx::Module& module) {
  std::vector<ModuleVariable> variables;
  for (const ptx::Variable& variable : module.variables)
    if (variable.space == ptx::Space::kGlobal || variable.space == ptx::Space::kConst)
      variables.push_back(variable_of(module, variable));
  return variables;
}

std::uint64_t number_of_function(const ptx::Module& module, std::string_view name) {
  const auto found = module.functions.find(name);
  if (found == module.functions.end()) return 0;
  return 1 + static_cast<std::uint64_t>(std::distance(module.functions.begin(), found));
}

}  // namespace xfer::kernels
