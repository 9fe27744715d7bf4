#include "callback_decoder.h"

#include <array>

#include "call_shapes.h"
#include "graphs/graph_shapes.h"

namespace xfer::tracer {
namespace {

enum ApiFlag : std::uint8_t { kAsyncCall = 1, kOnThreadStream = 2 };

using shapes::CopyBatchParams12;
using shapes::KernelLaunchParams;
using shapes::NoParams;

template <typename P, void (*shape)(const P&, ApiCall&)>
void decode_as(const void* params, ApiCall& call) {
  if (params != nullptr) {
    shape(*static_cast<const P*>(params), call);
  } else if constexpr (std::is_empty_v<P>) {
    shape(P{}, call);
  }
}

constexpr auto kRuntimeApi = [] {
  std::array<ApiEntry, CUPTI_RUNTIME_TRACE_CBID_SIZE> table{};
#define XFER_RUNTIME(id, shape, flags) XFER_RUNTIME_AS(id, id##_params, shape, flags)
#define XFER_RUNTIME_AS(id, params, shape, flags) \
  table[CUPTI_RUNTIME_TRACE_CBID_##id] = {#id, &decode_as<params, &shapes::shape<params>>, flags};
#define XFER_DRIVER(id, shape, flags)
#define XFER_DRIVER_AS(id, params, shape, flags)
#include "api_calls.def"
#undef XFER_RUNTIME
#undef XFER_RUNTIME_AS
#undef XFER_DRIVER
#undef XFER_DRIVER_AS
  return table;
}();

constexpr auto kDriverApi = [] {
  std::array<ApiEntry, CUPTI_DRIVER_TRACE_CBID_SIZE> table{};
#define XFER_DRIVER(id, shape, flags) XFER_DRIVER_AS(id, id##_params, shape, flags)
#define XFER_DRIVER_AS(id, params, shape, flags) \
  table[CUPTI_DRIVER_TRACE_CBID_##id] = {#id, &decode_as<params, &shapes::shape<params>>, flags};
#define XFER_RUNTIME(id, shape, flags)
#define XFER_RUNTIME_AS(id, params, shape, flags)
#include "api_calls.def"
#undef XFER_RUNTIME
#undef XFER_RUNTIME_AS
#undef XFER_DRIVER
#undef XFER_DRIVER_AS
  return table;
}();

template <std::size_t size>
const ApiEntry* entry_at(const std::array<ApiEntry, size>& table, std::uint32_t cbid) {
  return cbid < size && table[cbid].decode != nullptr ? &table[cbid] : nullptr;
}

}  // namespace

const ApiEntry* find_api(CUpti_CallbackDomain domain, std::uint32_t cbid) {
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) return entry_at(kRuntimeApi, cbid);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) return entry_at(kDriverApi, cbid);
  return nullptr;
}

void decode_call(const ApiEntry& entry, const void* params, ApiCall& call) {
  entry.decode(params, call);
  call.async = (entry.flags & kAsyncCall) != 0;
  call.thread_stream = (entry.flags & kOnThreadStream) != 0;
}

bool looks_like_transfer(std::string_view name) {
  if (name.starts_with("cuda"))
    name.remove_prefix(4);
  else if (name.starts_with("cu"))
    name.remove_prefix(2);
  else
    return false;
  return name.starts_with("Memcpy") || name.starts_with("Memset");
}

}  // namespace xfer::tracer
