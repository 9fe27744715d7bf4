#include "fat_binary.h"

#include <gelf.h>
#include <libelf.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "regular_file.h"

namespace xfer {
namespace {

constexpr std::uint32_t kRegionMagic = 0xba55ed50;
constexpr std::size_t kLargestText = std::size_t{256} << 20;

enum class EntryKind : std::uint16_t { kPtx = 1, kMachineCode = 2 };

struct RegionHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;
};

struct EntryHeader {
  EntryKind kind;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t payload_size;     ///< with padding
  std::uint32_t compressed_size;  ///< 0: not compressed
  std::uint32_t options;
  std::uint32_t code_version;
  std::uint32_t architecture;
};

template <class T>
std::optional<T> read(std::string_view bytes) {
  T value;
  if (bytes.size() < sizeof(T)) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

std::optional<std::string> text_of(const EntryHeader& entry, std::string_view payload) {
  if (entry.compressed_size != 0)
    payload = payload.substr(0, std::min<std::size_t>(entry.compressed_size, payload.size()));
  const unsigned long long size = ZSTD_getFrameContentSize(payload.data(), payload.size());
  if (size == ZSTD_CONTENTSIZE_ERROR)
    return entry.compressed_size == 0 ? std::optional<std::string>(payload) : std::nullopt;
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargestText) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  const std::size_t written =
      ZSTD_decompress(text.data(), text.size(), payload.data(), payload.size());
  if (ZSTD_isError(written) != 0) return std::nullopt;
  text.resize(written);
  return text;
}

void read_region(std::string_view entries, std::vector<std::string>& texts) {
  std::vector<std::string> found;
  std::vector<std::uint32_t> of_text;
  std::vector<std::uint32_t> of_code;
  while (const auto entry = read<EntryHeader>(entries)) {
    if (entry->header_size < sizeof(EntryHeader) || entry->header_size > entries.size() ||
        entry->payload_size > entries.size() - entry->header_size)
      return;
    const std::string_view payload = entries.substr(entry->header_size, entry->payload_size);
    entries.remove_prefix(entry->header_size + payload.size());
    if (entry->kind == EntryKind::kPtx) {
      std::optional<std::string> text = text_of(*entry, payload);
      if (!text) return;
      found.push_back(std::move(*text));
      of_text.push_back(entry->architecture);
    } else {
      of_code.push_back(entry->architecture);
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
  while (const auto region = read<RegionHeader>(section)) {
    if (region->magic != kRegionMagic) {  // regions are aligned to 8 bytes
      section.remove_prefix(std::min<std::size_t>(8, section.size()));
      continue;
    }
    if (region->header_size < sizeof(RegionHeader) || region->header_size > section.size() ||
        region->size > section.size() - region->header_size)
      return texts;
    read_region(section.substr(region->header_size, region->size), texts);
    section.remove_prefix(region->header_size + static_cast<std::size_t>(region->size));
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
