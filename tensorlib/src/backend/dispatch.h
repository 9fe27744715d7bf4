// From run-time type and operation to compile-time ones: each dispatch calls its function with a
// tag of the type. Types that an operation does not take never come here: the operations have
// refused them.
#pragma once

#include <stdexcept>
#include <type_traits>

#include "backend/kernel_args.h"
#include "tensorlib/scalar_type.h"

namespace tensorlib {

template <class T>
struct TypeTag {
  using type = T;
};

// Never reached: operations refuse such types.
[[noreturn]] inline void unsupported(const char* what) { throw std::logic_error(what); }

template <class F>
void dispatch_all(ScalarType type, F&& f) {
  switch (type) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text) \
  case ScalarType::name: return f(TypeTag<cpp>{});
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  unsupported("element type");
}

template <class F>
void dispatch_floating(ScalarType type, F&& f) {
  switch (type) {
    case kHalf: return f(TypeTag<Half>{});
    case kBFloat16: return f(TypeTag<BFloat16>{});
    case kFloat: return f(TypeTag<float>{});
    case kDouble: return f(TypeTag<double>{});
    default: unsupported("element type of a floating operation");
  }
}

// Integers and bool.
template <class F>
void dispatch_integers(ScalarType type, F&& f) {
  if (isFloatingType(type)) unsupported("element type of an operation of integers");
  dispatch_all(type, [&](auto tag) {
    if constexpr (std::is_integral_v<typename decltype(tag)::type>) f(tag);
  });
}

template <class F>
void dispatch_numbers(ScalarType type, F&& f) {
  if (type == kBool) unsupported("bool of an arithmetic operation");
  dispatch_all(type, [&](auto tag) {
    if constexpr (!std::is_same_v<typename decltype(tag)::type, bool>) f(tag);
  });
}

template <class F>
void dispatch_unary(UnaryOp op, F&& f) {
  switch (op) {
#define TENSORLIB_UNARY_OP(name) \
  case UnaryOp::name: return f(std::integral_constant<UnaryOp, UnaryOp::name>{});
#include "tensorlib/op_names.def"
  }
}

template <class F>
void dispatch_binary(BinaryOp op, F&& f) {
  switch (op) {
#define TENSORLIB_CASE(name) \
  case BinaryOp::name: return f(std::integral_constant<BinaryOp, BinaryOp::name>{});
    TENSORLIB_CASE(add)
    TENSORLIB_CASE(maximum)
    TENSORLIB_CASE(minimum)
    TENSORLIB_CASE(slope)
    TENSORLIB_CASE(sigmoid_gradient)
    TENSORLIB_CASE(tanh_gradient)
#define TENSORLIB_BINARY_OP(name) TENSORLIB_CASE(name)
#define TENSORLIB_COMPARE_OP(name) TENSORLIB_CASE(name)
#include "tensorlib/op_names.def"
#undef TENSORLIB_CASE
  }
}

template <class F>
void dispatch_reduce(ReduceOp op, F&& f) {
  switch (op) {
    case ReduceOp::sum: return f(std::integral_constant<ReduceOp, ReduceOp::sum>{});
    case ReduceOp::amax: return f(std::integral_constant<ReduceOp, ReduceOp::amax>{});
    case ReduceOp::amin: return f(std::integral_constant<ReduceOp, ReduceOp::amin>{});
  }
}

}  // namespace tensorlib
