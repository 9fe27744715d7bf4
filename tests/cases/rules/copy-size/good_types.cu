// An instance of a template runs only the branch for its own type.

#include <cuda_runtime.h>

#include <typeinfo>

struct Wide {
  long long values[32];
};
struct Narrow {
  int values[32];
};

template <class Real, class Table>
Table* upload(const Narrow* narrow, const Wide* wide) {
  Table* table = nullptr;
  cudaMalloc((void**)&table, 2 * sizeof(Table));
  if (typeid(Real) == typeid(float)) {
    cudaMemcpy(table, narrow, 2 * sizeof(Narrow), cudaMemcpyHostToDevice);
  } else if (typeid(Real) == typeid(double)) {
    cudaMemcpy(table, wide, 2 * sizeof(Wide), cudaMemcpyHostToDevice);
  }
  if (typeid(Real) != typeid(float)) cudaMemcpy(table, wide, 2 * sizeof(Wide), cudaMemcpyDefault);
  return table;
}

void both(const Narrow* narrow, const Wide* wide) {
  upload<float, Narrow>(narrow, wide);
  upload<double, Wide>(narrow, wide);
}
