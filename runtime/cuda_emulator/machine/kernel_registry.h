#pragma once
// Which kernels there are: what the program registered (its launch stubs and device variables) and
// which host versions were offered. Filled by static constructors before anything else runs, so it
// depends on nothing and is never destroyed. Thread-safe.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "xfer/emulator/launch_context.h"

namespace xfer::emulator {

struct HostVersion {
  HostKernelRun run = nullptr;
  std::vector<std::size_t> arg_sizes;
};

/// A kernel by name. Its address is what a cudaKernel_t of the emulated runtime points to.
struct Kernel {
  std::string name;                         ///< mangled
  std::shared_ptr<const HostVersion> host;  ///< null: launches are skipped
  int max_dynamic_shared = 48 << 10;
  std::vector<int> architectures;  ///< that the program has code for, as in sm_80; empty: not known
  std::uint64_t launches = 0;
  std::uint64_t skipped = 0;
};

/// A __device__ or __constant__ variable.
struct Symbol {
  std::string name;
  std::size_t bytes;
  std::map<int, std::uintptr_t> addresses;  ///< by device, once needed
};

class KernelRegistry {
 public:
  static KernelRegistry& instance();

  void add_stub(const void* stub, const char* name, std::vector<int> architectures);
  void add_symbol(const void* host_variable, const char* name, std::size_t bytes);
  void add_host_version(const char* name, HostVersion version);

  /// By launch stub or by handle; null when it is neither.
  Kernel* find(const void* stub_or_handle);
  Symbol* find_symbol(const void* host_variable);
  /// Their memory on the device is gone.
  void forget_symbols(int device);
  /// The architecture whose code a device of this capability runs: the newest that it can.
  int architecture_of(const Kernel& kernel, int capability);
  void count_launch(Kernel& kernel, bool skipped);
  std::shared_ptr<const HostVersion> host_version(const Kernel& kernel);
  bool has_host_version(const std::string& name);
  void visit(const std::function<void(const Kernel&)>& visit);

 private:
  KernelRegistry() = default;
  Kernel& named(const std::string& name);  // with the lock held

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;
  std::unordered_map<const void*, Kernel*> stubs_;  // and the handles themselves
  std::unordered_map<const void*, std::unique_ptr<Symbol>> symbols_;
};

}  // namespace xfer::emulator
