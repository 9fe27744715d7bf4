// Pointers to objects that hold pointers: freed, and allocated anew.

#include <cuda_runtime.h>

struct Table {
  float* values;
  int size;
};

template <class T>
struct Array {
  T* data = nullptr;
  int size = 0;
  Array* on_device = nullptr;

  void begin(int n) {
    cudaFree(data);
    cudaFree(on_device);
    size = n;
    cudaMalloc(&data, n * sizeof(T));
    cudaMalloc(&on_device, sizeof(Array<T>));
    cudaMemcpy(on_device, this, sizeof(Array<T>), cudaMemcpyHostToDevice);
  }
};

void grow(Array<float>& array) { array.begin(64); }

struct Holder {
  Table* table = nullptr;

  void set(const Table& from) {
    cudaFree(table);
    cudaMalloc(reinterpret_cast<void**>(&table), sizeof(Table));
    cudaMemcpy(table, &from, sizeof(Table), cudaMemcpyHostToDevice);
  }
};

void in_a_variable(const Table& from, Table* to) {
  cudaFree(to);
  cudaMalloc(&to, sizeof(Table));
  cudaMemcpy(to, &from, sizeof(Table), cudaMemcpyHostToDevice);
  cudaFree(to);
}
