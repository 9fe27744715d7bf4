// Code like that of a PyTorch program: tensors are blocks that an allocator keeps, and kernels
// take them inside structures, which say nothing of what is written.

#include "c10_profiler.h"
#include "cases.cuh"

namespace {

struct Iterator {
  float* data[2];
  int count;
};
__global__ void add_one(Iterator it) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < it.count) it.data[0][i] = it.data[1][i] + 1;
}

/// Cuts blocks of kBytes from segments; a segment is never given back.
class Allocator {
 public:
  float* take() {
    if (free_.empty()) grow();
    float* const block = free_.back();
    free_.pop_back();
    report(block, static_cast<long>(kBytes));
    return block;
  }
  void give_back(float* block) {
    free_.push_back(block);
    report(block, -static_cast<long>(kBytes));
  }

 private:
  static constexpr int kBlocks = 4;
  void grow() {
    void* segment = nullptr;
    check(cudaMalloc(&segment, kBlocks * kBytes));
    for (int i = 0; i < kBlocks; ++i) free_.push_back(static_cast<float*>(segment) + i * kCount);
    reserved_ += kBlocks * kBytes;
  }
  void report(float* block, long bytes) {
    allocated_ += bytes;
    c10::reportMemoryUsageToProfiler(block, bytes, allocated_, reserved_, {1, 0});
  }
  std::vector<float*> free_;
  unsigned long allocated_ = 0;
  unsigned long reserved_ = 0;
};

void work(float* out, float* in) { add_one<<<kCount / 256, 256>>>({{out, in}, kCount}); }

void moved_each_step() {
  Allocator allocator;
  const std::vector<float> weights(kCount, 2.5F);
  float* const out = allocator.take();
  for (int step = 0; step < 8; ++step) {
    float* const moved = allocator.take();
    cudaMemcpy(moved, weights.data(), kBytes, cudaMemcpyHostToDevice);  // FIND: moved_each_step
    work(out, moved);
    allocator.give_back(moved);
  }
  allocator.give_back(out);
}

// As training that keeps more and more: the memory is the allocator's, and stays there.
void growing() {
  Allocator allocator;
  std::vector<float*> kept;
  for (int step = 0; step < 40; ++step) {
    kept.push_back(allocator.take());
    work(kept.back(), kept.front());
  }
  for (float* const block : kept) allocator.give_back(block);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  name == "growing" ? growing() : moved_each_step();
  check(cudaDeviceSynchronize());
  const c10::Reported reported = c10::reported();
  std::printf("%d blocks given, %d taken back\n", reported.given, reported.taken_back);
}
