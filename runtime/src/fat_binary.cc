#include "fat_binary.h"

#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>

#include "fat_region.h"
#include "regular_file.h"

namespace xfer {
namespace {

void add_texts(const FatRegion& region, std::vector<std::string>& texts) {
  if (!region.whole) return;
  std::vector<std::string> found;
  std::vector<std::uint32_t> of_text;
  std::vector<std::uint32_t> of_code;
  for (const FatEntry& entry : region.entries) {
    if (entry.kind == FatEntry::Kind::kPtx) {
      std::optional<std::string> text = unpack(entry, nullptr);
      if (!text) return;
      found.push_back(std::move(*text));
      of_text.push_back(entry.architecture);
    } else {
      of_code.push_back(entry.architecture);
    }
  }
  const bool covered = std::all_of(of_code.begin(), of_code.end(), [&](std::uint32_t code) {
    return std::find(of_text.begin(), of_text.end(), code) != of_text.end();
  });
  if (covered) std::move(found.begin(), found.end(), std::back_inserter(texts));
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

std::string build_id_of(Elf_Data* notes) {
  GElf_Nhdr note;
  std::size_t name = 0;
  std::size_t description = 0;
  for (std::size_t at = 0; (at = gelf_getnote(notes, at, &note, &name, &description)) > 0;)
    if (note.n_type == NT_GNU_BUILD_ID)
      return hex({static_cast<const char*>(notes->d_buf) + description, note.n_descsz});
  return {};
}

}  // namespace

std::vector<std::string> ptx_of_section(std::string_view section) {
  std::vector<std::string> texts;
  while (!section.empty()) {
    const auto size = region_size(section);
    if (!size) {  // regions are aligned to 8 bytes
      section.remove_prefix(std::min<std::size_t>(8, section.size()));
      continue;
    }
    if (*size > section.size()) return texts;
    add_texts(read_region(section.substr(0, *size)), texts);
    section.remove_prefix(*size);
  }
  return texts;
}

std::vector<std::string> ptx_of_file(const std::filesystem::path& file, std::string_view build_id) {
  const int descriptor = open_regular_file(file.c_str());
  if (descriptor < 0) return {};
  elf_version(EV_CURRENT);
  std::vector<std::string> texts;
  std::string its_id;
  {
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(descriptor, ELF_C_READ_MMAP, nullptr),
                                                  elf_end);
    std::size_t names = 0;
    Elf_Scn* section = nullptr;
    if (elf == nullptr || elf_getshdrstrndx(elf.get(), &names) != 0) names = 0;
    while (names != 0 && (section = elf_nextscn(elf.get(), section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      const char* name = elf_strptr(elf.get(), names, header.sh_name);
      const bool is_device_code = name != nullptr && std::string_view(name) == ".nv_fatbin";
      if (!is_device_code && header.sh_type != SHT_NOTE) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      if (data == nullptr || data->d_buf == nullptr) continue;
      if (is_device_code)
        texts = ptx_of_section({static_cast<const char*>(data->d_buf), data->d_size});
      else if (its_id.empty())
        its_id = build_id_of(data);
    }
  }
  close(descriptor);
  if (!build_id.empty() && its_id != build_id) texts.clear();
  return texts;
}

}  // namespace xfer
