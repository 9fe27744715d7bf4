#include "loading/static_runtime.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "loading/jump.h"
#include "loading/open_pages.h"
#include "machine/say.h"
#include "src/linked_runtime.h"
#include "src/mapped_file.h"

namespace xfer::emulator {
namespace {

struct Replacement {
  std::uintptr_t at;
  const void* by;
};

/// Why not; empty: done.
std::string replace(const LinkedRuntime& runtime, std::uintptr_t bias,
                    const EmulatedRuntime& emulated) {
  if (!runtime.has_current_calls)
    return "is older than CUDA 13: build it with CUDA 13, or link it with -cudart shared";
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
  const OpenPages code(first.at, last.at + kJumpBytes);
  if (!code.is_open())
    return std::string("cannot be changed (") + std::strerror(errno) +
           "): link it with -cudart shared";
  for (const Replacement& replacement : replacements) write_jump(replacement.at, replacement.by);
  return {};
}

}  // namespace

void replace_static_runtime(const LoadedModule& module, const EmulatedRuntime& emulated) {
  const LinkedRuntime runtime = linked_runtime(MappedFile(module.path.c_str()).bytes());
  if (runtime.functions.empty()) return;
  const std::string reason = replace(runtime, module.bias, emulated);
  if (!reason.empty())
    say("xfercheck: the CUDA runtime that is linked into {} {}\n", module.path, reason);
}

}  // namespace xfer::emulator
