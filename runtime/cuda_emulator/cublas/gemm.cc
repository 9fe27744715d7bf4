#include "cublas/gemm.h"

#include <cblas.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <vector>

#include "machine/cost_model.h"
#include "machine/hooks.h"
#include "xfer/emulator/launch_context.h"

extern "C" {
void** __cudaRegisterFatBinary(void* fatbin);
void __cudaRegisterFunction(void** module, const char* stub, char* device_function,
                            const char* device_name, int thread_limit, uint3*, uint3*, dim3*, dim3*,
                            int*);
void xfer_emulator_register_kernel(const char* mangled_name, xfer::emulator::HostKernelRun run,
                                   const std::size_t* arg_sizes, std::size_t nargs);
}

namespace xfer::emulator {
namespace {

/// The arguments as the kernel takes them; the names below spell the same list.
struct Arguments {
  const void* a;
  const void* b;
  void* c;
  int transa, transb, m, n, k, lda, ldb, ldc;
  long long stride_a, stride_b, stride_c;
  int batch;
  double alpha, beta;

  static constexpr std::size_t kSizes[] = {
      sizeof(void*),  sizeof(void*),     sizeof(void*),     sizeof(int),       sizeof(int),
      sizeof(int),    sizeof(int),       sizeof(int),       sizeof(int),       sizeof(int),
      sizeof(int),    sizeof(long long), sizeof(long long), sizeof(long long), sizeof(int),
      sizeof(double), sizeof(double)};

  template <typename Visit>
  void each(Visit visit) {
    visit(a), visit(b), visit(c);
    visit(transa), visit(transb), visit(m), visit(n), visit(k);
    visit(lda), visit(ldb), visit(ldc);
    visit(stride_a), visit(stride_b), visit(stride_c);
    visit(batch), visit(alpha), visit(beta);
  }
};

CBLAS_TRANSPOSE transpose(int operation) {
  return operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

void product(const Arguments& g, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasColMajor, transpose(g.transa), transpose(g.transb), g.m, g.n, g.k,
              static_cast<float>(g.alpha), a, g.lda, b, g.ldb, static_cast<float>(g.beta), c,
              g.ldc);
}
void product(const Arguments& g, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasColMajor, transpose(g.transa), transpose(g.transb), g.m, g.n, g.k, g.alpha, a,
              g.lda, b, g.ldb, g.beta, c, g.ldc);
}

/// Elements from the first to the last that a matrix of this shape touches.
std::size_t extent(int rows, int columns, int leading) {
  if (rows == 0 || columns == 0) return 0;
  return static_cast<std::size_t>(columns - 1) * static_cast<std::size_t>(leading) +
         static_cast<std::size_t>(rows);
}
std::size_t extent_a(const Arguments& g) {
  return g.transa == CUBLAS_OP_N ? extent(g.m, g.k, g.lda) : extent(g.k, g.m, g.lda);
}
std::size_t extent_b(const Arguments& g) {
  return g.transb == CUBLAS_OP_N ? extent(g.k, g.n, g.ldb) : extent(g.n, g.k, g.ldb);
}

template <typename T>
void product(const Arguments& g, const T* a, const T* b, T* c) {
  // Accumulated in float, as tensor cores do.
  const std::vector<float> wide_a(a, a + extent_a(g));
  const std::vector<float> wide_b(b, b + extent_b(g));
  std::vector<float> wide_c(extent(g.m, g.n, g.ldc));
  if (g.beta != 0) std::copy(c, c + wide_c.size(), wide_c.begin());
  product(g, wide_a.data(), wide_b.data(), wide_c.data());
  for (int column = 0; column < g.n; ++column) {
    const std::size_t begin = static_cast<std::size_t>(column) * static_cast<std::size_t>(g.ldc);
    for (int row = 0; row < g.m; ++row) {
      const std::size_t at = begin + static_cast<std::size_t>(row);
      c[at] = static_cast<T>(wide_c[at]);
    }
  }
}

template <typename T>
void run(const LaunchContext*, void** args) {
  Arguments g{};
  std::size_t next = 0;
  g.each([&](auto& value) { value = *static_cast<std::decay_t<decltype(value)>*>(args[next++]); });
  for (int i = 0; i < g.batch; ++i) {
    product(g, static_cast<const T*>(g.a) + i * g.stride_a,
            static_cast<const T*>(g.b) + i * g.stride_b, static_cast<T*>(g.c) + i * g.stride_c);
  }
}

struct Variant {
  const char* name;  ///< mangled: a tracer reads from it that a and b are read, and c is written
  HostKernelRun run;
  std::size_t element_bytes;
  char stub;  ///< its address is what is launched
};

Variant variants[] = {
    {"_Z21emulated_cublas_sgemmPKfS0_Pfiiiiiiiixxxidd", &run<float>, sizeof(float), 0},
    {"_Z21emulated_cublas_dgemmPKdS0_Pdiiiiiiiixxxidd", &run<double>, sizeof(double), 0},
    {"_Z21emulated_cublas_hgemmPK6__halfS1_PS_iiiiiiiixxxidd", &run<__half>, sizeof(__half), 0},
    {"_Z22emulated_cublas_bfgemmPK13__nv_bfloat16S1_PS_iiiiiiiixxxidd", &run<__nv_bfloat16>,
     sizeof(__nv_bfloat16), 0},
};

void register_variants() {
  // For the process: like a program's own module, it is given back by nobody.
  static void** const registered = [] {
    void** const module = __cudaRegisterFatBinary(nullptr);
    for (Variant& variant : variants) {
      __cudaRegisterFunction(module, &variant.stub, nullptr, variant.name, -1, nullptr, nullptr,
                             nullptr, nullptr, nullptr);
      xfer_emulator_register_kernel(variant.name, variant.run, Arguments::kSizes,
                                    std::size(Arguments::kSizes));
    }
    return module;
  }();
  static_cast<void>(registered);
}

}  // namespace

