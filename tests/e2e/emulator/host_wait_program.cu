// Kernels that wait for what the host does after it has launched them. The argument says how.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <thread>

#define CHECK(call)                                                         \
  do {                                                                      \
    const cudaError_t error = (call);                                       \
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorName(error)); \
  } while (false)

namespace {

/// Until the flag has the value; then says so.
__global__ void wait_for(const volatile int* flag, int value, volatile int* answer) {
  while (*flag < value) {
  }
  *answer = *flag * 10;
}

/// Many times, for a block in which all wait and meet.
__global__ void serve(const volatile int* asked, volatile int* answered, int rounds) {
  __shared__ int seen;
  for (int round = 1; round <= rounds; ++round) {
    if (threadIdx.x == 0) {
      while (*asked < round) {
      }
      seen = *asked;
    }
    __syncthreads();
    if (threadIdx.x == 63) {
      __threadfence_system();
      *answered = seen;
    }
    __syncthreads();
  }
}

__global__ void set(volatile int* flag, int value) { *flag = value; }

struct Mapped {
  Mapped() {
    CHECK(cudaHostAlloc(&memory, 2 * sizeof(int), cudaHostAllocMapped));
    memory[0] = memory[1] = 0;
  }
  volatile int* flag() { return memory; }
  volatile int* answer() { return memory + 1; }

  int* memory = nullptr;
};

void flag() {
  Mapped mapped;
  wait_for<<<2, 64>>>(mapped.flag(), 3, mapped.answer());
  std::printf("launched %d\n", cudaStreamQuery(nullptr) == cudaErrorNotReady);
  *mapped.flag() = 3;
  CHECK(cudaDeviceSynchronize());
  std::printf("answer %d\n", *mapped.answer());
}

/// The host only looks at memory.
void handshake() {
  constexpr int kRounds = 5;
  Mapped mapped;
  serve<<<1, 64>>>(mapped.flag(), mapped.answer(), kRounds);
  for (int round = 1; round <= kRounds; ++round) {
    *mapped.flag() = round;
    while (*mapped.answer() < round) {
    }
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("answered %d\n", *mapped.answer());
}

void query() {
  Mapped mapped;
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&event));
  wait_for<<<1, 32, 0, stream>>>(mapped.flag(), 1, mapped.answer());
  CHECK(cudaEventRecord(event, stream));
  const bool early = cudaEventQuery(event) == cudaSuccess;
  *mapped.flag() = 1;
  while (cudaEventQuery(event) == cudaErrorNotReady) {
  }
  std::printf("early %d, answer %d\n", early, *mapped.answer());
}

/// A kernel waits for another stream's copy or kernel.
void streams() {
  Mapped mapped;
  int* flag = nullptr;
  int* answer = nullptr;
  const int one = 1;
  cudaStream_t first, second;
  CHECK(cudaMalloc(&flag, sizeof(int)));
  CHECK(cudaMalloc(&answer, sizeof(int)));
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  wait_for<<<1, 32, 0, first>>>(flag, 1, mapped.answer());
  CHECK(cudaMemcpyAsync(flag, &one, sizeof(one), cudaMemcpyHostToDevice, second));
  CHECK(cudaStreamSynchronize(first));
  std::printf("copied %d\n", *mapped.answer());
  wait_for<<<1, 32, 0, first>>>(flag, 2, mapped.answer());
  wait_for<<<1, 32, 0, second>>>(flag, 3, answer);
  cudaStream_t third;
  CHECK(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
  set<<<1, 1, 0, third>>>(flag, 4);
  CHECK(cudaStreamSynchronize(first));
  int got = 0;
  CHECK(cudaStreamSynchronize(second));
  CHECK(cudaMemcpy(&got, answer, sizeof(got), cudaMemcpyDeviceToHost));
  std::printf("set %d %d\n", *mapped.answer(), got);
}

/// A thread that makes calls of its own.
void thread() {
  Mapped mapped;
  wait_for<<<1, 1>>>(mapped.flag(), 1, mapped.answer());
  std::thread other([&] {
    int* memory = nullptr;
    CHECK(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocDefault));
    *mapped.flag() = 1;
  });
  CHECK(cudaDeviceSynchronize());
  other.join();
  std::printf("answer %d\n", *mapped.answer());
}

/// The program ends first.
void forsaken() {
  Mapped mapped;
  wait_for<<<1, 1>>>(mapped.flag(), 1, mapped.answer());
  std::printf("over\n");
}

void never() {
  Mapped mapped;
  wait_for<<<1, 1>>>(mapped.flag(), 1, mapped.answer());
  CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main(int, char** argv) {
  const struct {
    const char* name;
    void (*run)();
  } acts[] = {{"flag", flag},     {"handshake", handshake}, {"query", query}, {"streams", streams},
              {"thread", thread}, {"forsaken", forsaken},   {"never", never}};
  for (const auto& act : acts)
    if (std::strcmp(argv[1], act.name) == 0) act.run();
  return 0;
}
