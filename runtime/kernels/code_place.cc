#include "kernels/code_place.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace xfer::kernels {
namespace {

namespace object = llvm::object;

/// Where the function is in its section.
struct Found {
  object::SectionRef section;
  std::uint64_t offset = 0;
};

std::optional<Found> find(const object::ObjectFile& file, const std::string& function) {
  for (const object::SymbolRef& symbol : file.symbols()) {
    auto name = symbol.getName();
    auto section = symbol.getSection();
    auto offset = symbol.getAddress();
    const bool known = name && section && offset && *section != file.section_end();
    if (known && *name == function) return Found{**section, *offset};
    if (!name) llvm::consumeError(name.takeError());
    if (!section) llvm::consumeError(section.takeError());
    if (!offset) llvm::consumeError(offset.takeError());
  }
  return std::nullopt;
}

/// Which bytes of a section stay as they are when it is linked.
std::vector<bool> fixed_bytes(const object::ObjectFile& file, const object::SectionRef& section) {
  constexpr std::uint64_t kBefore = 3;  // an instruction that a shorter way replaces
  constexpr std::uint64_t kBehind = 8;
  std::vector<bool> fixed(section.getSize(), true);
  for (const object::SectionRef& other : file.sections()) {
    auto changed = other.getRelocatedSection();
    if (!changed) llvm::consumeError(changed.takeError());
    if (!changed || *changed == file.section_end() || **changed != section) continue;
    for (const object::RelocationRef& relocation : other.relocations()) {
      const std::uint64_t at = relocation.getOffset();
      for (std::uint64_t i = at - std::min(at, kBefore); i < at + kBehind && i < fixed.size(); ++i)
        fixed[i] = false;
    }
  }
  return fixed;
}

/// `memory`: where the section runs.
bool is_the_same(const object::ObjectFile& file, const object::SectionRef& section,
                 const std::byte* memory) {
  auto contents = section.getContents();
  if (!contents) {
    llvm::consumeError(contents.takeError());
    return false;
  }
  const std::vector<bool> fixed = fixed_bytes(file, section);
  for (std::size_t i = 0; i < contents->size(); ++i)
    if (fixed[i] && static_cast<std::byte>((*contents)[i]) != memory[i]) return false;
  return true;
}

/// Instructions that a compiler adds, as those that move values, have no line, or the one that the
/// function begins with: then that of the nearest that has its own.
std::optional<llvm::DILineInfo> line_near(llvm::DIContext& context,
                                          const object::SectionRef& section, std::uint64_t offset) {
  constexpr std::uint64_t kFarthest = 256;  // bytes
  const llvm::DILineInfoSpecifier what(llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue);
  const auto line_at = [&](std::uint64_t at) {
    auto line = context.getLineInfoForAddress({at, section.getIndex()}, what);
    if (line && (line->Line == 0 || line->Line == line->StartLine)) line.reset();
    return line;
  };
  for (std::uint64_t distance = 0; distance <= kFarthest; ++distance) {
    if (distance <= offset)
      if (auto line = line_at(offset - distance)) return line;
    if (auto line = line_at(offset + distance)) return line;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TextLine> line_of_code(std::string_view bytes, const std::string& function,
                                     const void* code, const void* at) {
  auto file = object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "kernel"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  const auto found = find(**file, function);
  if (!found) return std::nullopt;
  const std::byte* const memory = static_cast<const std::byte*>(code) - found->offset;
  const std::uint64_t offset =
      reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(memory);
  if (offset >= found->section.getSize() || !is_the_same(**file, found->section, memory))
    return std::nullopt;
  const auto context = llvm::DWARFContext::create(**file);
  const auto line = line_near(*context, found->section, offset);
  if (!line) return std::nullopt;
  TextLine place{0, line->Line};
  const std::string& name = line->FileName;
  if (std::from_chars(name.data(), name.data() + name.size(), place.text).ec != std::errc())
    return std::nullopt;
  return place;
}

}  // namespace xfer::kernels
