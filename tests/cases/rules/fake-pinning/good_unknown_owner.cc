// The owner of the memory is unknown: it may come from cudaHostAlloc.

#include <torch/torch.h>

#include <vector>

extern "C" int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);

template <class T>
struct PinnedAllocator {
  using value_type = T;
  T* allocate(std::size_t count);
  void deallocate(T* pointer, std::size_t count);
};

torch::Tensor given(float* values) {
  return torch::from_blob(values, {8}, torch::TensorOptions().pinned_memory(true));
}

torch::Tensor allocated() {
  void* values = nullptr;
  cudaHostAlloc(&values, 32, 0);
  return torch::from_blob(values, {8}, torch::TensorOptions().pinned_memory(true));
}

torch::Tensor own_allocator(std::vector<float, PinnedAllocator<float>>& values) {
  return torch::from_blob(values.data(), {8}, torch::TensorOptions().pinned_memory(true));
}
