// The elements of a vector are on the host, wherever the vector stands.
#include <cuda_runtime.h>

#include <vector>

struct Mesh {
  std::vector<float> points;
};

Mesh* current();
__global__ void scale(float* points) { points[threadIdx.x] *= 2; }

void of_a_field(Mesh& mesh) {
  scale<<<1, 32>>>(mesh.points.data());  // LINT: host-pointer-to-kernel
}

void through_a_pointer(Mesh* mesh) {
  scale<<<1, 32>>>(mesh->points.data());  // LINT: host-pointer-to-kernel
}

void of_a_result() {
  scale<<<1, 32>>>(current()->points.data());  // LINT: host-pointer-to-kernel
}

void of_many(std::vector<std::vector<float>>& all, int i) {
  scale<<<1, 32>>>(all[i].data());  // LINT: host-pointer-to-kernel
}

void of_a_number() {
  float x = 1;
  scale<<<1, 1>>>(&x);  // LINT: host-pointer-to-kernel
}
