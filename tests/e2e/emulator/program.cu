// A CUDA program with one small act per subcommand; what it prints is what the tests look at.

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "kernels.cuh"

namespace {

constexpr int kCount = 1000;
constexpr size_t kBytes = kCount * sizeof(float);
constexpr int kBlocks = (kCount + 255) / 256;

__device__ int counter_on_device;
__managed__ int managed_counter;

void show(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

float* device_vector(float value) {
  const std::vector<float> host(kCount, value);
  float* device = nullptr;
  cudaMalloc(&device, kBytes);
  cudaMemcpy(device, host.data(), kBytes, cudaMemcpyHostToDevice);
  return device;
}

float* pinned_vector(float value) {
  float* host = nullptr;
  cudaMallocHost(&host, kBytes);
  for (int i = 0; i < kCount; ++i) host[i] = value;
  return host;
}

float last_of(const float* device) {
  float value = 0;
  cudaMemcpy(&value, device + kCount - 1, sizeof(value), cudaMemcpyDeviceToHost);
  return value;
}

void add() {
  program::Vectors vectors{device_vector(1), device_vector(2), device_vector(0)};
  program::add<<<kBlocks, 256>>>(vectors, kCount);
  show("launch", cudaGetLastError());
  show("sync", cudaDeviceSynchronize());
  std::printf("sum: %g\n", last_of(vectors.sum));
  show("free", cudaFree(vectors.sum));
}

void reuse() {
  cudaFree(device_vector(7));
  float* again = nullptr;
  cudaMalloc(&again, kBytes);
  std::printf("after another owner: %g\n", last_of(again));
}

void touch(bool write) {
  volatile float* const device = device_vector(1);
  std::puts("about to touch");
  std::fflush(stdout);
  if (write) {
    device[3] = 1;
  } else {
    std::printf("%g\n", device[3]);
  }
}

void devices() {
  int count = -1;
  show("count", cudaGetDeviceCount(&count));
  std::printf("devices: %d\n", count);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    float* const memory = device_vector(static_cast<float>(i));
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, memory);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, i);
    std::printf("%d holds %g, capability %d.%d\n", attributes.device, last_of(memory),
                properties.major, properties.minor);
  }
  show("no such device", cudaSetDevice(count));
}

void out_of_memory() {
  std::vector<void*> blocks;
  void* block = nullptr;
  while (cudaMalloc(&block, 16 << 20) == cudaSuccess) blocks.push_back(block);
  std::printf("blocks: %zu\n", blocks.size());
  show("last error", cudaGetLastError());
  show("cleared", cudaGetLastError());
  cudaFree(blocks.back());
  show("again", cudaMalloc(&block, 16 << 20));
}

void errors() {
  float* const memory = device_vector(1);
  float* other = nullptr;
  cudaMalloc(&other, kBytes);
  float host[kCount + 1] = {};
  show("too long up", cudaMemcpy(memory, host, kBytes + 4, cudaMemcpyHostToDevice));
  show("too long down", cudaMemcpy(host, memory + 1, kBytes, cudaMemcpyDeviceToHost));
  show("too long fill", cudaMemset(memory, 0, kBytes + 1));
  show("to host as to device", cudaMemcpy(host, host + 1, 4, cudaMemcpyHostToDevice));
  show("from host as from device", cudaMemcpy(host, host + 1, 4, cudaMemcpyDeviceToHost));
  show("host to host", cudaMemcpy(host, host + 1, 4, cudaMemcpyHostToHost));
  show("no shape", (program::scale<float><<<0, 32>>>(memory, 2, 1), cudaGetLastError()));
  show("block too large", (program::scale<float><<<1, 2048>>>(memory, 2, 1), cudaGetLastError()));
  show("free inside", cudaFree(memory + 16));
  show("free host", cudaFree(host));
  show("free", cudaFree(memory));
  show("free twice", cudaFree(memory));
  show("use freed", cudaMemcpy(host, memory, 4, cudaMemcpyDeviceToHost));
  show("free null", cudaFree(nullptr));
  show("no stream", cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(0x1234)));
  std::printf("%s; %s\n", cudaGetErrorString(cudaErrorInvalidValue),
              cudaGetErrorString(cudaErrorMemoryAllocation));
}

