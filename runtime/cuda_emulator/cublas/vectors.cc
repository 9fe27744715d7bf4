#include "cublas/vectors.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include "cublas/blas.h"
#include "cublas/registered.h"
#include "machine/cost_model.h"
#include "machine/hooks.h"

namespace xfer::emulator {
namespace {

/// The arguments as the kernels take them, and as signature() spells them.
template <typename T>
struct VectorArguments {
  const T* x;
  const T* y;
  void* result;
  int call, n, incx, incy;
  T alpha;
  const T* alpha_at;  ///< null: alpha is the one above

  template <typename Visit>
  void each(Visit visit) {
    visit(x), visit(y), visit(result), visit(call), visit(n), visit(incx), visit(incy);
    visit(alpha), visit(alpha_at);
  }
};

struct Description {
  std::string_view name;
  bool writes_x, writes_y, has_result;
};
constexpr std::array<Description, 9> kDescriptions = {{{"axpy", false, true, false},
                                                       {"copy", false, true, false},
                                                       {"scal", true, false, false},
                                                       {"swap", true, true, false},
                                                       {"dot", false, false, true},
                                                       {"nrm2", false, false, true},
                                                       {"asum", false, false, true},
                                                       {"iamax", false, false, true},
                                                       {"iamin", false, false, true}}};

template <typename T>
const VectorBlas<T>& of(const Blas& all) {
  if constexpr (std::is_same_v<T, float>)
    return all.of_float;
  else
    return all.of_double;
}

template <typename T>
void run_vectors(const LaunchContext*, void** args) {
  const auto [x, y, result, call, n, incx, incy, value, alpha_at] =
      read_arguments<VectorArguments<T>>(args);
  const T alpha = alpha_at != nullptr ? *alpha_at : value;
  auto* const written_x = const_cast<T*>(x);
  auto* const written_y = const_cast<T*>(y);
  auto* const number = static_cast<T*>(result);
  auto* const index = static_cast<int*>(result);
  const VectorBlas<T>& blas_of = of<T>(*blas());
  switch (static_cast<VectorCall>(call)) {
    case VectorCall::kAxpy: return blas_of.axpy(n, alpha, x, incx, written_y, incy);
    case VectorCall::kCopy: return blas_of.copy(n, x, incx, written_y, incy);
    case VectorCall::kScal: return blas_of.scal(n, alpha, written_x, incx);
    case VectorCall::kSwap: return blas_of.swap(n, written_x, incx, written_y, incy);
    case VectorCall::kDot: *number = blas_of.dot(n, x, incx, y, incy); return;
    case VectorCall::kNrm2: *number = blas_of.nrm2(n, x, incx); return;
    case VectorCall::kAsum: *number = blas_of.asum(n, x, incx); return;
    case VectorCall::kIamax: *index = static_cast<int>(blas_of.iamax(n, x, incx)) + 1; return;
    case VectorCall::kIamin: *index = static_cast<int>(blas_of.iamin(n, x, incx)) + 1; return;
  }
}

/// Mangled, so that a tracer reads from it which of its pointers a kernel writes to.
template <typename T>
std::string mangled(const Description& its) {
  const char type = std::is_same_v<T, float> ? 'f' : 'd';
  const std::string name = fmt::format("emulated_cublas_{}{}", type == 'f' ? 's' : 'd', its.name);
  const auto pointer = [&](bool written) { return (written ? "P" : "PK") + std::string(1, type); };
  // Types are spelled anew, not by reference to earlier ones: readers take both.
  return fmt::format("_Z{}{}{}{}{}iiii{}PK{}", name.size(), name, pointer(its.writes_x),
                     pointer(its.writes_y), its.has_result ? "Pv" : "PKv", type, type);
}

template <typename T>
struct Kernels {
  std::array<std::string, kDescriptions.size()> names;
  std::array<char, kDescriptions.size()> stubs;

  Kernels() {
    const std::vector<std::size_t> sizes = sizes_of_arguments<VectorArguments<T>>();
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = mangled<T>(kDescriptions[i]);
      register_library_kernel(&stubs[i], names[i].c_str(),
                              blas() != nullptr ? &run_vectors<T> : nullptr, sizes);
    }
  }
};

template <typename T>
const char* stub_of(VectorCall call) {
  static const auto* const kernels = new Kernels<T>;
  return &kernels->stubs[static_cast<std::size_t>(call)];
}

template <typename T>
std::size_t extent_of(int n, const T* vector, int increment) {
  if (vector == nullptr || n == 0) return 0;
  return (static_cast<std::size_t>(n - 1) * static_cast<std::size_t>(std::abs(increment)) + 1) *
         sizeof(T);
}

}  // namespace

template <typename T>
cublasStatus_t launch_vectors(const Vectors<T>& vectors, bool host_alpha, cudaStream_t stream) {
  const char* const stub = stub_of<T>(vectors.call);
  const std::size_t bytes_x = extent_of(vectors.n, vectors.x, vectors.incx);
  const std::size_t bytes_y = extent_of(vectors.n, vectors.y, vectors.incy);
  // The launch goes out all the same: as on a device, the fault shows at the next call.
  if (!is_reachable(vectors.x, bytes_x) || !is_reachable(vectors.y, bytes_y))
    return CUBLAS_STATUS_SUCCESS;
  const bool has_alpha = vectors.alpha != nullptr;
  VectorArguments<T> arguments{vectors.x,
                               vectors.y,
                               vectors.result,
                               static_cast<int>(vectors.call),
                               vectors.n,
                               vectors.incx,
                               vectors.incy,
                               has_alpha && host_alpha ? *vectors.alpha : T{},
                               host_alpha ? nullptr : vectors.alpha};
  xfer_emulator_next_kernel_ns(
      cost::gemm_ns(2.0 * vectors.n, static_cast<double>(bytes_x + bytes_y)));
  const dim3 grid(static_cast<unsigned>((vectors.n + 255) / 256));
  return launch_kernel(stub, grid, places_of(arguments), stream);
}

template cublasStatus_t launch_vectors(const Vectors<float>&, bool, cudaStream_t);
template cublasStatus_t launch_vectors(const Vectors<double>&, bool, cudaStream_t);

}  // namespace xfer::emulator
