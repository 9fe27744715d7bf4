#pragma once
// Which kernels there are: what the program registered (its launch stubs and device variables) and
// which host versions were offered. Filled by static constructors before anything else runs, so it
// depends on nothing and is never destroyed. Thread-safe.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "xfer/emulator/launch_context.h"

namespace xfer::emulator {

struct HostVersion {
  HostKernelRun run = nullptr;
  std::vector<std::size_t> arg_sizes;
  const WaitingKernel* waiting = nullptr;  ///< instead of `run`
};

/// Device code that the program registered in one piece. The code that reads it defines the class;
/// the registry only tells one from another.
class Module;

/// The outcomes of a kernel's launches.
struct KernelUse {
  std::uint64_t from_ptx = 0;
  std::uint64_t from_host = 0;  ///< by a host version
  std::uint64_t skipped = 0;
  std::uint64_t failed = 0;           ///< the host version ran, and could not compute
  std::string why;                    ///< one was skipped, or failed; may be empty
  std::set<std::string> approximate;  ///< instructions whose result may differ in the last bits
};

/// A kernel of a module. Its address is what a cudaKernel_t of the emulated runtime points to.
struct Kernel {
  std::string name;  ///< mangled
  Module* module = nullptr;
  int max_dynamic_shared = 48 << 10;
  bool waits_in_lanes = false;  ///< it was seen to want more than lanes in step
  std::uint64_t work = 0;       ///< instructions that its threads have run, about
  KernelUse use;
};

/// A variable of a module: __device__, __constant__ or __managed__.
struct Symbol {
  std::string name;
  Module* module = nullptr;
  std::size_t bytes = 0;
  bool constant = false;
  std::uintptr_t managed = 0;  ///< where it is for host and devices alike; 0: not managed
  bool has_value = false;      ///< of a managed one: its first value was looked for
  std::map<int, std::uintptr_t> addresses;  ///< by device, once needed
};

class KernelRegistry {
 public:
  static KernelRegistry& instance();

  void add_stub(const void* stub, Module* module, const char* name);
  /// Of a module that a program loads.
  Kernel& add_kernel(Module* module, const std::string& name);
  Symbol& add_symbol(const void* host_variable, Module* module, const char* name,
                     std::size_t bytes);
  void add_host_version(const char* name, HostVersion version);

  /// By launch stub or by handle; null when it is neither.
  Kernel* find(const void* stub_or_handle);
  /// The modules' kernels of this name.
  std::vector<Kernel*> find_all(const std::string& name);
  Symbol* find_symbol(const void* host_variable);
  /// The symbol whose host variable has a byte at `address`, and the byte's number; null: none.
  std::pair<Symbol*, std::size_t> symbol_around(const void* address);
  /// The module's variable, which the program need not have registered.
  Symbol& symbol(Module* module, const std::string& name);
  /// The module's managed variables.
  std::vector<Symbol*> managed_symbols(const Module* module);
  /// Their memory on the device is gone.
  void forget_symbols(int device);
  /// The module is unloaded: its kernels' handles stand for nothing, its variables have no memory.
  /// Returns the addresses of the memory that they had.
  std::vector<std::uintptr_t> forget(const Module* module);
  void count_from_ptx(Kernel& kernel, const std::vector<std::string>& approximate);
  void count_from_host(Kernel& kernel);
  void count_skipped(Kernel& kernel, std::string why);
  /// Of the kernel of this name that no module has.
  void count_failed(const std::string& name, std::string why);
  std::shared_ptr<const HostVersion> host_version(const std::string& name);
  /// Of all kernels that were launched, by name.
  std::map<std::string, KernelUse> uses();

 private:
  using Key = std::pair<const Module*, std::string>;

  KernelRegistry() = default;
  Kernel& kernel_of(Module* module, const std::string& name);

  std::mutex mutex_;
  std::map<Key, std::unique_ptr<Kernel>> kernels_;
  std::map<Key, std::unique_ptr<Symbol>> symbols_;
  std::map<std::string, std::shared_ptr<const HostVersion>> hosts_;
  std::unordered_map<const void*, Kernel*> stubs_;  // and the handles themselves
  std::unordered_map<const void*, Symbol*> variables_;
};

}  // namespace xfer::emulator
