// Wasted copies: constants uploaded on every step, uploads after the last kernel, results that
// nothing reads, or that the host has already.

#include <cstring>
#include <thread>

#include "cases.cuh"

namespace {

__constant__ float weights[16];
__device__ unsigned found;

__global__ void weigh(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * weights[i % 16] + weights[(i + 1) % 16];
}
__global__ void count_positive(const float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && data[i] > 0) atomicAdd(&found, 1U);
}
__global__ void shift(const float* by, float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by[i % 64];
}

void start(const Buffers& b) { check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp)); }

// Also sets b.out, by which b.in is shifted.
void start_both(const Buffers& b) {
  start(b);
  check(cudaMemset(b.out, 0, kBytes));
}

void constant_symbol() {
  Buffers b;
  start(b);
  for (int i = 0; i < 8; ++i) {
    float made[16];
    for (int k = 0; k < 16; ++k) made[k] = static_cast<float>(k) / 16;
    check(cudaMemcpyToSymbol(weights, made, sizeof made));  // FIND: constant_symbol
    weigh<<<kCount / 256, 256>>>(b.in, kCount);
  }
  b.bring(b.in);
}

// Right: its content differs.
void changing_symbol() {
  Buffers b;
  start(b);
  for (int i = 0; i < 8; ++i) {
    float made[16] = {};
    made[3] = static_cast<float>(i);
    check(cudaMemcpyToSymbol(weights, made, sizeof made));
    weigh<<<kCount / 256, 256>>>(b.in, kCount);
  }
  b.bring(b.in);
}

// Right: kernels count in it.
void reset_symbol() {
  Buffers b;
  start(b);
  for (int i = 0; i < 8; ++i) {
    unsigned count = 0;
    check(cudaMemcpyToSymbol(found, &count, sizeof count));
    count_positive<<<kCount / 256, 256>>>(b.in, kCount);
    check(cudaMemcpyFromSymbol(&count, found, sizeof count));
    if (count != kCount) std::puts("never");
  }
}

// A table that is made anew for each batch, in memory of its own on both sides.
void constant_beside_batches() {
  Buffers b;
  std::vector<std::vector<float>> made;
  std::vector<float*> kept;
  for (int i = 0; i < 8; ++i) {
    b.host[0] = static_cast<float>(i);
    check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp));
    made.emplace_back(64, 0.5F);
    void* by = nullptr;
    check(cudaMallocAsync(&by, 256, nullptr));
    check(cudaMemcpy(by, made.back().data(), 256, kUp));  // FIND: constant_beside_batches
    shift<<<kCount / 256, 256>>>(static_cast<float*>(by), b.in, kCount);
    check(cudaFreeAsync(by, nullptr));
    b.bring(b.in);
  }
}

void after_the_last_kernel() {
  static float* const late = device_buffer();  // nobody frees it
  Buffers b;
  start_both(b);
  shift<<<kCount / 256, 256>>>(b.out, b.in, kCount);
  b.bring(b.in);
  check(cudaMemcpy(late, b.host.data(), kBytes, kUp));  // FIND: after_the_last_kernel
}

// Only what came last is looked at.
void unread_plain() {
  Buffers b;
  start_both(b);
  for (int i = 0; i < 4; ++i) {
    shift<<<kCount / 256, 256>>>(b.out, b.in, kCount);
    check(cudaMemcpy(b.result.data(), b.in, kBytes, kDown));  // FIND: unread_plain
  }
}

void unread_and_freed() {
  Buffers b;
  start_both(b);
  for (int i = 0; i < 4; ++i) {
    shift<<<kCount / 256, 256>>>(b.out, b.in, kCount);
    std::vector<float> here(kCount);
    check(cudaMemcpy(here.data(), b.in, kBytes, kDown));  // FIND: unread_and_freed
  }
}

// Right: each time it is read, if only in one place, or by the system.
void read_a_little() {
  Buffers b;
  start_both(b);
  std::FILE* const file = std::tmpfile();
  for (int i = 0; i < 12; ++i) {
    shift<<<kCount / 256, 256>>>(b.out, b.in, kCount);
    std::vector<float> here(kCount);
    check(cudaMemcpy(here.data(), b.in, kBytes, kDown));
    if (i % 3 == 0) std::fwrite(here.data(), 1, kBytes, file);
    if (i % 3 == 1 && here.front() == -1) std::puts("never");
    if (i % 3 == 2 && here.back() == -1) std::puts("never");
  }
  std::fclose(file);
}

void downloaded_twice() {
  Buffers b;
  start_both(b);
  shift<<<kCount / 256, 256>>>(b.out, b.in, kCount);
  b.bring(b.in);
  shift<<<kCount / 256, 256>>>(b.in, b.out, kCount);
  check(cudaMemcpy(b.host.data(), b.in, kBytes, kDown));  // FIND: downloaded_twice
  if (b.host[1] == -1) std::puts("never");
}

// Kernels in managed memory, at which the host looks in the end, or after each.
void in_managed(bool looks) {
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, kBytes));
  float* const data = static_cast<float*>(memory);
  for (int i = 0; i < kCount; ++i) data[i] = 1;
  for (int i = 0; i < 6; ++i) {
    add_to<<<kCount / 256, 256>>>(data, kCount);
    check(cudaDeviceSynchronize());  // FIND: managed_waits
    if (looks && i % 2 == 0 && data[i] == -1) std::puts("never");
    if (looks && i % 2 == 1) data[kCount - 1] = 0;
  }
  if (data[0] == -1) std::puts("never");
  check(cudaFree(memory));
}

// Results that threads reallocate, so that what is freed there later is something else.
void reallocated() {
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < 4; ++t)
    workers.emplace_back([t] {
      float* const from = device_buffer();
      check(cudaMemset(from, 0, kBytes));
      unsigned random = t;
      for (int i = 0; i < 150; ++i) {
        random = random * 1103515245 + 12345;
        const size_t bytes = 4096 + (random >> 8) % (kBytes - 4096);
        auto* result = static_cast<float*>(std::malloc(bytes));
        check(cudaMemcpy(result, from, bytes, kDown));
        if ((random & 8192) != 0) result = static_cast<float*>(std::realloc(result, 2 * bytes));
        if (result[100] == -1) std::puts("never");
        std::free(result);
      }
    });
  for (std::thread& worker : workers) worker.join();
}

const AddCases kAdded({
    {"reallocated", reallocated},
    {"managed_waits", [] { in_managed(false); }},
    {"managed_looked_at", [] { in_managed(true); }},
    {"constant_symbol", constant_symbol},
    {"changing_symbol", changing_symbol},
    {"reset_symbol", reset_symbol},
    {"constant_beside_batches", constant_beside_batches},
    {"after_the_last_kernel", after_the_last_kernel},
    {"unread_plain", unread_plain},
    {"unread_and_freed", unread_and_freed},
    {"read_a_little", read_a_little},
    {"downloaded_twice", downloaded_twice},
});

}  // namespace
