// Streams and events that objects hold: a wait for one of them is no wait for another.
#include <cuda_runtime.h>

#include <cstdio>

static void check(cudaError_t status) {
  if (status != cudaSuccess) std::puts(cudaGetErrorString(status));
}

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
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

float waits_for_the_other(const float* x) {
  Stream copies, kernels;
  float* out;
  cudaMallocHost(&out, 128);
  check(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies));
  kernels.wait();
  return out[0];  // LINT: read-before-sync
}

float copied_behind_the_event(const float* x) {
  Stream copies, kernels;
  Event computed;
  float* out;
  cudaMallocHost(&out, 128);
  computed.record(kernels);
  computed.hold(copies);
  // The event was recorded before this: it does not tell of it.
  check(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, kernels));
  copies.wait();
  return out[0];  // LINT: read-before-sync
}

struct Lane {
  cudaStream_t up, down;
};

float of_one_lane(const float* x) {
  Lane lane;
  cudaStreamCreate(&lane.up);
  cudaStreamCreate(&lane.down);
  float* out;
  cudaMallocHost(&out, 128);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, lane.down);
  cudaStreamSynchronize(lane.up);
  return out[0];  // LINT: read-before-sync
}

class Pipeline {
 public:
  Pipeline() {
    cudaStreamCreate(&copies_);
    cudaStreamCreate(&kernels_);
  }
  float run(const float* x) {
    float* out;
    cudaMallocHost(&out, 128);
    cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies_);
    finish();
    return out[0];  // LINT: read-before-sync
  }

 private:
  void finish() { cudaStreamSynchronize(kernels_); }

  cudaStream_t copies_ = nullptr, kernels_ = nullptr;
};

static void finish(cudaStream_t stream) { check(cudaStreamSynchronize(stream)); }

float by_a_helper_and_another_name(const float* x) {
  Stream copies, kernels;
  cudaStream_t ends_here = kernels;
  float* out;
  cudaMallocHost(&out, 128);
  check(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, copies));
  finish(ends_here);
  return out[0];  // LINT: read-before-sync
}

float run(const float* x) { return Pipeline().run(x); }
