// Small CUDA programs in one, chosen by the first argument. A comment "FIND: name" marks the line that
// the report must name for that case; the test looks the line number up.

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "training.cuh"

namespace {

constexpr int kCount = 1 << 14;
constexpr size_t kBytes = kCount * sizeof(float);

__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__global__ void add_to(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}
struct View {
  float* data;
  int n;
};
// Its type does not say that it only reads `in`; its code does.
__global__ void sum_into(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[n - 1 - i];
}
struct Edge {
  int from;
  int to;
};
__global__ void count_edges(Edge* edges, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[edges[i].to % n], 1.0F);
}
__global__ void follow(View* view) {
  if (threadIdx.x == 0) view->data[0] = 1;
}
__global__ void by_value(View view) {
  if (threadIdx.x == 0) view.data[0] = 1;
}

void run_scale(const float* in, float* out, cudaStream_t stream = nullptr) {
  scale<<<kCount / 256, 256, 0, stream>>>(in, out, kCount);
}

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "cases: %s\n", cudaGetErrorString(result));
  std::exit(9);
}

float* device_buffer() {
  void* buffer = nullptr;
  check(cudaMalloc(&buffer, kBytes));
  return static_cast<float*>(buffer);
}

struct Buffers {
  float* in = device_buffer();
  float* out = device_buffer();
  std::vector<float> host = std::vector<float>(kCount, 1.5F);
  std::vector<float> result = std::vector<float>(kCount);
  ~Buffers() {
    cudaFree(in);
    cudaFree(out);
  }
};

void repeated() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));  // FIND: repeated
    run_scale(b.in, b.out);
    check(cudaMemcpy(b.result.data(), b.out, kBytes, cudaMemcpyDeviceToHost));
  }
}

// The data changes each time.
void fresh() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    b.host[7] = static_cast<float>(i);
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    run_scale(b.in, b.out);
    check(cudaMemcpy(b.result.data(), b.out, kBytes, cudaMemcpyDeviceToHost));
  }
}

// The same content, but the kernel overwrites it in between: a reset, and needed.
void reset() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    add_to<<<kCount / 256, 256>>>(b.in, kCount);
  }
  check(cudaDeviceSynchronize());
}

// The same content to a buffer that a kernel may reach without a parameter of its own.
void hidden_writer() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    by_value<<<1, 32>>>(View{b.in, kCount});
    check(cudaDeviceSynchronize());
  }
}

void round_trip() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  run_scale(b.in, b.out);
  check(cudaMemcpy(b.result.data(), b.in, kBytes, cudaMemcpyDeviceToHost));  // FIND: round_trip
}

// The kernels' parameters are not const, and one points at a class; but nothing is written there.
void only_read() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  sum_into<<<kCount / 256, 256>>>(b.in, b.out, kCount);
  count_edges<<<kCount / 512, 256>>>(reinterpret_cast<Edge*>(b.in), b.out, kCount / 2);
  check(cudaMemcpy(b.result.data(), b.in, kBytes, cudaMemcpyDeviceToHost));  // FIND: only_read
}

// A kernel that finds the buffer's address in memory.
void follows_pointers() {
  Buffers b;
  const View view{b.in, kCount};
  void* device_view = nullptr;
  check(cudaMalloc(&device_view, sizeof(view)));
  check(cudaMemcpy(device_view, &view, sizeof(view), cudaMemcpyHostToDevice));
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    follow<<<1, 32>>>(static_cast<View*>(device_view));
    check(cudaDeviceSynchronize());
  }
  check(cudaFree(device_view));
}

// Comes back changed by the kernel.
void computed() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  add_to<<<kCount / 256, 256>>>(b.in, kCount);
  check(cudaMemcpy(b.result.data(), b.in, kBytes, cudaMemcpyDeviceToHost));
}

void unused() {
  Buffers b;
  float* forgotten = device_buffer();
  check(cudaMemcpy(forgotten, b.result.data(), kBytes, cudaMemcpyHostToDevice));  // FIND: unused
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  run_scale(b.in, b.out);
  check(cudaMemcpy(b.result.data(), b.out, kBytes, cudaMemcpyDeviceToHost));
  check(cudaFree(forgotten));
}

