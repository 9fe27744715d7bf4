#include "cublas/gemm.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cublas/blas.h"
#include "cublas/registered.h"
#include "machine/cost_model.h"
#include "machine/hooks.h"
#include "xfer/emulator/launch_context.h"

namespace xfer::emulator {
namespace {

/// The arguments as the kernel takes them; the names below spell the same list.
struct Arguments {
  const void* a;
  const void* b;
  void* d;
  const void* c;
  const void* bias;
  int transa, transb, m, n, k, lda, ldb, ldd, ldc, activation;
  long long stride_a, stride_b, stride_d, stride_c;
  int batch;
  double alpha, beta;

  template <typename Visit>
  void each(Visit visit) {
    visit(a), visit(b), visit(d), visit(c), visit(bias);
    visit(transa), visit(transb), visit(m), visit(n), visit(k);
    visit(lda), visit(ldb), visit(ldd), visit(ldc), visit(activation);
    visit(stride_a), visit(stride_b), visit(stride_d), visit(stride_c);
    visit(batch), visit(alpha), visit(beta);
  }
};

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

template <typename To, typename From>
void copy_columns(const Arguments& g, const From* from, int leading_from, To* to, int leading_to) {
  for (int column = 0; column < g.n; ++column)
    for (int row = 0; row < g.m; ++row)
      to[std::ptrdiff_t{column} * leading_to + row] =
          static_cast<To>(from[std::ptrdiff_t{column} * leading_from + row]);
}

double activate(Activation activation, double x) {
  switch (activation) {
    case Activation::kNone: break;
    case Activation::kRelu: return std::fmax(x, 0.0);
    case Activation::kGelu:  // as cuBLASLt approximates it
      return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
  }
  return x;
}

template <typename T>
void product(const Arguments& g, const T* a, const T* b, T* d) {
  const auto transpose = [](int operation) { return operation != CUBLAS_OP_N; };
  multiply(*blas(), transpose(g.transa), transpose(g.transb), g.m, g.n, g.k,
           static_cast<T>(g.alpha), a, g.lda, b, g.ldb, static_cast<T>(g.beta), d, g.ldd);
}

/// After the product, in D's place or in a wider copy of it.
template <typename Wide, typename T>
void finish(const Arguments& g, const T* bias, Wide* d) {
  const auto activation = static_cast<Activation>(g.activation);
  if (bias == nullptr && activation == Activation::kNone) return;
  for (int column = 0; column < g.n; ++column)
    for (int row = 0; row < g.m; ++row) {
      Wide& value = d[std::ptrdiff_t{column} * g.ldd + row];
      const double sum =
          double{value} + (bias != nullptr ? double{static_cast<Wide>(bias[row])} : 0);
      value = static_cast<Wide>(activate(activation, sum));
    }
}

template <typename T>
void one(const Arguments& g, const T* a, const T* b, T* d, const T* c, const T* bias) {
  const bool adds = g.beta != 0;
  if constexpr (std::is_floating_point_v<T>) {
    if (adds && c != nullptr && c != d) copy_columns(g, c, g.ldc, d, g.ldd);
    product(g, a, b, d);
    finish(g, bias, d);
  } else {
    // Accumulated in float, as tensor cores do.
    const std::vector<float> wide_a(a, a + extent_a(g));
    const std::vector<float> wide_b(b, b + extent_b(g));
    std::vector<float> wide_d(extent(g.m, g.n, g.ldd));
    if (adds && c != nullptr) copy_columns(g, c, g.ldc, wide_d.data(), g.ldd);
    if (adds && c == nullptr) copy_columns(g, d, g.ldd, wide_d.data(), g.ldd);
    product(g, wide_a.data(), wide_b.data(), wide_d.data());
    finish(g, bias, wide_d.data());
    copy_columns(g, wide_d.data(), g.ldd, d, g.ldd);
  }
}

template <typename T>
void run(const LaunchContext*, void** args) {
  const auto g = read_arguments<Arguments>(args);
  const auto* c = static_cast<const T*>(g.c);
  for (int i = 0; i < g.batch; ++i) {
    one(g, static_cast<const T*>(g.a) + i * g.stride_a, static_cast<const T*>(g.b) + i * g.stride_b,
        static_cast<T*>(g.d) + i * g.stride_d, c != nullptr ? c + i * g.stride_c : nullptr,
        static_cast<const T*>(g.bias));
  }
}

/// The matrices of each product are where arrays on the device say.
template <typename T>
void run_by_pointers(const LaunchContext*, void** args) {
  const auto g = read_arguments<Arguments>(args);
  const auto matrix = [](const void* pointers, int i) {
    return static_cast<T*>(xfer_emulator_kernel_view(static_cast<const T* const*>(pointers)[i]));
  };
  for (int i = 0; i < g.batch; ++i)
    one<T>(g, matrix(g.a, i), matrix(g.b, i), matrix(g.d, i), nullptr, nullptr);
}

struct Variant {
  const char* name;  ///< mangled: a tracer reads from it that all but d are only read
  HostKernelRun run;
  std::size_t element_bytes;
  char stub;  ///< its address is what is launched
};

Variant variants[] = {
    {"_Z21emulated_cublas_sgemmPKfS0_PfS0_S0_iiiiiiiiiixxxxidd", &run<float>, sizeof(float), 0},
    {"_Z21emulated_cublas_dgemmPKdS0_PdS0_S0_iiiiiiiiiixxxxidd", &run<double>, sizeof(double), 0},
    {"_Z21emulated_cublas_hgemmPK6__halfS1_PS_S1_S1_iiiiiiiiiixxxxidd", &run<__half>,
     sizeof(__half), 0},
    {"_Z22emulated_cublas_bfgemmPK13__nv_bfloat16S1_PS_S1_S1_iiiiiiiiiixxxxidd",
     &run<__nv_bfloat16>, sizeof(__nv_bfloat16), 0},
};
Variant variants_by_pointers[] = {
    {"_Z28emulated_cublas_sgemmBatchedPKPKfS2_PKPfS0_S0_iiiiiiiiiixxxxidd", &run_by_pointers<float>,
     sizeof(float), 0},
    {"_Z28emulated_cublas_dgemmBatchedPKPKdS2_PKPdS0_S0_iiiiiiiiiixxxxidd",
     &run_by_pointers<double>, sizeof(double), 0},
    {"_Z28emulated_cublas_hgemmBatchedPKPK6__halfS3_PKPS_S1_S1_iiiiiiiiiixxxxidd",
     &run_by_pointers<__half>, sizeof(__half), 0},
    {"_Z29emulated_cublas_bfgemmBatchedPKPK13__nv_bfloat16S3_PKPS_S1_S1_iiiiiiiiiixxxxidd",
     &run_by_pointers<__nv_bfloat16>, sizeof(__nv_bfloat16), 0},
};
// Of other types, or with what is not computed here.
Variant other = {"_Z28emulated_cublas_not_computedPKcS0_S0_S0_PcS1_", nullptr, 1, 0};

void register_variants() {
  static const bool registered = [] {
    const std::vector<std::size_t> sizes = sizes_of_arguments<Arguments>();
    for (Variant* const all : {variants, variants_by_pointers})
      for (Variant& variant : std::span(all, std::size(variants)))
        register_library_kernel(&variant.stub, variant.name,
                                blas() != nullptr ? variant.run : nullptr, sizes);
    register_library_kernel(&other.stub, other.name, nullptr, sizes);
    return true;
  }();
  static_cast<void>(registered);
}

bool is_wrong(const Gemm& gemm) {
  const int rows_a = gemm.transa == CUBLAS_OP_N ? gemm.m : gemm.k;
  const int rows_b = gemm.transb == CUBLAS_OP_N ? gemm.k : gemm.n;
  return gemm.m < 0 || gemm.n < 0 || gemm.k < 0 || gemm.batch < 0 ||
         gemm.lda < std::max(1, rows_a) || gemm.ldb < std::max(1, rows_b) ||
         gemm.ldd < std::max(1, gemm.m) || (gemm.c != nullptr && gemm.ldc < std::max(1, gemm.m));
}

/// Of a product of which nothing is to be computed.
std::optional<cublasStatus_t> status_without_launch(const Gemm& gemm) {
  if (is_wrong(gemm)) return CUBLAS_STATUS_INVALID_VALUE;
  if (gemm.m == 0 || gemm.n == 0 || gemm.batch == 0) return CUBLAS_STATUS_SUCCESS;
  return std::nullopt;
}

Arguments arguments_of(const Gemm& gemm) {
  return {
      gemm.a,        gemm.b,        gemm.d,        gemm.c,        gemm.bias,
      gemm.transa,   gemm.transb,   gemm.m,        gemm.n,        gemm.k,
      gemm.lda,      gemm.ldb,      gemm.ldd,      gemm.ldc,      static_cast<int>(gemm.activation),
      gemm.stride_a, gemm.stride_b, gemm.stride_d, gemm.stride_c, gemm.batch,
      gemm.alpha,    gemm.beta};
}

/// `bytes`: that it reads and writes.
cublasStatus_t launch(Variant& variant, Arguments g, std::size_t bytes, cudaStream_t stream) {
  const double flops = 2.0 * g.m * g.n * g.k * g.batch;
  xfer_emulator_next_kernel_ns(cost::gemm_ns(flops, static_cast<double>(bytes)));
  const dim3 grid(static_cast<unsigned>((g.m + 127) / 128),
                  static_cast<unsigned>(std::min((g.n + 127) / 128, 65535)));
  return launch_kernel(&variant.stub, grid, places_of(g), stream);
}

}  // namespace

cublasStatus_t launch_gemm_by_pointers(Element element, const Gemm& gemm, cudaStream_t stream) {
  if (const auto status = status_without_launch(gemm)) return *status;
  register_variants();
  Variant& variant = variants_by_pointers[static_cast<int>(element)];
  const Arguments arguments = arguments_of(gemm);
  const auto products = static_cast<std::size_t>(gemm.batch);
  for (const void* const pointers : {gemm.a, gemm.b, static_cast<const void*>(gemm.d)})
    if (!is_reachable(pointers, products * sizeof(void*))) return CUBLAS_STATUS_SUCCESS;
  const std::size_t of_each =
      extent_a(arguments) + extent_b(arguments) + extent(gemm.m, gemm.n, gemm.ldd);
  return launch(variant, arguments, products * of_each * variant.element_bytes, stream);
}

cublasStatus_t launch_gemm(Element element, const Gemm& gemm, cudaStream_t stream) {
  if (const auto status = status_without_launch(gemm)) return *status;
  register_variants();
  Variant& variant = variants[static_cast<int>(element)];
  const Arguments arguments = arguments_of(gemm);
  const auto bytes = [&](std::size_t first, long long stride) {
    return (first + static_cast<std::size_t>(gemm.batch - 1) * static_cast<std::size_t>(stride)) *
           variant.element_bytes;
  };
  const std::size_t bytes_a = gemm.k == 0 ? 0 : bytes(extent_a(arguments), gemm.stride_a);
  const std::size_t bytes_b = gemm.k == 0 ? 0 : bytes(extent_b(arguments), gemm.stride_b);
  const std::size_t bytes_d = bytes(extent(gemm.m, gemm.n, gemm.ldd), gemm.stride_d);
  const std::size_t bytes_c =
      gemm.c == nullptr ? 0 : bytes(extent(gemm.m, gemm.n, gemm.ldc), gemm.stride_c);
  const std::size_t bytes_bias =
      gemm.bias == nullptr ? 0 : static_cast<std::size_t>(gemm.m) * variant.element_bytes;
  // The launch goes out all the same: as on a device, the fault shows at the next call.
  if (!is_reachable(gemm.a, bytes_a) || !is_reachable(gemm.b, bytes_b) ||
      !is_reachable(gemm.d, bytes_d) || !is_reachable(gemm.c, bytes_c) ||
      !is_reachable(gemm.bias, bytes_bias)) {
    return CUBLAS_STATUS_SUCCESS;
  }
  return launch(variant, arguments, bytes_a + bytes_b + bytes_d, stream);
}

cublasStatus_t launch_other_product(const OtherProduct& product, cudaStream_t stream) {
  register_variants();
  OtherProduct given = product;
  std::vector<void*> args;
  for (const void*& read : given.reads) args.push_back(&read);
  for (void*& written : given.writes) args.push_back(&written);
  return launch_kernel(&other.stub, dim3(1), std::move(args), stream);
}

}  // namespace xfer::emulator
