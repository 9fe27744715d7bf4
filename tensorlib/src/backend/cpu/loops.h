// The part of the CPU backend that is loops of arithmetic. Its files are compiled once for each
// TENSORLIB_CPU_LEVEL: a namespace, named after the instructions that it may use. The machine's
// best is taken when the library is first used. Levels compute the same numbers (no contraction),
// but for exp() and its kin, whose vector versions may differ in the last places.
#pragma once

#include "backend/cpu/cpu_backend.h"

#ifndef TENSORLIB_CPU_LEVEL
#error "see tensorlib/CMakeLists.txt: a file of loops is compiled for a level"
#endif

namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL {

class Loops final : public CpuBackend {
 public:
  void unary(UnaryOp op, ScalarType type, const Geometry<2>& geometry, void* out,
             const void* in) override;
  void binary(BinaryOp op, ScalarType type, const Geometry<3>& geometry, void* out, Input a,
              Input b, Scalar alpha) override;
  void reduce(ReduceOp op, ScalarType type, Rows rows, void* out, const void* in,
              double scale) override;
  void arg_reduce(ReduceOp op, ScalarType type, Rows rows, void* values, int64_t* indices,
                  const void* in) override;
  void where(ScalarType type, const Geometry<4>& geometry, void* out, const bool* chosen, Input a,
             Input b) override;
  void softmax(ScalarType type, Rows rows, void* out, const void* in, bool log) override;
  void batch_stats(ScalarType type, const BatchNormShape& shape, void* mean, void* variance,
                   const void* input) override;
  void batch_norm(ScalarType type, const BatchNormShape& shape, void* out, const void* input,
                  const BatchNormStats& stats) override;
  void batch_norm_gradient(ScalarType type, const BatchNormShape& shape, bool training,
                           const BatchNormGradient& out, const void* grad, const void* input,
                           const BatchNormStats& stats) override;
};

}  // namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL
