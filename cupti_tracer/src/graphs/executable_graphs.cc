#include "graphs/executable_graphs.h"

#include <algorithm>
#include <map>

namespace xfer::tracer {
namespace {

using Serials = std::map<std::uint64_t, std::uint64_t>;
using SpaceOf = std::function<Space(std::uint64_t address)>;

/// Collects what a launch does, node by node.
class LaunchOf {
 public:
  /// `serials`: of the memory that places were in when nodes named them.
  LaunchOf(const std::vector<GraphNode>& nodes, const Serials& serials, const MemoryMap& memory,
           const SpaceOf& space_of)
      : memory_(memory), device_(memory.device_addresses()) {
    for (const GraphNode& node : nodes)
      if (node.kind == NodeKind::kOwnMemory) own_.push_back(node.transfer);
    for (const GraphNode& node : nodes)
      if (node.enabled) add(node);
    compare_sources();
    find_gone(serials, space_of);
  }
  GraphLaunch take() { return std::move(result_); }

 private:
  void add(const GraphNode& node) {
    switch (node.kind) {
      case NodeKind::kCopy:
        use(node.transfer.source);
        use(node.transfer.destination);
        add_copy(node.transfer);
        break;
      case NodeKind::kFill:
        use(node.transfer.destination);
        add_fill(node.transfer);
        break;
      case NodeKind::kKernel:
        for (const KernelWord& word : node.words) add_word(word);
        break;
      case NodeKind::kOwnMemory: break;
      case NodeKind::kTells: tells_ = true; break;
      case NodeKind::kUnknown: may_tell_ = true; break;
    }
  }

  void use(const CopySide& side) {
    if (side.address != 0 && !side.array && !side.symbol) named_[side.address] = true;
  }

  void add_word(const KernelWord& word) {
    if (is_on_device(word.value)) {
      if (word.is_argument) named_.try_emplace(word.value, false);
    } else if (const auto allocation = memory_.find(word.value);
               allocation && is_host(allocation->space)) {
      may_tell_ = true;
      result_.host_writes.push_back({allocation->begin, allocation->end});
    }
  }

  /// The memory around it, where that is this process's alone.
  std::optional<Allocation> around(const CopySide& side, const CopyCall& transfer) const {
    const auto allocation = side.array || side.symbol ? std::nullopt : memory_.find(side.address);
    const bool is_there = allocation && !allocation->shared &&
                          side.address + transfer.extent(side) <= allocation->end;
    return is_there ? allocation : std::nullopt;
  }
  static bool is_seen_by_host(const std::optional<Allocation>& allocation) {
    return allocation && is_reached_by_both(allocation->space);
  }

  void writes_to(const CopySide& side, const CopyCall& transfer) {
    const auto allocation = memory_.find(side.address);
    if (side.side == Side::kHost || (allocation && is_host(allocation->space)))
      result_.host_writes.push_back({side.address, side.address + transfer.extent(side)});
  }

  void add_copy(const CopyCall& transfer) {
    add_fill(transfer);
    if (transfer.bytes() == 0) return;
    const auto from = around(transfer.source, transfer);
    const auto to = around(transfer.destination, transfer);
    const bool keeps =
        from && from->space == Space::kPinned && !is_seen_by_host(to) && !from->uncached;
    if (is_seen_by_host(from)) result_.sides.push_back({transfer, false, keeps});
    if (from && from->space == Space::kDevice) result_.on_devices.push_back({transfer, false});
  }

  void add_fill(const CopyCall& transfer) {
    writes_to(transfer.destination, transfer);
    if (transfer.bytes() == 0) return;
    const auto to = around(transfer.destination, transfer);
    if (is_seen_by_host(to)) result_.sides.push_back({transfer, true, false});
    if (to && to->space == Space::kDevice) result_.on_devices.push_back({transfer, true});
  }

  void compare_sources() {
    if (tells_) {
      result_.sides.clear();
      result_.on_devices.clear();
    }
    result_.is_plain = !tells_ && !may_tell_;
    for (GraphLaunch::HostSide& side : result_.sides) {
      const std::uint64_t begin = side.transfer.source.address;
      const std::uint64_t end = begin + side.transfer.extent(side.transfer.source);
      side.keeps_source = side.keeps_source && result_.is_plain &&
                          std::ranges::none_of(result_.host_writes, [&](const auto& range) {
                            return range.begin < end && begin < range.end;
                          });
    }
  }

