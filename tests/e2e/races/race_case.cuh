#pragma once
// Reduced programs of faults that were reported upstream, each with the thread that it is after: a
// case does it wrong, or right. The line that comes too early says RACE and the rule.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "race_registry.h"

#define CHECK(call)                                                 \
  do {                                                              \
    if (const cudaError_t error_ = (call); error_ != cudaSuccess) { \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error_));   \
      std::exit(3);                                                 \
    }                                                               \
  } while (false)

#define RACE_CASE(name)                                   \
  static void name(bool right);                           \
  static const RegisterRace register_##name(#name, name); \
  static void name(bool right)

/// The same of what is no race at all.
#define SILENT_CASE(name)                                                           \
  static void name();                                                               \
  static const RegisterRace register_##name(#name, [](bool /*right*/) { name(); }); \
  static void name()

/// Pinned memory that lives as long as this.
template <class T>
class Pinned {
 public:
  explicit Pinned(int count) { CHECK(cudaMallocHost(&data_, count * sizeof(T))); }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  T* get() const { return data_; }
  T& operator[](int i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

/// Device memory, zeroed.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(int count) {
    CHECK(cudaMalloc(&data_, count * sizeof(T)));
    CHECK(cudaMemset(data_, 0, count * sizeof(T)));
    CHECK(cudaStreamSynchronize(nullptr));  // no stream that does not block waits for that fill
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking) {
    CHECK(cudaStreamCreateWithFlags(&stream_, flags));
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) const { CHECK(cudaEventRecord(event_, stream)); }
  void wait() const { CHECK(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Captured once, then launched for each step.
class Graph {
 public:
  template <class Work>
  Graph(cudaStream_t stream, Work work) {
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    work();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable_, graph, 0));
    CHECK(cudaGraphDestroy(graph));
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  cudaGraphExec_t executable() const { return executable_; }
  void launch(cudaStream_t stream) const { CHECK(cudaGraphLaunch(executable_, stream)); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

template <class T>
void to_device(T* to, const T* from, int count, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream));
}
template <class T>
void to_host(T* to, const T* from, int count, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
}

template <class T>
__global__ void add_to(T* sum, const T* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += x[i];
}