void unsupported() {
  cudaIpcEventHandle_t handle;
  show("event", cudaIpcGetEventHandle(&handle, nullptr));
}

void early_read() {
  float* const device = device_vector(5);
  float* const host =
      pinned_vector(5);  // as left by an earlier copy: even so it must not be read yet
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
  const float early = host[kCount - 1];
  cudaStreamSynchronize(stream);
  std::printf("early right: %d, late: %g\n", early == 5, host[kCount - 1]);
}

// Right whatever the schedule: one buffer goes up, is worked on, and comes down to where it was.
void in_place() {
  float* device = nullptr;
  cudaMalloc(&device, kBytes);
  float* const host = pinned_vector(21);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, stream);
  program::scale<float><<<kBlocks, 256, 0, stream>>>(device, 2, kCount);
  cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("result: %g\n", host[kCount - 1]);
}

void source_reuse(bool pinned) {
  std::vector<float> pageable(kCount, 1);
  float* const host = pinned ? pinned_vector(1) : pageable.data();
  float* device = nullptr;
  cudaMalloc(&device, kBytes);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, stream);
  host[kCount - 1] = 2;
  cudaStreamSynchronize(stream);
  std::printf("device has: %g\n", last_of(device));
}

// Two streams and no event between them: wrong, and seen under some schedules.
void race(bool with_event) {
  float* const source = device_vector(0);
  float* const target = device_vector(-1);
  float* const up = pinned_vector(7);
  cudaDeviceSynchronize();
  cudaStream_t writer, reader;
  cudaStreamCreateWithFlags(&writer, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&reader, cudaStreamNonBlocking);
  cudaEvent_t written;
  cudaEventCreate(&written);
  cudaMemcpyAsync(source, up, kBytes, cudaMemcpyHostToDevice, writer);
  cudaEventRecord(written, writer);
  if (with_event) cudaStreamWaitEvent(reader, written, 0);
  program::copy<<<kBlocks, 256, 0, reader>>>(source, target, kCount);
  cudaStreamSynchronize(reader);
  std::printf("read: %g\n", last_of(target));
}

// The default stream waits for a blocking stream; without that the last step reads too early.
void default_stream() {
  float* const source = device_vector(0);
  float* const target = device_vector(-1);
  float* const up = pinned_vector(9);
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(source, up, kBytes, cudaMemcpyHostToDevice, stream);
  program::copy<<<kBlocks, 256>>>(source, target, kCount);
  cudaStreamSynchronize(nullptr);
  float* const down = pinned_vector(0);
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaMemcpyAsync(down, target, kBytes, cudaMemcpyDeviceToHost, other);
  cudaStreamSynchronize(other);
  std::printf("read: %g\n", down[kCount - 1]);
}

void timing() {
  float* const host = pinned_vector(1);
  float* const device = device_vector(1);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  for (int i = 0; i < 10; ++i) cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice);
  cudaEventRecord(end);
  float ms = -1;
  if (cudaEventQuery(end) == cudaErrorNotReady) {
    show("too early", cudaEventElapsedTime(&ms, begin, end));
  }
  cudaEventSynchronize(end);
  show("elapsed", cudaEventElapsedTime(&ms, begin, end));
  std::printf("ms: %.6f\n", ms);
}

void polling() {
  float* const host = pinned_vector(0);
  float* const device = device_vector(3);
  cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, cudaStreamPerThread);
  while (cudaStreamQuery(cudaStreamPerThread) == cudaErrorNotReady) {
  }
  std::printf("read: %g\n", host[kCount - 1]);
}