cublasStatus_t launch_gemm(Element element, const Gemm& gemm, cudaStream_t stream) {
  const int rows_a = gemm.transa == CUBLAS_OP_N ? gemm.m : gemm.k;
  const int rows_b = gemm.transb == CUBLAS_OP_N ? gemm.k : gemm.n;
  if (gemm.m < 0 || gemm.n < 0 || gemm.k < 0 || gemm.batch < 0 || gemm.lda < std::max(1, rows_a) ||
      gemm.ldb < std::max(1, rows_b) || gemm.ldc < std::max(1, gemm.m)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (gemm.m == 0 || gemm.n == 0 || gemm.batch == 0) return CUBLAS_STATUS_SUCCESS;
  register_variants();
  Variant& variant = variants[static_cast<int>(element)];
  Arguments arguments{gemm.a,     gemm.b,        gemm.c,        gemm.transa,   gemm.transb,
                      gemm.m,     gemm.n,        gemm.k,        gemm.lda,      gemm.ldb,
                      gemm.ldc,   gemm.stride_a, gemm.stride_b, gemm.stride_c, gemm.batch,
                      gemm.alpha, gemm.beta};

  const auto bytes = [&](std::size_t one, long long stride) {
    return (one + static_cast<std::size_t>(gemm.batch - 1) * static_cast<std::size_t>(stride)) *
           variant.element_bytes;
  };
  const std::size_t bytes_a = gemm.k == 0 ? 0 : bytes(extent_a(arguments), gemm.stride_a);
  const std::size_t bytes_b = gemm.k == 0 ? 0 : bytes(extent_b(arguments), gemm.stride_b);
  const std::size_t bytes_c = bytes(extent(gemm.m, gemm.n, gemm.ldc), gemm.stride_c);
  // The launch goes out all the same: as on a device, the fault shows at the next call.
  if ((bytes_a != 0 && !xfer_emulator_check_operand("cuBLAS", gemm.a, bytes_a)) ||
      (bytes_b != 0 && !xfer_emulator_check_operand("cuBLAS", gemm.b, bytes_b)) ||
      !xfer_emulator_check_operand("cuBLAS", gemm.c, bytes_c)) {
    return CUBLAS_STATUS_SUCCESS;
  }

  const double flops = 2.0 * gemm.m * gemm.n * gemm.k * gemm.batch;
  xfer_emulator_next_kernel_ns(
      cost::gemm_ns(flops, static_cast<double>(bytes_a + bytes_b + bytes_c)));
  std::vector<void*> args;
  arguments.each(
      [&](auto& value) { args.push_back(const_cast<void*>(static_cast<const void*>(&value))); });
  const dim3 grid(static_cast<unsigned>((gemm.m + 127) / 128),
                  static_cast<unsigned>(std::min((gemm.n + 127) / 128, 65535)));
  const cudaError_t error =
      cudaLaunchKernel(&variant.stub, grid, dim3(256), args.data(), 0, stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace xfer::emulator
