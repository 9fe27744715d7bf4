// Operations as free functions and operators. Each takes its operands on one device; an operand of
// another one is a DeviceMismatchError, except that a CPU tensor of no dimensions mixes as a number
// does.
#pragma once

#include <string_view>

#include "tensorlib/tensor.h"

namespace tensorlib {

#define TENSORLIB_UNARY_OP(name)                                                               \
  TENSORLIB_PURE inline Tensor name(const Tensor& self, CallSite site = CallSite::current()) { \
    return self.name(site);                                                                    \
  }
#define TENSORLIB_BINARY_OP(name)                                            \
  TENSORLIB_PURE inline Tensor name(const Tensor& self, const Tensor& other, \
                                    CallSite site = CallSite::current()) {   \
    return self.name(other, site);                                           \
  }                                                                          \
  TENSORLIB_PURE inline Tensor name(const Tensor& self, Scalar other,        \
                                    CallSite site = CallSite::current()) {   \
    return self.name(other, site);                                           \
  }
#define TENSORLIB_COMPARE_OP(name) TENSORLIB_BINARY_OP(name)
#include "tensorlib/op_names.def"

#define TENSORLIB_FORWARD(result, name, parameters, arguments) \
  TENSORLIB_PURE inline result name parameters { return self.name arguments; }
#define TENSORLIB_SITE CallSite site = CallSite::current()
TENSORLIB_FORWARD(Tensor, add,
                  (const Tensor& self, const Tensor& other, Scalar alpha = 1, TENSORLIB_SITE),
                  (other, alpha, site))
TENSORLIB_FORWARD(Tensor, add, (const Tensor& self, Scalar other, Scalar alpha = 1, TENSORLIB_SITE),
                  (other, alpha, site))
TENSORLIB_FORWARD(Tensor, sub,
                  (const Tensor& self, const Tensor& other, Scalar alpha = 1, TENSORLIB_SITE),
                  (other, alpha, site))
TENSORLIB_FORWARD(Tensor, sub, (const Tensor& self, Scalar other, Scalar alpha = 1, TENSORLIB_SITE),
                  (other, alpha, site))
TENSORLIB_FORWARD(Tensor, clamp,
                  (const Tensor& self, std::optional<Scalar> min,
                   std::optional<Scalar> max = std::nullopt, TENSORLIB_SITE),
                  (min, max, site))
TENSORLIB_FORWARD(Tensor, sum, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, sum,
                  (const Tensor& self, IntArrayRef dims, bool keepdim = false, TENSORLIB_SITE),
                  (dims, keepdim, site))
TENSORLIB_FORWARD(Tensor, mean, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, mean,
                  (const Tensor& self, IntArrayRef dims, bool keepdim = false, TENSORLIB_SITE),
                  (dims, keepdim, site))
TENSORLIB_FORWARD(Tensor, norm, (const Tensor& self, Scalar p = 2, TENSORLIB_SITE), (p, site))
TENSORLIB_FORWARD(Tensor, norm,
                  (const Tensor& self, std::optional<Scalar> p, IntArrayRef dims,
                   bool keepdim = false, TENSORLIB_SITE),
                  (p, dims, keepdim, site))
TENSORLIB_FORWARD(Tensor, all, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, any, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, max, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, min, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, amax,
                  (const Tensor& self, IntArrayRef dims, bool keepdim = false, TENSORLIB_SITE),
                  (dims, keepdim, site))
TENSORLIB_FORWARD(Tensor, amin,
                  (const Tensor& self, IntArrayRef dims, bool keepdim = false, TENSORLIB_SITE),
                  (dims, keepdim, site))
using TensorPair = std::tuple<Tensor, Tensor>;
TENSORLIB_FORWARD(TensorPair, max,
                  (const Tensor& self, int64_t dim, bool keepdim = false, TENSORLIB_SITE),
                  (dim, keepdim, site))
TENSORLIB_FORWARD(TensorPair, min,
                  (const Tensor& self, int64_t dim, bool keepdim = false, TENSORLIB_SITE),
                  (dim, keepdim, site))
TENSORLIB_FORWARD(Tensor, argmax,
                  (const Tensor& self, std::optional<int64_t> dim = std::nullopt,
                   bool keepdim = false, TENSORLIB_SITE),
                  (dim, keepdim, site))
TENSORLIB_FORWARD(Tensor, argmin,
                  (const Tensor& self, std::optional<int64_t> dim = std::nullopt,
                   bool keepdim = false, TENSORLIB_SITE),
                  (dim, keepdim, site))
TENSORLIB_FORWARD(TensorPair, topk,
                  (const Tensor& self, int64_t k, int64_t dim = -1, bool largest = true,
                   bool sorted = true, TENSORLIB_SITE),
                  (k, dim, largest, sorted, site))
TENSORLIB_FORWARD(Tensor, gather,
                  (const Tensor& self, int64_t dim, const Tensor& index, TENSORLIB_SITE),
                  (dim, index, site))
TENSORLIB_FORWARD(Tensor, scatter,
                  (const Tensor& self, int64_t dim, const Tensor& index, Scalar value,
                   TENSORLIB_SITE),
                  (dim, index, value, site))
TENSORLIB_FORWARD(Tensor, masked_select, (const Tensor& self, const Tensor& mask, TENSORLIB_SITE),
                  (mask, site))
TENSORLIB_FORWARD(Tensor, bernoulli, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, multinomial,
                  (const Tensor& self, int64_t num_samples, bool replacement = false,
                   TENSORLIB_SITE),
                  (num_samples, replacement, site))
TENSORLIB_FORWARD(Tensor, roll,
                  (const Tensor& self, IntArrayRef shifts, IntArrayRef dims = {}, TENSORLIB_SITE),
                  (shifts, dims, site))
TENSORLIB_FORWARD(Tensor, diag, (const Tensor& self, int64_t diagonal = 0, TENSORLIB_SITE),
                  (diagonal, site))
TENSORLIB_FORWARD(Tensor, prod,
                  (const Tensor& self, std::optional<ScalarType> dtype = std::nullopt,
                   TENSORLIB_SITE),
                  (dtype, site))
TENSORLIB_FORWARD(Tensor, prod,
                  (const Tensor& self, int64_t dim, bool keepdim = false,
                   std::optional<ScalarType> dtype = std::nullopt, TENSORLIB_SITE),
                  (dim, keepdim, dtype, site))
TENSORLIB_FORWARD(Tensor, flip, (const Tensor& self, IntArrayRef dims, TENSORLIB_SITE),
                  (dims, site))
TENSORLIB_FORWARD(Tensor, index_select,
                  (const Tensor& self, int64_t dim, const Tensor& index, TENSORLIB_SITE),
                  (dim, index, site))
TENSORLIB_FORWARD(std::vector<Tensor>, split,
                  (const Tensor& self, int64_t split_size, int64_t dim = 0, TENSORLIB_SITE),
                  (split_size, dim, site))
TENSORLIB_FORWARD(std::vector<Tensor>, split,
                  (const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0, TENSORLIB_SITE),
                  (split_sizes, dim, site))
TENSORLIB_FORWARD(std::vector<Tensor>, split_with_sizes,
                  (const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0, TENSORLIB_SITE),
                  (split_sizes, dim, site))
TENSORLIB_FORWARD(std::vector<Tensor>, chunk,
                  (const Tensor& self, int64_t chunks, int64_t dim = 0, TENSORLIB_SITE),
                  (chunks, dim, site))
TENSORLIB_FORWARD(std::vector<Tensor>, unbind,
                  (const Tensor& self, int64_t dim = 0, TENSORLIB_SITE), (dim, site))
TENSORLIB_FORWARD(bool, equal, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(bool, allclose,
                  (const Tensor& self, const Tensor& other, double rtol = 1e-5, double atol = 1e-8,
                   TENSORLIB_SITE),
                  (other, rtol, atol, site))
TENSORLIB_FORWARD(Tensor, logsumexp,
                  (const Tensor& self, IntArrayRef dims, bool keepdim = false, TENSORLIB_SITE),
                  (dims, keepdim, site))
TENSORLIB_FORWARD(Tensor, softmax, (const Tensor& self, int64_t dim, TENSORLIB_SITE), (dim, site))
TENSORLIB_FORWARD(Tensor, log_softmax, (const Tensor& self, int64_t dim, TENSORLIB_SITE),
                  (dim, site))
TENSORLIB_FORWARD(Tensor, var, (const Tensor& self, bool unbiased = true, TENSORLIB_SITE),
                  (unbiased, site))
TENSORLIB_FORWARD(Tensor, var, (const Tensor& self, int dim, TENSORLIB_SITE), (dim, site))
TENSORLIB_FORWARD(Tensor, var,
                  (const Tensor& self, IntArrayRef dims, bool unbiased = true, bool keepdim = false,
                   TENSORLIB_SITE),
                  (dims, unbiased, keepdim, site))
TENSORLIB_FORWARD(Tensor, std, (const Tensor& self, bool unbiased = true, TENSORLIB_SITE),
                  (unbiased, site))
TENSORLIB_FORWARD(Tensor, std, (const Tensor& self, int dim, TENSORLIB_SITE), (dim, site))
TENSORLIB_FORWARD(Tensor, std,
                  (const Tensor& self, IntArrayRef dims, bool unbiased = true, bool keepdim = false,
                   TENSORLIB_SITE),
                  (dims, unbiased, keepdim, site))
TENSORLIB_FORWARD(Tensor, cumsum,
                  (const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt,
                   TENSORLIB_SITE),
                  (dim, dtype, site))
TENSORLIB_FORWARD(TensorPair, sort,
                  (const Tensor& self, int64_t dim = -1, bool descending = false, TENSORLIB_SITE),
                  (dim, descending, site))
TENSORLIB_FORWARD(Tensor, argsort,
                  (const Tensor& self, int64_t dim = -1, bool descending = false, TENSORLIB_SITE),
                  (dim, descending, site))
TENSORLIB_FORWARD(Tensor, nonzero, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, isnan, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, logical_not, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, bitwise_not, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, logical_and, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(Tensor, logical_or, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(Tensor, logical_xor, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(Tensor, masked_fill,
                  (const Tensor& self, const Tensor& mask, Scalar value, TENSORLIB_SITE),
                  (mask, value, site))
TENSORLIB_FORWARD(Tensor, masked_fill,
                  (const Tensor& self, const Tensor& mask, const Tensor& value, TENSORLIB_SITE),
                  (mask, value, site))
TENSORLIB_FORWARD(Tensor, tril, (const Tensor& self, int64_t diagonal = 0, TENSORLIB_SITE),
                  (diagonal, site))
TENSORLIB_FORWARD(Tensor, triu, (const Tensor& self, int64_t diagonal = 0, TENSORLIB_SITE),
                  (diagonal, site))
TENSORLIB_FORWARD(Tensor, matmul, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(Tensor, mm, (const Tensor& self, const Tensor& mat2, TENSORLIB_SITE),
                  (mat2, site))
TENSORLIB_FORWARD(Tensor, bmm, (const Tensor& self, const Tensor& mat2, TENSORLIB_SITE),
                  (mat2, site))
TENSORLIB_FORWARD(Tensor, mv, (const Tensor& self, const Tensor& vec, TENSORLIB_SITE), (vec, site))
TENSORLIB_FORWARD(Tensor, dot, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(Tensor, outer, (const Tensor& self, const Tensor& vec2, TENSORLIB_SITE),
                  (vec2, site))
TENSORLIB_FORWARD(Tensor, addmm,
                  (const Tensor& self, const Tensor& mat1, const Tensor& mat2, Scalar beta = 1,
                   Scalar alpha = 1, TENSORLIB_SITE),
                  (mat1, mat2, beta, alpha, site))
TENSORLIB_FORWARD(Tensor, flatten,
                  (const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1, TENSORLIB_SITE),
                  (start_dim, end_dim, site))
TENSORLIB_FORWARD(Tensor, reshape, (const Tensor& self, IntArrayRef sizes, TENSORLIB_SITE),
                  (sizes, site))
TENSORLIB_FORWARD(Tensor, transpose,
                  (const Tensor& self, int64_t dim0, int64_t dim1, TENSORLIB_SITE),
                  (dim0, dim1, site))
TENSORLIB_FORWARD(Tensor, unsqueeze, (const Tensor& self, int64_t dim, TENSORLIB_SITE), (dim, site))
TENSORLIB_FORWARD(Tensor, squeeze, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, isinf, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, isfinite, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, median, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, trace, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, max, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(Tensor, min, (const Tensor& self, const Tensor& other, TENSORLIB_SITE),
                  (other, site))
TENSORLIB_FORWARD(TensorPair, median,
                  (const Tensor& self, int64_t dim, bool keepdim = false, TENSORLIB_SITE),
                  (dim, keepdim, site))
TENSORLIB_FORWARD(Tensor, clamp,
                  (const Tensor& self, const std::optional<Tensor>& min,
                   const std::optional<Tensor>& max = std::nullopt, TENSORLIB_SITE),
                  (min, max, site))
TENSORLIB_FORWARD(Tensor, clamp_min, (const Tensor& self, Scalar min, TENSORLIB_SITE), (min, site))
TENSORLIB_FORWARD(Tensor, clamp_max, (const Tensor& self, Scalar max, TENSORLIB_SITE), (max, site))
TENSORLIB_FORWARD(Tensor, addcmul,
                  (const Tensor& self, const Tensor& tensor1, const Tensor& tensor2,
                   Scalar value = 1, TENSORLIB_SITE),
                  (tensor1, tensor2, value, site))
TENSORLIB_FORWARD(Tensor, addcdiv,
                  (const Tensor& self, const Tensor& tensor1, const Tensor& tensor2,
                   Scalar value = 1, TENSORLIB_SITE),
                  (tensor1, tensor2, value, site))
TENSORLIB_FORWARD(Tensor, lerp,
                  (const Tensor& self, const Tensor& end, Scalar weight, TENSORLIB_SITE),
                  (end, weight, site))
TENSORLIB_FORWARD(Tensor, lerp,
                  (const Tensor& self, const Tensor& end, const Tensor& weight, TENSORLIB_SITE),
                  (end, weight, site))
TENSORLIB_FORWARD(Tensor, nan_to_num,
                  (const Tensor& self, std::optional<double> nan = std::nullopt,
                   std::optional<double> posinf = std::nullopt,
                   std::optional<double> neginf = std::nullopt, TENSORLIB_SITE),
                  (nan, posinf, neginf, site))
TENSORLIB_FORWARD(Tensor, cumprod,
                  (const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt,
                   TENSORLIB_SITE),
                  (dim, dtype, site))
TENSORLIB_FORWARD(Tensor, sum, (const Tensor& self, ScalarType dtype, TENSORLIB_SITE),
                  (dtype, site))
TENSORLIB_FORWARD(Tensor, mean, (const Tensor& self, ScalarType dtype, TENSORLIB_SITE),
                  (dtype, site))
TENSORLIB_FORWARD(Tensor, sum,
                  (const Tensor& self, IntArrayRef dims, bool keepdim, ScalarType dtype,
                   TENSORLIB_SITE),
                  (dims, keepdim, dtype, site))
TENSORLIB_FORWARD(Tensor, mean,
                  (const Tensor& self, IntArrayRef dims, bool keepdim, ScalarType dtype,
                   TENSORLIB_SITE),
                  (dims, keepdim, dtype, site))
TENSORLIB_FORWARD(Tensor, softmax,
                  (const Tensor& self, int64_t dim, std::optional<ScalarType> dtype,
                   TENSORLIB_SITE),
                  (dim, dtype, site))
TENSORLIB_FORWARD(Tensor, log_softmax,
                  (const Tensor& self, int64_t dim, std::optional<ScalarType> dtype,
                   TENSORLIB_SITE),
                  (dim, dtype, site))
TENSORLIB_FORWARD(Tensor, scatter,
                  (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                   TENSORLIB_SITE),
                  (dim, index, src, site))
TENSORLIB_FORWARD(Tensor, scatter_add,
                  (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                   TENSORLIB_SITE),
                  (dim, index, src, site))
TENSORLIB_FORWARD(Tensor, index_add,
                  (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                   Scalar alpha = 1, TENSORLIB_SITE),
                  (dim, index, source, alpha, site))
TENSORLIB_FORWARD(Tensor, index_copy,
                  (const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                   TENSORLIB_SITE),
                  (dim, index, source, site))
TENSORLIB_FORWARD(Tensor, index_fill,
                  (const Tensor& self, int64_t dim, const Tensor& index, Scalar value,
                   TENSORLIB_SITE),
                  (dim, index, value, site))
TENSORLIB_FORWARD(Tensor, take, (const Tensor& self, const Tensor& index, TENSORLIB_SITE),
                  (index, site))
TENSORLIB_FORWARD(Tensor, repeat_interleave,
                  (const Tensor& self, int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                   TENSORLIB_SITE),
                  (repeats, dim, site))
TENSORLIB_FORWARD(Tensor, repeat_interleave,
                  (const Tensor& self, const Tensor& repeats,
                   std::optional<int64_t> dim = std::nullopt, TENSORLIB_SITE),
                  (repeats, dim, site))
TENSORLIB_FORWARD(Tensor, diagonal,
                  (const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1,
                   TENSORLIB_SITE),
                  (offset, dim1, dim2, site))
TENSORLIB_FORWARD(Tensor, movedim,
                  (const Tensor& self, int64_t source, int64_t destination, TENSORLIB_SITE),
                  (source, destination, site))
TENSORLIB_FORWARD(Tensor, swapaxes,
                  (const Tensor& self, int64_t dim0, int64_t dim1, TENSORLIB_SITE),
                  (dim0, dim1, site))
TENSORLIB_FORWARD(Tensor, squeeze, (const Tensor& self, int64_t dim, TENSORLIB_SITE), (dim, site))
TENSORLIB_FORWARD(Tensor, permute, (const Tensor& self, IntArrayRef dims, TENSORLIB_SITE),
                  (dims, site))
TENSORLIB_FORWARD(Tensor, narrow,
                  (const Tensor& self, int64_t dim, int64_t start, int64_t length, TENSORLIB_SITE),
                  (dim, start, length, site))
TENSORLIB_FORWARD(Tensor, select, (const Tensor& self, int64_t dim, int64_t index, TENSORLIB_SITE),
                  (dim, index, site))
TENSORLIB_FORWARD(Tensor, t, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, clone, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, detach, (const Tensor& self, TENSORLIB_SITE), (site))
TENSORLIB_FORWARD(Tensor, clip,
                  (const Tensor& self, std::optional<Scalar> min,
                   std::optional<Scalar> max = std::nullopt, TENSORLIB_SITE),
                  (min, max, site))
TENSORLIB_FORWARD(int64_t, numel, (const Tensor& self), ())
#undef TENSORLIB_FORWARD
#undef TENSORLIB_SITE

// Element-wise larger and smaller of two tensors.
TENSORLIB_PURE TENSORLIB_API Tensor maximum(const Tensor& self, const Tensor& other,
                                            CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor minimum(const Tensor& self, const Tensor& other,
                                            CallSite site = CallSite::current());
// condition ? self : other; the condition is a bool tensor, and all broadcast. Of a condition
// alone: the indices of its truths, one tensor for each dimension.
TENSORLIB_PURE TENSORLIB_API Tensor where(const Tensor& condition, const Tensor& self,
                                          const Tensor& other, CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor where(const Tensor& condition, const Tensor& self, Scalar other,
                                          CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor where(const Tensor& condition, Scalar self, const Tensor& other,
                                          CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor where(const Tensor& condition, Scalar self, Scalar other,
                                          CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API std::vector<Tensor> where(const Tensor& condition,
                                                       CallSite site = CallSite::current());
// int64 classes of any shape as int64 rows of zeros with a 1 at the class; as many classes as the
// largest needs where num_classes is -1, which waits for a device.
TENSORLIB_PURE TENSORLIB_API Tensor one_hot(const Tensor& self, int64_t num_classes = -1,
                                            CallSite site = CallSite::current());
// The sum of products that `equation` tells: a letter for each dimension of each operand, "->" and
// those of the result, over the others being summed: "bij,bjk->bik". Without "->" the result has
// the letters that stand once, in order. "..." is the dimensions that are not named, a letter that
// an operand has twice its diagonal. Operands are multiplied from left to right.
TENSORLIB_PURE TENSORLIB_API Tensor einsum(std::string_view equation, ArrayRef<Tensor> tensors,
                                           CallSite site = CallSite::current());
// Joined along an existing dimension, and along a new one.
TENSORLIB_PURE TENSORLIB_API Tensor cat(ArrayRef<Tensor> tensors, int64_t dim = 0,
                                        CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor stack(ArrayRef<Tensor> tensors, int64_t dim = 0,
                                          CallSite site = CallSite::current());
// cat by its other name.
TENSORLIB_PURE TENSORLIB_API Tensor concat(ArrayRef<Tensor> tensors, int64_t dim = 0,
                                           CallSite site = CallSite::current());
// The coordinates of a grid's points, one tensor for each vector, of all vectors' sizes ("ij");
// with "xy" the first two dimensions change places.
TENSORLIB_PURE TENSORLIB_API std::vector<Tensor> meshgrid(ArrayRef<Tensor> tensors,
                                                          std::string_view indexing = "ij",
                                                          CallSite site = CallSite::current());
// A number to the power of each element.
TENSORLIB_PURE TENSORLIB_API Tensor pow(Scalar self, const Tensor& exponent,
                                        CallSite site = CallSite::current());
// input . weight^T + bias
TENSORLIB_PURE TENSORLIB_API Tensor linear(const Tensor& input, const Tensor& weight,
                                           const Tensor& bias = {},
                                           CallSite site = CallSite::current());
// The rows of weight [rows, features] that `indices` (int32 or int64, of any shape) name:
// [..., features]. The row padding_idx gets no gradient; a negative one is none. IndexError for a
// row that is not there. scale_grad_by_freq and sparse are LibTorch's, and an Error here.
TENSORLIB_PURE TENSORLIB_API Tensor embedding(const Tensor& weight, const Tensor& indices,
                                              int64_t padding_idx = -1,
                                              bool scale_grad_by_freq = false, bool sparse = false,
                                              CallSite site = CallSite::current());
// Convolution of [N, C, L] (or [C, L]) with weight [out, C / groups, k]; in places of the input.
TENSORLIB_PURE TENSORLIB_API Tensor conv1d(const Tensor& input, const Tensor& weight,
                                           const Tensor& bias = {}, IntArrayRef stride = 1,
                                           IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                           int64_t groups = 1, CallSite site = CallSite::current());
// Convolution of [N, C, H, W] (or [C, H, W]) with weight [out, C / groups, kh, kw].
TENSORLIB_PURE TENSORLIB_API Tensor conv2d(const Tensor& input, const Tensor& weight,
                                           const Tensor& bias = {}, IntArrayRef stride = 1,
                                           IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                           int64_t groups = 1, CallSite site = CallSite::current());
// The transposed of conv2d: [N, C, H, W] by a weight [C, out / groups, kh, kw].
TENSORLIB_PURE TENSORLIB_API Tensor
conv_transpose2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {},
                 IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                 int64_t groups = 1, IntArrayRef dilation = 1, CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size,
                                               IntArrayRef stride = {}, IntArrayRef padding = 0,
                                               IntArrayRef dilation = 1, bool ceil_mode = false,
                                               CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size,
                                               IntArrayRef stride = {}, IntArrayRef padding = 0,
                                               bool ceil_mode = false,
                                               bool count_include_pad = true,
                                               CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor adaptive_avg_pool2d(const Tensor& input,
                                                        IntArrayRef output_size,
                                                        CallSite site = CallSite::current());
// Per-channel normalisation of [N, C, ...]. In training it uses the batch's mean and variance, and
// moves the running ones (where given) by `momentum`; otherwise it uses the running ones.
TENSORLIB_PURE TENSORLIB_API Tensor batch_norm(const Tensor& input, const Tensor& weight,
                                               const Tensor& bias, const Tensor& running_mean,
                                               const Tensor& running_var, bool training,
                                               double momentum, double eps,
                                               CallSite site = CallSite::current());
// (x - mean) / sqrt(variance + eps) * weight + bias over the last dimensions, which must be
// `normalized_shape`; weight and bias (either may be undefined) are of that shape.
TENSORLIB_PURE TENSORLIB_API Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                                               const Tensor& weight = {}, const Tensor& bias = {},
                                               double eps = 1e-5, bool cudnn_enable = true,
                                               CallSite site = CallSite::current());
// Zeroes each element with probability p and scales the rest by 1 / (1 - p), in training.
TENSORLIB_PURE TENSORLIB_API Tensor dropout(const Tensor& input, double p, bool train,
                                            CallSite site = CallSite::current());

// The same for whole channels of [N, C, ...].
TENSORLIB_PURE TENSORLIB_API Tensor feature_dropout(const Tensor& input, double p, bool train,
                                                    CallSite site = CallSite::current());
// x > 0 ? x : negative_slope * x
TENSORLIB_PURE TENSORLIB_API Tensor leaky_relu(const Tensor& self, Scalar negative_slope = 0.01,
                                               CallSite site = CallSite::current());

// x * (1 + erf(x / sqrt(2))) / 2, and x * sigmoid(x)
TENSORLIB_PURE TENSORLIB_API Tensor gelu(const Tensor& self, CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor silu(const Tensor& self, CallSite site = CallSite::current());

#define TENSORLIB_OPERATOR(symbol, name)                                                \
  TENSORLIB_PURE inline Tensor operator symbol(const Operand& lhs, const Tensor& rhs) { \
    return lhs.tensor.name(rhs, TENSORLIB_ALPHA lhs.site);                              \
  }                                                                                     \
  TENSORLIB_PURE inline Tensor operator symbol(const Operand& lhs, Scalar rhs) {        \
    return lhs.tensor.name(rhs, TENSORLIB_ALPHA lhs.site);                              \
  }
#define TENSORLIB_ALPHA 1,
TENSORLIB_OPERATOR(+, add)
TENSORLIB_OPERATOR(-, sub)
#undef TENSORLIB_ALPHA
#define TENSORLIB_ALPHA
TENSORLIB_OPERATOR(*, mul)
TENSORLIB_OPERATOR(/, div)
TENSORLIB_OPERATOR(%, remainder)
TENSORLIB_OPERATOR(&, bitwise_and)
TENSORLIB_OPERATOR(|, bitwise_or)
TENSORLIB_OPERATOR(^, bitwise_xor)
TENSORLIB_OPERATOR(==, eq)
TENSORLIB_OPERATOR(!=, ne)
TENSORLIB_OPERATOR(<, lt)
TENSORLIB_OPERATOR(<=, le)
TENSORLIB_OPERATOR(>, gt)
TENSORLIB_OPERATOR(>=, ge)
#undef TENSORLIB_ALPHA
#undef TENSORLIB_OPERATOR
TENSORLIB_PURE inline Tensor operator+(Scalar lhs, const Operand& rhs) {
  return rhs.tensor.add(lhs, 1, rhs.site);
}
TENSORLIB_PURE inline Tensor operator*(Scalar lhs, const Operand& rhs) {
  return rhs.tensor.mul(lhs, rhs.site);
}
TENSORLIB_PURE inline Tensor operator-(Scalar lhs, const Operand& rhs) {
  return rhs.tensor.neg(rhs.site).add(lhs, 1, rhs.site);
}
TENSORLIB_PURE inline Tensor operator/(Scalar lhs, const Operand& rhs) {
  return rhs.tensor.reciprocal(rhs.site).mul(lhs, rhs.site);
}

}  // namespace tensorlib