void host_function() {
  static std::atomic<int> calls{0};
  cudaLaunchHostFunc(
      cudaStreamPerThread, [](void* data) { *static_cast<std::atomic<int>*>(data) += 1; }, &calls);
  while (calls == 0) std::this_thread::yield();  // not through CUDA
  cudaStreamAddCallback(
      cudaStreamPerThread,
      [](cudaStream_t, cudaError_t status, void* data) {
        if (status == cudaSuccess) *static_cast<std::atomic<int>*>(data) += 1;
      },
      &calls, 0);
  cudaDeviceSynchronize();
  std::printf("calls: %d\n", calls.load());
}

void peer() {
  int can = -1;
  cudaDeviceCanAccessPeer(&can, 0, 1);
  std::printf("can access: %d\n", can);
  cudaSetDevice(1);
  float* const there = device_vector(4);
  cudaSetDevice(0);
  float* const here = device_vector(0);
  show("peer copy", cudaMemcpyPeer(here, 0, there, 1, kBytes));
  std::printf("copied: %g\n", last_of(here));
  show("enable", cudaDeviceEnablePeerAccess(1, 0));
  program::copy<<<kBlocks, 256>>>(there, here, kCount);
  show("kernel", cudaDeviceSynchronize());
}

void no_peer_kernel() {
  cudaSetDevice(1);
  float* const there = device_vector(4);
  cudaSetDevice(0);
  float* const here = device_vector(0);
  program::copy<<<kBlocks, 256>>>(there, here, kCount);
  show("kernel", cudaDeviceSynchronize());
  show("afterwards", cudaFree(here));
  show("last error", cudaGetLastError());
}

void host_pointer() {
  const std::vector<float> host(kCount, 1);
  float* const target = device_vector(0);
  program::copy<<<kBlocks, 256>>>(host.data(), target, kCount);
  show("kernel", cudaDeviceSynchronize());
}

// A pointer that is passed and not followed harms nobody.
void unused_host_pointer() {
  const std::vector<float> host(kCount, 1);
  float* const target = device_vector(0);
  program::copy<<<kBlocks, 256>>>(host.data(), target, 0);
  show("kernel", cudaDeviceSynchronize());
}

void reset() {
  float* const memory = device_vector(1);
  int value = 5;
  cudaMemcpyToSymbol(counter_on_device, &value, sizeof(value));
  show("reset", cudaDeviceReset());
  show("stale", cudaFree(memory));
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  std::printf("all free: %d\n", free == total);
  cudaMemcpyFromSymbol(&value, counter_on_device, sizeof(value));
  std::printf("value: %d\n", value);
}

void wild_pointer() {
  float* const target = device_vector(0);
  float** pointer = nullptr;
  cudaMalloc(&pointer, sizeof(*pointer));
  cudaMemcpy(pointer, &target, sizeof(target), cudaMemcpyHostToDevice);
  program::follow<<<1, 1>>>(pointer);
  show("kernel", cudaDeviceSynchronize());
}

void variables() {
  int value = 42;
  show("to symbol", cudaMemcpyToSymbol(counter_on_device, &value, sizeof(value)));
  value = 0;
  show("from symbol", cudaMemcpyFromSymbol(&value, counter_on_device, sizeof(value)));
  std::printf("value: %d\n", value);
  managed_counter = 7;
  std::printf("managed: %d\n", managed_counter);
  show("past the end", cudaMemcpyToSymbol(counter_on_device, &value, sizeof(value), 4));
  show("no symbol", cudaMemcpyToSymbol(&value, &value, sizeof(value)));
}

void pitched() {
  float* device = nullptr;
  size_t pitch = 0;
  constexpr size_t kWidth = 100 * sizeof(float);
  show("pitch", cudaMallocPitch(&device, &pitch, kWidth, 10));
  float host[10][100];
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 100; ++x) host[y][x] = static_cast<float>(y * 100 + x);
  }
  show("up", cudaMemcpy2D(device, pitch, host, kWidth, kWidth, 10, cudaMemcpyHostToDevice));
  show("fill", cudaMemset2D(device, pitch, 0, kWidth / 2, 1));
  std::memset(host, 0xff, sizeof(host));
  show("down", cudaMemcpy2D(host, kWidth, device, pitch, kWidth, 10, cudaMemcpyDeviceToHost));
  std::printf("%g %g %g\n", host[0][49], host[0][50], host[9][99]);
  show("narrow pitch",
       cudaMemcpy2D(host, kWidth / 2, device, pitch, kWidth, 10, cudaMemcpyDeviceToHost));
}

