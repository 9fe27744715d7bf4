#include "autograd/window.h"

#include <algorithm>
#include <limits>

#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// An image [n, c, h, w] with room around it for every place of the window.
struct Padded {
  Padded(const Window2d& window, const int64_t (&size)[2], const int64_t (&out)[2])
      : window(window) {
    for (int d = 0; d < 2; ++d) {
      this->size[d] = size[d];
      this->out[d] = out[d];
      full[d] = std::max(size[d] + 2 * window.padding[d],
                         (out[d] - 1) * window.stride[d] +
                             (window.kernel[d] - 1) * window.dilation[d] + 1);
    }
  }

  Tensor make(int64_t n, int64_t c, Scalar value, const Tensor& like, CallSite site) const {
    return tensorlib::full({n, c, full[0], full[1]}, value, like.options(), site);
  }
  // The image within it.
  Tensor inner(const Tensor& padded, CallSite site) const {
    return padded.narrow(2, window.padding[0], size[0], site)
        .narrow(3, window.padding[1], size[1], site);
  }
  Tensor around(const Tensor& image, Scalar value, CallSite site) const {
    const Tensor padded = make(image.size(0), image.size(1), value, image, site);
    inner(padded, site).copy_(image, false, site);
    return padded;
  }
  // What place (i, j) of the window sees, one element for each element of the output.
  Tensor seen_from(const Tensor& padded, int64_t i, int64_t j, CallSite site) const {
    const int64_t at[2] = {i * window.dilation[0], j * window.dilation[1]};
    Tensor view = padded;
    for (int d = 0; d < 2; ++d) {
      view = view.slice(2 + d, at[d], at[d] + (out[d] - 1) * window.stride[d] + 1,
                        window.stride[d], site);
    }
    return view;
  }

  const Window2d& window;
  int64_t size[2], out[2], full[2];
};

Padded padded_for(const Conv2dShape& s) { return {s.window, {s.h, s.w}, {s.out_h, s.out_w}}; }
Padded padded_for(const Pool2dShape& s) { return {s.window, {s.h, s.w}, {s.out_h, s.out_w}}; }

// Every window's elements side by side: [n, groups, c / groups * kh * kw, out_h * out_w].
Tensor columns(const Tensor& input, const Conv2dShape& s, CallSite site) {
  const Tensor padded = padded_for(s).around(input, 0, site);
  const IntArrayRef st = padded.strides();
  const Window2d& w = s.window;
  return padded
      .as_strided({s.n, s.c, w.kernel[0], w.kernel[1], s.out_h, s.out_w},
                  {st[0], st[1], w.dilation[0] * st[2], w.dilation[1] * st[3], w.stride[0] * st[2],
                   w.stride[1] * st[3]},
                  std::nullopt, site)
      .reshape({s.n, s.groups, s.c / s.groups * w.kernel[0] * w.kernel[1], s.out_h * s.out_w},
               site);
}

Tensor by_group(const Tensor& g, const Conv2dShape& s, CallSite site) {
  return g.reshape({s.n, s.groups, s.out_c / s.groups, s.out_h * s.out_w}, site);
}

// How many elements each window of one direction averages.
Tensor window_counts(const Pool2dShape& s, int d, int64_t size, int64_t out, bool count_padding,
                     const Tensor& like, CallSite site) {
  const Window2d& w = s.window;
  Tensor counts = tensorlib::empty({out}, like.dtype(), site);
  for (int64_t o = 0; o < out; ++o) {
    const int64_t start = o * w.stride[d] - w.padding[d];
    const int64_t end = start + w.kernel[d];
    const int64_t count = count_padding ? std::min(end, size + w.padding[d]) - start
                                        : std::min(end, size) - std::max<int64_t>(start, 0);
    counts[o].fill_(count, site);
  }
  return counts.to(like.device(), like.dtype(), false, false, site);
}

// The matrix [out, size] that averages a direction of `size` elements to `out`.
Tensor averaging(int64_t size, int64_t out, const Tensor& like, CallSite site) {
  Tensor matrix = zeros({out, size}, like.dtype(), site);
  for (int64_t o = 0; o < out; ++o) {
    const int64_t start = o * size / out, end = ((o + 1) * size + out - 1) / out;
    matrix[o].narrow(0, start, end - start, site).fill_(1.0 / static_cast<double>(end - start), site);
  }
  return matrix.to(like.device(), like.dtype(), false, false, site);
}

