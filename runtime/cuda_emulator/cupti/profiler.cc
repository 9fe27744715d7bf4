#include "cupti/profiler.h"

#include <cstring>
#include <ctime>
#include <map>

#include "cupti/records.h"

namespace xfer::emulator {
namespace {

constexpr std::uint32_t kCallsPerLook = 8;  // at the clock

std::uint64_t real_ms() {
  timespec now{};  // asked of the C library in our name: see the tracer's program_clock.h
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

// A context is only a name here; clients pass it back to us.
constexpr std::uint32_t kContexts = 256;
char contexts[kContexts];

std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>>& external_ids() {
  static thread_local std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>> ids;
  return ids;
}

}  // namespace

Profiler& Profiler::instance() {
  static auto* const profiler = new Profiler;
  return *profiler;
}

void Profiler::watch() {
  xfer_emulator_observe(nullptr);
  xfer_emulator_observe(this);
}

CUptiResult Profiler::subscribe(CUpti_CallbackFunc callback, void* user, const char* name) {
  const std::lock_guard lock(mutex_);
  if (callback_.load() != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  name_ = name == nullptr ? "CUPTI" : std::string("CUPTI for ") + name;
  user_.store(user);
  callback_.store(callback);
  watch();
  return CUPTI_SUCCESS;
}

CUptiResult Profiler::unsubscribe(CUpti_SubscriberHandle handle) {
  if (!is_subscriber(handle)) return CUPTI_ERROR_INVALID_PARAMETER;
  callback_.store(nullptr);
  for (auto& domain : enabled_) {
    for (auto& id : domain) id.store(false, std::memory_order_relaxed);
  }
  return CUPTI_SUCCESS;
}

bool Profiler::is_subscriber(CUpti_SubscriberHandle handle) const {
  return callback_.load() != nullptr &&
         handle == reinterpret_cast<CUpti_SubscriberHandle>(const_cast<Profiler*>(this));
}

std::string Profiler::subscriber_name() {
  const std::lock_guard lock(mutex_);
  return name_;
}

CUptiResult Profiler::enable(bool on, CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  if (domain <= CUPTI_CB_DOMAIN_INVALID || domain >= CUPTI_CB_DOMAIN_SIZE || id >= kIds) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  enabled_[domain][id].store(on, std::memory_order_relaxed);
  return CUPTI_SUCCESS;
}

CUptiResult Profiler::enable_domain(bool on, CUpti_CallbackDomain domain) {
  for (CUpti_CallbackId id = 0; id < kIds; ++id) {
    if (const auto result = enable(on, domain, id); result != CUPTI_SUCCESS) return result;
  }
  return CUPTI_SUCCESS;
}

bool Profiler::enabled(CUpti_CallbackDomain domain, CUpti_CallbackId id) const {
  return domain > CUPTI_CB_DOMAIN_INVALID && domain < CUPTI_CB_DOMAIN_SIZE && id < kIds &&
         enabled_[domain][id].load(std::memory_order_relaxed);
}

CUcontext Profiler::context_handle(std::uint32_t id) {
  return reinterpret_cast<CUcontext>(&contexts[id % kContexts]);
}

std::uint32_t Profiler::context_id(CUcontext handle) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(contexts);
  return offset < kContexts ? static_cast<std::uint32_t>(offset) : 0;
}

void Profiler::call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  const CUpti_CallbackFunc callback = callback_.load();
  if (callback != nullptr && enabled(domain, id)) callback(user_.load(), domain, id, data);
}

void Profiler::api(const ApiCallEvent& event) {
  if (!event.exit) record_external(event.correlation);
  if (event.exit) synchronized(event);
  if (enabled(CUPTI_CB_DOMAIN_RUNTIME_API, event.cbid)) {
    CUpti_CallbackData data{};
    data.callbackSite = event.exit ? CUPTI_API_EXIT : CUPTI_API_ENTER;
    data.functionName = event.name;
    data.functionParams = event.params;
    data.functionReturnValue = event.return_value;
    data.symbolName = event.symbol;
    data.context = context_handle(event.context);
    data.contextUid = event.context;
    data.correlationData = event.correlation_data;
    data.correlationId = event.correlation;
    call(CUPTI_CB_DOMAIN_RUNTIME_API, event.cbid, &data);
  }
  if (!event.exit) return;
  if (wants(CUPTI_ACTIVITY_KIND_RUNTIME)) add(api_record(event));
  deliver_in_time();
}

void Profiler::deliver_in_time() {
  if (!is_undelivered_.load(std::memory_order_relaxed)) return;
  const std::uint32_t period = flush_period_ms_.load(std::memory_order_relaxed);
  if (period != 0 && calls_.fetch_add(1, std::memory_order_relaxed) % kCallsPerLook == 0 &&
      real_ms() - last_flush_ms_.load(std::memory_order_relaxed) >= period) {
    flush();
  } else if (pending_count_.load(std::memory_order_relaxed) >= kBatch) {
    deliver(false);
  }
}

// The SYNCHRONIZE domain tells that a wait is over, before the call that waited returns.
void Profiler::synchronized(const ApiCallEvent& event) {
  if (*event.return_value != cudaSuccess) return;
  CUpti_SynchronizeData data{};
  data.context = context_handle(event.context);
  switch (event.cbid) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020:
      call(CUPTI_CB_DOMAIN_SYNCHRONIZE, CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED, &data);
      break;
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000: {
      cudaStream_t stream;
      std::memcpy(&stream, event.params, sizeof(stream));
      data.stream = reinterpret_cast<CUstream>(stream);
      call(CUPTI_CB_DOMAIN_SYNCHRONIZE, CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED, &data);
      break;
    }
    default: break;
  }
}

