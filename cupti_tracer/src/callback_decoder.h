#pragma once
// From CUPTI's callback id and parameter struct to an ApiCall. Pure functions over a constant
// table: api_calls.def says which call has which shape, the shapes are in call_shapes.h.

#include <cupti.h>

#include <cstdint>
#include <string_view>

#include "api_call.h"

namespace xfer::tracer {

struct ApiEntry {
  const char* name = nullptr;
  void (*decode)(const void* params, ApiCall& call) = nullptr;
  std::uint8_t flags = 0;
};

/// The tracer's entry for a call; null for one that does not concern it.
const ApiEntry* find_api(CUpti_CallbackDomain domain, std::uint32_t cbid);

/// Fills `call` from the parameters as they are at the call's entry.
void decode_call(const ApiEntry& entry, const void* params, ApiCall& call);

/// A name as cuptiGetCallbackName gives it that moves or fills memory. One that find_api does not
/// know is counted, so that a newer CUDA's calls do not go unseen.
bool looks_like_transfer(std::string_view name);

/// Calls f(domain, cbid, entry) for every known call.
template <typename F>
void for_each_api(F&& f) {
  for (std::uint32_t id = 0; id < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++id)
    if (const ApiEntry* entry = find_api(CUPTI_CB_DOMAIN_RUNTIME_API, id))
      f(CUPTI_CB_DOMAIN_RUNTIME_API, id, *entry);
  for (std::uint32_t id = 0; id < CUPTI_DRIVER_TRACE_CBID_SIZE; ++id)
    if (const ApiEntry* entry = find_api(CUPTI_CB_DOMAIN_DRIVER_API, id))
      f(CUPTI_CB_DOMAIN_DRIVER_API, id, *entry);
}

}  // namespace xfer::tracer
