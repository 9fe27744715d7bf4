// One CUDA device as a Backend: its memory, its current stream, and the kernels of src/kernels
// launched on it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "backend/backend.h"
#include "backend/cuda/device_memory.h"
#include "backend/cuda/device_scope.h"
#include "backend/cuda/streams.h"

namespace tensorlib::cuda {

class Cublas;

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(int device);
  ~CudaBackend() override;

  void* allocate(size_t nbytes) override;
  void release(void* data, size_t nbytes) noexcept override;
  void synchronize() override;
  // Work in `stream` uses the block too: it is not given to others before that is done.
  void used_on(void* data, cudaStream_t stream) { memory_.used_on(data, stream); }
  cudaStream_t stream_from_pool(bool high_priority) { return pool_.next(device_, high_priority); }

  void fill(ScalarType type, const Geometry<1>& geometry, void* out, Scalar value) override;
  void arange(ScalarType type, void* out, int64_t n, Scalar start, Scalar step) override;
  void random(ScalarType type, void* out, int64_t n, const RandomSpec& spec) override;
  void convert(const Geometry<2>& geometry, void* out, ScalarType to, const void* in,
               ScalarType from) override;
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
  void cumulative_sum(ScalarType type, Rows rows, void* out, const void* in) override;
  void softmax(ScalarType type, Rows rows, void* out, const void* in, bool log) override;
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
  void batch_stats(ScalarType type, const BatchNormShape& shape, void* mean, void* variance,
                   const void* input) override;
  void batch_norm(ScalarType type, const BatchNormShape& shape, void* out, const void* input,
                  const BatchNormStats& stats) override;
  void batch_norm_gradient(ScalarType type, const BatchNormShape& shape, bool training,
                           const BatchNormGradient& out, const void* grad, const void* input,
                           const BatchNormStats& stats) override;

 private:
  cudaStream_t stream() const { return current_stream(device_); }
  // index.cu
  template <Places places>
  void launch_gather(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                     const int64_t* index, const Caller& caller);
  template <Places places>
  void launch_scatter_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                          const int64_t* index, const Caller& caller);

  const int device_;
  DeviceMemory memory_;
  StreamPool pool_;
  std::unique_ptr<Cublas> cublas_;  // made at the first product
};

}  // namespace tensorlib::cuda
