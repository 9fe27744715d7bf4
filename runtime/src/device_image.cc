#include "device_image.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <utility>

#include "fat_region.h"

namespace xfer {
namespace {

constexpr std::string_view kWrapperMagic = "\xb1\x43\x62\x46";
constexpr std::string_view kElfMagic = "\177ELF";

struct Wrapper {
  static constexpr std::uint32_t kOfParts = 2;  // the version that -rdc=true writes
  std::uint32_t magic;
  std::uint32_t version;
  const void* code;
  const void* const* parts;  ///< ends with a null
};

struct Architecture {
  std::uint32_t number;
  char variant;
};

/// Reads no further than a NUL.
bool begins(const void* at, std::string_view magic) {
  return at != nullptr &&
         std::strncmp(static_cast<const char*>(at), magic.data(), magic.size()) == 0;
}

Wrapper wrapper_at(const void* address) {
  Wrapper wrapper;
  std::memcpy(&wrapper, address, sizeof(wrapper));
  return wrapper;
}

std::nullopt_t fail(std::string* why, std::string text) {
  if (why != nullptr) *why = std::move(text);
  return std::nullopt;
}

bool runs_on(Architecture code, int capability) {
  const auto device = static_cast<std::uint32_t>(capability);
  if (code.variant == 'a') return code.number == device;
  if (code.variant == 'f' && code.number / 10 != device / 10) return false;
  return code.number <= device;
}

std::string name(const char* prefix, Architecture code) {
  std::string text = prefix + std::to_string(code.number);
  if (code.variant != '\0') text += code.variant;
  return text;
}

std::string names(const char* prefix, const std::vector<FatEntry>& entries, FatEntry::Kind kind) {
  std::vector<std::pair<std::uint32_t, char>> all;
  for (const FatEntry& entry : entries)
    if (entry.kind == kind) all.emplace_back(entry.architecture, entry.variant);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::string text;
  for (const auto& [number, variant] : all)
    text += (text.empty() ? "" : ", ") + name(prefix, {number, variant});
  return text;
}

std::string for_another_device(const std::string& compute, int capability) {
  return "its PTX is for " + compute + " and the device has " + std::to_string(capability / 10) +
         "." + std::to_string(capability % 10);
}

/// From the first character on that is neither blank nor of a comment.
std::string_view code_of(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const bool to_end_of_line = text.starts_with("//");
    if (!to_end_of_line && !text.starts_with("/*")) return text;
    const std::size_t end = to_end_of_line ? text.find('\n') : text.find("*/", 2);
    text.remove_prefix(end == text.npos ? text.size() : end + (to_end_of_line ? 1 : 2));
  }
}

bool is_ptx(std::string_view text) { return code_of(text).starts_with(".version"); }

/// The architecture that its .target names.
std::optional<Architecture> target_of(std::string_view ptx) {
  std::string_view text = code_of(ptx);
  text.remove_prefix(std::min(text.find_first_of(" \t\r\n"), text.size()));  // .version
  text = code_of(text);
  text = code_of(text.substr(std::min(text.find_first_of(" \t\r\n/"), text.size())));  // its number
  if (!text.starts_with(".target")) return std::nullopt;
  text = text.substr(0, text.find('\n'));
  const std::size_t sm = text.find("sm_");
  if (sm == text.npos) return std::nullopt;
  Architecture target{};
  const char* end = text.data() + text.size();
  const auto [at, fault] = std::from_chars(text.data() + sm + 3, end, target.number);
  if (fault != std::errc()) return std::nullopt;
  if (at != end && (*at == 'a' || *at == 'f')) target.variant = *at;
  return target;
}

std::optional<std::string> plain_ptx(std::string_view text, int capability, std::string* why) {
  text = text.substr(0, text.find('\0'));
  if (!is_ptx(text)) return fail(why, "it is neither PTX nor a fat binary");
  if (const auto target = target_of(text); target && !runs_on(*target, capability))
    return fail(why, for_another_device(name("compute_", *target), capability));
  return std::string(text);
}

}  // namespace

std::optional<std::string> ptx_to_run(std::string_view image, int capability, std::string* why) {
  if (image.starts_with(kElfMagic)) return fail(why, "it is machine code without PTX");
  const auto size = region_size(image);
  if (!size) return plain_ptx(image, capability, why);
  if (*size > image.size()) return fail(why, "it is cut short");
  FatRegion region = read_region(image.substr(0, *size));
  if (!region.whole) return fail(why, "it is cut short");

  const std::string ptx = names("compute_", region.entries, FatEntry::Kind::kPtx);
  const std::string machine_code = names("sm_", region.entries, FatEntry::Kind::kMachineCode);
  if (ptx.empty() && machine_code.empty())
    return fail(why, "it carries neither PTX nor machine code");
  if (ptx.empty()) return fail(why, "it carries machine code for " + machine_code + " and no PTX");
  std::stable_sort(region.entries.begin(), region.entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.architecture, a.variant) > std::pair(b.architecture, b.variant);
  });
  for (const FatEntry& entry : region.entries) {
    const Architecture its{entry.architecture, entry.variant};
    if (entry.kind != FatEntry::Kind::kPtx || !runs_on(its, capability)) continue;
    std::string fault;
    std::optional<std::string> text = unpack(entry, &fault);
    if (!text) return fail(why, "its PTX for " + name("compute_", its) + " " + fault);
    if (const auto target = target_of(*text); !target || runs_on(*target, capability)) return text;
  }
  return fail(why, for_another_device(ptx, capability));
}

bool is_device_code(std::string_view image) {
  return image.starts_with(kElfMagic) || region_size(image) || is_ptx(image);
}

std::vector<int> architectures_of(std::string_view image) {
  std::vector<int> architectures;
  if (const auto size = region_size(image)) {
    for (const FatEntry& entry : read_region(image.substr(0, *size)).entries)
      architectures.push_back(static_cast<int>(entry.architecture));
  } else if (is_ptx(image)) {
    if (const auto target = target_of(image))
      architectures.push_back(static_cast<int>(target->number));
  }
  return architectures;
}

std::string_view region_at(const void* code) {
  if (!begins(code, kRegionMagic)) return {};
  const auto* bytes = static_cast<const char*>(code);
  const std::size_t size = *region_size({bytes, kRegionHeaderSize});
  return size == std::string_view::npos ? std::string_view() : std::string_view(bytes, size);
}

std::string_view image_at(const void* image) {
  const auto* bytes = static_cast<const char*>(image);
  if (begins(image, kRegionMagic)) return region_at(image);
  if (begins(image, kWrapperMagic)) return region_at(wrapper_at(image).code);
  if (begins(image, kElfMagic)) return {bytes, kElfMagic.size()};
  return image == nullptr ? std::string_view() : std::string_view(bytes);
}

std::vector<std::string_view> images_of(const void* wrapper) {
  std::vector<std::string_view> images;
  if (!begins(wrapper, kWrapperMagic)) return images;
  const Wrapper its = wrapper_at(wrapper);
  const auto add = [&](std::string_view region) {
    if (region.size() > kRegionHeaderSize) images.push_back(region);
  };
  if (its.version == Wrapper::kOfParts && its.parts != nullptr)
    for (const void* const* part = its.parts; *part != nullptr; ++part) add(region_at(*part));
  add(region_at(its.code));
  return images;
}

}  // namespace xfer