// Uploads through pinned memory on a stream, again and again.
void async_repeated() {
  Buffers b;
  cudaStream_t stream = nullptr;
  void* pinned = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaMallocHost(&pinned, kBytes));
  std::memcpy(pinned, b.host.data(), kBytes);
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpyAsync(b.in, pinned, kBytes, cudaMemcpyDefault, stream));  // FIND: async_repeated
    run_scale(b.in, b.out, stream);
    check(cudaStreamSynchronize(stream));
  }
  check(cudaFreeHost(pinned));
  check(cudaStreamDestroy(stream));
}

// Downloads on a stream; what came back is sent again after the sync that covers it.
void async_round_trip() {
  Buffers b;
  cudaStream_t stream = nullptr;
  void* pinned = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaMallocHost(&pinned, kBytes));
  check(cudaMemcpyAsync(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice, stream));
  run_scale(b.in, b.out, stream);
  check(cudaMemcpyAsync(pinned, b.out, kBytes, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaMemcpyAsync(b.out, pinned, kBytes, cudaMemcpyHostToDevice, stream));  // FIND: async_round_trip
  run_scale(b.out, b.in, stream);
  check(cudaStreamSynchronize(stream));
  check(cudaFreeHost(pinned));
  check(cudaStreamDestroy(stream));
}

// Host code follows a pointer into device memory.
void host_read() {
  Buffers b;
  const volatile float* values = b.in;
  std::printf("%f\n", values[3]);  // FIND: host_read
}
void fill_on_host(float* values) {
  std::memset(values, 0, kBytes);  // FIND: host_write
}
void host_write() {
  Buffers b;
  fill_on_host(b.out);
}

void use_after_free() {
  Buffers b;
  float* const gone = device_buffer();
  check(cudaFree(gone));
  cudaMemcpy(b.result.data(), gone, kBytes, cudaMemcpyDeviceToHost);  // FIND: use_after_free
  cudaGetLastError();
}
void double_free() {
  float* const gone = device_buffer();
  check(cudaFree(gone));
  cudaFree(gone);  // FIND: double_free
  cudaGetLastError();
}
// Destructors that run after the device was reset.
void late_destructor() {
  Buffers b;
  check(cudaDeviceReset());
}

void leak() {
  Buffers b;
  for (int i = 0; i < 8; ++i) {
    float* scratch = nullptr;
    check(cudaMalloc(&scratch, kBytes));  // FIND: leak
    run_scale(b.in, scratch);
  }
  check(cudaDeviceSynchronize());
}

// A stream that waits for no other, and pinned memory.
struct Async {
  cudaStream_t stream = nullptr;
  float* pinned = nullptr;
  Buffers b;
  Async() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMallocHost(reinterpret_cast<void**>(&pinned), kBytes));
    std::memset(pinned, 0, kBytes);
    check(cudaMemset(b.in, 0, kBytes));
    check(cudaMemset(b.out, 0, kBytes));
    check(cudaDeviceSynchronize());
  }
  ~Async() {
    check(cudaStreamSynchronize(stream));
    if (pinned[kCount / 2] < 0) std::puts("never");  // what came last is looked at
    check(cudaFreeHost(pinned));
    check(cudaStreamDestroy(stream));
  }
};
void early_read() {
  Async a;
  check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
  const volatile float* values = a.pinned;
  std::printf("%f\n", values[kCount / 2]);  // FIND: early_read
}
void early_upload() {
  Async a;
  cudaStream_t other = nullptr;
  check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
  check(cudaMemcpyAsync(a.b.in, a.pinned, kBytes, cudaMemcpyHostToDevice, other));  // FIND: early_upload
  check(cudaStreamSynchronize(other));
  check(cudaStreamDestroy(other));
}
void source_reuse() {
  Async a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < kCount; ++j) a.pinned[j] = static_cast<float>(i + j);  // FIND: source_reuse
    check(cudaMemcpyAsync(a.b.in, a.pinned, kBytes, cudaMemcpyHostToDevice, a.stream));
    run_scale(a.b.in, a.b.out, a.stream);
  }
}
// The same with everything that may tell the host that the copy is over.
void in_time() {
  Async a;
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const volatile float* values = a.pinned;
  float sum = 0;
  for (int i = 0; i < 6; ++i) {
    a.pinned[kCount / 2] = static_cast<float>(i);
    check(cudaMemcpyAsync(a.b.in, a.pinned, kBytes, cudaMemcpyHostToDevice, a.stream));
    run_scale(a.b.in, a.b.out, a.stream);
    check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
    check(cudaEventRecord(event, a.stream));
    static std::atomic<bool> done;
    done = false;
    switch (i) {
      case 0: check(cudaStreamSynchronize(a.stream)); break;
      case 1: check(cudaEventSynchronize(event)); break;
      case 2: check(cudaDeviceSynchronize()); break;
      case 3:
        while (cudaStreamQuery(a.stream) == cudaErrorNotReady) usleep(100);
        break;
      case 4:
        while (cudaEventQuery(event) == cudaErrorNotReady) usleep(100);
        break;
      default:
        check(cudaLaunchHostFunc(a.stream, [](void*) { done = true; }, nullptr));
        while (!done) usleep(100);
    }
    sum += values[kCount / 2];
  }
  check(cudaEventDestroy(event));
  if (sum < 0) std::puts("never");
}

