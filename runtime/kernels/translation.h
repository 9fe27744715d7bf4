#pragma once
// A kernel as machine code that has not been loaded: what the cache on disk keeps.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/linked_modules.h"

namespace xfer::kernels {

struct Translation {
  std::string why;     ///< it cannot be run, and there is no more
  std::string object;  ///< a file as compilers write them; its symbol is Jit::kEntry
  // As in Code, of a thread's alone.
  std::uint64_t shared_bytes = 0, local_bytes = 0, weight = 0;
  bool waits = false, records_touches = false;
  std::vector<std::string> variables, approximate;
};

Translation translate(const LinkedModules& modules, const std::string& kernel, Extra extra);
Translation translate_for_warp(const LinkedModules& modules, const std::string& kernel,
                               Extra extra, WarpShape shape);

/// As bytes, and back; nothing: these are none.
std::string encoded(const Translation& translation);
std::optional<Translation> decoded(std::string_view bytes);

}  // namespace xfer::kernels
