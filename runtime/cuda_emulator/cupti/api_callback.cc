// CUPTI's callback API.

#include <cupti.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cupti/profiler.h"
#include "machine/say.h"

using xfer::emulator::Profiler;

namespace {

const char* runtime_callback_name(CUpti_CallbackId id) {
  switch (id) {
#define XFER_RUNTIME_CALLBACK(NAME) \
  case CUPTI_RUNTIME_TRACE_CBID_##NAME: return #NAME;
#include "emulator_runtime_callbacks.inc"
#undef XFER_RUNTIME_CALLBACK
    default: return nullptr;
  }
}

thread_local CUptiResult last_error = CUPTI_SUCCESS;

CUptiResult remember(CUptiResult result) {
  if (result != CUPTI_SUCCESS) last_error = result;
  return result;
}

CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                      void* userdata, const char* name) {
  if (subscriber == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  Profiler& profiler = Profiler::instance();
  const CUptiResult result = profiler.subscribe(callback, userdata, name);
  if (result == CUPTI_SUCCESS) *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&profiler);
  return result;
}

}  // namespace

extern "C" {

CUptiResult cuptiGetVersion(uint32_t* version) {
  if (version == nullptr) return remember(CUPTI_ERROR_INVALID_PARAMETER);
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                           void* userdata) {
  return remember(subscribe(subscriber, callback, userdata, nullptr));
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                              void* userdata, CUpti_SubscriberParams* pParams) {
  if (pParams == nullptr || pParams->structSize == 0) {
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
  const std::string owner = Profiler::instance().subscriber_name();
  const CUptiResult result = subscribe(subscriber, callback, userdata, pParams->subscriberName);
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED &&
      pParams->oldSubscriberName != nullptr && pParams->oldSubscriberSize > 0) {
    const std::size_t length = std::min(owner.size(), pParams->oldSubscriberSize - 1);
    std::memcpy(pParams->oldSubscriberName, owner.data(), length);
    pParams->oldSubscriberName[length] = '\0';
  }
  return remember(result);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
  return remember(Profiler::instance().unsubscribe(subscriber));
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber,
                                CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
  if (!Profiler::instance().is_subscriber(subscriber)) {
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
  return remember(Profiler::instance().enable(enable != 0, domain, cbid));
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber,
                              CUpti_CallbackDomain domain) {
  if (!Profiler::instance().is_subscriber(subscriber)) {
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
  return remember(Profiler::instance().enable_domain(enable != 0, domain));
}

CUptiResult cuptiEnableAllDomains(uint32_t enable, CUpti_SubscriberHandle subscriber) {
  for (int domain = CUPTI_CB_DOMAIN_DRIVER_API; domain < CUPTI_CB_DOMAIN_SIZE; ++domain) {
    const auto result =
        cuptiEnableDomain(enable, subscriber, static_cast<CUpti_CallbackDomain>(domain));
    if (result != CUPTI_SUCCESS) return result;
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackState(uint32_t* enable, CUpti_SubscriberHandle subscriber,
                                  CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
  if (enable == nullptr || !Profiler::instance().is_subscriber(subscriber)) {
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
  *enable = Profiler::instance().enabled(domain, cbid) ? 1 : 0;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char** name) {
  if (name == nullptr || domain != CUPTI_CB_DOMAIN_RUNTIME_API) {
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
  const char* const found = runtime_callback_name(cbid);
  if (found == nullptr) return remember(CUPTI_ERROR_INVALID_PARAMETER);
  *name = found;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSupportedDomains(size_t* domainCount, CUpti_DomainTable* domainTable) {
  static CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_RESOURCE,
                                           CUPTI_CB_DOMAIN_SYNCHRONIZE};
  if (domainCount == nullptr || domainTable == nullptr) {
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
  *domainCount = std::size(domains);
  *domainTable = domains;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char** str) {
  if (str == nullptr) return remember(CUPTI_ERROR_INVALID_PARAMETER);
  switch (result) {
#define XFER_CUPTI_RESULT(NAME) \
  case NAME: *str = #NAME; return CUPTI_SUCCESS;
#include "emulator_cupti_results.inc"
#undef XFER_CUPTI_RESULT
    default: return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
}

CUptiResult cuptiGetErrorMessage(CUptiResult result, const char** str) {
  return cuptiGetResultString(result, str);
}

CUptiResult cuptiGetLastError() {
  const CUptiResult result = last_error;
  last_error = CUPTI_SUCCESS;
  return result;
}

// Detaching from a running program is what the emulated CUPTI has no use for.
CUptiResult cuptiFinalize() { return remember(CUPTI_ERROR_NOT_SUPPORTED); }

int xfer_emulated_cupti_not_supported(const char* name) {
  xfer::emulator::say("xfercheck: {} is not emulated; it returns CUPTI_ERROR_NOT_SUPPORTED\n",
                      name);
  return remember(CUPTI_ERROR_NOT_SUPPORTED);
}
}
