// Matrix products through cuBLAS, against a product written out.

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int kM = 7, kN = 5, kK = 9, kBatch = 3;

template <typename T>
struct Matrices {
  std::vector<T> a, b, c;
  T *da, *db, *dc;

  Matrices() : a(kM * kK * kBatch), b(kK * kN * kBatch), c(kM * kN * kBatch) {
    for (size_t i = 0; i < a.size(); ++i) a[i] = T(static_cast<float>(i % 7) - 3.0f);
    for (size_t i = 0; i < b.size(); ++i) b[i] = T(static_cast<float>(i % 5) - 2.0f);
    for (auto& value : c) value = T(1.0f);
    cudaMalloc(&da, a.size() * sizeof(T));
    cudaMalloc(&db, b.size() * sizeof(T));
    cudaMalloc(&dc, c.size() * sizeof(T));
    cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c.data(), c.size() * sizeof(T), cudaMemcpyHostToDevice);
  }

  // Largest difference to 2 * op(a) * op(b) + 3 * c, over `batch` products.
  double error(bool ta, bool tb, int batch) {
    std::vector<T> result(c.size());
    cudaMemcpy(result.data(), dc, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int z = 0; z < batch; ++z) {
      for (int i = 0; i < kM; ++i) {
        for (int j = 0; j < kN; ++j) {
          double sum = 0;
          for (int k = 0; k < kK; ++k) {
            sum += double(float(a[z * kM * kK + (ta ? k + i * kK : i + k * kM)])) *
                   double(float(b[z * kK * kN + (tb ? j + k * kN : k + j * kK)]));
          }
          const double expected = 2 * sum + 3;
          worst = std::fmax(worst,
                            std::fabs(double(float(result[z * kM * kN + i + j * kM])) - expected));
        }
      }
    }
    return worst;
  }
};

template <typename T>
void mixed(cublasHandle_t handle, cudaDataType type, const char* name) {
  const float alpha = 2, beta = 3;
  Matrices<T> m;
  const auto status =
      cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha, m.da, type, kM, m.db, type,
                   kK, &beta, m.dc, type, kM, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  std::printf("%s: %s, error %g\n", name, cublasGetStatusName(status), m.error(false, false, 1));
}

/// An array on the device that points to each matrix, last first.
template <typename T>
T** places_of(T* first, int elements) {
  T* places[kBatch];
  for (int i = 0; i < kBatch; ++i) places[i] = first + (kBatch - 1 - i) * elements;
  T** device;
  cudaMalloc(&device, sizeof(places));
  cudaMemcpy(device, places, sizeof(places), cudaMemcpyHostToDevice);
  return device;
}

/// By pointers: gemm(handle, ..., batch) with `alpha` and `beta` of its kind.
template <typename T, typename Scalar, typename Gemm>
void by_pointers(cublasHandle_t handle, Gemm gemm, const char* name) {
  const auto alpha = Scalar(2.0f), beta = Scalar(3.0f);
  Matrices<T> m;
  const auto status =
      gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha, places_of(m.da, kM * kK), kM,
           places_of(m.db, kK * kN), kK, &beta, places_of(m.dc, kM * kN), kM, kBatch);
  std::printf("%s by pointers: %s, error %g\n", name, cublasGetStatusName(status),
              m.error(false, false, kBatch));
}

