// The CPU as a Backend: plain loops over OpenMP threads, OpenBLAS for products, oneDNN for
// convolution. Stateless but for oneDNN's primitive cache; safe to use from several threads. What
// gains from wider vectors is in loops.h.
#pragma once

#include "backend/backend.h"

namespace tensorlib::cpu {

class CpuBackend : public Backend {
 public:
  void* allocate(size_t nbytes) override;
  void release(void* data, size_t nbytes) noexcept override;
  void synchronize() override {}

  void fill(ScalarType type, const Geometry<1>& geometry, void* out, Scalar value) override;
  void arange(ScalarType type, void* out, int64_t n, Scalar start, Scalar step) override;
  void random(ScalarType type, void* out, int64_t n, const RandomSpec& spec) override;
  void convert(const Geometry<2>& geometry, void* out, ScalarType to, const void* in,
               ScalarType from) override;
  void cumulative_sum(ScalarType type, Rows rows, void* out, const void* in) override;
  void gather(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
              const int64_t* index, const Caller& caller) override;
  void scatter_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                   const int64_t* index, const Caller& caller) override;
  void index_select(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                    const int64_t* index, const Caller& caller) override;
  void index_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                 const int64_t* index, const Caller& caller) override;
  void index_put(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                 const int64_t* index, const Caller& caller) override;
  void topk(ScalarType type, Rows rows, int64_t k, bool largest, void* values, int64_t* indices,
            const void* in) override;
  void gemm(ScalarType type, const GemmShape& shape, void* c, const void* a,
            const void* b) override;
  void conv2d(ScalarType type, const Conv2dShape& shape, void* out, const void* input,
              const Weight& weight, const void* bias) override;
  void conv2d_to_input(ScalarType type, const Conv2dShape& shape, void* image, const void* grad,
                       const Weight& weight) override;
  void conv2d_to_weight(ScalarType type, const Conv2dShape& shape, void* weight, const void* grad,
                        const void* input) override;
  void max_pool2d(ScalarType type, const Pool2dShape& shape, void* out, int64_t* places,
                  const void* input) override;
  void max_pool2d_gradient(ScalarType type, const Pool2dShape& shape, void* image, const void* grad,
                           const int64_t* places) override;
  void avg_pool2d(ScalarType type, const Pool2dShape& shape, bool count_padding, void* out,
                  const void* input) override;
  void adaptive_avg_pool2d(ScalarType type, const Pool2dShape& shape, void* out,
                           const void* input) override;
  void avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape, bool count_padding,
                           void* image, const void* grad) override;
  void adaptive_avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape, void* image,
                                    const void* grad) override;
};

}  // namespace tensorlib::cpu
