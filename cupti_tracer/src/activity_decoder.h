#pragma once
// From CUPTI's activity records to events: when the device did the work of a call. The records come
// in buffers, out of order, and without addresses; the correlation id joins them to their call.
// Pure. Reads only fields that begin every version of a record since CUDA 12.0.

#include <cupti.h>

#include <optional>

#include "xfer/event.h"

namespace xfer::tracer {

/// A kDeviceTime event; none for other records, and for work whose time CUPTI lost.
/// `offset_ns` is added to bring CUPTI's clock to the host's.
std::optional<Event> decode_activity(const CUpti_Activity& record, std::int64_t offset_ns);

}  // namespace xfer::tracer
