#include "activity_decoder.h"

namespace xfer::tracer {
namespace {

std::optional<Event> device_time(std::uint32_t correlation, std::uint32_t device,
                                 std::uint64_t begin, std::uint64_t end, std::int64_t offset_ns) {
  if (begin == 0 || end < begin) return std::nullopt;
  Event event;
  event.kind = EventKind::kDeviceTime;
  event.correlation = correlation;
  event.device = static_cast<std::int16_t>(device);
  event.begin_ns = begin + static_cast<std::uint64_t>(offset_ns);
  event.end_ns = end + static_cast<std::uint64_t>(offset_ns);
  return event;
}

Space space_of(std::uint8_t memory_kind) {
  switch (memory_kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE: return Space::kPageable;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED: return Space::kPinned;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED: return Space::kManaged;
    default: return Space::kDevice;
  }
}

// No call tells of a copy that a graph makes, so this record says which way it went.
template <typename Record>
void add_copy(const Record& copy, std::optional<Event>& event) {
  if (!event) return;
  event->bytes = copy.bytes;
  if (copy.graphNodeId == 0) return;
  event->space = space_of(copy.dstKind);
  event->source_space = space_of(copy.srcKind);
}

}  // namespace

std::optional<Event> decode_activity(const CUpti_Activity& record, std::int64_t offset_ns) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(record);
      const std::uint32_t correlation =
          copy.runtimeCorrelationId != 0 ? copy.runtimeCorrelationId : copy.correlationId;
      auto event = device_time(correlation, copy.deviceId, copy.start, copy.end, offset_ns);
      add_copy(copy, event);
      return event;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpyPtoP4&>(record);
      auto event = device_time(copy.correlationId, copy.deviceId, copy.start, copy.end, offset_ns);
      add_copy(copy, event);
      return event;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& set = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
      auto event = device_time(set.correlationId, set.deviceId, set.start, set.end, offset_ns);
      if (event) event->bytes = set.bytes;
      return event;
    }
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(record);
      return device_time(kernel.correlationId, kernel.deviceId, kernel.start, kernel.end,
                         offset_ns);
    }
    default: return std::nullopt;
  }
}

}  // namespace xfer::tracer
