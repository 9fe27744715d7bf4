// Kernels whose lanes, warps and blocks wait for each other in loops. Each is checked against what
// must come out in any order; prints a line for each.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

__device__ int lock_word;
__device__ int next_tile;

__device__ void lock() {
  while (atomicCAS(&lock_word, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void unlock() {
  __threadfence();
  atomicExch(&lock_word, 0);
}

/// A thread keeps values of every type while it waits for a lock that another lane holds.
__global__ void keep(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 5 == 4) return;
  const float small = 1.5f * i;
  const double large = 0.25 * i;
  const unsigned char byte = static_cast<unsigned char>(i * 3);
  const short half = static_cast<short>(i * 77);
  const long long wide = 0x100000001LL * i;
  const bool odd = i % 2 != 0;
  int own[8];
  for (int k = 0; k < 8; ++k) own[k] = i * k;
  volatile int* const total = out;
  int* const place = own + i % 8;
  lock();
  *total = *total + 1;
  unlock();
  *place += 1;
  long long sum = wide + byte + half + static_cast<int>(small + large) + (odd ? 7 : 9);
  for (int k = 0; k < 8; ++k) sum += own[(k + i) % 8];
  out[1 + i] = static_cast<int>(sum % 1000003);
}

/// Lanes that take the lock as often as their number says, in a loop that lanes leave early.
__global__ void often(int* counts) {
  for (int turn = 0; turn < threadIdx.x % 7; ++turn) {
    lock();
    volatile int* const count = counts + turn;
    *count = *count + 1;
    unlock();
    if ((threadIdx.x + turn) % 11 == 0) break;
  }
}

/// The first lane of a warp waits for the last one, which waits for the first before: lanes in step
/// cannot do so, whichever goes first.
__global__ void ask_and_answer(volatile int* flags, int* out) {
  const int warp = threadIdx.x / 32;
  volatile int* const asked = flags + 2 * warp;
  volatile int* const answer = asked + 1;
  if (threadIdx.x % 32 == 0) {
    *asked = 100 + warp;
    while (*answer == 0) {
    }
    out[warp] = *answer;
  } else if (threadIdx.x % 32 == 31) {
    while (*asked == 0) {
    }
    *answer = *asked + 1;
  }
}

/// Each block waits for the one behind it, in the middle of what its threads do together.
__global__ void later_block(volatile int* flags, int* out) {
  __shared__ int places[96];
  places[threadIdx.x] = threadIdx.x * (blockIdx.x + 1);
  __syncthreads();
  const int other = places[95 - threadIdx.x];
  if (threadIdx.x == 70 && blockIdx.x + 1 < gridDim.x)
    while (flags[blockIdx.x + 1] == 0) {
    }
  const int thirds = __syncthreads_count(threadIdx.x % 3 == 0);
  if (threadIdx.x == 0) {
    __threadfence();
    flags[blockIdx.x] = 1;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = other + thirds;
}

/// A scan in one pass: each tile waits for the sum of the one before it.
__global__ void look_back(volatile int* sums, int* out) {
  __shared__ int tile, before;
  if (threadIdx.x == 0) {
    tile = atomicAdd(&next_tile, 1);
    int sum = 0;
    while (tile > 0 && (sum = sums[tile - 1]) == 0) {
    }
    before = sum;
    __threadfence();
    sums[tile] = sum + tile + 1;
  }
  __syncthreads();
  out[tile * blockDim.x + threadIdx.x] = before + threadIdx.x;
}

/// The whole grid meets in each turn, when all threads have counted.
__global__ void meet(int* counts, int* wrong) {
  const auto grid = cooperative_groups::this_grid();
  for (int turn = 0; turn < 5; ++turn) {
    atomicAdd(&counts[turn], 1);
    grid.sync();
    if (*static_cast<volatile int*>(&counts[turn]) != gridDim.x * blockDim.x) atomicAdd(wrong, 1);
  }
}

/// By what atomicMax does not take.
__global__ void greatest(const float* values, float* found) {
  const float value = values[blockIdx.x * blockDim.x + threadIdx.x];
  auto* const bits = reinterpret_cast<int*>(found);
  int old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __float_as_int(fmaxf(value, __int_as_float(seen))));
  } while (seen != old);
}

/// Threads take what is left to do.
__global__ void take(int* next, int* taken, int count) {
  for (int i; (i = atomicAdd(next, 1)) < count;) atomicAdd(&taken[i % 64], 1);
}

void show(const char* name, bool right) { std::printf(right ? "%s\n" : "%s: wrong\n", name); }

class Memory {
 public:
  Memory() { cudaMallocManaged(&words_, kBytes); }
  ~Memory() { cudaFree(words_); }

  int* clear() {
    cudaMemset(words_, 0, kBytes);
    const int zero = 0;
    cudaMemcpyToSymbol(next_tile, &zero, sizeof(zero));
    cudaDeviceSynchronize();
    return words_;
  }

 private:
  static constexpr std::size_t kBytes = 1 << 20;
  int* words_ = nullptr;
};

int kept(int i) {
  long long sum = 0x100000001LL * i + static_cast<unsigned char>(i * 3) +
                  static_cast<short>(i * 77) + static_cast<int>(1.5f * i + 0.25 * i) +
                  (i % 2 != 0 ? 7 : 9) + 1;
  for (int k = 0; k < 8; ++k) sum += i * k;
  return static_cast<int>(sum % 1000003);
}

bool keep_is_right(int* words) {
  keep<<<9, 100>>>(words);
  cudaDeviceSynchronize();
  bool right = words[0] == 720;
  for (int i = 0; i < 900; ++i) right = right && words[1 + i] == (i % 5 == 4 ? 0 : kept(i));
  return right;
}

bool often_is_right(int* words) {
  often<<<1, 77>>>(words);
  cudaDeviceSynchronize();
  std::vector<int> counts(7);
  for (int thread = 0; thread < 77; ++thread)
    for (int turn = 0; turn < thread % 7; ++turn) {
      ++counts[turn];
      if ((thread + turn) % 11 == 0) break;
    }
  return std::equal(counts.begin(), counts.end(), words);
}

bool ask_and_answer_is_right(int* words) {
  ask_and_answer<<<3, 256>>>(words, words + 64);
  cudaDeviceSynchronize();
  bool right = true;
  for (int warp = 0; warp < 8; ++warp) right = right && words[64 + warp] == 101 + warp;
  return right;
}

bool later_block_is_right(int* words) {
  later_block<<<20, 96>>>(words, words + 64);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 20 * 96; ++i)
    right = right && words[64 + i] == (95 - i % 96) * (i / 96 + 1) + 32;
  return right;
}