void Profiler::resource(Resource what, std::uint32_t context, cudaStream_t stream) {
  CUpti_ResourceData data{};
  data.context = context_handle(context);
  data.resourceHandle.stream = reinterpret_cast<CUstream>(stream);
  switch (what) {
    case Resource::kContextCreated:
      call(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &data);
      break;
    case Resource::kStreamCreated:
      call(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_STREAM_CREATED, &data);
      break;
    case Resource::kStreamDestroyed:
      call(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING, &data);
      break;
  }
}

std::uint64_t Profiler::clock_ns() {
  const CUpti_TimestampCallbackFunc clock = clock_.load(std::memory_order_relaxed);
  return clock == nullptr ? 0 : clock();
}

void Profiler::activity(const Activity& activity) {
  switch (activity.kind) {
    case Activity::Kind::kCopy: {
      const bool peer = activity.source_device >= 0 && activity.destination_device >= 0 &&
                        activity.source_device != activity.destination_device;
      if (peer && wants(CUPTI_ACTIVITY_KIND_MEMCPY2)) {
        add(peer_copy_record(activity));
      } else if (wants(CUPTI_ACTIVITY_KIND_MEMCPY)) {
        add(copy_record(activity));
      }
      break;
    }
    case Activity::Kind::kFill:
      if (wants(CUPTI_ACTIVITY_KIND_MEMSET)) add(fill_record(activity));
      break;
    case Activity::Kind::kKernel:
      for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL}) {
        if (!wants(kind)) continue;
        add(kernel_record(activity, kind));
        break;
      }
      break;
    case Activity::Kind::kSync:
      if (wants(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) add(sync_record(activity));
      break;
    case Activity::Kind::kNone: break;
  }
}

void Profiler::push_external(CUpti_ExternalCorrelationKind kind, std::uint64_t id) {
  external_ids()[kind].push_back(id);
}

CUptiResult Profiler::pop_external(CUpti_ExternalCorrelationKind kind, std::uint64_t* last) {
  auto& ids = external_ids()[kind];
  if (ids.empty()) return CUPTI_ERROR_QUEUE_EMPTY;
  if (last != nullptr) *last = ids.back();
  ids.pop_back();
  return CUPTI_SUCCESS;
}

void Profiler::record_external(std::uint32_t correlation) {
  if (!wants(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) return;
  for (const auto& [kind, ids] : external_ids()) {
    if (ids.empty()) continue;
    CUpti_ActivityExternalCorrelation record{};
    record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    record.externalKind = kind;
    record.externalId = ids.back();
    record.correlationId = correlation;
    add(record);
  }
}

bool Profiler::wants(CUpti_ActivityKind kind) const {
  return kinds_[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
}

CUptiResult Profiler::enable_kind(bool on, CUpti_ActivityKind kind) {
  if (kind <= CUPTI_ACTIVITY_KIND_INVALID || static_cast<std::size_t>(kind) >= kKinds) {
    return CUPTI_ERROR_INVALID_KIND;
  }
  kinds_[static_cast<std::size_t>(kind)].store(on, std::memory_order_relaxed);
  if (on) watch();
  return CUPTI_SUCCESS;
}

template <typename T>
void Profiler::add(const T& record) {
  static_assert(sizeof(T) <= sizeof(Record::data) && sizeof(T) % 8 == 0);
  Record entry;
  entry.bytes = sizeof(T);
  std::memcpy(entry.data, &record, sizeof(T));
  const std::lock_guard lock(mutex_);
  if (pending_.size() >= kMostPending) {
    dropped_.fetch_add(1);
    return;
  }
  pending_.push_back(entry);
  pending_count_.store(pending_.size(), std::memory_order_relaxed);
  is_undelivered_.store(true, std::memory_order_relaxed);
}

CUptiResult Profiler::register_buffers(CUpti_BuffersCallbackRequestFunc request,
                                       CUpti_BuffersCallbackCompleteFunc complete) {
  if (request == nullptr || complete == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::lock_guard lock(delivering_);
  request_ = request;
  complete_ = complete;
  return CUPTI_SUCCESS;
}

CUptiResult Profiler::flush() {
  last_flush_ms_.store(real_ms(), std::memory_order_relaxed);
  deliver(true);
  return CUPTI_SUCCESS;
}

void Profiler::deliver(bool all) {
  const std::lock_guard delivering(delivering_);
  std::deque<Record> records;
  {
    const std::lock_guard lock(mutex_);
    records.swap(pending_);
    pending_count_.store(0, std::memory_order_relaxed);
    if (all) is_undelivered_.store(false, std::memory_order_relaxed);
  }
  if (request_ == nullptr) {
    dropped_.fetch_add(records.size());
    return;
  }
  const auto finish_buffer = [this] {
    std::uint8_t* const buffer = buffer_;
    buffer_ = nullptr;
    complete_(nullptr, 0, buffer, buffer_bytes_, buffer_used_);
  };
  for (const Record& record : records) {
    if (buffer_ != nullptr &&
        (buffer_bytes_ - buffer_used_ < record.bytes || buffer_records_left_ == 0)) {
      finish_buffer();
    }
    if (buffer_ == nullptr) {
      std::size_t most = 0;
      buffer_bytes_ = 0;
      request_(&buffer_, &buffer_bytes_, &most);
      buffer_used_ = 0;
      buffer_records_left_ = most == 0 ? SIZE_MAX : most;
    }
    if (buffer_ == nullptr || buffer_bytes_ < record.bytes) {
      dropped_.fetch_add(1);
      continue;
    }
    std::memcpy(buffer_ + buffer_used_, record.data, record.bytes);
    buffer_used_ += record.bytes;
    --buffer_records_left_;
  }
  if (all && buffer_ != nullptr) finish_buffer();
}

}  // namespace xfer::emulator
