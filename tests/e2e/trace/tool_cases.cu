// A program that uses CUPTI itself, as PyTorch with its profiler does: by name, late, and for
// activity records alone.

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "cases.cuh"

namespace {

constexpr int kMemcpy = 1;  // CUPTI_ACTIVITY_KIND_MEMCPY

template <typename Result, typename... Arguments>
Result call(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<Result (*)(Arguments...)>(dlsym(RTLD_DEFAULT, name));
  if (function == nullptr) std::exit(7);
  return function(arguments...);
}

int g_copies = 0;

void request(std::uint8_t** buffer, size_t* bytes, size_t* records) {
  *bytes = 1 << 16;
  *records = 0;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *bytes));
}

void complete(void*, std::uint32_t, std::uint8_t* buffer, size_t, size_t valid) {
  int* record = nullptr;
  while (call<int>("cuptiActivityGetNextRecord", buffer, valid, &record) == 0)
    g_copies += *record == kMemcpy;
  std::free(buffer);
}

void late_subscriber() {
  Buffers b;  // CUDA starts, and with it the tracer
  void* subscriber = nullptr;
  void (*const callback)(void*, int, std::uint32_t, const void*) = [](void*, int, std::uint32_t,
                                                                      const void*) {};
  void* const nothing = nullptr;
  if (call<int>("cuptiSubscribe", &subscriber, callback, nothing) != 0) std::exit(8);
  call<int>("cuptiEnableDomain", 1U, subscriber, 1);
  call<int>("cuptiActivityRegisterCallbacks", &request, &complete);
  call<int>("cuptiActivityEnable", kMemcpy);
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp));  // FIND: late_subscriber
    run_scale(b.in, b.out);
  }
  call<int>("cuptiActivityFlushAll", 1U);
  std::printf("copies: %d\n", g_copies);
  if (call<int>("cuptiUnsubscribe", subscriber) != 0) std::exit(9);
}

const AddCases kAdded({{"late_subscriber", late_subscriber}});

}  // namespace
