// A small tool: counts and prints what CUPTI tells it, to the file that TOOL_OUTPUT names.

#include <cupti.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>

namespace {

std::FILE* out = nullptr;

template <typename Function>
Function find(const char* name) {
  static void* const cupti = dlopen("libcupti.so.13", RTLD_NOW);
  return cupti == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(cupti, name));
}
#define CUPTI(name) find<decltype(&name)>(#name)

void on_callback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* raw) {
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    std::fprintf(out, "resource %u\n", id);
    return;
  }
  if (domain == CUPTI_CB_DOMAIN_SYNCHRONIZE) {
    std::fprintf(out, "synchronized %u\n", id);
    return;
  }
  const auto* const data = static_cast<const CUpti_CallbackData*>(raw);
  if (data->callbackSite == CUPTI_API_ENTER) {
    *data->correlationData = data->correlationId * 3ull;
    return;
  }
  const char* id_name = "";
  CUPTI(cuptiGetCallbackName)(domain, id, &id_name);
  std::uint32_t device = 99;
  CUPTI(cuptiGetDeviceId)(data->context, &device);
  std::string extra;
  if (id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020) {
    const auto* const params = static_cast<const cudaMemcpy_v3020_params*>(data->functionParams);
    extra = " count " + std::to_string(params->count);
  }
  if (data->symbolName != nullptr) extra += std::string(" of ") + data->symbolName;
  std::fprintf(out, "call %u %s %s on %u returned %d kept %d%s\n", data->correlationId,
               data->functionName, id_name, device,
               *static_cast<const int*>(data->functionReturnValue),
               *data->correlationData == data->correlationId * 3ull, extra.c_str());
}

void request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* records) {
  *bytes = 4096;
  *records = 0;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *bytes));
}

/// Of what a launched graph did.
std::string of_node(std::uint64_t node) { return node == 0 ? "" : " node " + std::to_string(node); }

void complete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (CUPTI(cuptiActivityGetNextRecord)(buffer, valid, &record) == CUPTI_SUCCESS) {
    switch (record->kind) {
      case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const auto* const copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
        std::fprintf(out, "copy of %u kind %d from %d to %d bytes %llu took %llu%s\n",
                     copy->correlationId, copy->copyKind, copy->srcKind, copy->dstKind,
                     static_cast<unsigned long long>(copy->bytes),
                     static_cast<unsigned long long>(copy->end - copy->start),
                     of_node(copy->graphNodeId).c_str());
        break;
      }
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
        const auto* const kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
        std::fprintf(out, "kernel of %u %s grid %d block %d%s\n", kernel->correlationId,
                     kernel->name, kernel->gridX, kernel->blockX,
                     of_node(kernel->graphNodeId).c_str());
        break;
      }
      default: std::fprintf(out, "record %d\n", record->kind);
    }
  }
  std::free(buffer);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  const char* const path = std::getenv("TOOL_OUTPUT");
  out = path == nullptr ? nullptr : std::fopen(path, "w");
  if (out == nullptr) return 0;
  CUpti_SubscriberHandle subscriber;
  CUpti_SubscriberHandle second;
  const CUptiResult subscribed = CUPTI(cuptiSubscribe)(&subscriber, on_callback, nullptr);
  std::fprintf(out, "subscribed %d, again %d\n", subscribed,
               CUPTI(cuptiSubscribe)(&second, on_callback, nullptr));
  CUPTI(cuptiEnableDomain)(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
  CUPTI(cuptiEnableDomain)(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE);
  CUPTI(cuptiEnableDomain)(1, subscriber, CUPTI_CB_DOMAIN_SYNCHRONIZE);
  CUPTI(cuptiActivityRegisterCallbacks)(request, complete);
  for (const auto kind :
       {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION}) {
    CUPTI(cuptiActivityEnable)(kind);
  }
  std::atexit([] {
    CUPTI(cuptiActivityFlushAll)(1);
    std::fclose(out);
  });
  return 1;
}
