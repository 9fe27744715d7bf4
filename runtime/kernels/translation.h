#pragma once
// A kernel as machine code that has not been loaded: what the cache on disk keeps.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cost.h"
#include "kernels/kernels.h"
#include "kernels/linked_modules.h"

namespace xfer::kernels {

struct Translation {
  std::string why;     ///< it cannot be run, and there is no more
  std::string object;  ///< a file as compilers write them; its symbol is Jit::kEntry
  // As in Code, of a thread's alone.
  std::uint64_t shared_bytes = 0, local_bytes = 0;
  Cost cost;
  bool waits = false, records_touches = false, counts_on_lane_order = false, tells_others = false;
  std::vector<std::string> variables, approximate;
};

/// The use that code is translated for.
struct Purpose {
  Extra extra = Extra::kNone;
  std::optional<WarpShape> shape;  ///< warps of such blocks; nothing: one thread
};

Translation translate(const LinkedModules& modules, const std::string& kernel,
                      const Purpose& purpose);
/// The object of that translation, made once more with the PTX's lines in it. Empty: it cannot be.
std::string object_with_lines(const LinkedModules& modules, const std::string& kernel,
                              const Purpose& purpose);

std::string line_of_ptx(unsigned line);

/// As bytes, and back; nothing: these are none.
std::string encoded(const Translation& translation);
std::optional<Translation> decoded(std::string_view bytes);

}  // namespace xfer::kernels
