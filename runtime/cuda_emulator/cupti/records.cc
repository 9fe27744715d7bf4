#include "cupti/records.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace xfer::emulator {
namespace {

std::uint32_t context_of(int device) { return static_cast<std::uint32_t>(device) + 1; }

std::uint8_t memory_kind(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kPageable: return CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    case MemoryKind::kPinned: return CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    case MemoryKind::kDevice: return CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    case MemoryKind::kManaged: return CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
    case MemoryKind::kArray: return CUPTI_ACTIVITY_MEMORY_KIND_ARRAY;
  }
  return CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
}

std::uint8_t copy_kind(const Activity& activity) {
  const bool from_device = activity.source_device >= 0;
  const bool to_device = activity.destination_device >= 0;
  const bool from_array = activity.source == MemoryKind::kArray;
  const bool to_array = activity.destination == MemoryKind::kArray;
  if (activity.source_device == activity.destination_device && (from_array || to_array)) {
    return !to_array    ? CUPTI_ACTIVITY_MEMCPY_KIND_ATOD
           : from_array ? CUPTI_ACTIVITY_MEMCPY_KIND_ATOA
                        : CUPTI_ACTIVITY_MEMCPY_KIND_DTOA;
  }
  if (from_array && !to_device) return CUPTI_ACTIVITY_MEMCPY_KIND_ATOH;
  if (to_array && !from_device) return CUPTI_ACTIVITY_MEMCPY_KIND_HTOA;
  if (from_device && to_device) {
    return activity.source_device == activity.destination_device ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOD
                                                                 : CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  }
  if (from_device) return CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  return to_device ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD : CUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
}

/// A moment of the virtual clock as the client's clock would tell it.
std::uint64_t client_time(const Activity& activity, std::uint64_t ns) {
  return activity.watcher_ns == 0 ? ns : activity.watcher_ns + (ns - activity.submitted_ns);
}

template <typename T>
void place(const Activity& activity, T* record) {
  record->start = client_time(activity, activity.begin_ns);
  record->end = client_time(activity, activity.end_ns);
  record->deviceId = static_cast<std::uint32_t>(activity.device);
  record->contextId = context_of(activity.device);
  record->streamId = activity.stream;
  record->correlationId = activity.correlation;
  record->graphNodeId = activity.graph_node;
}

}  // namespace

CUpti_ActivityMemcpy6 copy_record(const Activity& activity) {
  CUpti_ActivityMemcpy6 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  place(activity, &record);
  record.copyKind = copy_kind(activity);
  record.srcKind = memory_kind(activity.source);
  record.dstKind = memory_kind(activity.destination);
  record.flags = activity.async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0;
  record.bytes = activity.bytes;
  record.copyCount = 1;
  return record;
}

CUpti_ActivityMemcpyPtoP4 peer_copy_record(const Activity& activity) {
  CUpti_ActivityMemcpyPtoP4 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  place(activity, &record);
  record.copyKind = copy_kind(activity);
  record.srcKind = memory_kind(activity.source);
  record.dstKind = memory_kind(activity.destination);
  record.flags = activity.async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0;
  record.bytes = activity.bytes;
  record.srcDeviceId = static_cast<std::uint32_t>(activity.source_device);
  record.srcContextId = context_of(activity.source_device);
  record.dstDeviceId = static_cast<std::uint32_t>(activity.destination_device);
  record.dstContextId = context_of(activity.destination_device);
  return record;
}

CUpti_ActivityMemset4 fill_record(const Activity& activity) {
  CUpti_ActivityMemset4 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  place(activity, &record);
  record.value = activity.value;
  record.bytes = activity.bytes;
  record.flags = activity.async ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : 0;
  record.memoryKind = memory_kind(activity.destination);
  return record;
}

CUpti_ActivityKernel10 kernel_record(const Activity& activity, CUpti_ActivityKind kind) {
  CUpti_ActivityKernel10 record{};
  record.kind = kind;
  place(activity, &record);
  record.completed = record.end;
  record.gridX = static_cast<std::int32_t>(activity.grid.x);
  record.gridY = static_cast<std::int32_t>(activity.grid.y);
  record.gridZ = static_cast<std::int32_t>(activity.grid.z);
  record.blockX = static_cast<std::int32_t>(activity.block.x);
  record.blockY = static_cast<std::int32_t>(activity.block.y);
  record.blockZ = static_cast<std::int32_t>(activity.block.z);
  record.dynamicSharedMemory = static_cast<std::int32_t>(activity.shared_bytes);
  record.gridId = activity.correlation;
  record.name = activity.name;
  record.registersPerThread = 32;
  return record;
}

CUpti_ActivitySynchronization2 sync_record(const Activity& activity) {
  CUpti_ActivitySynchronization2 record{};
  record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  switch (activity.sync) {
    case Activity::Sync::kEvent:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
      break;
    case Activity::Sync::kStreamWait:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
      break;
    case Activity::Sync::kStream:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
      break;
    case Activity::Sync::kContext:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
      break;
  }
  record.start = client_time(activity, activity.begin_ns);
  record.end = client_time(activity, activity.end_ns);
  record.correlationId = activity.correlation;
  record.contextId = context_of(activity.device);
  const bool of_stream =
      activity.sync == Activity::Sync::kStream || activity.sync == Activity::Sync::kStreamWait;
  record.streamId = of_stream ? activity.stream : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  record.cudaEventId = activity.event != 0 ? activity.event : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  return record;
}

CUpti_ActivityAPI api_record(const ApiCallEvent& event) {
  CUpti_ActivityAPI record{};
  record.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  record.cbid = event.cbid;
  record.start = event.begin_ns;
  record.end = event.end_ns;
  record.processId = static_cast<std::uint32_t>(getpid());
  record.threadId = static_cast<std::uint32_t>(syscall(SYS_gettid));
  record.correlationId = event.correlation;
  record.returnValue =
      event.return_value == nullptr ? 0 : static_cast<std::uint32_t>(*event.return_value);
  return record;
}

std::size_t record_bytes(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2: return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_RUNTIME: return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: return sizeof(CUpti_ActivityExternalCorrelation);
    default: return 0;
  }
}

}  // namespace xfer::emulator