// Results in pinned memory, of which the program looks at the last only; or at each of them, also
// through a system call.
void results(void (*look)(const Async& a, int i)) {
  Async a;
  for (int i = 0; i < 3; ++i) {
    run_scale(a.b.in, a.b.out, a.stream);
    check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));  // FIND: unread
    check(cudaStreamSynchronize(a.stream));
    look(a, i);
  }
}
void unread() {
  results([](const Async&, int) {});
}
void each_is_read() {
  results([](const Async& a, int i) {
    int ends[2];
    if (i != 0 || pipe(ends) != 0) {
      if (a.pinned[kCount / 4] < 0) std::puts("never");
      return;
    }
    if (write(ends[1], a.pinned, 4096) != 4096) std::puts("cannot be written");
    close(ends[0]);
    close(ends[1]);
  });
}

// Each step waits for its results; looked at are all of them at the end, or each at once.
void step_by_step(bool looks) {
  Async a;
  float* all = nullptr;
  check(cudaMallocHost(reinterpret_cast<void**>(&all), 8 * kBytes));
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    float* const result = all + i * kCount;
    check(cudaMemcpyAsync(result, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
    check(cudaStreamSynchronize(a.stream));  // FIND: waits_too_early
    if (looks) sum += result[0];
    check(cudaMemsetAsync(a.b.out, i, kBytes, a.stream));
  }
  check(cudaStreamSynchronize(a.stream));
  for (int i = 0; i < 8; ++i) sum += all[i * kCount];
  check(cudaFreeHost(all));
  if (sum < 0) std::puts("never");
}

// Kernels one by one, each waited for; and the same to take its time.
void one_by_one(double (*now)()) {
  Buffers b;
  check(cudaMemset(b.in, 0, kBytes));
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    run_scale(b.in, b.out);
    check(cudaDeviceSynchronize());  // FIND: waits_for_each
    check(cudaGetLastError());
    sum += now();
  }
  check(cudaMemcpy(b.result.data(), b.out, kBytes, cudaMemcpyDeviceToHost));
  if (sum < 0) std::puts("never");
}
void timed_each() {
  one_by_one([] {
    return static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count());
  });
  one_by_one([] {
    timeval time;
    gettimeofday(&time, nullptr);
    return static_cast<double>(time.tv_sec);
  });
  one_by_one([] { return static_cast<double>(std::clock()); });
}

// A training loop that looks at its loss; how often, and how, makes the difference.
void train(float (*look)(float* loss, int step)) {
  Buffers b;
  check(cudaMemset(b.in, 0, kBytes));
  float sum = 0;
  for (int i = 0; i < 64; ++i) {
    training::step<<<kCount / 256, 256>>>(b.in, b.out, kCount);
    sum += look(b.out, i);
  }
  check(cudaDeviceSynchronize());
  if (sum < 0) std::puts("never");
}
void loss_each_step() {
  train([](float* loss, int) {
    float value = 0;
    check(cudaMemcpy(&value, loss, sizeof(value), cudaMemcpyDeviceToHost));  // FIND: loss_each_step
    return value;
  });
}
void loss_now_and_then() {
  train([](float* loss, int step) {
    float value = 0;
    if (step % 8 == 7) check(cudaMemcpy(&value, loss, sizeof(value), cudaMemcpyDeviceToHost));
    return value;
  });
}
// As a search does that goes on until nothing changes.
void flag_each_step() {
  train([](float* flag, int) {
    float value = 0;
    check(cudaMemcpy(&value, flag, sizeof(value), cudaMemcpyDeviceToHost));
    check(cudaMemset(flag, 0, sizeof(value)));
    return value;
  });
}

