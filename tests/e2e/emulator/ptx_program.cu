// A program whose kernels emulated devices run from their PTX. The first argument says what it
// does.

#undef NDEBUG  // asserts are part of the test
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <vector>

int scale_of_other_module(float* data);

#define CHECK(call)                                                         \
  do {                                                                      \
    const cudaError_t error = (call);                                       \
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorName(error)); \
  } while (false)

namespace {

__device__ int counter = 41;
__constant__ float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ const char* names[2] = {"first", "second"};
__device__ int* points_to = &counter;
__managed__ int managed = 7;

// Another module has a kernel of this name.
__global__ void scale(float* data) { data[threadIdx.x] *= weights[threadIdx.x % 4]; }

__global__ void sum(const int* in, int* out) {
  extern __shared__ int partial[];
  __shared__ int warps[32];
  partial[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  int value = partial[blockDim.x - 1 - threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    value = __reduce_add_sync(0xffffffffu, value);
    if (threadIdx.x == 0) atomicAdd(out, value);
  }
}

// Its last steps are without barriers: the lanes of one warp go in step.
__global__ void sum_in_step(const int* in, int* out) {
  __shared__ volatile int partial[128];
  const unsigned i = threadIdx.x;
  partial[i] = in[i] + in[i + 128];
  __syncthreads();
  if (i < 64) partial[i] += partial[i + 64];
  __syncthreads();
  if (i < 32)
    for (int apart = 32; apart > 0; apart /= 2) partial[i] += partial[i + apart];
  if (i == 0) *out = partial[0];
}

__global__ void use_variables(int* out) {
  out[0] = atomicAdd(&counter, 1);
  out[1] = *points_to;
  out[2] = names[1][0];
  out[3] = managed;
  managed = 9;
}

__global__ void say_hello() {
  printf("thread %d of block %d: %s %.2f\n", threadIdx.x, blockIdx.x, names[blockIdx.x], 1.25);
}

__global__ void all_together(int* data, int* out) {
  const auto grid = cooperative_groups::this_grid();
  data[grid.thread_rank()] = 1;
  grid.sync();
  atomicAdd(out, data[grid.size() - 1 - grid.thread_rank()]);
}

__device__ volatile int lock;
__global__ void take_the_lock(int* out) {
  for (bool done = false; !done;) {
    if (atomicCAS(const_cast<int*>(&lock), 0, 1) != 0) continue;
    *out += 1;
    __threadfence();
    lock = 0;
    done = true;
  }
}

__global__ void make(int** made) {
  made[threadIdx.x] = static_cast<int*>(malloc(400));
  made[threadIdx.x][99] = static_cast<int>(threadIdx.x);
}
__global__ void take(int** made, int* out) {
  atomicAdd(out, made[threadIdx.x][99]);
  free(made[threadIdx.x]);
}

// A function that ends its thread, whichever call the thread is in.
__device__ __noinline__ int exit_if_odd(int x) {
  if (x % 2 != 0) asm volatile("exit;");
  return x * 10;
}
__device__ __noinline__ int through_another(int x) { return exit_if_odd(x) + 1; }
__device__ int (*exits[2])(int) = {exit_if_odd, through_another};
__global__ void end_early(int* out) {
  const int thread = static_cast<int>(threadIdx.x);
  out[thread] = 1;
  const int value = thread < 32 ? through_another(thread) : exits[thread / 2 % 2](thread);
  __syncthreads();  // of those that are left
  out[thread] = value;
}

__global__ void take_of_the_stack(int* out) {
  const int count = static_cast<int>(threadIdx.x) + 1;
  for (int round = 0; round < 3; ++round) {
    auto* values = static_cast<int*>(alloca(static_cast<std::size_t>(count) * sizeof(int)));
    for (int i = 0; i < count; ++i) values[i] = i + round;
    for (int i = 0; i < count; ++i) out[threadIdx.x] += values[count - 1 - i];
  }
}

__global__ void takes_too_much(int* out, std::size_t bytes) {
  auto* values = static_cast<volatile int*>(alloca(bytes));
  values[*out] = 1;
  *out = values[out[1]];
}

__global__ void __launch_bounds__(64) small_blocks(int* out) { *out = 1; }
__global__ void expects(int x) { assert(x < 3); }
__global__ void traps() { __trap(); }
__global__ void never_ends(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void computes_for_ever(int* out) {
  for (unsigned value = 1; value != 0; value = value * 5 + 2) *out = static_cast<int>(value);
}
__global__ void follows(int* pointer) { *pointer = 1; }

int* device_ints(int count) {
  int* memory = nullptr;
  CHECK(cudaMalloc(&memory, static_cast<std::size_t>(count) * sizeof(int)));
  CHECK(cudaMemset(memory, 0, static_cast<std::size_t>(count) * sizeof(int)));
  return memory;
}

std::vector<int> on_host(const int* memory, std::size_t count) {
  std::vector<int> values(count);
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(int), cudaMemcpyDeviceToHost));
  return values;
}

void compute() {
  std::vector<int> in(1024);
  for (int i = 0; i < 1024; ++i) in[static_cast<std::size_t>(i)] = i;
  int* const data = device_ints(1024);
  int* const out = device_ints(1);
  CHECK(cudaMemcpy(data, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));
  sum<<<4, 256, 256 * sizeof(int)>>>(data, out);
  std::printf("sum %d\n", on_host(out, 1)[0]);
  CHECK(cudaMemset(out, 0, sizeof(int)));
  take_the_lock<<<2, 64>>>(out);
  std::printf("locked %d\n", on_host(out, 1)[0]);
}

void variables() {
  std::printf("managed %d\n", managed);
  int* const out = device_ints(4);
  use_variables<<<1, 1>>>(out);
  const std::vector<int> got = on_host(out, 4);
  std::printf("%d %d %c %d, managed %d\n", got[0], got[1], got[2], got[3], managed);
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
  std::printf("counter %d\n", value);
  value = 10;
  CHECK(cudaMemcpyToSymbol(counter, &value, sizeof(value)));
  use_variables<<<1, 1>>>(out);
  std::printf("%d\n", on_host(out, 1)[0]);
}

void modules() {
  const std::vector<float> ones(4, 1);
  float* data = nullptr;
  CHECK(cudaMalloc(&data, 4 * sizeof(float)));
  CHECK(cudaMemcpy(data, ones.data(), 4 * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<1, 4>>>(data);
  CHECK(scale_of_other_module(data) == 0 ? cudaSuccess : cudaErrorUnknown);
  std::vector<float> got(4);
  CHECK(cudaMemcpy(got.data(), data, 4 * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%.1f %.1f %.1f %.1f\n", got[0], got[1], got[2], got[3]);
}

void cooperative() {
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, all_together, 64, 0));
  std::printf("%d blocks\n", blocks);
  int* data = device_ints(64 * 100);
  int* out = device_ints(1);
  void* args[] = {&data, &out};
  const auto* const kernel = reinterpret_cast<const void*>(all_together);
  CHECK(cudaLaunchCooperativeKernel(kernel, 100, 64, args, 0, nullptr));
  std::printf("together %d\n", on_host(out, 1)[0]);
  CHECK(cudaLaunchCooperativeKernel(kernel, 132 * 32 + 1, 64, args, 0, nullptr));
}

void heap() {
  int** made = nullptr;
  CHECK(cudaMalloc(&made, 64 * sizeof(int*)));
  int* const out = device_ints(1);
  make<<<1, 64>>>(made);
  take<<<1, 64>>>(made, out);
  std::printf("heap %d\n", on_host(out, 1)[0]);
}

void in_step() {
  std::vector<int> host(256);
  for (int i = 0; i < 256; ++i) host[i] = i;
  int* const in = device_ints(256);
  int* const out = device_ints(1);
  CHECK(cudaMemcpy(in, host.data(), 256 * sizeof(int), cudaMemcpyDefault));
  sum_in_step<<<1, 128>>>(in, out);
  std::printf("sum %d\n", on_host(out, 1)[0]);
}

void ends() {
  int* const out = device_ints(64);
  end_early<<<1, 64>>>(out);
  for (const int value : on_host(out, 64)) std::printf("%d ", value);
}

void stack() {
  int* const out = device_ints(64);
  take_of_the_stack<<<1, 64>>>(out);
  const std::vector<int> got = on_host(out, 64);
  std::printf("%d %d %d\n", got[0], got[1], got[63]);
}

void attributes() {
  cudaFuncAttributes attributes{};
  CHECK(cudaFuncGetAttributes(&attributes, sum));
  std::printf("shared %zu, threads %d\n", attributes.sharedSizeBytes,
              attributes.maxThreadsPerBlock);
  CHECK(cudaFuncGetAttributes(&attributes, small_blocks));
  std::printf("threads %d\n", attributes.maxThreadsPerBlock);
  small_blocks<<<1, 65>>>(device_ints(1));
  CHECK(cudaGetLastError());
}

void fault(const char* which) {
  static int pageable;
  if (std::strcmp(which, "assert") == 0) {
    expects<<<1, 1>>>(2);
    int more = 3;
    void* arguments[] = {&more};
    CHECK(cudaLaunchKernel(reinterpret_cast<void*>(expects), 2, 2, arguments, 0, nullptr));
  } else if (std::strcmp(which, "trap") == 0) {
    traps<<<1, 1>>>();
  } else if (std::strcmp(which, "too_much_stack") == 0) {
    takes_too_much<<<1, 1>>>(device_ints(2), std::size_t{1} << 32);
  } else if (std::strcmp(which, "computes_for_ever") == 0) {
    computes_for_ever<<<1, 1>>>(device_ints(1));
  } else if (std::strcmp(which, "endless") == 0) {
    never_ends<<<1, 1>>>(device_ints(1));
  } else {
    follows<<<1, 1>>>(&pageable);
  }
  CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main(int, char** argv) {
  const char* const act = argv[1];
  if (std::strcmp(act, "compute") == 0)
    compute();
  else if (std::strcmp(act, "variables") == 0)
    variables();
  else if (std::strcmp(act, "modules") == 0)
    modules();
  else if (std::strcmp(act, "cooperative") == 0)
    cooperative();
  else if (std::strcmp(act, "heap") == 0)
    heap();
  else if (std::strcmp(act, "in step") == 0)
    in_step();
  else if (std::strcmp(act, "ends") == 0)
    ends();
  else if (std::strcmp(act, "stack") == 0)
    stack();
  else if (std::strcmp(act, "attributes") == 0)
    attributes();
  else if (std::strcmp(act, "print") == 0) {
    say_hello<<<2, 2>>>();
    CHECK(cudaDeviceSynchronize());
  } else
    fault(act);
  return 0;
}
