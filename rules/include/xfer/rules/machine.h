#pragma once
// The machine that a tool runs on, as far as its files say. Header-only, because the library inside
// a traced process asks too and links nothing of this.

#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace xfer {

struct Machine {
  std::string cpu;                ///< "AMD EPYC 7B13 64-Core Processor, 2 threads"
  std::string os;                 ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-amd64"
  std::vector<std::string> gpus;  ///< NVIDIA's, by name
  std::string driver;             ///< "580.65.06"
  bool has_gpu = false;           ///< some of them may have no name here (WSL, containers)
};

namespace machine {

/// Of the first line of `file` that starts with `key`: what follows `separator`, without blanks
/// and quotes around it. No more than a part of the file is read: some are long to make.
inline std::string field(const std::filesystem::path& file, std::string_view key, char separator) {
  std::string text(4096, '\0');
  std::ifstream in(file, std::ios::binary);
  in.rdbuf()->pubsetbuf(nullptr, 0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(key)) continue;
    const std::size_t at = separator == '\0' ? 0 : line.find(separator);
    if (at == std::string_view::npos) continue;
    std::string_view value = line.substr(separator == '\0' ? 0 : at + 1);
    const std::size_t first = value.find_first_not_of(" \t\"");
    if (first == std::string_view::npos) return {};
    return std::string(value.substr(first, value.find_last_not_of(" \t\"") + 1 - first));
  }
  return {};
}

inline void add_gpus(const std::filesystem::path& root, Machine& machine) {
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(root / "proc/driver/nvidia/gpus", error))
    if (std::string name = field(entry.path() / "information", "Model", ':'); !name.empty())
      machine.gpus.push_back(std::move(name));
  std::sort(machine.gpus.begin(), machine.gpus.end());
  machine.driver = field(root / "sys/module/nvidia/version", "", '\0');
  machine.has_gpu = !machine.gpus.empty();
  for (const char* device : {"dev/nvidiactl", "dev/nvidia0", "dev/dxg", "dev/nvhost-gpu"})
    machine.has_gpu = machine.has_gpu || std::filesystem::exists(root / device, error);
}

}  // namespace machine

/// `root`: where /proc, /etc and /dev are.
inline Machine this_machine(const std::filesystem::path& root = "/") {
  Machine result;
  utsname kernel{};
  if (uname(&kernel) != 0) kernel = {};
  result.cpu = machine::field(root / "proc/cpuinfo", "model name", ':');
  if (result.cpu.empty()) result.cpu = kernel.machine;
  if (const unsigned threads = std::thread::hardware_concurrency(); threads != 0)
    result.cpu += ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  result.os = machine::field(root / "etc/os-release", "PRETTY_NAME", '=');
  if (kernel.release[0] != '\0')
    result.os += (result.os.empty() ? "Linux " : ", Linux ") + std::string(kernel.release);
  machine::add_gpus(root, result);
  return result;
}

}  // namespace xfer
