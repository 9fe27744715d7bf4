#include "nvtx.h"

#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <cwchar>
#include <exception>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "scope_log.h"
#include "scope_names.h"
#include "thread_state.h"
#include "tracer.h"
#include "xfer/utf8.h"

namespace xfer::tracer {
namespace {

constexpr std::size_t kMostNames = 1024;  // some programs number their ranges
constexpr std::size_t kLongestName = 512;
constexpr int kNoLevel = NVTX_NO_PUSH_POP_TRACKING;
constexpr char kDefaultDomain = 0;

using Name = ScopeNames::Name;

std::string narrow(const wchar_t* text) {
  std::string out;
  for (; *text != L'\0' && out.size() < kLongestName; ++text)
    append_utf8(out, static_cast<std::uint32_t>(*text));
  return out;
}

// Of a domain or a registered string.
template <class Handle>
Handle handle_of(std::string_view text) noexcept try {
  return reinterpret_cast<Handle>(ScopeNames::handles().find(text));
} catch (const std::exception&) {
  return nullptr;
}
template <class Handle>
Handle handle_of(const char* text) noexcept {
  return handle_of<Handle>(std::string_view(text != nullptr ? text : ""));
}
template <class Handle>
Handle handle_of(const wchar_t* text) noexcept try {
  return handle_of<Handle>(text != nullptr ? narrow(text) : std::string());
} catch (const std::exception&) {
  return nullptr;
}

Name* name_of(ThreadState& thread, std::string_view text) {
  return thread.scope_names.find(text.empty() ? "scope" : text.substr(0, kLongestName), kMostNames);
}
Name* name_of(ThreadState& thread, const char* text) {
  return name_of(thread,
                 text != nullptr ? std::string_view(text, strnlen(text, kLongestName)) : "");
}
Name* name_of(ThreadState& thread, const wchar_t* text) {
  return name_of(thread, text != nullptr ? std::string_view(narrow(text)) : std::string_view());
}
Name* name_of(ThreadState& thread, const nvtxEventAttributes_t* event) {
  constexpr std::size_t kBytes =
      offsetof(nvtxEventAttributes_t, message) + sizeof(nvtxMessageValue_t);
  if (event == nullptr || event->size < kBytes) return name_of(thread, "");
  switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII: return name_of(thread, event->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE: return name_of(thread, event->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      if (event->message.registered == nullptr) break;
      return name_of(thread, reinterpret_cast<const Name*>(event->message.registered)->first);
    default: break;
  }
  return name_of(thread, "");
}

ThreadScopes::Stack stack_of(nvtxDomainHandle_t domain) {
  return domain != nullptr ? static_cast<ThreadScopes::Stack>(domain) : &kDefaultDomain;
}

template <class Text>
int push_to(nvtxDomainHandle_t domain, Text text) noexcept {
  return with_scopes(thread_state(), kNoLevel, [&](ThreadState& thread, ScopeLog* log) {
    return thread.scopes.begin(stack_of(domain), name_of(thread, text), log);
  });
}
template <class Text>
nvtxRangeId_t start_in(Text text) noexcept {
  return with_scopes(thread_state(), nvtxRangeId_t{0}, [&](ThreadState& thread, ScopeLog* log) {
    return nvtxRangeId_t{thread.scopes.start_range(name_of(thread, text), log)};
  });
}

template <class Text>
int NVTX_API push(Text text) {
  return push_to(nullptr, text);
}
int NVTX_API domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return push_to(domain, event);
}
int NVTX_API domain_pop(nvtxDomainHandle_t domain) {
  return with_scopes(thread_state(), kNoLevel, [&](ThreadState& thread, ScopeLog* log) {
    return thread.scopes.end(stack_of(domain), log);
  });
}
int NVTX_API pop() { return domain_pop(nullptr); }
template <class Text>
nvtxRangeId_t NVTX_API start(Text text) {
  return start_in(text);
}
nvtxRangeId_t NVTX_API domain_start(nvtxDomainHandle_t, const nvtxEventAttributes_t* event) {
  return start_in(event);
}
void NVTX_API end(nvtxRangeId_t range) {
  with_scopes(thread_state(), 0, [&](ThreadState& thread, ScopeLog* log) {
    thread.scopes.end_range(range, log);
    return 0;
  });
}
void NVTX_API domain_end(nvtxDomainHandle_t, nvtxRangeId_t range) { end(range); }
template <class Text>
nvtxDomainHandle_t NVTX_API create_domain(Text name) {
  return handle_of<nvtxDomainHandle_t>(name);
}
template <class Text>
nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t, Text text) {
  return handle_of<nvtxStringHandle_t>(text);
}

struct Hook {
  unsigned id;
  NvtxFunctionPointer function;
};

template <class Function>
Hook hook(unsigned id, Function function) {
  return {id, reinterpret_cast<NvtxFunctionPointer>(function)};
}

bool take(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module,
          std::span<const Hook> hooks) {
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks.GetModuleFunctionTable(module, &table, &size) == 0 || table == nullptr)
    return false;
  for (const Hook& one : hooks)
    if (one.id < size && table[one.id] != nullptr) *table[one.id] = one.function;
  return true;
}

