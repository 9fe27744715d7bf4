#include "machine/options.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "xfer/rules/nearest.h"

namespace xfer::emulator {
namespace {

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t scale = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': scale = std::uint64_t{1} << 10; break;
      case 'm':
      case 'M': scale = std::uint64_t{1} << 20; break;
      case 'g':
      case 'G': scale = std::uint64_t{1} << 30; break;
      default: break;
    }
  }
  if (scale != 1) text.remove_suffix(1);
  const auto number = parse_number<std::uint64_t>(text);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  if (!number || *number == 0 || *number > kMost / scale) return std::nullopt;
  return *number * scale;
}

bool parse_bool(std::string_view text, bool* value) {
  if (text != "0" && text != "1") return false;
  *value = text == "1";
  return true;
}

struct Key {
  std::string_view name;
  std::string_view values;
  std::string_view help;
  bool (*set)(Options&, std::string_view);
};

constexpr Key kKeys[] = {
    {"emulate_memory", "bytes, with k, m or g",
     "memory of each device (its share of half the machine's, at most 16g)",
     [](Options& o, std::string_view text) {
       const auto size = parse_size(text);
       if (size) o.memory = *size;
       return size.has_value();
     }},
    {"emulate_schedule", "eager, lazy or random", "when queued work runs (eager)",
     [](Options& o, std::string_view text) {
       if (text == "eager") return o.schedule = Schedule::kEager, true;
       if (text == "lazy") return o.schedule = Schedule::kLazy, true;
       if (text == "random") return o.schedule = Schedule::kRandom, true;
       return false;
     }},
    {"emulate_seed", "a number", "seed of emulate_schedule=random (1)",
     [](Options& o, std::string_view text) {
       const auto seed = parse_number<std::uint64_t>(text);
       if (seed) o.seed = *seed;
       return seed.has_value();
     }},
    {"emulate_peer", "0 or 1", "devices can access each other's memory (1)",
     [](Options& o, std::string_view text) { return parse_bool(text, &o.peer); }},
    {"emulate_capability", "MAJOR.MINOR", "compute capability (9.0; code for newer ones runs, too)",
     [](Options& o, std::string_view text) {
       const auto dot = text.find('.');
       if (dot == std::string_view::npos) return false;
       const auto major = parse_number<int>(text.substr(0, dot));
       const auto minor = parse_number<int>(text.substr(dot + 1));
       if (!major || !minor || *major < 1 || *minor < 0) return false;
       o.capability_major = *major;
       o.capability_minor = *minor;
       o.capability_is_asked_for = true;
       return true;
     }},
    {"emulate_summary", "0 or 1", "name the skipped kernels when the program ends (1)",
     [](Options& o, std::string_view text) { return parse_bool(text, &o.summary); }},
    {"emulate_report", "a path", "at the end, write to this file as JSON how each kernel ran",
     [](Options& o, std::string_view text) {
       o.report = text;
       return !text.empty();
     }},
    {"emulate_touches", "0 or 1",
     "under a tracer, kernels from PTX record what they read and write (1)",
     [](Options& o, std::string_view text) { return parse_bool(text, &o.touches); }},
    {"emulate_warps", "auto, always or never",
     "kernels from PTX: run the lanes of a warp in step, as SIMD (auto: in kernels that do much "
     "work)",
     [](Options& o, std::string_view text) {
       if (text == "auto") return o.warps = Warps::kAuto, true;
       if (text == "always") return o.warps = Warps::kAlways, true;
       if (text == "never") return o.warps = Warps::kNever, true;
       return false;
     }},
    {"emulate_execute", "ptx, host or skip",
     "how to run a kernel: by the program's PTX, by its host version, not at all (ptx; without "
     "PTX, the host version)",
     [](Options& o, std::string_view text) {
       if (text == "ptx") return o.execute = Execute::kPtx, true;
       if (text == "host") return o.execute = Execute::kHost, true;
       if (text == "skip") return o.execute = Execute::kSkip, true;
       return false;
     }},
    {"emulate_missing", "zero or nan",
     "content of new memory that a skipped kernel may have had to fill (zero)",
     [](Options& o, std::string_view text) {
       o.missing_is_nan = text == "nan";
       return text == "zero" || text == "nan";
     }},
    {"emulate_kernel_limit", "seconds, or 0",
     "stop a kernel that runs longer than this (600; 0: never)",
     [](Options& o, std::string_view text) {
       const auto seconds = parse_number<unsigned>(text);
       if (seconds) o.kernel_seconds = *seconds;
       return seconds.has_value();
     }},
    {"emulate_threads", "1 to 256",
     "kernels from PTX: host threads that run blocks in parallel (1: in a fixed order)",
     [](Options& o, std::string_view text) {
       const auto threads = parse_number<unsigned>(text);
       if (!threads || *threads == 0 || *threads > kMaxThreads) return false;
       o.threads = *threads;
       return true;
     }},
    {"emulate_cache", "an absolute directory, or 0",
     "cache of code compiled from PTX, kept from run to run (xfercheck/kernels in the user's cache "
     "folder; 0: none)",
     [](Options& o, std::string_view text) {
       if (text != "0" && !text.starts_with('/')) return false;
       o.cache = text == "0" ? std::string_view() : text;
       return true;
     }},
    {"emulate_kernels", "paths, comma-separated", "libraries with host versions of kernels",
     [](Options& o, std::string_view text) {
       o.kernels = text;
       return true;
     }},
};

void for_each_option(std::string_view text,
                     const std::function<void(std::string_view, std::string_view)>& visit) {
  while (!text.empty()) {
    const auto colon = text.find(':');
    const std::string_view item = text.substr(0, colon);
    text = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    const auto equals = item.find('=');
    if (equals == std::string_view::npos) {
      visit(item, {});
    } else {
      visit(item.substr(0, equals), item.substr(equals + 1));
    }
  }
}

}  // namespace

Options parse_options(const char* emulate, const char* options,
                      std::vector<std::string>* complaints) {
  Options result;
  if (emulate != nullptr && *emulate != '\0') {
    const auto count = parse_number<int>(emulate);
    if (count && *count >= 0 && *count <= kMaxDevices) {
      result.devices = *count;
    } else {
      complaints->push_back(fmt::format(
          "XFERCHECK_EMULATE: expected 0 to {} devices, got '{}'; no device is emulated",
          kMaxDevices, emulate));
    }
  }
  if (options == nullptr) return result;
  for_each_option(options, [&](std::string_view name, std::string_view value) {
    if (!name.starts_with("emulate_")) return;
    for (const Key& key : kKeys) {
      if (key.name != name) continue;
      if (!key.set(result, value)) {
        complaints->push_back(fmt::format(
            "XFERCHECK_OPTIONS: {}={}: expected {}; the default is used", name, value, key.values));
      }
      return;
    }
    std::vector<std::string_view> names;
    for (const Key& key : kKeys) names.push_back(key.name);
    complaints->push_back(
        fmt::format("XFERCHECK_OPTIONS: there is no option '{}'{} (help=1 lists them)", name,
                    did_you_mean(name, names)));
  });
  return result;
}

std::string describe_options() {
  std::string text;
  for (const Key& key : kKeys) {
    text += fmt::format("  {:<20} {} [{}]\n", key.name, key.help, key.values);
  }
  return text;
}

}  // namespace xfer::emulator