void texture() {
  cudaPitchedPtr volume{};
  show("volume", cudaMalloc3D(&volume, make_cudaExtent(100, 10, 5)));
  std::printf("%d %zu %zu\n", volume.pitch >= 100, volume.xsize, volume.ysize);
  show("last row", cudaMemset(static_cast<char*>(volume.ptr) + 49 * volume.pitch, 0, 100));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = volume.ptr;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 5000;
  const cudaTextureDesc how{};
  cudaTextureObject_t object = 0;
  show("texture", cudaCreateTextureObject(&object, &resource, &how, nullptr));
  cudaResourceDesc told{};
  show("ask", cudaGetTextureObjectResourceDesc(&told, object));
  std::printf("%d %d\n", told.res.linear.devPtr == volume.ptr, told.res.linear.desc.x);
  show("destroy", cudaDestroyTextureObject(object));
  show("ask", cudaGetTextureObjectResourceDesc(&told, object));
}

void stream_ordered() {
  float* device = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  show("malloc", cudaMallocAsync(&device, kBytes, stream));
  show("fill", cudaMemsetAsync(device, 0, kBytes, stream));
  show("free", cudaFreeAsync(device, stream));
  show("free again", cudaFreeAsync(device, stream));
  show("sync", cudaStreamSynchronize(stream));
  show("destroy", cudaStreamDestroy(stream));
  show("destroy again", cudaStreamDestroy(stream));
}

void forked() {
  float* const device = device_vector(6);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    void* memory = nullptr;
    show("child malloc", cudaMalloc(&memory, 16));
    std::fflush(stdout);
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child exited: %d, parent reads %g\n", WEXITSTATUS(status), last_of(device));
}

void threads() {
  std::vector<std::thread> workers;
  std::atomic<int> right{0};
  for (int worker = 0; worker < 8; ++worker) {
    workers.emplace_back([&right, worker] {
      int count = 0;
      cudaGetDeviceCount(&count);
      cudaSetDevice(worker % count);
      for (int round = 0; round < 20; ++round) {
        float* const host = pinned_vector(static_cast<float>(worker));
        float* device = nullptr;
        cudaMalloc(&device, kBytes);
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, stream);
        program::scale<float><<<kBlocks, 256, 0, stream>>>(device, 2, kCount);
        cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        if (host[kCount - 1] == static_cast<float>(worker) * 2) ++right;
        cudaStreamDestroy(stream);
        cudaFree(device);
        cudaFreeHost(host);
      }
    });
  }
  for (auto& worker : workers) worker.join();
  std::printf("right: %d\n", right.load());
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> acts = {
      {"add", add},
      {"reuse", reuse},
      {"read", [] { touch(false); }},
      {"write", [] { touch(true); }},
      {"devices", devices},
      {"oom", out_of_memory},
      {"errors", errors},
      {"unsupported", unsupported},
      {"early-read", early_read},
      {"in-place", in_place},
      {"pinned-reuse", [] { source_reuse(true); }},
      {"pageable-reuse", [] { source_reuse(false); }},
      {"race", [] { race(false); }},
      {"no-race", [] { race(true); }},
      {"default-stream", default_stream},
      {"timing", timing},
      {"polling", polling},
      {"host-function", host_function},
      {"peer", peer},
      {"no-peer-kernel", no_peer_kernel},
      {"wild-pointer", wild_pointer},
      {"host-pointer", host_pointer},
      {"unused-host-pointer", unused_host_pointer},
      {"reset", reset},
      {"variables", variables},
      {"pitched", pitched},
      {"texture", texture},
      {"stream-ordered", stream_ordered},
      {"fork", forked},
      {"threads", threads},
  };
  const auto act = acts.find(argc > 1 ? argv[1] : "");
  if (act == acts.end()) return 2;
  act->second();
  return 0;
}
