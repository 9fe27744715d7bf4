#pragma once
// The emulated CUPTI: one subscriber to callbacks, and activity records in the client's buffers. It
// watches the emulated runtime and speaks to the client in CUPTI's own structs, so that a tool
// cannot tell. Thread-safe; never destroyed.

#include <cupti.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "machine/hooks.h"

namespace xfer::emulator {

class Profiler : public Observer {
 public:
  static Profiler& instance();

  CUptiResult subscribe(CUpti_CallbackFunc callback, void* user, const char* name);
  CUptiResult unsubscribe(CUpti_SubscriberHandle handle);
  bool is_subscriber(CUpti_SubscriberHandle handle) const;
  std::string subscriber_name();
  CUptiResult enable(bool on, CUpti_CallbackDomain domain, CUpti_CallbackId id);
  CUptiResult enable_domain(bool on, CUpti_CallbackDomain domain);
  bool enabled(CUpti_CallbackDomain domain, CUpti_CallbackId id) const;

  CUptiResult register_buffers(CUpti_BuffersCallbackRequestFunc request,
                               CUpti_BuffersCallbackCompleteFunc complete);
  CUptiResult enable_kind(bool on, CUpti_ActivityKind kind);
  /// Hands all records over, and the buffer they end in.
  CUptiResult flush();
  std::size_t take_dropped() { return dropped_.exchange(0); }
  void set_flush_period(std::uint32_t ms) { flush_period_ms_ = ms; }
  void set_clock(CUpti_TimestampCallbackFunc clock) { clock_ = clock; }
  void push_external(CUpti_ExternalCorrelationKind kind, std::uint64_t id);
  CUptiResult pop_external(CUpti_ExternalCorrelationKind kind, std::uint64_t* last);

  static CUcontext context_handle(std::uint32_t id);
  /// 0 when the handle is none of ours.
  static std::uint32_t context_id(CUcontext handle);

  void api(const ApiCallEvent& event) override;
  void activity(const Activity& activity) override;
  std::uint64_t clock_ns() override;
  void resource(Resource what, std::uint32_t context, cudaStream_t stream) override;

 private:
  Profiler() = default;

  static constexpr std::size_t kIds = 1024;  // more than any domain has
  static constexpr std::size_t kKinds = 128;
  static constexpr std::size_t kBatch = 512;  // records kept before the client's buffers see them
  static constexpr std::size_t kMostPending = std::size_t{1} << 20;

  /// One record of any kind.
  struct Record {
    std::uint32_t bytes;
    alignas(8) unsigned char data[256];
  };

  void call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);
  void synchronized(const ApiCallEvent& event);
  void record_api(const ApiCallEvent& event);
  void record_external(std::uint32_t correlation);
  template <typename T>
  void add(const T& record);
  bool wants(CUpti_ActivityKind kind) const;
  void deliver(bool all);
  /// Delivers records that are many, or that have waited for as long as the client wants.
  void deliver_in_time();
  void watch();

  std::atomic<CUpti_CallbackFunc> callback_{nullptr};
  std::atomic<void*> user_{nullptr};
  std::array<std::array<std::atomic<bool>, kIds>, CUPTI_CB_DOMAIN_SIZE> enabled_{};
  std::array<std::atomic<bool>, kKinds> kinds_{};
  std::atomic<CUpti_TimestampCallbackFunc> clock_{nullptr};
  std::atomic<std::size_t> dropped_{0};
  std::atomic<std::uint32_t> flush_period_ms_{0};
  std::atomic<std::uint64_t> last_flush_ms_{0};
  std::atomic<std::uint32_t> calls_{0};
  std::atomic<std::size_t> pending_count_{0};  ///< of pending_
  std::atomic<bool> is_undelivered_{false};    ///< something, here or in the client's buffer

  std::mutex mutex_;  // the fields below; never held while the client is called
  std::string name_;
  std::deque<Record> pending_;

  std::mutex delivering_;  // the client's buffers; held while it is called
  CUpti_BuffersCallbackRequestFunc request_ = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete_ = nullptr;
  std::uint8_t* buffer_ = nullptr;
  std::size_t buffer_bytes_ = 0;
  std::size_t buffer_used_ = 0;
  std::size_t buffer_records_left_ = 0;
};

}  // namespace xfer::emulator
