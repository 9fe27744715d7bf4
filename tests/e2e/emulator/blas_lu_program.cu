// cuBLAS's LU factors of several matrices: what is solved and inverted by them is multiplied out.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int kN = 3, kBatch = 2;
// Column by column. Rows must change places in both.
const std::vector<double> kA = {0, 2, 4, 1, 1, 3, 6, -2, 1, 1, 1, 2, -1, 1, 0, 3, 3.5, 1};

template <typename T>
struct Batch {
  T* data = nullptr;
  T** pointers = nullptr;

  explicit Batch(const std::vector<double>& values) {
    const std::vector<T> its(values.begin(), values.end());
    cudaMalloc(&data, its.size() * sizeof(T));
    cudaMemcpy(data, its.data(), its.size() * sizeof(T), cudaMemcpyHostToDevice);
    std::vector<T*> places;
    for (int i = 0; i < kBatch; ++i) places.push_back(data + i * its.size() / kBatch);
    cudaMalloc(&pointers, kBatch * sizeof(T*));
    cudaMemcpy(pointers, places.data(), kBatch * sizeof(T*), cudaMemcpyHostToDevice);
  }
  std::vector<T> values(int count) const {
    std::vector<T> host(count);
    cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }
};

int* device_ints(int count) {
  int* ints = nullptr;
  cudaMalloc(&ints, count * sizeof(int));
  cudaMemset(ints, 0xff, count * sizeof(int));
  return ints;
}

void print(const char* name, const int* device, int count) {
  std::vector<int> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  for (const int value : host) std::printf(" %d", value);
  std::printf("\n");
}

/// The largest difference of A (or its transposed) times X to B.
template <typename T>
double error(const std::vector<T>& x, int columns, bool transposed, const std::vector<double>& b) {
  double worst = 0;
  for (int z = 0; z < kBatch; ++z)
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < kN; ++row) {
        double sum = 0;
        for (int k = 0; k < kN; ++k)
          sum += kA[z * kN * kN + (transposed ? row * kN + k : k * kN + row)] *
                 x[(z * columns + column) * kN + k];
        worst = std::fmax(worst, std::fabs(sum - b[(z * columns + column) * kN + row]));
      }
  return worst;
}

const std::vector<double> kIdentities = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
const std::vector<double> kRight = {1, 2, 3, 4, -5, 6, 7, 8, 9, 1, 0, -1};

template <typename T, typename Factor, typename Solve, typename Invert, typename Whole>
void all(const char* name, cublasHandle_t handle, Factor factor, Solve solve, Invert invert,
         Whole invert_whole) {
  const Batch<T> a(kA), inverse(kIdentities), whole(kIdentities), untouched(kA);
  int* const pivots = device_ints(kN * kBatch);
  int* const info = device_ints(kBatch);
  std::printf("%s\n", name);
  factor(handle, kN, a.pointers, kN, pivots, info, kBatch);
  print("pivots", pivots, kN * kBatch);
  print("info", info, kBatch);
  for (const bool transposed : {false, true}) {
    const Batch<T> x(kRight);
    int wrong = -1;
    solve(handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, kN, 2, a.pointers, kN, pivots, x.pointers,
          kN, &wrong, kBatch);
    std::printf("solved: %d, %d\n", error(x.values(12), 2, transposed, kRight) < 1e-4, wrong);
  }
  invert(handle, kN, a.pointers, kN, pivots, inverse.pointers, kN, info, kBatch);
  std::printf("inverse: %d\n", error(inverse.values(18), kN, false, kIdentities) < 1e-4);
  invert_whole(handle, kN, untouched.pointers, kN, whole.pointers, kN, info, kBatch);
  std::printf("at once: %d\n", whole.values(18) == inverse.values(18));
}

void singular(cublasHandle_t handle) {
  const Batch<float> zeros(std::vector<double>(18, 0.0));
  const Batch<float> ordered(std::vector<double>{2, 4, 1, 3, 4, 2, 2, 5});
  int* const info = device_ints(kBatch);
  cublasSgetrfBatched(handle, kN, zeros.pointers, kN, nullptr, info, kBatch);
  print("zeros", info, kBatch);
  cublasSgetrfBatched(handle, 2, ordered.pointers, 2, nullptr, info, kBatch);
  std::printf("in order:");
  for (const float value : ordered.values(8)) std::printf(" %g", value);
  std::printf("\n");
  const auto status = cublasSgetrfBatched(handle, 4, zeros.pointers, kN, nullptr, info, kBatch);
  std::printf("too small ld: %s\n", cublasGetStatusName(status));
}

}  // namespace

int lu() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  all<float>("float", handle, cublasSgetrfBatched, cublasSgetrsBatched, cublasSgetriBatched,
             cublasSmatinvBatched);
  all<double>("double", handle, cublasDgetrfBatched, cublasDgetrsBatched, cublasDgetriBatched,
              cublasDmatinvBatched);
  singular(handle);
  std::printf("sync: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