Tensor as_planes(const Tensor& image, CallSite site) {
  return image.reshape({-1, 1, image.size(-2), image.size(-1)}, site);
}

}  // namespace

Tensor conv2d_gradient_of_input(const Tensor& g, const Tensor& weight, const Conv2dShape& s,
                                CallSite site) {
  NoGradGuard raw;
  const Window2d& w = s.window;
  const Tensor kernels =
      weight.reshape({s.groups, s.out_c / s.groups, s.c / s.groups * w.kernel[0] * w.kernel[1]},
                     site);
  const Tensor spread =
      kernels.transpose(1, 2, site)
          .matmul(by_group(g, s, site), site)
          .view({s.n, s.c, w.kernel[0], w.kernel[1], s.out_h, s.out_w}, site);
  const Padded padded = padded_for(s);
  const Tensor sums = padded.make(s.n, s.c, 0, g, site);
  for (int64_t i = 0; i < w.kernel[0]; ++i) {
    for (int64_t j = 0; j < w.kernel[1]; ++j) {
      padded.seen_from(sums, i, j, site).add_(spread.select(2, i, site).select(2, j, site), 1, site);
    }
  }
  return padded.inner(sums, site).contiguous(site);
}

Tensor conv2d_gradient_of_weight(const Tensor& g, const Tensor& input, const Conv2dShape& s,
                                 CallSite site) {
  NoGradGuard raw;
  return by_group(g, s, site)
      .matmul(columns(input, s, site).transpose(-2, -1, site), site)
      .sum(0, false, site)
      .view({s.out_c, s.c / s.groups, s.window.kernel[0], s.window.kernel[1]}, site);
}

Tensor max_pool2d_gradient(const Tensor& g, const Tensor& input, const Tensor& result,
                           const Pool2dShape& s, CallSite site) {
  NoGradGuard raw;
  const Padded padded = padded_for(s);
  const Tensor image =
      padded.around(as_planes(input, site), -std::numeric_limits<double>::infinity(), site);
  const Tensor maxima = as_planes(result, site);
  const Tensor sums = zeros_like(image, {}, site);
  Tensor left = as_planes(g, site);  // of windows whose maximum was not met yet
  for (int64_t i = 0; i < s.window.kernel[0]; ++i) {
    for (int64_t j = 0; j < s.window.kernel[1]; ++j) {
      const Tensor is_maximum = padded.seen_from(image, i, j, site)
                                    .eq(maxima, site)
                                    .to(g.dtype(), false, false, site);
      const Tensor taken = left.mul(is_maximum, site);
      padded.seen_from(sums, i, j, site).add_(taken, 1, site);
      left = left.sub(taken, 1, site);
    }
  }
  return padded.inner(sums, site).reshape(input.sizes(), site);
}

Tensor avg_pool2d_gradient(const Tensor& g, const Dims& sizes, const Pool2dShape& s,
                           bool count_padding, CallSite site) {
  NoGradGuard raw;
  const Tensor rows = window_counts(s, 0, s.h, s.out_h, count_padding, g, site);
  const Tensor places = window_counts(s, 1, s.w, s.out_w, count_padding, g, site);
  const Tensor share = as_planes(g, site).div(rows.unsqueeze(1, site).mul(places, site), site);
  const Padded padded = padded_for(s);
  const Tensor sums = padded.make(share.size(0), 1, 0, g, site);
  for (int64_t i = 0; i < s.window.kernel[0]; ++i) {
    for (int64_t j = 0; j < s.window.kernel[1]; ++j) {
      padded.seen_from(sums, i, j, site).add_(share, 1, site);
    }
  }
  return padded.inner(sums, site).reshape(sizes, site);
}

Tensor adaptive_avg_pool2d_gradient(const Tensor& g, const Dims& sizes, const Pool2dShape& s,
                                    CallSite site) {
  NoGradGuard raw;
  const Tensor planes = g.reshape({-1, s.out_h, s.out_w}, site);
  return averaging(s.h, s.out_h, g, site)
      .t(site)
      .matmul(planes, site)
      .matmul(averaging(s.w, s.out_w, g, site), site)
      .reshape(sizes, site);
}

}  // namespace tensorlib
