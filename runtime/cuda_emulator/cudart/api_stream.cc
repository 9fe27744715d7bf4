// Streams: making, waiting, asking, and host functions in them.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cudart/api_call.h"
#include "cudart/capture.h"
#include "cudart/stream_calls.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

cudaError_t create(Session& session, cudaStream_t* handle, unsigned flags, int priority) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;
  session.machine.spend(cost::kSubmitNs);
  priority = std::min(kLeastPriority, std::max(kGreatestPriority, priority));
  *handle = reinterpret_cast<cudaStream_t>(
      session.machine.scheduler().add_stream(session.thread.device, flags, priority, false));
  return cudaSuccess;
}

/// Tells the watcher of a new stream, outside the lock.
cudaError_t announce(cudaError_t error, Resource what, const cudaStream_t* handle) {
  if (error != cudaSuccess) return error;
  if (Observer* const observer = Machine::instance().observer.load(std::memory_order_acquire)) {
    observer->resource(what, static_cast<std::uint32_t>(this_thread_context().device) + 1, *handle);
  }
  return error;
}

cudaError_t synchronize(Session& session, Stream* stream) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const auto error = may_wait(session, *stream); error != cudaSuccess) return error;
  Machine& machine = session.machine;
  Activity activity;
  activity.kind = Activity::Kind::kSync;
  activity.sync = Activity::Sync::kStream;
  activity.device = stream->device;
  activity.stream = stream->id;
  activity.begin_ns = machine.now();
  if (stream->legacy) {
    // The default stream is done when all that it waits for is.
    for (const auto& other : std::vector(machine.scheduler().streams())) {
      if (other->device == stream->device && other->blocking) {
        machine.scheduler().finish(session.lock, *other);
      }
    }
  }
  machine.scheduler().finish(session.lock, *stream);
  machine.wait_until(stream->ready_ns);
  activity.end_ns = machine.now();
  machine.report_sync(activity);
  return cudaSuccess;
}

cudaError_t query(Session& session, Stream* stream) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const auto error = may_wait(session, *stream); error != cudaSuccess) return error;
  if (stream->queue.empty()) return cudaSuccess;
  session.machine.scheduler().step(session.lock);
  return cudaErrorNotReady;
}

}  // namespace

cudaError_t xfer::emulator::wait_event(Session& session, cudaEvent_t handle, Stream* stream,
                                       unsigned flags) {
  Machine& machine = session.machine;
  const Event* const event = machine.event(handle);
  if (stream == nullptr || event == nullptr) return cudaErrorInvalidResourceHandle;
  if ((flags & ~cudaEventWaitExternal) != 0) return cudaErrorInvalidValue;
  if (stream->capture != nullptr && (flags & cudaEventWaitExternal) != 0)
    return keep(*stream, WaitWork{handle});
  if (event->capture != nullptr || stream->capture != nullptr)
    return wait_captured(*event, *stream);
  if (event->record == nullptr) return cudaSuccess;  // never recorded: nothing to wait for
  machine.spend(cost::kCallNs);
  stream->ready_ns = std::max(stream->ready_ns, event->record->time_ns);
  Op op;
  op.kind = Op::Kind::kWait;
  op.record = event->record;
  machine.scheduler().submit(session.lock, *stream, std::move(op));
  return cudaSuccess;
}

