#include "analyzer/flow/lattice.h"

namespace xfer::analyzer {

Device join(Device a, Device b) {
  if (a.kind == DeviceKind::kBottom || a == b) return b;
  if (b.kind == DeviceKind::kBottom) return a;
  return Device::unknown();
}

Relation relate(Device a, Device b) {
  if (a.kind == DeviceKind::kUnknown || b.kind == DeviceKind::kUnknown) return Relation::kUnsure;
  if (a.kind == DeviceKind::kBottom || b.kind == DeviceKind::kBottom) return Relation::kUnsure;
  if (a == b) return Relation::kSame;
  if (!a.is_known() || !b.is_known()) return Relation::kUnsure;
  if (a.is_cuda() && b.is_cuda() && !(a.is_indexed() && b.is_indexed())) return Relation::kUnsure;
  return Relation::kDifferent;
}

Rank join(Rank a, Rank b) { return a == b ? a : Rank::kUnknown; }

}  // namespace xfer::analyzer
