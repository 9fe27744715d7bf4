// A program that has NVIDIA's runtime linked in statically, as nvcc does unless it is told
// otherwise, never asks for a shared one. So the functions of the runtime inside it are made to
// jump to those of the emulated runtime, before the program's constructors call the first of them:
// the loader initialises this library first, before those that it is linked to and this one's C++
// library. Of libraries that are loaded later the constructors have run when anybody can know.

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "machine/say.h"
#include "src/linked_runtime.h"
#include "src/mapped_file.h"

namespace xfer::emulator {
namespace {

#ifdef __x86_64__
constexpr std::array<unsigned char, 6> kJump = {0xff, 0x25, 0, 0, 0, 0};  // to where it says next
constexpr std::size_t kJumpBytes = kJump.size() + sizeof(void*);
#else
#error "how to jump to an address that follows the instruction?"
#endif

struct LoadedModule {
  std::string path;
  std::uintptr_t bias;  // of its addresses in memory
};

struct Replacement {
  std::uintptr_t at;
  const void* by;
};

/// The C library is not initialised yet: getenv() would find nothing.
bool is_emulated(char** environment) {
  constexpr std::string_view kName = "XFERCHECK_EMULATE=";
  for (; environment != nullptr && *environment != nullptr; ++environment)
    if (std::string_view(*environment).starts_with(kName))
      return std::atoi(*environment + kName.size()) > 0;
  return false;
}

std::vector<LoadedModule> modules() {
  std::vector<LoadedModule> found;
  const auto visit = [](dl_phdr_info* info, std::size_t, void* data) {
    const bool is_program = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
    static_cast<std::vector<LoadedModule>*>(data)->push_back(
        {is_program ? "/proc/self/exe" : info->dlpi_name, info->dlpi_addr});
    return 0;
  };
  dl_iterate_phdr(visit, &found);
  return found;
}

/// By names alone: dlopen would initialise it.
class EmulatedRuntime {
 public:
  EmulatedRuntime() : base_(base_of(dlsym(RTLD_DEFAULT, "xfer_emulator_observe"))) {}
  bool is_loaded() const { return base_ != nullptr; }
  /// Null: it has no such function.
  void* function(const char* name) const {
    void* const found = dlsym(RTLD_DEFAULT, name);
    return base_of(found) == base_ ? found : nullptr;
  }

 private:
  static void* base_of(void* function) {
    Dl_info its{};
    return function != nullptr && dladdr(function, &its) != 0 ? its.dli_fbase : nullptr;
  }

  void* base_;
};

/// Code that is written to as long as it lives.
class OpenCode {
 public:
  OpenCode(std::uintptr_t begin, std::uintptr_t end) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    begin_ = begin / page * page;
    bytes_ = end - begin_;
    is_open_ = protect(PROT_READ | PROT_WRITE | PROT_EXEC);
  }
  OpenCode(const OpenCode&) = delete;
  OpenCode& operator=(const OpenCode&) = delete;
  ~OpenCode() {
    if (is_open_) protect(PROT_READ | PROT_EXEC);
  }
  bool is_open() const { return is_open_; }

 private:
  bool protect(int access) const {
    return mprotect(reinterpret_cast<void*>(begin_), bytes_, access) == 0;
  }

  std::uintptr_t begin_;
  std::size_t bytes_;
  bool is_open_;
};

void write_jump(const Replacement& replacement) {
  auto* const at = reinterpret_cast<unsigned char*>(replacement.at);
  std::memcpy(at, kJump.data(), kJump.size());
  std::memcpy(at + kJump.size(), &replacement.by, sizeof(replacement.by));
}

/// Why not; empty: done.
std::string replace(const LinkedRuntime& runtime, std::uintptr_t bias,
                    const EmulatedRuntime& emulated) {
  if (!runtime.has_current_calls)
    return "is of a CUDA before 13: build it with CUDA 13, or link it with -cudart shared";
  std::vector<Replacement> replacements;
  for (const LinkedFunction& function : runtime.functions) {
    const void* const by = emulated.function(function.name.c_str());
    if (by == nullptr) continue;  // one of the program's own
    if (function.room < kJumpBytes)
      return "has no room for a jump in " + function.name + "(): link it with -cudart shared";
    replacements.push_back({bias + function.address, by});
  }
  if (replacements.empty()) return "stays: another CUDA runtime comes before the emulated one";
  const auto [first, last] = std::ranges::minmax(replacements, {}, &Replacement::at);
  const OpenCode code(first.at, last.at + kJumpBytes);
  if (!code.is_open())
    return std::string("cannot be changed (") + std::strerror(errno) +
           "): link it with -cudart shared";
  std::ranges::for_each(replacements, write_jump);
  return {};
}

[[gnu::constructor]] void replace_static_runtimes(int, char**, char** environment) noexcept try {
  if (!is_emulated(environment)) return;
  const EmulatedRuntime emulated;
  if (!emulated.is_loaded()) return;
  for (const LoadedModule& module : modules()) {
    const LinkedRuntime runtime = linked_runtime(MappedFile(module.path.c_str()).bytes());
    if (runtime.functions.empty()) continue;
    const std::string reason = replace(runtime, module.bias, emulated);
    if (!reason.empty())
      say("xfercheck: the CUDA runtime that is linked into {} {}\n", module.path, reason);
  }
} catch (...) {  // as if there were none: its calls will fail, and that is said
}

}  // namespace
}  // namespace xfer::emulator
