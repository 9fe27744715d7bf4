#include "backend/cuda/cublas.h"

#include <cublas_v2.h>
#include <dlfcn.h>

#include <string>

#include "tensorlib/error.h"

namespace tensorlib::cuda {

namespace {

// The part of cuBLAS that is used. Its header overloads the products, so that their types are
// written out.
struct Api {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                         const void* alpha, const void* a, cudaDataType, int lda, const void* b,
                         cudaDataType, int ldb, const void* beta, void* c, cudaDataType, int ldc,
                         cublasComputeType_t, cublasGemmAlgo_t);
  cublasStatus_t (*batched_gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                 int k, const void* alpha, const void* a, cudaDataType, int lda,
                                 long long stride_a, const void* b, cudaDataType, int ldb,
                                 long long stride_b, const void* beta, void* c, cudaDataType,
                                 int ldc, long long stride_c, int batch, cublasComputeType_t,
                                 cublasGemmAlgo_t);
};

Api load() {
  // Beside the loaded CUDA runtime first (the emulator's, where that is the one), then as the
  // system finds it.
  Dl_info runtime{};
  void* library = nullptr;
  if (dladdr(reinterpret_cast<void*>(&cudaMalloc), &runtime) != 0 && runtime.dli_fname != nullptr) {
    std::string path = runtime.dli_fname;
    path = path.substr(0, path.rfind('/') + 1) + "libcublas.so.13";
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) library = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw DeviceError(
        std::string("matrix products on CUDA need cuBLAS, which cannot be loaded: ") + dlerror(),
        CallSite::none());
  }
  const auto find = [library](const char* name) {
    void* function = dlsym(library, name);
    if (function == nullptr)
      throw DeviceError(std::string("libcublas.so.13 has no ") + name, CallSite::none());
    return function;
  };
  Api api{};
  api.create = reinterpret_cast<decltype(api.create)>(find("cublasCreate_v2"));
  api.destroy = reinterpret_cast<decltype(api.destroy)>(find("cublasDestroy_v2"));
  api.set_stream = reinterpret_cast<decltype(api.set_stream)>(find("cublasSetStream_v2"));
  api.gemm = reinterpret_cast<decltype(api.gemm)>(find("cublasGemmEx"));
  api.batched_gemm =
      reinterpret_cast<decltype(api.batched_gemm)>(find("cublasGemmStridedBatchedEx"));
  return api;
}

const Api& api() {
  static const Api loaded = load();
  return loaded;
}

void check_cublas(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(std::string("cuBLAS: status ") + std::to_string(status) + " of " + call,
                    CallSite::none());
}

}  // namespace

Cublas::~Cublas() {
  for (const auto& [stream, handle] : handles_) api().destroy(handle);
}

void Cublas::gemm(ScalarType type, const GemmShape& s, void* c, const void* a, const void* b,
                  cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  cublasContext*& handle = handles_[stream];
  if (handle == nullptr) {
    check_cublas(api().create(&handle), "cublasCreate");
    check_cublas(api().set_stream(handle, stream), "cublasSetStream");
  }
  const cudaDataType_t data = type == kHalf       ? CUDA_R_16F
                              : type == kBFloat16 ? CUDA_R_16BF
                              : type == kFloat    ? CUDA_R_32F
                                                  : CUDA_R_64F;
  const cublasComputeType_t compute = type == kDouble ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
  const float alpha32 = static_cast<float>(s.alpha), beta32 = static_cast<float>(s.beta);
  const void* alpha = type == kDouble ? static_cast<const void*>(&s.alpha) : &alpha32;
  const void* beta = type == kDouble ? static_cast<const void*>(&s.beta) : &beta32;
  const auto flag = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
  const int m = static_cast<int>(s.m), n = static_cast<int>(s.n), k = static_cast<int>(s.k);
  const int lda = static_cast<int>(s.lda), ldb = static_cast<int>(s.ldb);
  const int ldc = static_cast<int>(s.ldc);
  // cuBLAS is column-major: C = A . B there is C^T = B^T . A^T here, with no element moved.
  if (s.batch == 1) {
    check_cublas(
        api().gemm(handle, flag(s.transpose_b), flag(s.transpose_a), n, m, k, alpha, b, data, ldb,
                   a, data, lda, beta, c, data, ldc, compute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
  } else {
    check_cublas(
        api().batched_gemm(handle, flag(s.transpose_b), flag(s.transpose_a), n, m, k, alpha, b,
                           data, ldb, s.stride_b, a, data, lda, s.stride_a, beta, c, data, ldc,
                           s.stride_c, static_cast<int>(s.batch), compute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx");
  }
}

}  // namespace tensorlib::cuda
