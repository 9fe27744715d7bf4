// Finds: a cudaMemcpy whose direction contradicts where its pointers are known to point: host
// memory where it says device, memory of cudaMalloc where it says host; by what the function does,
// or by all that the program puts into a field, a global or a parameter.
// Does not find: cudaMemcpyDefault, a direction that is no constant, pinned and managed memory,
// pointers whose place is not known.
// Cost: one look at each copy.

#include "analyzer/checks/sides.h"

namespace xfer::analyzer {
namespace {

/// As the library of the call names it: cudaMemcpyKind, hipMemcpyKind; in words where the name of
/// the function says it.
std::string name_of(Direction direction, const Call& call) {
  const auto either = [&](const char* ending, const char* words) {
    if (call.model->way != Direction::kUnknown) return std::string(words);
    return (call.name.starts_with("hip") ? "hipMemcpy" : "cudaMemcpy") + std::string(ending);
  };
  switch (direction) {
    case Direction::kHostToHost: return either("HostToHost", "host to host");
    case Direction::kHostToDevice: return either("HostToDevice", "host to device");
    case Direction::kDeviceToHost: return either("DeviceToHost", "device to host");
    case Direction::kDeviceToDevice: return either("DeviceToDevice", "device to device");
    case Direction::kUnknown: break;
  }
  return either("Default", "either way");
}

Direction direction(Side to, Side from) {
  if (to == Side::kDevice)
    return from == Side::kDevice ? Direction::kDeviceToDevice : Direction::kHostToDevice;
  return from == Side::kDevice ? Direction::kDeviceToHost : Direction::kHostToHost;
}

}  // namespace

void check_copy_kind(const CheckContext& context) {
  for (const MemoryCopyEvent& event : context.events.memory_copy_events) {
    const Direction told = event.call->direction;
    if (told == Direction::kUnknown) continue;
    const bool to_device = told == Direction::kHostToDevice || told == Direction::kDeviceToDevice;
    const bool from_device = told == Direction::kDeviceToHost || told == Direction::kDeviceToDevice;
    // Callers may pass memory that is meant for another branch than this.
    const auto side = context.graph.runs_if_loops_do(event.block) ? side_of : side_held;
    const Side to = side(context, event.to.object);
    const Side from = side(context, event.from.object);
    const bool wrong_to = to != Side::kUnknown && to_device != (to == Side::kDevice);
    const bool wrong_from = from != Side::kUnknown && from_device != (from == Side::kDevice);
    if (!wrong_to && !wrong_from) continue;
    const OperandView& wrong = wrong_to ? event.to : event.from;
    const std::string pointer = context.name(wrong.spot, Role::kMemory);
    const bool device = (wrong_to ? to : from) == Side::kDevice;
    Finding finding = context.make(Rule::kCopyKind, event.call->callee_spot,
                                   {{"call", "`" + event.call->name + "`"},
                                    {"kind", name_of(told, *event.call)},
                                    {"pointer", pointer},
                                    {"place", device ? "device memory" : "host memory"}});
    context.add_placement(finding, pointer, wrong.object);
    const auto argument = event.call->model->direction;
    const bool is_written = argument && *argument < event.call->arguments.size();  // no default
    if (is_written && to != Side::kUnknown && from != Side::kUnknown) {
      const SpotId written = event.call->arguments[*argument].spot;
      const std::string right = name_of(direction(to, from), *event.call);
      if (auto edit = context.source.replace(context.spot(written), right))
        finding.fix = Fix{"say " + right, {std::move(*edit)}};
    }
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
