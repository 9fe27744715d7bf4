#pragma once
// The kernels seen so far: signature and the trace's name of each, read once per symbol.
// Thread-safe.

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kernel_params.h"

namespace xfer::tracer {

struct Kernel {
  KernelSignature signature;
  std::uint32_t name = 0;  ///< interned by the trace
  bool skipped = false;    ///< emulated without a host version
};

class KernelTable {
 public:
  using Intern = std::function<std::uint32_t(std::string_view)>;
  using IsSkipped = std::function<bool(const char* mangled)>;

  KernelTable(Intern intern, IsSkipped is_skipped)
      : intern_(std::move(intern)), is_skipped_(std::move(is_skipped)) {}

  /// Stays valid as long as the table. A null symbol is a kernel of which nothing is known.
  const Kernel& find(const char* mangled);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  Intern intern_;
  IsSkipped is_skipped_;
  std::mutex mutex_;
  std::unordered_map<std::string, Kernel, Hash, std::equal_to<>> kernels_;
};

}  // namespace xfer::tracer