  void find_gone(const Serials& serials, const SpaceOf& space_of) {
    for (const auto& [address, used] : named_) {
      if (is_own(address)) continue;
      const auto before = serials.find(address);
      const auto now = memory_.find(address);
      if (now && before != serials.end() && now->serial != before->second)
        result_.gone.push_back({address, used, now->space});
      // Where pinned memory was, any may lie that the graph was made for.
      const bool was_memory = is_on_device(address) || before != serials.end();
      if (!now && was_memory && !is_memory(space_of, address))
        result_.gone.push_back({address, used, Space::kUnknown});
    }
  }

  bool is_on_device(std::uint64_t address) const { return address - device_.lowest < device_.span; }

  /// That came in a way which is not seen: from another process, say.
  static bool is_memory(const SpaceOf& space_of, std::uint64_t address) {
    const Space space = space_of ? space_of(address) : Space::kUnknown;
    return space == Space::kDevice || space == Space::kManaged || space == Space::kPinned;
  }

  bool is_own(std::uint64_t address) const {
    return std::ranges::any_of(own_, [&](const CopyCall& memory) {
      return address - memory.destination.address < memory.width;
    });
  }

  const MemoryMap& memory_;
  const WordRange device_;
  bool tells_ = false;
  bool may_tell_ = false;  ///< a kernel is given host memory, or is not known
  std::vector<CopyCall> own_;
  std::map<std::uint64_t, bool> named_;  ///< places, and whether a copy or a fill uses them
  GraphLaunch result_;
};

}  // namespace

void ExecutableGraphs::see(const ApiCall& call) {
  switch (call.op) {
    case Op::kGraphMade: return read(call.made(), call.from);
    case Op::kGraphUpdated: return read(call.graph, call.from);
    case Op::kGraphNodeSet: return set(call);
    case Op::kGraphNodeOnOff: {
      const std::lock_guard lock(mutex_);
      if (GraphNode* const node = find(call.graph, call.node)) node->enabled = call.enabled;
      return;
    }
    case Op::kGraphGone: return forget(call.graph);
    default: return;
  }
}

void ExecutableGraphs::read(std::uint64_t graph, std::uint64_t from) {
  auto nodes = query_.nodes ? query_.nodes(from) : std::nullopt;
  if (!nodes) return forget(graph);
  Known known;
  known.nodes = std::move(*nodes);
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    known.places[known.nodes[i].id] = i;
    note_memory(known.nodes[i], &known);
  }
  const std::lock_guard lock(mutex_);
  known_[graph] = std::move(known);
}

void ExecutableGraphs::note_memory(const GraphNode& node, Known* known) const {
  const auto note = [&](std::uint64_t address) {
    if (const auto allocation = memory_.find(address))
      known->serials[address] = allocation->serial;
    else
      known->serials.erase(address);
  };
  note(node.transfer.source.address);
  note(node.transfer.destination.address);
  for (const KernelWord& word : node.words) note(word.value);
}

GraphNode* ExecutableGraphs::find(std::uint64_t graph, std::uint64_t node) {
  const auto known = known_.find(graph);
  if (known == known_.end()) return nullptr;
  const auto place = known->second.places.find(node);
  if (place == known->second.places.end()) {
    known_.erase(known);
    return nullptr;
  }
  known->second.launch.reset();
  return &known->second.nodes[place->second];
}

void ExecutableGraphs::set(const ApiCall& call) {
  GraphNode node{call.node, call.node_kind, true, call.transfer};
  if (node.kind == NodeKind::kKernel) {
    auto words = query_.words ? query_.words(call.launch) : std::nullopt;
    if (words)
      node.words = std::move(*words);
    else
      node.kind = NodeKind::kUnknown;
  }
  const std::lock_guard lock(mutex_);
  GraphNode* const old = find(call.graph, node.id);
  if (old == nullptr) return;
  node.enabled = old->enabled;
  note_memory(node, &known_[call.graph]);
  *old = std::move(node);
}

void ExecutableGraphs::forget(std::uint64_t graph) {
  const std::lock_guard lock(mutex_);
  known_.erase(graph);
}

std::shared_ptr<const GraphLaunch> ExecutableGraphs::launch(std::uint64_t graph) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(graph);
  if (found == known_.end()) return nullptr;
  Known& known = found->second;
  const std::uint64_t changes = memory_.changes();
  if (known.launch == nullptr || known.as_of != changes) {
    LaunchOf launch(known.nodes, known.serials, memory_, space_of_);
    known.launch = std::make_shared<const GraphLaunch>(launch.take());
    known.as_of = changes;
  }
  return known.launch;
}

}  // namespace xfer::tracer
