// Normalisations, distances and windows that are made of other operations.
#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/resample.h"

namespace tensorlib {

namespace {

void check_channels(const char* name, const Tensor& input, int64_t least, CallSite site) {
  require_defined(input, "input", name, site);
  check_floating(name, site, {"input", input});
  if (input.dim() >= least) return;
  throw ShapeError(
      str_cat(name, ": the input must be [N, C, ...], and its shape is ", input.sizes()), site);
}

// A weight of the channels, to multiply [N, C, ...] by.
Tensor by_channel(const char* name, const char* what, const Tensor& weight, const Tensor& input,
                  CallSite site) {
  check_same_device(name, site, {{"input", input}, {what, weight}});
  const int64_t channels = input.size(1);
  if (weight.numel() != channels) {
    throw ShapeError(
        str_cat(name, ": ", what, " has shape ", weight.sizes(), " for ", channels, " channels"),
        site);
  }
  std::vector<int64_t> sizes(static_cast<size_t>(input.dim()), 1);
  sizes[1] = channels;
  return weight.reshape(sizes, site);
}

}  // namespace

Tensor group_norm(const Tensor& input, int64_t num_groups, const Tensor& weight, const Tensor& bias,
                  double eps, bool, CallSite site) {
  check_channels("group_norm", input, 2, site);
  const int64_t n = input.size(0), channels = input.size(1);
  if (num_groups < 1 || channels % num_groups != 0) {
    throw ShapeError(str_cat("group_norm: ", channels, " channels in ", num_groups, " groups"),
                     site);
  }
  const int64_t each = input.numel() == 0 ? 0 : input.numel() / (n * num_groups);
  Tensor result = input.numel() == 0 ? input.clone(site)
                                     : layer_norm(input.reshape({n, num_groups, each}, site), each,
                                                  {}, {}, eps, true, site)
                                           .view(input.sizes(), site);
  if (weight.defined()) {
    result = result.mul(by_channel("group_norm", "weight", weight, input, site), site);
  }
  if (bias.defined()) {
    result = result.add(by_channel("group_norm", "bias", bias, input, site), 1, site);
  }
  return result;
}

Tensor instance_norm(const Tensor& input, const Tensor& weight, const Tensor& bias,
                     const Tensor& running_mean, const Tensor& running_var, bool use_input_stats,
                     double momentum, double eps, bool, CallSite site) {
  check_channels("instance_norm", input, 3, site);
  const int64_t n = input.size(0), channels = input.size(1);
  std::vector<int64_t> sizes = input.sizes().vec();
  const int64_t each = input.numel() == 0 ? 0 : input.numel() / (n * channels);
  if (use_input_stats && each < 2) {
    throw ShapeError(str_cat("instance_norm: more than one element in each channel is needed, and "
                             "the shape is ",
                             input.sizes()),
                     site);
  }
  sizes[1] *= sizes[0];
  sizes[0] = 1;
  const auto repeated = [&](const Tensor& stats) {
    return stats.defined() ? stats.repeat(n, site) : Tensor();
  };
  const Tensor mean = repeated(running_mean), var = repeated(running_var);
  Tensor result = batch_norm(input.reshape(sizes, site), {}, {}, mean, var, use_input_stats,
                             momentum, eps, site)
                      .view(input.sizes(), site);
  if (use_input_stats) {
    NoGradGuard raw;
    for (const auto& [kept, moved] : {std::pair(running_mean, mean), std::pair(running_var, var)}) {
      if (kept.defined()) {
        kept.copy_(moved.view({n, channels}, site).mean(0, false, site), false, site);
      }
    }
  }
  if (weight.defined()) {
    result = result.mul(by_channel("instance_norm", "weight", weight, input, site), site);
  }
  if (bias.defined()) {
    result = result.add(by_channel("instance_norm", "bias", bias, input, site), 1, site);
  }
  return result;
}

Tensor local_response_norm(const Tensor& input, int64_t size, double alpha, double beta, double k,
                           CallSite site) {
  check_channels("local_response_norm", input, 3, site);
  if (size < 1) throw Error(str_cat("local_response_norm: of ", size, " channels"), site);
  if (input.numel() == 0) return input.clone(site);
  std::vector<int64_t> border(static_cast<size_t>(2 * (input.dim() - 1)), 0);
  border[border.size() - 2] = size / 2;
  border[border.size() - 1] = (size - 1) / 2;
  const Tensor squares = pad(input.square(site), border, kConstant, 0, site);
  const Tensor means = squares.unfold(1, size, 1, site).mean(-1, false, site);
  return input.div(means.mul(alpha, site).add(k, 1, site).pow(beta, site), site);
}

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps,
                         CallSite site) {
  require_defined(x1, "x1", "cosine_similarity", site);
  require_defined(x2, "x2", "cosine_similarity", site);
  const Tensor both = x1.mul(x2, site).sum(dim, false, site);
  const Tensor squares =
      x1.square(site).sum(dim, false, site).mul(x2.square(site).sum(dim, false, site), site);
  return both.div(squares.clamp_min(eps * eps, site).sqrt(site), site);
}

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, CallSite site) {
  require_defined(x1, "x1", "cdist", site);
  require_defined(x2, "x2", "cdist", site);
  if (x1.dim() < 2 || x2.dim() < 2 || x1.size(-1) != x2.size(-1)) {
    throw ShapeError(str_cat("cdist: rows of equal length are needed, and the shapes are ",
                             x1.sizes(), " and ", x2.sizes()),
                     site);
  }
  return x1.unsqueeze(-2, site).sub(x2.unsqueeze(-3, site), 1, site).norm(p, -1, false, site);
}
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim,
                         CallSite site) {
  require_defined(x1, "x1", "pairwise_distance", site);
  return x1.sub(x2, 1, site).add(eps, 1, site).norm(p, -1, keepdim, site);
}