bool look_back_is_right(int* words) {
  look_back<<<100, 64>>>(words, words + 128);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 6400; ++i)
    right = right && words[128 + i] == (i / 64) * (i / 64 + 1) / 2 + i % 64;
  return right;
}

bool meet_is_right(int* words) {
  int* wrong = words + 5;
  void* arguments[] = {&words, &wrong};
  cudaLaunchCooperativeKernel(meet, 12, 70, arguments);
  cudaDeviceSynchronize();
  return words[4] == 12 * 70 && *wrong == 0;
}

bool greatest_is_right(int* words) {
  auto* const values = reinterpret_cast<float*>(words);
  for (int i = 1; i <= 1024; ++i) values[i] = static_cast<float>(i * 7919 % 1024);
  greatest<<<8, 128>>>(values + 1, values);
  cudaDeviceSynchronize();
  return values[0] == 1023;
}

bool take_is_right(int* words) {
  take<<<4, 64>>>(words, words + 1, 100000);
  cudaDeviceSynchronize();
  return std::accumulate(words + 1, words + 65, 0) == 100000 && words[0] == 100256;
}

}  // namespace

int main() {
  Memory memory;
  // A kernel that had to go on as threads does so from its start the second time.
  for (int time = 0; time < 2; ++time) {
    show("keep", keep_is_right(memory.clear()));
    show("often", often_is_right(memory.clear()));
    show("ask and answer", ask_and_answer_is_right(memory.clear()));
    show("later block", later_block_is_right(memory.clear()));
    show("look back", look_back_is_right(memory.clear()));
    show("meet", meet_is_right(memory.clear()));
    show("greatest", greatest_is_right(memory.clear()));
    show("take", take_is_right(memory.clear()));
  }
  return cudaGetLastError();
}
