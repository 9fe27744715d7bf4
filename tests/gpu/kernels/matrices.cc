// The unit tests of instructions on matrices, by a device: their kernels get addresses of this
// process, so the heap and the stack that they run on lie in memory that the device reaches.

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "gpu/kernels/device_kernel.h"
#include "unit/kernels/matrix/warp.h"

namespace {

constexpr std::size_t kHeap = std::size_t{1} << 28;
constexpr std::size_t kStack = std::size_t{1} << 23;
constexpr std::size_t kAlignment = alignof(std::max_align_t);

std::byte* heap = nullptr;
std::atomic<std::size_t> taken = 0;
thread_local bool from_heap = false;

/// Nothing goes back to it.
void* allocate(std::size_t size) {
  if (from_heap) {
    const std::size_t at = taken.fetch_add((size + kAlignment - 1) / kAlignment * kAlignment);
    if (at + size <= kHeap) return heap + at;
  } else if (void* memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}

void release(void* memory) {
  auto* const at = static_cast<std::byte*>(memory);
  if (heap == nullptr || at < heap || at >= heap + kHeap) std::free(memory);
}

/// Has the usual heap for the runtime and its compiler.
class UsualHeap {
 public:
  UsualHeap() { from_heap = false; }
  ~UsualHeap() { from_heap = true; }
  UsualHeap(const UsualHeap&) = delete;
  UsualHeap& operator=(const UsualHeap&) = delete;
};

void* tests(void* result) {
  from_heap = true;
  *static_cast<int*>(result) = RUN_ALL_TESTS();
  return nullptr;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size == 0 ? 1 : size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }

namespace xfer::kernels::testing {

void run_warp(const std::string& ptx, const std::vector<const void*>& parameters) {
  const UsualHeap usual;
  gpu::DeviceKernel(ptx, "k").run(32, parameters);
}

}  // namespace xfer::kernels::testing

int main(int argc, char** argv) try {
  testing::InitGoogleTest(&argc, argv);
  void *memory = nullptr, *stack = nullptr;
  xfer::gpu::check(cudaMallocHost(&memory, kHeap), "cudaMallocHost");
  xfer::gpu::check(cudaMallocHost(&stack, kStack), "cudaMallocHost");
  heap = static_cast<std::byte*>(memory);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kStack);
  pthread_t thread{};
  int result = 1;
  if (pthread_create(&thread, &attributes, tests, &result) != 0) return 2;
  pthread_join(thread, nullptr);
  return result;
} catch (const std::exception& error) {
  std::fprintf(stderr, "gpu_matrices: %s\n", error.what());
  return 2;
}
