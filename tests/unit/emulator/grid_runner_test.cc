#include "machine/grid_runner.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "xfer/emulator/host_kernel.h"

namespace {

__global__ void count_threads(int* seen) {
  const unsigned index = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  atomicAdd(&seen[index * blockDim.x * blockDim.y * blockDim.z + thread], 1);
}

// Every thread reads what its neighbours wrote before each barrier.
__global__ void tree_sum(const float* in, float* out, int n) {
  XFER_DYNAMIC_SHARED(float, partial);
  const unsigned thread = threadIdx.x;
  const unsigned at = blockIdx.x * blockDim.x + thread;
  partial[thread] = at < static_cast<unsigned>(n) ? in[at] : 0.0f;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = partial[0];
}

__global__ void warp_sum(const int* in, int* out, int n) {
  __shared__ int warps[32];
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  int value = at < static_cast<unsigned>(n) ? in[at] : 0;
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, delta);
  }
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < (blockDim.x + 31) / 32 ? warps[threadIdx.x] : 0;
    for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
    if (threadIdx.x == 0) atomicAdd(out, value);
  }
}

// Threads past the end return before the barrier, as they may.
__global__ void reverse_block(int* data, int n) {
  __shared__ int copy[1024];
  const int at = static_cast<int>(threadIdx.x);
  if (at >= n) return;
  copy[at] = data[at];
  __syncthreads();
  data[at] = copy[n - 1 - at];
}

__global__ void votes(unsigned* out) {
  const unsigned ballot = __ballot_sync(0xffffffffu, threadIdx.x % 2 == 0);
  const int count = __syncthreads_count(threadIdx.x < 10);
  const int all = __syncthreads_and(threadIdx.x < 64);
  const int any = __syncthreads_or(threadIdx.x == 63);
  if (threadIdx.x == 0) {
    out[0] = ballot;
    out[1] = static_cast<unsigned>(count);
    out[2] = static_cast<unsigned>(all * 2 + any);
  }
}

// Half a warp works on while the other half waits at the block's barrier.
__global__ void diverged(unsigned* out) {
  if (threadIdx.x < 16) {
    const unsigned mask = __activemask();
    if (threadIdx.x == 0) out[0] = mask;
  }
  __syncthreads();
}

struct Scale {
  float factor;
  float operator()(float x) const { return x * factor; }
};
template <typename Function>
__global__ void apply(float* data, Function function) {
  data[threadIdx.x] = function(data[threadIdx.x]);
}

}  // namespace

namespace xfer::emulator {
namespace {

template <auto Kernel, typename... Args>
std::string launch(dim3 grid, dim3 block, std::size_t shared_bytes, Args... args) {
  void* pointers[] = {static_cast<void*>(&args)...};
  return run_grid(HostVersion{&HostKernel<Kernel>::run, {sizeof(Args)...}}, grid, block,
                  shared_bytes, pointers);
}

TEST(GridRunner, EveryThreadOfEveryBlockRunsOnce) {
  std::vector<int> seen(2 * 3 * 4 * 5 * 6 * 7);
  EXPECT_EQ(launch<&count_threads>(dim3(2, 3, 4), dim3(5, 6, 7), 0, seen.data()), "");
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

TEST(GridRunner, BarriersOrderTheThreadsOfABlock) {
  std::vector<float> in(1000);
  std::iota(in.begin(), in.end(), 1.0f);
  std::vector<float> out(4);
  EXPECT_EQ(launch<&tree_sum>(4, 256, 256 * sizeof(float), in.data(), out.data(), 1000), "");
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0f), 500500.0f);
}

TEST(GridRunner, WarpsExchangeValues) {
  std::vector<int> in(5000);
  std::iota(in.begin(), in.end(), 1);
  int sum = 0;
  EXPECT_EQ(launch<&warp_sum>(20, 256, 0, in.data(), &sum, 5000), "");
  EXPECT_EQ(sum, 5000 * 5001 / 2);
  sum = 0;
  EXPECT_EQ(launch<&warp_sum>(53, 96, 0, in.data(), &sum, 5000), "");
  EXPECT_EQ(sum, 5000 * 5001 / 2);
}

TEST(GridRunner, ThreadsThatReturnedAreNotWaitedFor) {
  std::vector<int> data = {1, 2, 3, 4, 5};
  EXPECT_EQ(launch<&reverse_block>(1, 1024, 0, data.data(), 5), "");
  EXPECT_EQ(data, (std::vector<int>{5, 4, 3, 2, 1}));
}

TEST(GridRunner, VotesCountEveryone) {
  unsigned out[3] = {};
  EXPECT_EQ(launch<&votes>(1, 64, 0, &out[0]), "");
  EXPECT_EQ(out[0], 0x55555555u);
  EXPECT_EQ(out[1], 10u);
  EXPECT_EQ(out[2], 3u);
}

TEST(GridRunner, ADivergedWarpGoesOn) {
  unsigned out = 0;
  EXPECT_EQ(launch<&diverged>(1, 32, 0, &out), "");
  EXPECT_EQ(out, 0xffffu);
}

TEST(GridRunner, KernelsTakeFunctionObjectsByValue) {
  std::vector<float> data(8, 3.0f);
  EXPECT_EQ(launch<&apply<Scale>>(1, 8, 0, data.data(), Scale{2.0f}), "");
  EXPECT_EQ(data, std::vector<float>(8, 6.0f));
}

}  // namespace
}  // namespace xfer::emulator
