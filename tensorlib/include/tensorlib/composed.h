// Functions that are made of other operations, and have their gradients from these: activations,
// normalisations, windows, and what joins or draws tensors.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

using TensorList = ArrayRef<Tensor>;

// scale * x above 0, scale * alpha * (exp(x * input_scale) - 1) below; selu: with the constants
// that keep a mean of 0 and a variance of 1.
TENSORLIB_PURE TENSORLIB_API Tensor elu(const Tensor& self, Scalar alpha = 1, Scalar scale = 1,
                                        Scalar input_scale = 1,
                                        CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor selu(const Tensor& self, CallSite site = CallSite::current());
// log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold.
TENSORLIB_PURE TENSORLIB_API Tensor softplus(const Tensor& self, Scalar beta = 1,
                                             Scalar threshold = 20,
                                             CallSite site = CallSite::current());
// Between the two; no gradient at them or beyond.
TENSORLIB_PURE TENSORLIB_API Tensor hardtanh(const Tensor& self, Scalar min_val = -1,
                                             Scalar max_val = 1,
                                             CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor relu6(const Tensor& self, CallSite site = CallSite::current());
// x above 0, weight * x below: one weight, or one for each channel.
TENSORLIB_PURE TENSORLIB_API Tensor prelu(const Tensor& self, const Tensor& weight,
                                          CallSite site = CallSite::current());
// log(sigmoid(x)), x * tanh(softplus(x)), and the first half times the sigmoid of the second.
TENSORLIB_PURE TENSORLIB_API Tensor log_sigmoid(const Tensor& self,
                                                CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor mish(const Tensor& self, CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor glu(const Tensor& self, int64_t dim = -1,
                                        CallSite site = CallSite::current());
// "none", or "tanh" for x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))).
TENSORLIB_PURE TENSORLIB_API Tensor gelu(const Tensor& self, std::string_view approximate,
                                         CallSite site = CallSite::current());

// [N, C, ...] normalised within each example and group of channels; a weight and a bias for each
// channel.
TENSORLIB_PURE TENSORLIB_API Tensor group_norm(const Tensor& input, int64_t num_groups,
                                               const Tensor& weight = {}, const Tensor& bias = {},
                                               double eps = 1e-5, bool cudnn_enabled = true,
                                               CallSite site = CallSite::current());
// [N, C, ...] normalised within each example and channel, or by the running statistics.
TENSORLIB_PURE TENSORLIB_API Tensor instance_norm(const Tensor& input, const Tensor& weight,
                                                  const Tensor& bias, const Tensor& running_mean,
                                                  const Tensor& running_var, bool use_input_stats,
                                                  double momentum, double eps,
                                                  bool cudnn_enabled = true,
                                                  CallSite site = CallSite::current());
// Over the root mean square (to the power) of `size` channels around each.
TENSORLIB_PURE TENSORLIB_API Tensor local_response_norm(const Tensor& input, int64_t size,
                                                        double alpha = 1e-4, double beta = 0.75,
                                                        double k = 1,
                                                        CallSite site = CallSite::current());
// The cosine of the angle between vectors along a dimension, and their distances: each row of x1
// from each row of x2.
TENSORLIB_PURE TENSORLIB_API Tensor cosine_similarity(const Tensor& x1, const Tensor& x2,
                                                      int64_t dim = 1, double eps = 1e-8,
                                                      CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2,
                                          CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor pairwise_distance(const Tensor& x1, const Tensor& x2,
                                                      double p = 2, double eps = 1e-6,
                                                      bool keepdim = false,
                                                      CallSite site = CallSite::current());

// Windows of one dimension: [N, C, L] or [C, L].
TENSORLIB_PURE TENSORLIB_API Tensor max_pool1d(const Tensor& input, IntArrayRef kernel_size,
                                               IntArrayRef stride = {}, IntArrayRef padding = 0,
                                               IntArrayRef dilation = 1, bool ceil_mode = false,
                                               CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor avg_pool1d(const Tensor& input, IntArrayRef kernel_size,
                                               IntArrayRef stride = {}, IntArrayRef padding = 0,
                                               bool ceil_mode = false,
                                               bool count_include_pad = true,
                                               CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor adaptive_avg_pool1d(const Tensor& input,
                                                        IntArrayRef output_size,
                                                        CallSite site = CallSite::current());
// The largest of each part of the image, and its place in it (in row-major order).
TENSORLIB_PURE TENSORLIB_API std::tuple<Tensor, Tensor> adaptive_max_pool2d(
    const Tensor& input, IntArrayRef output_size, CallSite site = CallSite::current());
// [..., C * r * r, H, W] as [..., C, H * r, W * r].
TENSORLIB_PURE TENSORLIB_API Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor,
                                                  CallSite site = CallSite::current());

// self + alpha * other into `out`, which takes their shape. Not recorded: an Error where a gradient
// is wanted.
TENSORLIB_API Tensor& add_out(Tensor& out, const Tensor& self, const Tensor& other,
                              Scalar alpha = 1, CallSite site = CallSite::current());

// All of the shape that they broadcast to.
TENSORLIB_PURE TENSORLIB_API std::vector<Tensor> broadcast_tensors(
    TensorList tensors, CallSite site = CallSite::current());
// Joined along the first dimension as rows, and along the second (of vectors: the first).
TENSORLIB_PURE TENSORLIB_API Tensor vstack(TensorList tensors, CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor hstack(TensorList tensors, CallSite site = CallSite::current());
// The vector product, along a dimension of size 3: the first such one, unless it is given.
TENSORLIB_PURE TENSORLIB_API Tensor cross(const Tensor& self, const Tensor& other,
                                          std::optional<int64_t> dim = std::nullopt,
                                          CallSite site = CallSite::current());
// How often each number from 0 on is there, or the sum of its weights. From a GPU this waits.
TENSORLIB_PURE TENSORLIB_API Tensor bincount(const Tensor& self, const Tensor& weights = {},
                                             int64_t minlength = 0,
                                             CallSite site = CallSite::current());
// Numbers of these means and deviations.
TENSORLIB_PURE TENSORLIB_API Tensor normal(const Tensor& mean, double std = 1,
                                           CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor normal(double mean, const Tensor& std,
                                           CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor normal(const Tensor& mean, const Tensor& std,
                                           CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor normal(double mean, double std, IntArrayRef sizes,
                                           TensorOptions options = {},
                                           CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor randint_like(const Tensor& self, int64_t high,
                                                 TensorOptions options = {},
                                                 CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor randint_like(const Tensor& self, int64_t low, int64_t high,
                                                 TensorOptions options = {},
                                                 CallSite site = CallSite::current());

}  // namespace tensorlib