// Their ranges are not the program's, and come with every call.
bool is_of_cuda(NvtxTables tables) {
  Dl_info module{};
  if (dladdr(reinterpret_cast<const void*>(tables), &module) == 0 || module.dli_fname == nullptr)
    return false;
  std::string_view name = module.dli_fname;
  name = name.substr(name.rfind('/') + 1);
  name = name.substr(0, name.find('.'));
  constexpr std::string_view kLibraries[] = {
      "libcublas",   "libcublasLt",    "libcuda",     "libcudart",     "libcufft",
      "libcufile",   "libcupti",       "libcurand",   "libcusolver",   "libcusolverMg",
      "libcusparse", "libcusparseLt",  "libcutensor", "libcutensorMg", "libnccl",
      "libnvjpeg",   "libnvshmem_host"};
  return name.starts_with("libcudnn") || name.starts_with("libnpp") ||
         std::find(std::begin(kLibraries), std::end(kLibraries), name) != std::end(kLibraries);
}

}  // namespace

int take_nvtx(NvtxTables tables) noexcept {
  if (tables == nullptr || is_of_cuda(tables)) return 0;
  const auto* const callbacks =
      static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(*callbacks)) return 0;
  using Event = const nvtxEventAttributes_t*;
  using Wide = const wchar_t*;
  const Hook core[] = {
      hook(NVTX_CBID_CORE_RangePushEx, &push<Event>),
      hook(NVTX_CBID_CORE_RangePushA, &push<const char*>),
      hook(NVTX_CBID_CORE_RangePushW, &push<Wide>),
      hook(NVTX_CBID_CORE_RangePop, &pop),
      hook(NVTX_CBID_CORE_RangeStartEx, &start<Event>),
      hook(NVTX_CBID_CORE_RangeStartA, &start<const char*>),
      hook(NVTX_CBID_CORE_RangeStartW, &start<Wide>),
      hook(NVTX_CBID_CORE_RangeEnd, &end),
  };
  const Hook domains[] = {
      hook(NVTX_CBID_CORE2_DomainRangePushEx, &domain_push),
      hook(NVTX_CBID_CORE2_DomainRangePop, &domain_pop),
      hook(NVTX_CBID_CORE2_DomainRangeStartEx, &domain_start),
      hook(NVTX_CBID_CORE2_DomainRangeEnd, &domain_end),
      hook(NVTX_CBID_CORE2_DomainCreateA, &create_domain<const char*>),
      hook(NVTX_CBID_CORE2_DomainCreateW, &create_domain<Wide>),
      hook(NVTX_CBID_CORE2_DomainRegisterStringA, &register_string<const char*>),
      hook(NVTX_CBID_CORE2_DomainRegisterStringW, &register_string<Wide>),
  };
  const bool taken = take(*callbacks, NVTX_CB_MODULE_CORE, core);
  return take(*callbacks, NVTX_CB_MODULE_CORE2, domains) || taken ? 1 : 0;
}

}  // namespace xfer::tracer
