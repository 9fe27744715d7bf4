#include <cuda_runtime.h>

#include <array>
#include <vector>

struct Mesh {
  std::array<float, 32> points;
  float weights[32];
};

template <typename T>
struct Managed {
  using value_type = T;
  T* allocate(size_t n) {
    T* made;
    cudaMallocManaged(&made, n * sizeof(T));
    return made;
  }
  void deallocate(T* made, size_t) { cudaFree(made); }
};

__global__ void scale(float* points) { points[threadIdx.x] *= 2; }

// The mesh may be in managed memory, and its arrays with it.
void of_an_array(Mesh* mesh) {
  scale<<<1, 32>>>(mesh->points.data());
  scale<<<1, 32>>>(mesh->weights);
}

void of_another_allocator(std::vector<float, Managed<float>>& points) {
  scale<<<1, 32>>>(points.data());
}

void of_pointers(std::vector<float*>& blocks, int i) { scale<<<1, 32>>>(blocks[i]); }
