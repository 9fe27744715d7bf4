// A method that is compiled for both sides, and that only a kernel calls.
#include <cuda_runtime.h>

struct Row {
  __host__ __device__ Row(float* data, int length) : data(data), length(length) {}
  __host__ __device__ float operator[](int index) const { return data[index + length]; }

  float* data;
  int length;
};

struct Table {
  __host__ __device__ float first() const { return data[0]; }

  float* data;
};

__global__ void first(Row row, Table table, float* value) { *value = row[0] + table.first(); }

int main() {
  float *data, *value, result;
  cudaMalloc(&data, 128);
  cudaMalloc(&value, sizeof(float));
  cudaMemset(data, 0, 128);
  Table table;
  table.data = data;
  first<<<1, 1>>>(Row(data, 4), table, value);
  cudaMemcpy(&result, value, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(value);
  return result > 0;
}