// Work on a second stream that nothing puts in order after the copy.
struct Racing : Async {
  cudaStream_t other = nullptr;
  Racing() { check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking)); }
  ~Racing() {
    check(cudaStreamSynchronize(other));
    check(cudaStreamDestroy(other));
  }
  void upload() {
    check(cudaMemcpyAsync(b.in, pinned, kBytes, cudaMemcpyHostToDevice, stream));
  }
  void download() {
    check(cudaMemcpyAsync(pinned, b.out, kBytes, cudaMemcpyDeviceToHost, stream));
  }
  void in_order() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    check(cudaEventRecord(event, stream));
    check(cudaStreamWaitEvent(other, event, 0));
    check(cudaEventDestroy(event));
  }
};
void early_kernel() {
  Racing r;
  r.upload();
  scale<<<kCount / 256, 256, 0, r.other>>>(r.b.in, r.b.out, kCount);  // FIND: early_kernel
}
void early_fill() {
  Racing r;
  r.download();
  check(cudaMemsetAsync(r.b.out, 0, kBytes, r.other));  // FIND: early_fill
}
void kernel_over_source() {
  Racing r;
  r.download();
  add_to<<<kCount / 256, 256, 0, r.other>>>(r.b.out, kCount);  // FIND: kernel_over_source
}
void early_free() {
  Racing r;
  void* scratch = nullptr;
  check(cudaMallocAsync(&scratch, kBytes, r.stream));
  check(cudaMemsetAsync(scratch, 1, kBytes, r.stream));
  check(cudaMemcpyAsync(r.pinned, scratch, kBytes, cudaMemcpyDeviceToHost, r.stream));
  check(cudaFreeAsync(scratch, r.other));  // FIND: early_free
}
// The same work in order; and a kernel for each half of a buffer, each with a copy of its own.
void ordered_streams() {
  Racing r;
  r.upload();
  r.in_order();
  scale<<<kCount / 256, 256, 0, r.other>>>(r.b.in, r.b.out, kCount);
  check(cudaDeviceSynchronize());
  r.download();
  r.in_order();
  add_to<<<kCount / 256, 256, 0, r.other>>>(r.b.out, kCount);
  check(cudaMemsetAsync(r.b.in, 0, kBytes, r.other));
  check(cudaDeviceSynchronize());
  const cudaStream_t streams[] = {r.stream, r.other};
  for (int i = 0; i < 2; ++i) {
    const int begin = i * kCount / 2;
    check(cudaMemcpyAsync(r.b.in + begin, r.pinned + begin, kBytes / 2, cudaMemcpyHostToDevice,
                          streams[i]));
    scale<<<kCount / 512, 256, 0, streams[i]>>>(r.b.in, r.b.out, kCount / 2);
  }
}

// The second device's stream, in a thread that did not make that device current.
void wrong_device() {
  check(cudaSetDevice(1));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  std::thread([stream] {
    Buffers b;
    scale<<<kCount / 256, 256, 0, stream>>>(b.in, b.out, kCount);  // FIND: wrong_device
    cudaGetLastError();
  }).join();
  check(cudaStreamDestroy(stream));
}

void pitched() {
  Buffers b;
  void* device = nullptr;
  size_t pitch = 0;
  check(cudaMallocPitch(&device, &pitch, 100, 64));
  for (int i = 0; i < 3; ++i) {
    check(cudaMemcpy2D(device, pitch, b.host.data(), 128, 100, 64, cudaMemcpyHostToDevice));  // FIND: pitched
    run_scale(static_cast<float*>(device), b.out);
  }
  check(cudaDeviceSynchronize());
  check(cudaFree(device));
}

// Wrong calls: their errors are the program's to handle, and no harm may come of them.
void mistakes() {
  Buffers b;
  cudaMemcpy(b.in, nullptr, kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(nullptr, b.host.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b.in, b.in, kBytes, cudaMemcpyHostToDevice);
  cudaFree(b.host.data());
  cudaFree(nullptr);
  cudaGetLastError();
}

// Nobody frees before all are done: that would wait for what the others have under way.
void threads() {
  constexpr int kThreads = 4;
  std::atomic<int> working{kThreads};
  std::vector<std::thread> workers;
  for (int t = 0; t < kThreads; ++t)
    workers.emplace_back([t, &working] {
      Buffers b;
      for (int i = 0; i < 50; ++i) {
        b.host[0] = static_cast<float>(t * 1000 + i);
        check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
        run_scale(b.in, b.out);
        check(cudaMemcpy(b.result.data(), b.out, kBytes, cudaMemcpyDeviceToHost));
      }
      --working;
      while (working > 0) std::this_thread::yield();
    });
  for (std::thread& worker : workers) worker.join();
}

void fork_after_cuda() {
  repeated();
  const pid_t child = fork();
  if (child == 0) {
    std::puts("child");
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::exit(8);
}

void exec_child(const char* self) {
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, "repeated", nullptr);
    _exit(127);
  }
  repeated();
  int status = 0;
  waitpid(child, &status, 0);
}

