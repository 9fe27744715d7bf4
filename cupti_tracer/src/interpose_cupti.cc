// CUPTI serves one subscriber in a process, and that is the tracer. A tool that comes later, as
// torch.profiler does, is refused, and gives up, although it wants no callbacks: what it asks CUPTI
// for are activity records, which go to whoever asked last. Where the library is preloaded it
// stands in front of these functions and gives such a tool a subscription that never calls back.

#include <cupti.h>
#include <dlfcn.h>

#include <atomic>

#include "cupti_api.h"
#include "messages.h"
#include "tracer.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace {

char stand_in;

bool is_stand_in(CUpti_SubscriberHandle subscriber) {
  return subscriber == reinterpret_cast<CUpti_SubscriberHandle>(&stand_in);
}

/// CUPTI's own: the next in the search, or of a library that Python loaded for itself.
void* of_cupti(const char* name) {
  void* const next = dlsym(RTLD_NEXT, name);
  return next != nullptr ? next : xfer::tracer::loaded_function("libcupti.so", name);
}

template <class Function, class... Arguments>
CUptiResult pass_on(std::atomic<Function*>& known, const char* name, Arguments... arguments) {
  Function* function = known.load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(of_cupti(name));
    known.store(function, std::memory_order_relaxed);
  }
  return function == nullptr ? CUPTI_ERROR_NOT_INITIALIZED : function(arguments...);
}
#define XFER_PASS_ON(function, ...)                              \
  [&] {                                                          \
    static std::atomic<decltype(function)*> known{nullptr};      \
    return pass_on(known, #function __VA_OPT__(, ) __VA_ARGS__); \
  }()

}  // namespace

extern "C" {

XFER_EXPORT CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber,
                                       CUpti_CallbackFunc callback, void* userdata) {
  const CUptiResult result = XFER_PASS_ON(cuptiSubscribe, subscriber, callback, userdata);
  if (result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || subscriber == nullptr ||
      xfer::tracer::Tracer::current() == nullptr)
    return result;
  static std::atomic<bool> said{false};
  if (!said.exchange(true))
    xfer::tracer::say(
        "the program subscribes to CUPTI itself (torch.profiler does): it gets the activity "
        "records that it asks for, but no callbacks, and this report has no device times");
  *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&stand_in);
  return CUPTI_SUCCESS;
}

XFER_EXPORT CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
  return is_stand_in(subscriber) ? CUPTI_SUCCESS : XFER_PASS_ON(cuptiUnsubscribe, subscriber);
}

XFER_EXPORT CUptiResult cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle subscriber,
                                            CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  return is_stand_in(subscriber)
             ? CUPTI_SUCCESS
             : XFER_PASS_ON(cuptiEnableCallback, enable, subscriber, domain, id);
}

XFER_EXPORT CUptiResult cuptiEnableDomain(std::uint32_t enable, CUpti_SubscriberHandle subscriber,
                                          CUpti_CallbackDomain domain) {
  return is_stand_in(subscriber) ? CUPTI_SUCCESS
                                 : XFER_PASS_ON(cuptiEnableDomain, enable, subscriber, domain);
}

XFER_EXPORT CUptiResult cuptiEnableAllDomains(std::uint32_t enable,
                                              CUpti_SubscriberHandle subscriber) {
  return is_stand_in(subscriber) ? CUPTI_SUCCESS
                                 : XFER_PASS_ON(cuptiEnableAllDomains, enable, subscriber);
}

}  // extern "C"
