#pragma once
// The nodes of CUDA graphs, as far as they matter for memory, and how CUDA is asked for them.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "api_call.h"
#include "touched_range.h"

namespace xfer::tracer {

struct KernelWord {
  std::uint64_t value = 0;
  bool is_argument = false;  ///< a whole one; else of a structure, where it may mean nothing
};

struct GraphNode {
  std::uint64_t id = 0;  ///< CUDA's handle
  NodeKind kind = NodeKind::kUnknown;
  bool enabled = true;
  CopyCall transfer;                ///< of a copy; the destination of a fill, or own memory
  std::vector<KernelWord> words{};  ///< of a kernel's arguments: all that may be addresses
};

/// Empty functions: nobody can tell. Neither makes the device wait.
struct GraphQuery {
  /// Of the graph and of those within it; nothing where CUDA does not say.
  std::function<std::optional<std::vector<GraphNode>>(std::uint64_t graph)> nodes;
  /// The words of a kernel's arguments; nothing where nobody knows how large they are.
  std::function<std::optional<std::vector<KernelWord>>(const LaunchCall&)> words;
  /// The ranges that kernels of a launch touched: those that ran so far and told others nothing.
  TouchQuery touched;
};

}  // namespace xfer::tracer
