// The streams that work goes to: of each device its default one, and others that are made once and
// given out in turn.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

namespace tensorlib::cuda {

// The stream that this thread's work on the device goes to: the default stream at first.
cudaStream_t current_stream(int device);
void set_current_stream(int device, cudaStream_t stream);

// One device's further streams, which do not wait for its default stream. Safe to use from several
// threads.
class StreamPool {
 public:
  // The next of at most 32 streams of a priority; they are never destroyed.
  cudaStream_t next(int device, bool high_priority);

 private:
  struct Ring {
    std::vector<cudaStream_t> streams;
    size_t next = 0;
  };
  std::mutex mutex_;
  Ring rings_[2];
};

}  // namespace tensorlib::cuda
