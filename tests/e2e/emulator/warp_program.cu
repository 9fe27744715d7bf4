// Kernels whose lanes part, meet and tell each other things. Each is checked against what the host
// computes; prints a line for each.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int kSize = 1000;

__host__ __device__ int steps_of_collatz(unsigned value) {
  int steps = 0;
  for (; value != 1 && steps < 300; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  return steps;
}

__global__ void collatz(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kSize) return;
  out[i] = steps_of_collatz(static_cast<unsigned>(i) + 1);
}

__host__ __device__ int divided(int i) {
  const int by = i % 7 - 3;
  int result = 0;
  switch (i % 5) {
    case 0: result = by != 0 ? i / by : -1; break;
    case 1: result = by != 0 ? i % by : -2; break;
    case 2: result = i << (i % 31); break;
    default: result = i * by;
  }
  for (int k = 0; k < i % 4; ++k) {
    if (result % 3 == k) break;
    result += k * i;
  }
  return result;
}

__global__ void divide(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kSize) out[i] = divided(i);
}

__host__ __device__ int sorted(int i, int n) {
  int values[16];
  for (int k = 0; k < 16; ++k) values[k] = (i * 7 + k * 13) % 31;
  for (int a = 0; a < 16; ++a)
    for (int b = a + 1; b < 16; ++b)
      if (values[b] < values[a]) {
        const int kept = values[a];
        values[a] = values[b];
        values[b] = kept;
      }
  return values[n] * 100 + values[(n + i) % 16];
}

__global__ void sort_own(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kSize) out[i] = sorted(i, i % 16);
}

template <int kTile>
__global__ void multiply(const float* a, const float* b, float* c, int size) {
  __shared__ float left[kTile][kTile];
  __shared__ float right[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < size / kTile; ++tile) {
    left[threadIdx.y][threadIdx.x] = a[y * size + tile * kTile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile * kTile + threadIdx.y) * size + x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[y * size + x] = sum;
}

// Reads lane 5 of each row of 16, the next lane and the mirrored one; then a sum of all.
__global__ void shuffle(int* out) {
  const int i = threadIdx.x;
  int value = i * i;
  const int fifth = __shfl_sync(~0U, value, 5, 16);
  const int next = __shfl_down_sync(~0U, value, 1);
  const int mirrored = __shfl_sync(~0U, value, 31 - i % 32);
  const int before = __shfl_up_sync(~0U, value, 2, 8);
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0U, value, step);
  out[i] = fifth + 3 * next + 5 * mirrored + 7 * before + 11 * value;
}

int shuffled(int i) {
  const int warp = i / 32 * 32;
  const int lane = i % 32;
  const auto square = [](int k) { return k * k; };
  int sum = 0;
  for (int k = warp; k < warp + 32; ++k) sum += square(k);
  return square(i / 16 * 16 + 5) + 3 * square(lane == 31 ? i : i + 1) +
         5 * square(warp + 31 - lane) + 7 * square(lane % 8 < 2 ? i : i - 2) + 11 * sum;
}

__global__ void vote(unsigned* out) {
  const int i = threadIdx.x;
  unsigned result = __ballot_sync(~0U, i % 3 == 0);
  result ^= __any_sync(~0U, i == 70) ? 1U << 20 : 0;
  result ^= __all_sync(~0U, i < 64) ? 1U << 21 : 0;
  result ^= __match_any_sync(~0U, i % 4);
  result += __reduce_add_sync(~0U, static_cast<unsigned>(i));
  result += __reduce_max_sync(~0U, static_cast<unsigned>(i ^ 9));
  if (i % 2 == 0) result += __ballot_sync(0x55555555U, i % 4 == 0);
  out[i] = result;
}

unsigned voted(int i) {
  const int warp = i / 32 * 32;
  unsigned result = 0, same = 0, sum = 0, most = 0;
  for (int k = warp; k < warp + 32; ++k) {
    if (k % 3 == 0) result |= 1U << (k - warp);
    if (k % 4 == i % 4) same |= 1U << (k - warp);
    sum += static_cast<unsigned>(k);
    if (static_cast<unsigned>(k ^ 9) > most) most = static_cast<unsigned>(k ^ 9);
  }
  result ^= warp == 64 ? 1U << 20 : 0;
  result ^= warp < 64 ? 1U << 21 : 0;
  result = (result ^ same) + sum + most;
  return i % 2 == 0 ? result + 0x11111111U : result;
}

