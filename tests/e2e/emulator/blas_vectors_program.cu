// cuBLAS's level 1 on whole numbers, with strides, and with scalars on either side.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace {

/// 1 -2 3 -4 5 -6 ... on a device.
template <typename T>
struct Vector {
  T* data = nullptr;
  int size;

  explicit Vector(int count) : size(count) {
    std::vector<T> values;
    for (int i = 0; i < size; ++i) values.push_back(T(i % 2 == 0 ? i + 1 : -i - 1));
    cudaMalloc(&data, sizeof(T) * size);
    cublasSetVector(size, sizeof(T), values.data(), 1, data, 1);
  }
  void print(const char* name) const {
    std::vector<T> values(size);
    cublasGetVector(size, sizeof(T), data, 1, values.data(), 1);
    std::printf("%s:", name);
    for (const T value : values) std::printf(" %g", double(value));
    std::printf("\n");
  }
};

void singles(cublasHandle_t handle) {
  Vector<float> x(6), y(6);
  const float two = 2;
  float sum = 0;
  int index = 0;
  cublasSaxpy(handle, 3, &two, x.data, 2, y.data, 1);
  y.print("axpy");
  cublasScopy(handle, 2, x.data, 1, y.data, 3);
  y.print("copy");
  cublasSscal(handle, 3, &two, y.data, 2);
  y.print("scal");
  cublasSswap(handle, 2, x.data, 1, y.data, 1);
  x.print("swap");
  cublasSdot(handle, 3, x.data, 1, y.data, -1, &sum);
  std::printf("dot: %g\n", sum);
  cublasSasum(handle, 6, x.data, 1, &sum);
  std::printf("asum: %g\n", sum);
  cublasIsamax(handle, 6, x.data, 1, &index);
  std::printf("iamax: %d\n", index);
  cublasIsamin(handle, 6, x.data, 1, &index);
  std::printf("iamin: %d\n", index);
  cublasSasum(handle, 0, x.data, 1, &sum);
  std::printf("of none: %g\n", sum);
}

void doubles_on_device(cublasHandle_t handle) {
  Vector<double> x(4), numbers(2);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasDscal(handle, 2, numbers.data + 1, x.data, 1);  // by -2
  cublasDnrm2(handle, 2, x.data + 2, 1, numbers.data);
  x.print("device scal");
  numbers.print("device nrm2");
  const auto status = cublasDdot(handle, 2, x.data, 1, x.data, 1, nullptr);
  std::printf("no result: %s\n", cublasGetStatusName(status));
}

void matrices() {
  const std::vector<float> host = {1, 2, 3, 4, 5, 6};
  std::vector<float> back(4);
  float* device = nullptr;
  cudaMalloc(&device, 64);
  cudaMemset(device, 0, 64);
  cublasSetMatrix(2, 2, sizeof(float), host.data(), 3, device, 4);
  cublasGetMatrix(2, 2, sizeof(float), device, 4, back.data(), 2);
  std::printf("matrix: %g %g %g %g\n", back[0], back[1], back[2], back[3]);
  const auto status = cublasSetMatrix(3, 2, sizeof(float), host.data(), 2, device, 4);
  std::printf("too small ld: %s\n", cublasGetStatusName(status));
}

}  // namespace

int vectors() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  singles(handle);
  doubles_on_device(handle);
  matrices();
  cublasDestroy(handle);
  std::printf("sync: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
