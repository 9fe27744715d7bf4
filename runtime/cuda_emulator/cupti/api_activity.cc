// CUPTI's activity API.

#include <cupti.h>

#include "cupti/profiler.h"
#include "cupti/records.h"

using namespace xfer::emulator;

extern "C" {

CUptiResult cuptiGetTimestamp(uint64_t* timestamp) {
  if (timestamp == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  const uint64_t client = Profiler::instance().clock_ns();
  *timestamp = client != 0 ? client : xfer_emulator_now_ns();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetContextId(CUcontext context, uint32_t* contextId) {
  if (contextId == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *contextId = Profiler::context_id(context);
  return *contextId == 0 ? CUPTI_ERROR_INVALID_CONTEXT : CUPTI_SUCCESS;
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t* deviceId) {
  if (deviceId == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  if (context == nullptr) {  // the calling thread's
    const int current = xfer_emulator_current_device();
    if (current < 0) return CUPTI_ERROR_INVALID_CONTEXT;
    *deviceId = static_cast<uint32_t>(current);
    return CUPTI_SUCCESS;
  }
  const uint32_t id = Profiler::context_id(context);
  if (id == 0) return CUPTI_ERROR_INVALID_CONTEXT;
  *deviceId = id - 1;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream stream, uint8_t perThreadStream,
                               uint32_t* streamId) {
  if (streamId == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *streamId = xfer_emulator_stream_id(reinterpret_cast<cudaStream_t>(stream), perThreadStream != 0);
  return *streamId == 0 ? CUPTI_ERROR_INVALID_STREAM : CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamId(CUcontext context, CUstream stream, uint32_t* streamId) {
  return cuptiGetStreamIdEx(context, stream, 0, streamId);
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc funcBufferRequested,
                                           CUpti_BuffersCallbackCompleteFunc funcBufferCompleted) {
  return Profiler::instance().register_buffers(funcBufferRequested, funcBufferCompleted);
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  return Profiler::instance().enable_kind(true, kind);
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  return Profiler::instance().enable_kind(false, kind);
}
CUptiResult cuptiActivityEnableContext(CUcontext, CUpti_ActivityKind kind) {
  return Profiler::instance().enable_kind(true, kind);
}
CUptiResult cuptiActivityDisableContext(CUcontext, CUpti_ActivityKind kind) {
  return Profiler::instance().enable_kind(false, kind);
}

CUptiResult cuptiActivityFlushAll(uint32_t) { return Profiler::instance().flush(); }
CUptiResult cuptiActivityFlush(CUcontext, uint32_t, uint32_t) {
  return Profiler::instance().flush();
}
CUptiResult cuptiActivityFlushPeriod(uint32_t time) {
  Profiler::instance().set_flush_period(time);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t validBufferSizeBytes,
                                       CUpti_Activity** record) {
  if (buffer == nullptr || record == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  size_t offset = 0;
  if (*record != nullptr) {
    const size_t bytes = record_bytes((*record)->kind);
    if (bytes == 0) return CUPTI_ERROR_INVALID_KIND;
    offset = static_cast<size_t>(reinterpret_cast<uint8_t*>(*record) - buffer) + bytes;
  }
  if (offset + sizeof(CUpti_Activity) > validBufferSizeBytes) {
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  }
  auto* const next = reinterpret_cast<CUpti_Activity*>(buffer + offset);
  const size_t bytes = record_bytes(next->kind);
  if (bytes == 0 || offset + bytes > validBufferSizeBytes) return CUPTI_ERROR_INVALID_KIND;
  *record = next;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
  if (dropped == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *dropped = Profiler::instance().take_dropped();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc funcTimestamp) {
  if (funcTimestamp == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  Profiler::instance().set_clock(funcTimestamp);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                   uint64_t id) {
  Profiler::instance().push_external(kind, id);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                  uint64_t* lastId) {
  return Profiler::instance().pop_external(kind, lastId);
}

// Settings of the real library's buffers that mean nothing here are taken and forgotten.
CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, size_t* valueSize, void* value) {
  return valueSize == nullptr || value == nullptr ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnableLatencyTimestamps(uint8_t) { return CUPTI_SUCCESS; }
CUptiResult cuptiActivityEnableAllSyncRecords(uint8_t) { return CUPTI_SUCCESS; }
}