cudaError_t xfer::emulator::call_on_host(Session& session, Stream* stream, const HostWork& work) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  session.machine.spend(cost::kSubmitNs);
  if (stream->capture != nullptr) return keep(*stream, work);
  Op op;
  op.kind = Op::Kind::kHostFunction;
  op.run = work.run;
  op.activity.correlation = session.thread.correlation;
  session.machine.scheduler().submit(session.lock, *stream, std::move(op));
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* pStream) {
  return announce(XFER_CALL(cudaStreamCreate_v3020, pStream).run([&](Session& session) {
    return create(session, pStream, cudaStreamDefault, 0);
  }),
                  Resource::kStreamCreated, pStream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags) {
  return announce(
      XFER_CALL(cudaStreamCreateWithFlags_v5000, pStream, flags).run([&](Session& session) {
        return create(session, pStream, flags, 0);
      }),
      Resource::kStreamCreated, pStream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags, int priority) {
  return announce(
      XFER_CALL(cudaStreamCreateWithPriority_v5050, pStream, flags, priority)
          .run([&](Session& session) { return create(session, pStream, flags, priority); }),
      Resource::kStreamCreated, pStream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream != nullptr) announce(ensure_initialized(), Resource::kStreamDestroyed, &stream);
  return XFER_CALL(cudaStreamDestroy_v5050, stream).run([&](Session& session) {
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
      return cudaErrorInvalidResourceHandle;
    }
    Stream* const found = session.machine.stream(stream, DefaultStream::kLegacy);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    // The real call returns at once and the work goes on; to run it now is one way to do so.
    session.machine.scheduler().finish(session.lock, *found);
    leave_capture(*found);
    session.machine.scheduler().remove_stream(found);
    return cudaSuccess;
  });
}

#define XFER_STREAM_SYNCHRONIZE(NAME, VERSIONED, MEANS)                   \
  cudaError_t NAME(cudaStream_t stream) {                                 \
    return XFER_CALL(VERSIONED, stream).run([&](Session& session) {       \
      return synchronize(session, session.machine.stream(stream, MEANS)); \
    });                                                                   \
  }
XFER_STREAM_SYNCHRONIZE(cudaStreamSynchronize, cudaStreamSynchronize_v3020, DefaultStream::kLegacy)
XFER_STREAM_SYNCHRONIZE(cudaStreamSynchronize_ptsz, cudaStreamSynchronize_ptsz_v7000,
                        DefaultStream::kPerThread)

#define XFER_STREAM_QUERY(NAME, VERSIONED, MEANS)                   \
  cudaError_t NAME(cudaStream_t stream) {                           \
    return XFER_CALL(VERSIONED, stream).run([&](Session& session) { \
      return query(session, session.machine.stream(stream, MEANS)); \
    });                                                             \
  }
XFER_STREAM_QUERY(cudaStreamQuery, cudaStreamQuery_v3020, DefaultStream::kLegacy)
XFER_STREAM_QUERY(cudaStreamQuery_ptsz, cudaStreamQuery_ptsz_v7000, DefaultStream::kPerThread)

#define XFER_STREAM_WAIT_EVENT(NAME, VERSIONED, MEANS)                                 \
  cudaError_t NAME(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {       \
    return XFER_CALL(VERSIONED, stream, event, flags).run([&](Session& session) {      \
      return wait_event(session, event, session.machine.stream(stream, MEANS), flags); \
    });                                                                                \
  }
XFER_STREAM_WAIT_EVENT(cudaStreamWaitEvent, cudaStreamWaitEvent_v3020, DefaultStream::kLegacy)
XFER_STREAM_WAIT_EVENT(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent_ptsz_v7000,
                       DefaultStream::kPerThread)

#define XFER_LAUNCH_HOST_FUNC(NAME, VERSIONED, MEANS)                             \
  cudaError_t NAME(cudaStream_t stream, cudaHostFn_t fn, void* userData) {        \
    return XFER_CALL(VERSIONED, stream, fn, userData).run([&](Session& session) { \
      if (fn == nullptr) return cudaErrorInvalidValue;                            \
      return call_on_host(session, session.machine.stream(stream, MEANS),         \
                          {[fn, userData] { fn(userData); }, {fn, userData}});    \
    });                                                                           \
  }
XFER_LAUNCH_HOST_FUNC(cudaLaunchHostFunc, cudaLaunchHostFunc_v10000, DefaultStream::kLegacy)
XFER_LAUNCH_HOST_FUNC(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc_ptsz_v10000,
                      DefaultStream::kPerThread)

#define XFER_STREAM_ADD_CALLBACK(NAME, VERSIONED, MEANS)                                       \
  cudaError_t NAME(cudaStream_t stream, cudaStreamCallback_t callback, void* userData,         \
                   unsigned int flags) {                                                       \
    return XFER_CALL(VERSIONED, stream, callback, userData, flags).run([&](Session& session) { \
      if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;                     \
      return call_on_host(session, session.machine.stream(stream, MEANS),                      \
                          {[=] { callback(stream, cudaSuccess, userData); }});                 \
    });                                                                                        \
  }
XFER_STREAM_ADD_CALLBACK(cudaStreamAddCallback, cudaStreamAddCallback_v5000, DefaultStream::kLegacy)
XFER_STREAM_ADD_CALLBACK(cudaStreamAddCallback_ptsz, cudaStreamAddCallback_ptsz_v7000,
                         DefaultStream::kPerThread)

/// A question whose answer is one field of the stream.
#define XFER_STREAM_GET(NAME, VERSIONED, MEANS, TYPE, FIELD)                \
  cudaError_t NAME(cudaStream_t hStream, TYPE* value) {                     \
    return XFER_CALL(VERSIONED, hStream, value).run([&](Session& session) { \
      const Stream* const stream = session.machine.stream(hStream, MEANS);  \
      if (stream == nullptr) return cudaErrorInvalidResourceHandle;         \
      if (value == nullptr) return cudaErrorInvalidValue;                   \
      *value = FIELD;                                                       \
      return cudaSuccess;                                                   \
    });                                                                     \
  }
XFER_STREAM_GET(cudaStreamGetFlags, cudaStreamGetFlags_v5050, DefaultStream::kLegacy, unsigned int,
                stream->flags)
XFER_STREAM_GET(cudaStreamGetFlags_ptsz, cudaStreamGetFlags_ptsz_v7000, DefaultStream::kPerThread,
                unsigned int, stream->flags)
XFER_STREAM_GET(cudaStreamGetPriority, cudaStreamGetPriority_v5050, DefaultStream::kLegacy, int,
                stream->priority)
XFER_STREAM_GET(cudaStreamGetPriority_ptsz, cudaStreamGetPriority_ptsz_v7000,
                DefaultStream::kPerThread, int, stream->priority)
XFER_STREAM_GET(cudaStreamGetId, cudaStreamGetId_v12000, DefaultStream::kLegacy, unsigned long long,
                stream->id)
XFER_STREAM_GET(cudaStreamGetId_ptsz, cudaStreamGetId_ptsz_v12000, DefaultStream::kPerThread,
                unsigned long long, stream->id)
XFER_STREAM_GET(cudaStreamGetDevice, cudaStreamGetDevice_v12080, DefaultStream::kLegacy, int,
                stream->device)
XFER_STREAM_GET(cudaStreamGetDevice_ptsz, cudaStreamGetDevice_ptsz_v12080,
                DefaultStream::kPerThread, int, stream->device)

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return XFER_CALL(cudaDeviceGetStreamPriorityRange_v5050, leastPriority, greatestPriority)
      .run([&](Session&) {
        if (leastPriority != nullptr) *leastPriority = kLeastPriority;
        if (greatestPriority != nullptr) *greatestPriority = kGreatestPriority;
        return cudaSuccess;
      });
}
}
