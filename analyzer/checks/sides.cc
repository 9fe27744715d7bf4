#include "analyzer/checks/sides.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

Side side_of(DeviceSet places) {
  if (places.always_cpu()) return Side::kHost;
  return places == DeviceSet(DeviceSet::kCuda) ? Side::kDevice : Side::kUnknown;
}

/// The side as the function itself knows it.
Side side_known(const Object& memory) {
  if (memory.kind != ObjectKind::kMemory) return Side::kUnknown;
  if (memory.device.is_cuda()) return Side::kDevice;
  const bool host = memory.device.is_cpu() && memory.memory == Memory::kPageable;
  return host ? Side::kHost : Side::kUnknown;
}

bool is_told(const Object& memory) {
  return memory.kind == ObjectKind::kMemory && memory.memory == Memory::kUnknown;
}

}  // namespace

Side side_of(const CheckContext& context, const Object& memory) {
  const Side known = side_known(memory);
  if (known != Side::kUnknown || !is_told(memory)) return known;
  return side_of(context.places_in_program(memory));
}

Side side_held(const CheckContext& context, const Object& memory) {
  const Side known = side_known(memory);
  if (known != Side::kUnknown || !is_told(memory)) return known;
  bool given = false;
  for_each_holder(context.sources_of(memory),
                  [&](const Holder& holder) { given |= holder.kind == Holder::Kind::kParameter; });
  return given ? Side::kUnknown : side_of(context.places_in_program(memory));
}

}  // namespace xfer::analyzer