namespace {

// [N, C, L] as images of one row, through a pooling of images.
template <class Pool>
Tensor pooled(const char* name, const Tensor& input, CallSite site, const Pool& pool) {
  require_defined(input, "input", name, site);
  if (input.dim() != 2 && input.dim() != 3) {
    throw ShapeError(
        str_cat(name, ": [N, C, L] or [C, L] is needed, and the shape is ", input.sizes()), site);
  }
  return pool(input.unsqueeze(-2, site)).squeeze(-2, site);
}

int64_t one(const char* name, IntArrayRef numbers, CallSite site) {
  if (numbers.size() == 1) return numbers[0];
  throw ShapeError(str_cat(name, ": one number for the one dimension, not ", numbers), site);
}

}  // namespace

Tensor max_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, CallSite site) {
  const auto number = [&](IntArrayRef numbers) { return one("max_pool1d", numbers, site); };
  return pooled("max_pool1d", input, site, [&](const Tensor& x) {
    const int64_t kernel = number(kernel_size);
    return max_pool2d(x, {1, kernel}, {1, stride.empty() ? kernel : number(stride)},
                      {0, number(padding)}, {1, number(dilation)}, ceil_mode, site);
  });
}
Tensor avg_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool count_include_pad, CallSite site) {
  const auto number = [&](IntArrayRef numbers) { return one("avg_pool1d", numbers, site); };
  return pooled("avg_pool1d", input, site, [&](const Tensor& x) {
    const int64_t kernel = number(kernel_size);
    return avg_pool2d(x, {1, kernel}, {1, stride.empty() ? kernel : number(stride)},
                      {0, number(padding)}, ceil_mode, count_include_pad, site);
  });
}
Tensor adaptive_avg_pool1d(const Tensor& input, IntArrayRef output_size, CallSite site) {
  return pooled("adaptive_avg_pool1d", input, site, [&](const Tensor& x) {
    return adaptive_avg_pool2d(x, {1, one("adaptive_avg_pool1d", output_size, site)}, site);
  });
}

namespace {

// The largest of each of `out` parts of dimension d, and where in it.
std::tuple<Tensor, Tensor> largest_parts(const Tensor& x, int64_t d, int64_t out, CallSite site) {
  const int64_t n = x.size(d);
  std::vector<Tensor> values, places;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t first = i * n / out, end = ((i + 1) * n + out - 1) / out;
    const auto [value, place] = x.narrow(d, first, end - first, site).max(d, true, site);
    values.push_back(value);
    places.push_back(place.add(first, 1, site));
  }
  return {cat(values, d, site), cat(places, d, site)};
}

}  // namespace

std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& input, IntArrayRef output_size,
                                               CallSite site) {
  require_defined(input, "input", "adaptive_max_pool2d", site);
  const IntArrayRef& size = output_size;
  if (size.size() != 2 || size[0] < 1 || size[1] < 1 || (input.dim() != 3 && input.dim() != 4) ||
      input.size(-1) == 0 || input.size(-2) == 0) {
    throw ShapeError(str_cat("adaptive_max_pool2d: [N, C, H, W] or [C, H, W] to two sizes is "
                             "needed, and it is ",
                             input.sizes(), " to ", size),
                     site);
  }
  // Rows first: of equal ones the first in row-major order stays.
  const auto [in_rows, columns] = largest_parts(input, input.dim() - 1, size[1], site);
  const auto [values, rows] = largest_parts(in_rows, input.dim() - 2, size[0], site);
  const Tensor column = columns.gather(input.dim() - 2, rows, site);
  return {values, rows.mul(input.size(-1), site).add(column, 1, site)};
}

Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor, CallSite site) {
  require_defined(self, "self", "pixel_shuffle", site);
  const int64_t r = upscale_factor, rank = self.dim();
  if (rank < 3 || r < 1 || r > (1 << 20) || self.size(-3) % (r * r) != 0) {
    throw ShapeError(str_cat("pixel_shuffle: by ", r, " of a tensor of shape ", self.sizes()),
                     site);
  }
  std::vector<int64_t> apart(self.sizes().begin(), self.sizes().end() - 3);
  std::vector<int64_t> together = apart, order;
  for (int64_t i = 0; i < rank - 3; ++i) order.push_back(i);
  const int64_t c = self.size(-3) / (r * r), h = self.size(-2), w = self.size(-1);
  apart.insert(apart.end(), {c, r, r, h, w});
  together.insert(together.end(), {c, h * r, w * r});
  for (const int64_t i : {0, 3, 1, 4, 2}) order.push_back(rank - 3 + i);
  return self.reshape(apart, site).permute(order, site).reshape(together, site);
}

}  // namespace tensorlib
