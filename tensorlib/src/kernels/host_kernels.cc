// The kernels of this folder as host code, for emulated devices: every instance that the CUDA
// backend launches. A kernel that is missing here is skipped by the emulator, and named in its
// report.
#include "backend/dispatch.h"
#include "kernels/elementwise.cuh"
#include "kernels/fill.cuh"
#include "kernels/gemm.cuh"
#include "kernels/index.cuh"
#include "kernels/reduce.cuh"
#include "kernels/vision.cuh"

namespace tensorlib::kernels {

namespace {

template <auto... kernels>
void add() {
  (xfer::emulator::HostKernel<kernels>::register_it(__PRETTY_FUNCTION__), ...);
}

template <class T>
void add_type() {
  add<&fill_flat<T>, &fill_strided<T>, &arange<T>, &random_fill<T>, &convert_flat<T>,
      &convert_strided<T>, &gather<Places::each, T>, &gather<Places::shared, T>,
      &scatter_add<Places::each, T>, &scatter_add<Places::shared, T>, &put_rows<T>,
      &where<T, Compute<T>>>();
}

template <class T>
void add_number() {
  using A = Accumulate<T>;
  const auto reductions = [](auto constant) {
    constexpr ReduceOp op = decltype(constant)::value;
    add<&reduce_rows<op, T, T>, &reduce_columns<op, T, T>>();
    if constexpr (!std::is_same_v<T, A>) {
      add<&reduce_rows<op, T, A>, &reduce_rows<op, A, T>, &reduce_columns<op, T, A>,
          &reduce_columns<op, A, T>>();
    }
  };
  for (ReduceOp op : {ReduceOp::sum, ReduceOp::amax, ReduceOp::amin}) {
    dispatch_reduce(op, reductions);
  }
  add<&arg_reduce_rows<T>, &topk_rows<T>, &cumulative_sum<T>>();
  if constexpr (std::is_integral_v<T>) add<&integer_gemm<T>>();
}

template <Pooling pooling, class T>
void add_pooling() {
  add<&pool2d<pooling, T>, &pool2d_gradient<pooling, T>>();
}

template <class T>
void add_floating() {
  add<&softmax_rows<T>, &columns<T>, &image_of_columns<T>, &channel_stats<T>,
      &normalize_channels<T>, &channel_gradient_sums<T, Compute<T>>,
      &channel_gradient<T, Compute<T>>>();
  add_pooling<Pooling::max, T>();
  add_pooling<Pooling::average, T>();
  add_pooling<Pooling::average_of_padded, T>();
  add_pooling<Pooling::adaptive, T>();
}

template <UnaryOp op, class T>
void add_unary() {
  if constexpr (!std::is_same_v<T, bool> && (takes_integers(op) || !std::is_integral_v<T>)) {
    add<&unary_flat<op, T>, &unary_strided<op, T>>();
  }
}

template <BinaryOp op, class T>
void add_binary() {
  if constexpr (std::is_integral_v<T> ? !is_floating_only(op) : !is_integer_only(op)) {
    using R = std::conditional_t<is_comparison(op), bool, T>;
    using C = Compute<T>;
    add<&binary_flat<op, T, R, C>, &binary_number<op, T, R, C>, &binary_strided<op, T, R, C>>();
  }
}

template <class T>
void add_all() {
  add_type<T>();
  if constexpr (!std::is_same_v<T, bool>) add_number<T>();
  if constexpr (!std::is_integral_v<T>) add_floating<T>();
#define TENSORLIB_UNARY_OP(name) add_unary<UnaryOp::name, T>();
#define TENSORLIB_BINARY_OP(name) add_binary<BinaryOp::name, T>();
#define TENSORLIB_COMPARE_OP(name) add_binary<BinaryOp::name, T>();
#include "tensorlib/op_names.def"
  add_binary<BinaryOp::add, T>();
  add_binary<BinaryOp::maximum, T>();
  add_binary<BinaryOp::minimum, T>();
  add_binary<BinaryOp::slope, T>();
  add_binary<BinaryOp::sigmoid_gradient, T>();
  add_binary<BinaryOp::tanh_gradient, T>();
}

[[maybe_unused]] const bool registered = [] {
#define TENSORLIB_SCALAR_TYPE(type, name, text) add_all<type>();
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  return true;
}();

}  // namespace

}  // namespace tensorlib::kernels
