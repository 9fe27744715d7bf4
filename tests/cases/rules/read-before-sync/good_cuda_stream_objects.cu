// Streams and events that objects hold, and waits that do wait for the copy, or may.
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

static void check(cudaError_t status) {
  if (status != cudaSuccess) std::puts(cudaGetErrorString(status));
}

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t on) { check(cudaEventRecord(event_, on)); }
  void hold(cudaStream_t back) const { check(cudaStreamWaitEvent(back, event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

float waits_for_its_own(const float* x) {
  Stream copies, kernels;
  float* out;
  cudaMallocHost(&out, 128);
  check(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies));
  copies.wait();
  return out[0];
}

float recorded_behind_the_copy(const float* x) {
  Stream copies, kernels;
  Event copied;
  float* out;
  cudaMallocHost(&out, 128);
  check(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, kernels));
  copied.record(kernels);
  copied.hold(copies);
  copies.wait();
  return out[0];
}

float recorded_in_the_turn_before(float* x) {
  Stream copies, kernels;
  Event copied;
  float* out;
  cudaMallocHost(&out, 128);
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    copied.hold(copies);
    copies.wait();
    if (i > 0) sum += out[0];
    scale<<<1, 32, 0, kernels>>>(x);
    check(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, kernels));
    copied.record(kernels);
  }
  kernels.wait();
  return sum;
}

// A handle that others made, and may have given to both.
class Borrowed {
 public:
  explicit Borrowed(cudaStream_t stream) : stream_(stream) {}
  void wait() const { check(cudaStreamSynchronize(stream_)); }
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_;
};

float of_one_stream(const float* x, Borrowed copies, Borrowed kernels) {
  float* out;
  cudaMallocHost(&out, 128);
  check(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies.get()));
  kernels.wait();
  return out[0];
}

struct Lane {
  cudaStream_t stream;
};

float of_a_copied_lane(const float* x) {
  Lane lane;
  cudaStreamCreate(&lane.stream);
  Lane same = lane;
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, lane.stream);
  cudaStreamSynchronize(same.stream);
  return out[0];
}

class Pipeline {
 public:
  Pipeline() {
    cudaStreamCreate(&copies_);
    cudaStreamCreate(&kernels_);
    cudaEventCreate(&copied_);
  }
  float run(const float* x) {
    float* out;
    cudaMallocHost(&out, 128);
    cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies_);
    join();
    cudaStreamSynchronize(kernels_);
    return out[0];
  }
  float run_elsewhere(const float* x) {
    float* out;
    cudaMallocHost(&out, 128);
    cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies_);
    join_elsewhere();
    cudaStreamSynchronize(kernels_);
    return out[0];
  }
  float run_behind(const float* x, const Stream& given) {
    float* out;
    cudaMallocHost(&out, 128);
    cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies_);
    given.wait();
    finish(kernels_, copies_);
    return out[0];
  }

 private:
  void join() {
    cudaEventRecord(copied_, copies_);
    cudaStreamWaitEvent(kernels_, copied_, 0);
  }
  void join_elsewhere();
  static void finish(cudaStream_t first, cudaStream_t second) {
    cudaStreamSynchronize(first);
    cudaStreamSynchronize(second);
  }

  cudaStream_t copies_ = nullptr, kernels_ = nullptr;
  cudaEvent_t copied_ = nullptr;
};

float run(const float* x, const Stream& given, int how) {
  Pipeline pipeline;
  if (how == 0) return pipeline.run(x);
  return how == 1 ? pipeline.run_elsewhere(x) : pipeline.run_behind(x, given);
}