/// D = epilogue(2 * A * B + 3 * C) by cuBLASLt, C and D apart; the error beside `expected` of 2 * A
/// * B + 3 and its row.
template <typename T>
void light(cublasLtHandle_t handle, cudaDataType type, cublasLtEpilogue_t epilogue,
           const char* name, float (*expected)(float value, int row)) {
  Matrices<T> m;
  T *d, *bias;
  std::vector<T> biases(kM), result(kM * kN);
  for (int i = 0; i < kM; ++i) biases[i] = T(static_cast<float>(i));
  cudaMalloc(&d, result.size() * sizeof(T));
  cudaMemset(d, 0, result.size() * sizeof(T));
  cudaMalloc(&bias, kM * sizeof(T));
  cudaMemcpy(bias, biases.data(), kM * sizeof(T), cudaMemcpyHostToDevice);

  cublasLtMatmulDescOpaque_t product;  // on the stack, as programs may have it
  cublasLtMatmulDescInit(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatmulDescSetAttribute(&product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                 sizeof(epilogue));
  if (std::strstr(name, "bias") != nullptr)
    cublasLtMatmulDescSetAttribute(&product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                   sizeof(bias));
  cublasLtMatrixLayout_t la, lb, ld;
  cublasLtMatrixLayoutCreate(&la, type, kM, kK, kM);
  cublasLtMatrixLayoutCreate(&lb, type, kK, kN, kK);
  cublasLtMatrixLayoutCreate(&ld, type, kM, kN, kM);
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t way{};
  int ways = 0;
  auto status =
      cublasLtMatmulAlgoGetHeuristic(handle, &product, la, lb, ld, ld, preference, 1, &way, &ways);
  const float alpha = 2, beta = 3;
  if (status == CUBLAS_STATUS_SUCCESS && ways == 1)
    status = cublasLtMatmul(handle, &product, &alpha, m.da, la, m.db, lb, &beta, m.dc, ld, d, ld,
                            &way.algo, nullptr, 0, nullptr);
  cudaMemcpy(result.data(), d, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      float sum = 0;
      for (int k = 0; k < kK; ++k) sum += float(m.a[i + k * kM]) * float(m.b[k + j * kK]);
      worst = std::fmax(worst, std::fabs(float(result[i + j * kM]) - expected(2 * sum + 3, i)));
    }
  std::printf("%s: %s, %s\n", name, cublasLtGetStatusName(status),
              worst < 0.05 ? "right" : "wrong");
  cublasLtMatmulPreferenceDestroy(preference);
  for (const auto layout : {la, lb, ld}) cublasLtMatrixLayoutDestroy(layout);
}

int light_products() {
  cublasLtHandle_t handle;
  if (cublasLtCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  light<float>(handle, CUDA_R_32F, CUBLASLT_EPILOGUE_DEFAULT, "plain",
               [](float value, int) { return value; });
  light<float>(handle, CUDA_R_32F, CUBLASLT_EPILOGUE_RELU_BIAS, "relu of bias",
               [](float value, int row) { return std::fmax(value + row, 0.0f); });
  light<float>(handle, CUDA_R_32F, CUBLASLT_EPILOGUE_GELU, "gelu", [](float x, int) {
    return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x)));
  });
  light<__half>(handle, CUDA_R_16F, CUBLASLT_EPILOGUE_BIAS, "half with bias",
                [](float value, int row) { return value + row; });
  light<float>(handle, CUDA_R_32F, CUBLASLT_EPILOGUE_GELU_AUX, "skipped",
               [](float, int) { return 0.0f; });
  cublasLtDestroy(handle);
  return 0;
}

}  // namespace

int vectors();
int lu();

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "vectors") == 0) return vectors();
  if (argc > 1 && std::strcmp(argv[1], "lu") == 0) return lu();
  if (argc > 1 && std::strcmp(argv[1], "lt") == 0) return light_products();
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  const float alpha = 2, beta = 3;
  if (argc > 1 && std::strcmp(argv[1], "host-operand") == 0) {
    Matrices<float> m;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha, m.a.data(), kM, m.db, kK,
                &beta, m.dc, kM);
    std::printf("sync: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      Matrices<float> m;
      const auto status =
          cublasSgemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, kM,
                      kN, kK, &alpha, m.da, ta ? kK : kM, m.db, tb ? kN : kK, &beta, m.dc, kM);
      std::printf("float %d%d: %s, error %g\n", ta, tb, cublasGetStatusName(status),
                  m.error(ta, tb, 1));
    }
  }
  {
    const double wide_alpha = 2, wide_beta = 3;
    Matrices<double> m;
    const auto status = cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK,
                                                  &wide_alpha, m.da, kM, kM * kK, m.db, kK, kK * kN,
                                                  &wide_beta, m.dc, kM, kM * kN, kBatch);
    std::printf("double batched: %s, error %g\n", cublasGetStatusName(status),
                m.error(false, false, kBatch));
  }
  by_pointers<float, float>(handle, cublasSgemmBatched, "float");
  by_pointers<double, double>(handle, cublasDgemmBatched, "double");
  by_pointers<__half, __half>(handle, cublasHgemmBatched, "half");
  mixed<__half>(handle, CUDA_R_16F, "half");
  mixed<__nv_bfloat16>(handle, CUDA_R_16BF, "bfloat16");
  {
    // A matrix with one column to the right is a vector.
    Matrices<float> m;
    std::vector<float> y(kM, 1.0f);
    const auto status =
        cublasSgemv(handle, CUBLAS_OP_N, kM, kK, &alpha, m.da, kM, m.db, 1, &beta, m.dc, 1);
    cudaMemcpy(y.data(), m.dc, kM * sizeof(float), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < kM; ++i) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) sum += double(m.a[i + k * kM]) * double(m.b[k]);
      worst = std::fmax(worst, std::fabs(y[i] - (2 * sum + 3)));
    }
    std::printf("vector: %s, error %g\n", cublasGetStatusName(status), worst);
  }
  std::printf("too small ld: %s\n",
              cublasGetStatusName(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha,
                                              nullptr, 1, nullptr, kK, &beta, nullptr, kM)));
  cublasDestroy(handle);
  return 0;
}
