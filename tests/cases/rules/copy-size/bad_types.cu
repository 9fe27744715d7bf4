// The instance runs the branch.

#include <cuda_runtime.h>

#include <typeinfo>

struct Wide {
  long long values[32];
};
struct Narrow {
  int values[32];
};

template <class Real>
Narrow* upload(const Wide* wide) {
  Narrow* table = nullptr;
  cudaMalloc((void**)&table, 2 * sizeof(Narrow));
  if (typeid(Real) == typeid(double)) {
    cudaMemcpy(table, wide, 2 * sizeof(Wide),  // LINT: copy-size
               cudaMemcpyHostToDevice);
  }
  return table;
}

void both(const Wide* wide) {
  upload<float>(wide);
  upload<double>(wide);
}
