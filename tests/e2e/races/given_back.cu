// Memory that is given back while it is used, and used after it was given back.

#include "race_case.cuh"

// openxla/xla#46093: the host's buffer is no longer registered, and the copy may not be over.
RACE_CASE(unregistered_while_it_is_read) {
  constexpr int kInts = 4096;
  int* const batch = static_cast<int*>(std::aligned_alloc(4096, kInts * sizeof(int)));
  std::memset(batch, 0, kInts * sizeof(int));
  CHECK(cudaHostRegister(batch, kInts * sizeof(int), cudaHostRegisterDefault));
  OnDevice<int> on_device(kInts), sum(kInts);
  Stream stream;
  to_device(on_device.get(), batch, kInts, stream);
  add_to<<<16, 256, 0, stream>>>(sum.get(), on_device.get(), kInts);
  if (right) stream.wait();
  CHECK(cudaHostUnregister(batch));  // RACE use-after-free
  add_to<<<16, 256, 0, stream>>>(sum.get(), on_device.get(), kInts);
  stream.wait();
  std::free(batch);
}

// The kernel itself reads the memory.
RACE_CASE(freed_while_a_kernel_reads_it) {
  int* numbers = nullptr;
  CHECK(cudaMallocHost(&numbers, 64 * sizeof(int)));
  std::memset(numbers, 0, 64 * sizeof(int));
  OnDevice<int> sum(64);
  Stream stream;
  add_to<<<1, 64, 0, stream>>>(sum.get(), numbers, 64);
  if (right) stream.wait();
  CHECK(cudaFreeHost(numbers));  // RACE use-after-free
  CHECK(cudaMemsetAsync(sum.get(), 0, 64 * sizeof(int), stream));
  stream.wait();
}

/// Scratch memory that grows when more is asked for.
class Scratch {
 public:
  explicit Scratch(cudaStream_t stream) : stream_(stream) {}
  ~Scratch() { cudaFreeAsync(data_, stream_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  int* at_least(int count) {
    if (count <= count_) return data_;
    if (data_ != nullptr) CHECK(cudaFreeAsync(data_, stream_));
    CHECK(cudaMallocAsync(&data_, count * sizeof(int), stream_));
    count_ = count;
    return data_;
  }

 private:
  cudaStream_t stream_;
  int* data_ = nullptr;
  int count_ = 0;
};

// A kernel is given the scratch memory as it was before it grew.
RACE_CASE(scratch_that_has_grown) {
  OnDevice<int> ones(64);
  Stream stream;
  Scratch scratch(stream);
  int* data = scratch.at_least(64);
  CHECK(cudaMemsetAsync(data, 0, 64 * sizeof(int), stream));
  int* const more = scratch.at_least(1 << 16);
  if (right) data = more;
  CHECK(cudaMemsetAsync(more, 0, sizeof(int) << 16, stream));
  add_to<<<1, 64, 0, stream>>>(data, ones.get(), 64);  // RACE use-after-free
  stream.wait();
}

// A graph keeps the address of the scratch memory, where other memory lies by now.
RACE_CASE(graph_of_scratch_that_has_grown) {
  OnDevice<int> ones(64);
  Stream stream;
  Scratch scratch(stream);
  int* const data = scratch.at_least(right ? 1 << 16 : 64);
  CHECK(cudaMemsetAsync(data, 0, 64 * sizeof(int), stream));
  const Graph step(stream, [&] { add_to<<<1, 64, 0, stream>>>(data, ones.get(), 64); });
  step.launch(stream);
  int* const more = scratch.at_least(1 << 16);
  CHECK(cudaMemsetAsync(more, 0, sizeof(int) << 16, stream));
  CHECK(cudaGraphLaunch(step.executable(), stream));  // RACE use-after-free
  stream.wait();
}
