// Element-wise kernels: one for plain arrays, whose cost is memory alone, and one for strided
// operands. CPU reference: backend/cpu/elementwise.cc.
#pragma once

#include "backend/dispatch.h"
#include "kernels/functors.h"
#include "kernels/launch.cuh"

namespace tensorlib::kernels {

template <UnaryOp op, class T>
__global__ void unary_flat(T* out, const T* in, int64_t n) {
  TENSORLIB_GRID_LOOP(i, n) {
    out[i] = static_cast<T>(apply<op, Compute<T>>(static_cast<Compute<T>>(in[i])));
  }
}

template <UnaryOp op, class T>
__global__ void unary_strided(T* out, const T* in, Geometry<2> g) {
  TENSORLIB_GRID_LOOP(i, g.numel) {
    int64_t at[2];
    offsets_of(g, i, at);
    out[at[0]] = static_cast<T>(apply<op, Compute<T>>(static_cast<Compute<T>>(in[at[1]])));
  }
}

// R is the result's type (bool of a comparison) and C the type that is computed in: parameters of
// their own, so that a kernel's name spells its arguments plainly.
template <BinaryOp op, class T, class R, class C>
__global__ void binary_flat(R* out, const T* a, const T* b, int64_t n, C alpha) {
  TENSORLIB_GRID_LOOP(i, n) {
    out[i] = static_cast<R>(apply<op, C>(static_cast<C>(a[i]), static_cast<C>(b[i]), alpha));
  }
}

// One side is the same number for every element.
template <BinaryOp op, class T, class R, class C>
__global__ void binary_number(R* out, const T* in, C number, bool number_first, int64_t n,
                              C alpha) {
  TENSORLIB_GRID_LOOP(i, n) {
    const C x = static_cast<C>(in[i]);
    out[i] = static_cast<R>(number_first ? apply<op, C>(number, x, alpha)
                                         : apply<op, C>(x, number, alpha));
  }
}

// Null for a or b: the number.
template <BinaryOp op, class T, class R, class C>
__global__ void binary_strided(R* out, const T* a, const T* b, C number, Geometry<3> g, C alpha) {
  TENSORLIB_GRID_LOOP(i, g.numel) {
    int64_t at[3];
    offsets_of(g, i, at);
    const C x = a != nullptr ? static_cast<C>(a[at[1]]) : number;
    const C y = b != nullptr ? static_cast<C>(b[at[2]]) : number;
    out[at[0]] = static_cast<R>(apply<op, C>(x, y, alpha));
  }
}

// chosen ? a : b; null for a or b: its number.
template <class T, class C>
__global__ void where(T* out, const bool* chosen, const T* a, const T* b, C a_number, C b_number,
                      Geometry<4> g) {
  TENSORLIB_GRID_LOOP(i, g.numel) {
    int64_t at[4];
    offsets_of(g, i, at);
    if (chosen[at[1]]) {
      out[at[0]] = a != nullptr ? a[at[2]] : static_cast<T>(a_number);
    } else {
      out[at[0]] = b != nullptr ? b[at[3]] : static_cast<T>(b_number);
    }
  }
}

}  // namespace tensorlib::kernels
