#include "machine/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

namespace xfer::emulator {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{16} << 30;
constexpr std::uint64_t kUnit = std::uint64_t{64} << 20;

/// The number that a file begins with; nothing: it is not there, or says "max".
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (!(file >> number)) return std::nullopt;
  return number;
}

/// `MemTotal:  24574524 kB`
std::optional<std::uint64_t> installed(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string key, unit;
  std::uint64_t number = 0;
  while (file >> key >> number) {
    if (key == "MemTotal:") return number * 1024;
    std::getline(file, unit);
  }
  return std::nullopt;
}

/// The process's group in the second version of cgroups: `0::/user.slice`.
std::string group(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::")) return line.substr(3);
  return {};
}

}  // namespace

std::uint64_t memory_of_machine(const std::string& root) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  const auto allow = [&](std::optional<std::uint64_t> bytes) {
    if (bytes) least = std::min(least, *bytes);
  };
  allow(installed(root));
  // A group has what the groups around it leave it.
  for (std::string path = group(root);;) {
    allow(number_in(root + "/sys/fs/cgroup" + path + "/memory.max"));
    const std::size_t parent = path.rfind('/');
    if (parent == std::string::npos) break;
    path.resize(parent);
  }
  allow(number_in(root + "/sys/fs/cgroup/memory/memory.limit_in_bytes"));  // the first version
  return least == std::numeric_limits<std::uint64_t>::max() ? 0 : least;
}

std::uint64_t memory_of_device(std::uint64_t machine, int devices) {
  if (machine == 0 || devices <= 0) return kMost;
  const std::uint64_t share = machine / 2 / static_cast<std::uint64_t>(devices);
  return std::clamp(share / kUnit * kUnit, kUnit, kMost);
}

}  // namespace xfer::emulator