// Counts by atomics in shared memory; places by one in global memory.
__global__ void count(int* counts, int* places, int* next) {
  __shared__ int own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kSize) {
    atomicAdd(&own[i * i % 16], 1);
    if (i % 3 == 0) places[atomicAdd(next, 1)] = i;
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// Wide loads, narrow and scattered stores, barriers behind threads that have left.
__global__ void move(const float4* in, unsigned char* bytes, double* sums, int* present) {
  const int i = threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
  const float4 value = in[i];
  bytes[i * 37 % 128] = static_cast<unsigned char>(value.x + value.w);
  if (i >= 100) return;
  const int odd = __syncthreads_count(i % 2);
  const int any = __syncthreads_or(i == 99);
  sums[i] = static_cast<double>(value.y) * value.z + odd;
  present[i] = any + 10 * odd;
}

__device__ int sum_of(const int* in, int count) {
  int sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += in[i];
  return sum;
}

// All threads read the first thread's value behind a barrier. The first thread overwrites it a long
// way behind, with no barrier between: on a device all have read it by then.
__global__ void share_twice(const int* in, int count, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 5;
  __syncthreads();
  const int first = found;
  const int sum = sum_of(in, count);
  if (threadIdx.x == 0) found = sum;
  __syncthreads();
  out[threadIdx.x] = first * 10000 + found;
}

// The first thread reads the values of all, and all overwrite them a long way behind.
__global__ void gather_twice(const int* in, int count, int* out) {
  __shared__ int found[256];
  for (int round = 0; round < 2; ++round) {
    found[threadIdx.x] = sum_of(in + round, count);
    __syncthreads();
    if (threadIdx.x != 0) continue;
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i) sum += found[i];
    out[round] = sum;
  }
}

template <typename T>
struct Memory {
  explicit Memory(std::size_t n) : size(n) { cudaMallocManaged(&data, n * sizeof(T)); }
  ~Memory() { cudaFree(data); }
  T* data = nullptr;
  std::size_t size;
};

int wrong = 0;

template <typename T, typename Expected>
void check(const char* name, const T* data, int count, Expected expected) {
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
    std::printf("%s: %s\n", name, cudaGetErrorName(error));
  for (int i = 0; i < count; ++i)
    if (data[i] != expected(i)) {
      std::printf("%s: wrong at %d\n", name, i);
      ++wrong;
      return;
    }
  std::printf("%s\n", name);
}

template <int kTile>
void check_multiply(const char* name) {
  constexpr int kWide = 64;
  Memory<float> a(kWide * kWide), b(kWide * kWide), c(kWide * kWide);
  for (int i = 0; i < kWide * kWide; ++i) a.data[i] = i % 13, b.data[i] = i % 7;
  multiply<kTile>
      <<<dim3(kWide / kTile, kWide / kTile), dim3(kTile, kTile)>>>(a.data, b.data, c.data, kWide);
  check(name, c.data, kWide * kWide, [&](int i) {
    float sum = 0;
    for (int k = 0; k < kWide; ++k)
      sum += a.data[i / kWide * kWide + k] * b.data[k * kWide + i % kWide];
    return sum;
  });
}

}  // namespace

int main() {
  Memory<int> out(kSize);
  collatz<<<10, 100>>>(out.data);
  check("collatz", out.data, kSize,
        [](int i) { return steps_of_collatz(static_cast<unsigned>(i) + 1); });
  divide<<<8, dim3(24, 6)>>>(out.data);
  cudaDeviceSynchronize();
  divide<<<8, 128>>>(out.data);
  check("divide", out.data, kSize, divided);
  sort_own<<<8, 128>>>(out.data);
  check("sort", out.data, kSize, [](int i) { return sorted(i, i % 16); });
  check_multiply<8>("multiply 8");
  check_multiply<16>("multiply 16");
  check_multiply<32>("multiply 32");
  shuffle<<<1, 96>>>(out.data);
  check("shuffle", out.data, 96, shuffled);
  Memory<unsigned> votes(96);
  vote<<<1, 96>>>(votes.data);
  check("vote", votes.data, 96, voted);

  Memory<int> counts(16), places(kSize), next(1);
  for (int i = 0; i < 16; ++i) counts.data[i] = 0;
  *next.data = 0;
  count<<<4, 256>>>(counts.data, places.data, next.data);
  check("count", counts.data, 16, [](int digit) {
    int all = 0;
    for (int i = 0; i < kSize; ++i) all += i * i % 16 == digit;
    return all;
  });
  std::vector<bool> seen(kSize);
  for (int i = 0; i < *next.data; ++i) seen[static_cast<std::size_t>(places.data[i])] = true;
  check("places", next.data, 1, [&](int) {
    int all = 0;
    for (int i = 0; i < kSize; ++i) all += seen[static_cast<std::size_t>(i)] && i % 3 == 0;
    return all;
  });

  Memory<float4> in(128);
  Memory<unsigned char> bytes(128);
  Memory<double> sums(100);
  Memory<int> present(100);
  for (int i = 0; i < 128; ++i) in.data[i] = make_float4(i, i + 1, i + 2, 1);
  move<<<1, dim3(8, 4, 4)>>>(in.data, bytes.data, sums.data, present.data);
  check("sums", sums.data, 100, [](int i) { return (i + 1.0) * (i + 2.0) + 50; });
  check("present", present.data, 100, [](int) { return 501; });
  check("bytes", bytes.data, 128, [](int at) {
    for (int i = 0; i < 128; ++i)
      if (i * 37 % 128 == at) return static_cast<unsigned char>(i + 1);
    return static_cast<unsigned char>(0);
  });
  Memory<int> numbers(kSize + 1);
  for (int i = 0; i <= kSize; ++i) numbers.data[i] = i;
  share_twice<<<1, 256>>>(numbers.data, kSize, out.data);
  check("share twice", out.data, 256, [](int) { return 50000 + 256 + 512 + 768; });
  gather_twice<<<1, 256>>>(numbers.data, kSize, out.data);
  check("gather twice", out.data, 2,
        [](int round) { return kSize * (kSize - 1) / 2 + round * kSize; });
  return wrong;
}
