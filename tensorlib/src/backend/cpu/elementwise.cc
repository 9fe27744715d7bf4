// Element-wise kernels of one and two operands. A run of elements with unit strides is a loop that
// the compiler turns into vector code; a repeated operand is read once.
#include "backend/cpu/loops.h"
#include "backend/cpu/parallel.h"
#include "backend/cpu/vector_math.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"

namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL {

namespace {

using kernels::Compute;

template <UnaryOp op, class T>
void unary_run(T* out, int64_t so, const T* in, int64_t si, int64_t n) {
  using C = Compute<T>;
  if (so == 1 && si == 1) {
    for (int64_t i = 0; i < n; ++i) {
      out[i] = static_cast<T>(kernels::apply<op, C>(static_cast<C>(in[i])));
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      out[i * so] = static_cast<T>(kernels::apply<op, C>(static_cast<C>(in[i * si])));
    }
  }
}

template <BinaryOp op, class T, class R>
void binary_run(R* out, int64_t so, const T* a, int64_t sa, const T* b, int64_t sb, int64_t n,
                Compute<T> alpha) {
  using C = Compute<T>;
  const auto one = [alpha](C x, C y) { return static_cast<R>(kernels::apply<op, C>(x, y, alpha)); };
  if (so == 1 && sa == 1 && sb == 1) {
    for (int64_t i = 0; i < n; ++i) out[i] = one(static_cast<C>(a[i]), static_cast<C>(b[i]));
  } else if (so == 1 && sa == 1 && sb == 0) {
    const C y = static_cast<C>(*b);
    for (int64_t i = 0; i < n; ++i) out[i] = one(static_cast<C>(a[i]), y);
  } else if (so == 1 && sa == 0 && sb == 1) {
    const C x = static_cast<C>(*a);
    for (int64_t i = 0; i < n; ++i) out[i] = one(x, static_cast<C>(b[i]));
  } else {
    for (int64_t i = 0; i < n; ++i) {
      out[i * so] = one(static_cast<C>(a[i * sa]), static_cast<C>(b[i * sb]));
    }
  }
}

template <BinaryOp op, class T>
void binary_loop(Geometry<3> geometry, void* out, const Input& a, const Input& b, Scalar alpha) {
  using C = Compute<T>;
  using R = std::conditional_t<is_comparison(op), bool, T>;
  // A number is an operand whose every stride is 0.
  const T numbers[2] = {a.number.to<T>(), b.number.to<T>()};
  const Input* inputs[2] = {&a, &b};
  const T* data[2];
  for (int k = 0; k < 2; ++k) {
    data[k] = inputs[k]->data != nullptr ? static_cast<const T*>(inputs[k]->data) : &numbers[k];
    if (inputs[k]->data == nullptr) {
      for (int64_t& stride : geometry.strides[k + 1]) stride = 0;
    }
  }
  R* const result = static_cast<R*>(out);
  const C factor = alpha.to<C>();
  for_each_run(geometry, [&](const int64_t* offsets, int64_t n) {
    binary_run<op, T, R>(result + offsets[0], inner_stride(geometry, 0), data[0] + offsets[1],
                         inner_stride(geometry, 1), data[1] + offsets[2], inner_stride(geometry, 2),
                         n, factor);
  });
}

}  // namespace

void Loops::unary(UnaryOp op, ScalarType type, const Geometry<2>& geometry, void* out,
                  const void* in) {
  dispatch_unary(op, [&](auto constant) {
    constexpr UnaryOp kOp = decltype(constant)::value;
    const auto run = [&](auto tag) {
      using T = typename decltype(tag)::type;
      for_each_run(geometry, [&](const int64_t* offsets, int64_t n) {
        unary_run<kOp, T>(static_cast<T*>(out) + offsets[0], inner_stride(geometry, 0),
                          static_cast<const T*>(in) + offsets[1], inner_stride(geometry, 1), n);
      });
    };
    if constexpr (kernels::takes_integers(kOp)) {
      dispatch_numbers(type, run);
    } else {
      dispatch_floating(type, run);
    }
  });
}

void Loops::binary(BinaryOp op, ScalarType type, const Geometry<3>& geometry, void* out, Input a,
                   Input b, Scalar alpha) {
  dispatch_binary(op, [&](auto constant) {
    constexpr BinaryOp kOp = decltype(constant)::value;
    const auto run = [&](auto tag) {
      binary_loop<kOp, typename decltype(tag)::type>(geometry, out, a, b, alpha);
    };
    if constexpr (is_floating_only(kOp)) {
      dispatch_floating(type, run);
    } else if constexpr (is_integer_only(kOp)) {
      dispatch_integers(type, run);
    } else {
      dispatch_all(type, run);
    }
  });
}

void Loops::where(ScalarType type, const Geometry<4>& geometry, void* out, const bool* chosen,
                  Input a, Input b) {
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    Geometry<4> g = geometry;
    // A number is an operand whose every stride is 0.
    const T numbers[2] = {a.number.to<T>(), b.number.to<T>()};
    const T* data[2] = {static_cast<const T*>(a.data), static_cast<const T*>(b.data)};
    for (int k = 0; k < 2; ++k) {
      if (data[k] != nullptr) continue;
      data[k] = &numbers[k];
      for (int64_t& stride : g.strides[k + 2]) stride = 0;
    }
    for_each_run(g, [&](const int64_t* offsets, int64_t n) {
      T* to = static_cast<T*>(out) + offsets[0];
      const bool* take = chosen + offsets[1];
      const T *x = data[0] + offsets[2], *y = data[1] + offsets[3];
      const int64_t so = inner_stride(g, 0), sc = inner_stride(g, 1);
      const int64_t sx = inner_stride(g, 2), sy = inner_stride(g, 3);
      for (int64_t i = 0; i < n; ++i) to[i * so] = take[i * sc] ? x[i * sx] : y[i * sy];
    });
  });
}

}  // namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL
