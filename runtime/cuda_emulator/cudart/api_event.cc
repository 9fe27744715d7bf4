// Events: made, recorded, waited for, measured.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/capture.h"
#include "cudart/stream_calls.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

cudaError_t create(Session& session, cudaEvent_t* handle, unsigned flags) {
  constexpr unsigned kKnown =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (handle == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  *handle = reinterpret_cast<cudaEvent_t>(session.machine.add_event(session.thread.device, flags));
  return cudaSuccess;
}

}  // namespace

cudaError_t xfer::emulator::record_event(Session& session, cudaEvent_t handle, Stream* stream,
                                         unsigned flags) {
  Machine& machine = session.machine;
  Event* const event = machine.event(handle);
  if (event == nullptr || stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (event->device != stream->device) return cudaErrorInvalidResourceHandle;
  if ((flags & ~cudaEventRecordExternal) != 0) return cudaErrorInvalidValue;
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  machine.spend(cost::kCallNs);
  if (stream->capture != nullptr) {
    if ((flags & cudaEventRecordExternal) != 0) return keep(*stream, RecordWork{handle});
    record_captured(*event, *stream);
    return cudaSuccess;
  }
  event->capture = nullptr;
  auto mark = std::make_shared<Record>();
  mark->stream = stream;
  mark->time_ns = std::max(machine.now(), stream->ready_ns);
  if (stream->legacy)
    mark->time_ns = std::max(mark->time_ns, machine.blocking_ready_ns(stream->device));
  event->record = mark;
  Op op;
  op.kind = Op::Kind::kRecord;
  op.record = std::move(mark);
  machine.scheduler().submit(session.lock, *stream, std::move(op));
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return XFER_CALL(cudaEventCreate_v3020, event).run([&](Session& session) {
    return create(session, event, cudaEventDefault);
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return XFER_CALL(cudaEventCreateWithFlags_v3020, event, flags).run([&](Session& session) {
    return create(session, event, flags);
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return XFER_CALL(cudaEventDestroy_v3020, event).run([&](Session& session) {
    Event* const found = session.machine.event(event);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    session.machine.remove_event(found);
    return cudaSuccess;
  });
}

#define XFER_EVENT_RECORD(NAME, VERSIONED, MEANS)                                \
  cudaError_t NAME(cudaEvent_t event, cudaStream_t stream) {                     \
    return XFER_CALL(VERSIONED, event, stream).run([&](Session& session) {       \
      return record_event(session, event, session.machine.stream(stream, MEANS), \
                          cudaEventRecordDefault);                               \
    });                                                                          \
  }
XFER_EVENT_RECORD(cudaEventRecord, cudaEventRecord_v3020, DefaultStream::kLegacy)
XFER_EVENT_RECORD(cudaEventRecord_ptsz, cudaEventRecord_ptsz_v7000, DefaultStream::kPerThread)

#define XFER_EVENT_RECORD_FLAGS(NAME, VERSIONED, MEANS)                                  \
  cudaError_t NAME(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {         \
    return XFER_CALL(VERSIONED, event, stream, flags).run([&](Session& session) {        \
      return record_event(session, event, session.machine.stream(stream, MEANS), flags); \
    });                                                                                  \
  }
XFER_EVENT_RECORD_FLAGS(cudaEventRecordWithFlags, cudaEventRecordWithFlags_v11010,
                        DefaultStream::kLegacy)
XFER_EVENT_RECORD_FLAGS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags_ptsz_v11010,
                        DefaultStream::kPerThread)

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return XFER_CALL(cudaEventQuery_v3020, event).run([&](Session& session) {
    const Event* const found = session.machine.event(event);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (const auto error = may_wait(*found); error != cudaSuccess) return error;
    if (found->record == nullptr || found->record->done) return cudaSuccess;
    session.machine.scheduler().step(session.lock);
    return cudaErrorNotReady;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return XFER_CALL(cudaEventSynchronize_v3020, event).run([&](Session& session) {
    Machine& machine = session.machine;
    const Event* const found = machine.event(event);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (const auto error = may_wait(*found); error != cudaSuccess) return error;
    if (found->record == nullptr) return cudaSuccess;
    Activity activity;
    activity.kind = Activity::Kind::kSync;
    activity.sync = Activity::Sync::kEvent;
    activity.device = found->device;
    activity.event = found->id;
    activity.begin_ns = machine.now();
    const std::shared_ptr<Record> mark = found->record;
    machine.scheduler().finish(session.lock, mark);
    machine.wait_until(mark->time_ns);
    activity.end_ns = machine.now();
    machine.report_sync(activity);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return XFER_CALL(cudaEventElapsedTime_v12080, ms, start, end).run([&](Session& session) {
    const Event* const first = session.machine.event(start);
    const Event* const last = session.machine.event(end);
    if (ms == nullptr) return cudaErrorInvalidValue;
    if (first == nullptr || last == nullptr) return cudaErrorInvalidResourceHandle;
    for (const Event* const event : {first, last}) {
      if (event->record == nullptr || (event->flags & cudaEventDisableTiming) != 0) {
        return cudaErrorInvalidResourceHandle;
      }
      if (!event->record->done) return cudaErrorNotReady;
    }
    const auto span =
        static_cast<double>(last->record->time_ns) - static_cast<double>(first->record->time_ns);
    *ms = static_cast<float>(span / 1e6);
    return cudaSuccess;
  });
}
}