// Takes CUPTI's one slot before CUDA starts.
void other_subscriber() {
  void* cupti = dlopen("libcupti.so.13", RTLD_NOW);
  using Subscribe = int (*)(void**, void (*)(void*, int, unsigned, const void*), void*);
  const auto subscribe =
      cupti != nullptr ? reinterpret_cast<Subscribe>(dlsym(cupti, "cuptiSubscribe")) : nullptr;
  void* subscriber = nullptr;
  if (subscribe == nullptr || subscribe(&subscriber, [](void*, int, unsigned, const void*) {}, nullptr) != 0)
    std::exit(7);
  repeated();
}

// Programs with signal handlers of their own, installed before CUDA starts and after.

volatile std::sig_atomic_t g_signals = 0;

sigjmp_buf g_recovered;
void recover(int) { siglongjmp(g_recovered, 1); }
void count_signal(int) { g_signals = g_signals + 1; }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

void own_handlers(bool before) {
  if (!before) repeated();
  handle(SIGTERM, count_signal);
  handle(SIGSEGV, recover);
  if (before) repeated();
  raise(SIGTERM);
  if (sigsetjmp(g_recovered, 1) == 0) *static_cast<volatile int*>(nullptr) = 1;
  if (g_signals != 1) std::exit(5);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<void()>> cases = {
      {"repeated", repeated},
      {"fresh", fresh},
      {"reset", reset},
      {"hidden_writer", hidden_writer},
      {"only_read", only_read},
      {"follows_pointers", follows_pointers},
      {"round_trip", round_trip},
      {"computed", computed},
      {"unused", unused},
      {"async_repeated", async_repeated},
      {"async_round_trip", async_round_trip},
      {"host_read", host_read},
      {"host_write", host_write},
      {"use_after_free", use_after_free},
      {"double_free", double_free},
      {"late_destructor", late_destructor},
      {"leak", leak},
      {"early_read", early_read},
      {"early_upload", early_upload},
      {"source_reuse", source_reuse},
      {"in_time", in_time},
      {"unread", unread},
      {"waits_for_each", [] { one_by_one([] { return 0.0; }); }},
      {"timed_each", timed_each},
      {"waits_too_early", [] { step_by_step(false); }},
      {"waits_in_time", [] { step_by_step(true); }},
      {"each_is_read", each_is_read},
      {"loss_each_step", loss_each_step},
      {"loss_now_and_then", loss_now_and_then},
      {"flag_each_step", flag_each_step},
      {"early_kernel", early_kernel},
      {"early_fill", early_fill},
      {"kernel_over_source", kernel_over_source},
      {"early_free", early_free},
      {"ordered_streams", ordered_streams},
      {"wrong_device", wrong_device},
      {"pitched", pitched},
      {"mistakes", mistakes},
      {"threads", threads},
      {"fork", fork_after_cuda},
      {"exec", [argv] { exec_child(argv[0]); }},
      {"other_subscriber", other_subscriber},
      {"exit7",
       [] {
         repeated();
         std::exit(7);
       }},
      {"_exit3",
       [] {
         repeated();
         _exit(3);
       }},
      {"quick_exit",
       [] {
         repeated();
         std::quick_exit(4);
       }},
      {"abort",
       [] {
         repeated();
         std::abort();
       }},
      {"segfault",
       [] {
         repeated();
         *static_cast<volatile int*>(nullptr) = 1;
       }},
      {"terminated",
       [] {
         repeated();
         raise(SIGTERM);
       }},
      {"handlers_before", [] { own_handlers(true); }},
      {"handlers_after", [] { own_handlers(false); }},
      {"goes_on",
       [] {
         repeated();
         for (int i = 0; i < 600; ++i) usleep(100'000);
       }},
      {"kill9",
       [] {
         repeated();
         usleep(800'000);
         kill(getpid(), SIGKILL);
       }},
  };
  const auto chosen = argc > 1 ? cases.find(argv[1]) : cases.end();
  if (chosen == cases.end()) {
    std::fprintf(stderr, "cases: no such case\n");
    return 2;
  }
  chosen->second();
  std::printf("%s done\n", argv[1]);
  return 0;
}
