// The callbacks of the tracer: CUPTI's API callbacks, and the buffers of activity records.

#include <algorithm>
#include <array>
#include <exception>
#include <span>

#include "activity_decoder.h"
#include "callback_decoder.h"
#include "host_clock.h"
#include "thread_state.h"
#include "tracer.h"
#include "xfer/no_cancel.h"

namespace xfer::tracer {
namespace {

int result_of(const CUpti_CallbackData& data) {
  // cudaError_t and CUresult are both an int whose 0 is success.
  return data.functionReturnValue == nullptr ? 0
                                             : *static_cast<const int*>(data.functionReturnValue);
}

/// No event tells of it.
bool is_of_graph(Op op) { return op >= Op::kGraphMade && op <= Op::kGraphGone; }

/// Marks that this thread is in the tracer, so that its own CUDA calls go unseen.
class Busy {
 public:
  explicit Busy(ThreadState& thread) : thread_(thread) { thread_.busy = true; }
  ~Busy() { thread_.busy = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  ThreadState& thread_;
};

}  // namespace

void CUPTIAPI Tracer::on_callback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                  const void* data) {
  Tracer* tracer = current();
  if (tracer == nullptr || data == nullptr) return;
  const NoCancel no_cancel;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API || domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    tracer->on_api(domain, id, *static_cast<const CUpti_CallbackData*>(data));
  } else if (domain == CUPTI_CB_DOMAIN_RESOURCE &&
             id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
    tracer->cupti_.cuptiActivityFlushAll(0);
  }
}

void Tracer::on_api(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                    const CUpti_CallbackData& data) {
  ThreadState* thread = thread_state();
  if (thread == nullptr || thread->busy) return;
  const Busy busy(*thread);
  try {
    if (data.callbackSite == CUPTI_API_ENTER)
      on_enter(*thread, domain, id, data);
    else
      on_exit(*thread, domain, id, data);
  } catch (const std::exception&) {  // out of memory: this call goes unrecorded
    thread->active = false;
    recorder_.count_unmodelled();
  }
}

void Tracer::measure_in_bytes(ApiCall& call) const {
  CopyCall& copy = call.transfer;
  const CopySide& array = copy.destination.array ? copy.destination : copy.source;
  const std::uint64_t bytes = queries_.element_bytes(array.address);
  if (bytes == 0) return;
  copy.width *= bytes;
  copy.in_elements = false;
  call.op = Op::kCopy;
}

void Tracer::on_enter(ThreadState& thread, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                      const CUpti_CallbackData& data) {
  if (thread.active) return;  // made by a call that is being traced
  const ApiEntry* entry = find_api(domain, id);
  if (entry == nullptr) {
    recorder_.count_unmodelled();
    return;
  }
  thread.open.call = {};
  decode_call(*entry, data.functionParams, thread.open.call);
  if (thread.open.call.op == Op::kNone) return;
  if (thread.open.call.transfer.in_elements) measure_in_bytes(thread.open.call);
  stir_scopes(thread);
  thread.active = true;
  thread.domain = domain;
  thread.id = id;
  thread.correlation = data.correlationId;
  thread.open.at = {};
  place(thread, data);
  recorder_.enter(thread.open);
}

void Tracer::place(ThreadState& thread, const CUpti_CallbackData& data) {
  CallSite& at = thread.open.at;
  at.correlation = data.correlationId;
  at.device = device_of(data, 0);
  at.thread = thread.thread;
  at.symbol = data.symbolName;
  const ApiCall& call = thread.open.call;
  if (!is_of_graph(call.op)) at.site = call_site();
  at.captured = recorder_.capturing() && (call.stream != 0 || call.thread_stream) &&
                queries_.is_capturing(call.stream == 0 ? kThreadStream : call.stream);
  at.begin_ns = host_clock_ns();
}

void Tracer::on_exit(ThreadState& thread, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const CUpti_CallbackData& data) {
  if (!thread.active) {
    // CUDA was initialised by this very call, after its entry: what it made is known all the same.
    const ApiEntry* entry = find_api(domain, id);
    if (entry == nullptr) return;
    ApiCall call;
    decode_call(*entry, data.functionParams, call);
    if (call.op != Op::kAlloc && call.op != Op::kRegister && call.op != Op::kStreamCreate) return;
    stir_scopes(thread);
    thread.open.call = call;
    thread.open.at = {};
    thread.open.parts.clear();
    place(thread, data);
    recorder_.exit(thread.open, result_of(data) != 0, host_clock_ns());
    return;
  }
  if (thread.domain != domain || thread.id != id || thread.correlation != data.correlationId)
    return;
  thread.active = false;
  thread.open.at.device = device_of(data, thread.open.at.device);
  recorder_.exit(thread.open, result_of(data) != 0, host_clock_ns());
  // In time, should the program be killed; each time there are twice as many.
  if (recorder_.content().skipped_copies > 2 * content_described_.load(std::memory_order_relaxed))
    describe_content();
}

std::int16_t Tracer::device_of(const CUpti_CallbackData& data, std::int16_t otherwise) {
  if (data.context == nullptr) return otherwise;
  std::atomic<std::int16_t>* known =
      data.contextUid < kContexts ? &device_of_context_[data.contextUid] : nullptr;
  if (known != nullptr)
    if (const std::int16_t device = known->load(std::memory_order_relaxed); device >= 0)
      return device;
  std::uint32_t device = 0;
  if (cupti_.cuptiGetDeviceId(data.context, &device) != CUPTI_SUCCESS) return otherwise;
  if (known != nullptr) known->store(static_cast<std::int16_t>(device), std::memory_order_relaxed);
  return static_cast<std::int16_t>(device);
}

std::uint32_t Tracer::call_site() {
  if (!options_.stacks || options_.stack_depth == 0) return 0;
  std::array<std::uintptr_t, kMaxStackDepth> frames;
  const std::size_t depth = std::min<std::size_t>(options_.stack_depth, frames.size());
  const std::size_t count = capture_stack({frames.data(), depth}, filter_);
  std::array<PythonFrameRef, kMaxStackDepth> calls;
  const std::size_t python_count = python_.capture({calls.data(), depth});
  return writer_->intern_stack({frames.data(), count}, {calls.data(), python_count});
}

void CUPTIAPI Tracer::on_buffer_requested(std::uint8_t** buffer, std::size_t* size,
                                          std::size_t* records) {
  static BufferPool* const fallback = new BufferPool;  // after the end, or in a forked child
  Tracer* tracer = current();
  *buffer = (tracer != nullptr ? tracer->buffers_ : *fallback).take();
  *size = *buffer != nullptr ? BufferPool::kBufferBytes : 0;
  *records = 0;
}

void CUPTIAPI Tracer::on_buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer,
                                          std::size_t, std::size_t valid) {
  Tracer* tracer = current();
  if (tracer == nullptr) return;  // the program is ending; so does the buffer
  tracer->read_records(buffer, valid);
  tracer->buffers_.give_back(buffer);
}

void Tracer::read_records(std::uint8_t* buffer, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cupti_.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (const auto event = decode_activity(*record, clock_offset_ns_)) queue_.append(*event);
}

}  // namespace xfer::tracer
