// interpolate: dimension by dimension, a pick of the nearest places, or of the two around each
// point and their weighted sum. The points are LibTorch's, in its float32.
#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "ops/index.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"
#include "tensorlib/resample.h"

namespace tensorlib {

InterpolateMode::InterpolateMode(nn::init::Nonlinearity linear) : mode_(ResizeMode::Linear) {
  if (linear != kLinear) {
    throw Error("interpolate: the mode is a nonlinearity other than kLinear", CallSite::none());
  }
}

const char* name_of(ResizeMode mode) {
  switch (mode) {
    case ResizeMode::Nearest: return "kNearest";
    case ResizeMode::Linear: return "kLinear";
    case ResizeMode::Bilinear: return "kBilinear";
    case ResizeMode::Area: return "kArea";
  }
  return "?";
}

namespace {

// Old pixels for each new one.
template <class T>
T step_of(int64_t in, int64_t out, std::optional<double> scale) {
  if (scale && *scale > 0) return static_cast<T>(1 / *scale);
  return static_cast<T>(in) / static_cast<T>(out);
}

Tensor nearest(const Tensor& x, int64_t d, int64_t out, std::optional<double> scale,
               CallSite site) {
  const int64_t in = x.size(d);
  const auto step = step_of<float>(in, out, scale);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < out; ++i) {
    const auto at = static_cast<int64_t>(std::floor(static_cast<float>(i) * step));
    places.push_back(std::min(at, in - 1));
  }
  const Tensor index = tensor(places, TensorOptions(x.device()).dtype(kLong), site);
  return pick("interpolate", x, static_cast<int>(d), index, site);
}

template <class T>
Tensor between(const Tensor& x, int64_t d, int64_t out, bool align_corners,
               std::optional<double> scale, CallSite site) {
  const int64_t in = x.size(d);
  if (in == out) return x;
  T step = step_of<T>(in, out, scale);
  if (align_corners) step = out > 1 ? static_cast<T>(in - 1) / static_cast<T>(out - 1) : T(0);
  std::vector<int64_t> low, high;
  std::vector<double> shares;
  for (int64_t i = 0; i < out; ++i) {
    T at = align_corners ? step * static_cast<T>(i) : step * (static_cast<T>(i) + T(0.5)) - T(0.5);
    at = std::max(at, T(0));
    const int64_t below = std::min(static_cast<int64_t>(at), in - 1);
    low.push_back(below);
    high.push_back(std::min(below + 1, in - 1));
    shares.push_back(std::min(std::max(at - static_cast<T>(below), T(0)), T(1)));
  }
  const auto index = [&](const std::vector<int64_t>& places) {
    return tensor(places, TensorOptions(x.device()).dtype(kLong), site);
  };
  std::vector<int64_t> along(static_cast<size_t>(x.dim()), 1);
  along[static_cast<size_t>(d)] = out;
  const Tensor share =
      tensor(shares, TensorOptions(x.device()).dtype(x.dtype()), site).view(along, site);
  const int dim = static_cast<int>(d);
  return pick("interpolate", x, dim, index(low), site)
      .mul(share.neg(site).add(1, 1, site), site)
      .add(pick("interpolate", x, dim, index(high), site).mul(share, site), 1, site);
}

// Each spatial dimension, the last one first.
Tensor resized(const char* name, const Tensor& self, IntArrayRef size, ResizeMode mode,
               bool align_corners, const std::vector<std::optional<double>>& scales,
               CallSite site) {
  require_defined(self, "self", name, site);
  const auto spatial = static_cast<int64_t>(size.size());
  check_dim(name, site, {"self", self}, spatial + 2);
  for (int64_t i = 0; i < spatial; ++i) {
    if (size[static_cast<size_t>(i)] < 1 || self.size(i + 2) < 1) {
      throw ShapeError(str_cat(name, ": from ", self.sizes(), " to a size of ", size), site);
    }
  }
  if (mode == ResizeMode::Linear) check_floating(name, site, {"self", self});
  Tensor x = self;
  for (int64_t i = spatial - 1; i >= 0; --i) {
    const int64_t out = size[static_cast<size_t>(i)];
    const auto scale = scales[static_cast<size_t>(i)];
    if (mode == ResizeMode::Nearest) {
      x = nearest(x, i + 2, out, scale, site);
    } else if (x.dtype() == kDouble) {
      x = between<double>(x, i + 2, out, align_corners, scale, site);
    } else {
      x = between<float>(x, i + 2, out, align_corners, scale, site);
    }
  }
  return x.is_same(self) ? self.clone(site) : x;
}

// The size that is asked for, and the scales that the points are computed with.
std::vector<int64_t> wanted_size(const Tensor& self,
                                 const std::optional<std::vector<int64_t>>& size,
                                 const std::optional<std::vector<double>>& factors, CallSite site) {
  const auto spatial = static_cast<size_t>(self.dim() - 2);
  if (size.has_value() == factors.has_value()) {
    throw Error("interpolate: either size or scale_factor must be given", site);
  }
  const size_t given = size ? size->size() : factors->size();
  if (given != spatial && given != 1) {
    throw ShapeError(str_cat("interpolate: ", given, " numbers for ", spatial,
                             " dimensions, of the shape ", self.sizes()),
                     site);
  }
  std::vector<int64_t> result;
  for (size_t i = 0; i < spatial; ++i) {
    if (size) {
      result.push_back((*size)[given == 1 ? 0 : i]);
      continue;
    }
    const double wide = static_cast<double>(self.size(static_cast<int64_t>(i) + 2)) *
                        (*factors)[given == 1 ? 0 : i];
    if (!(wide >= 1 && wide < 0x1p62)) {
      throw ShapeError(
          str_cat("interpolate: a dimension of ", self.sizes(), " would have ", wide, " elements"),
          site);
    }
    result.push_back(static_cast<int64_t>(std::floor(wide)));
  }
  return result;
}

}  // namespace

Tensor interpolate(const Tensor& self, const std::optional<std::vector<int64_t>>& size,
                   const std::optional<std::vector<double>>& scale_factor, InterpolateMode mode,
                   std::optional<bool> align_corners, std::optional<bool> recompute_scale_factor,
                   CallSite site) {
  require_defined(self, "self", "interpolate", site);
  if (self.dim() != 3 && self.dim() != 4) {
    throw ShapeError(
        str_cat("interpolate: expected [N, C, L] or [N, C, H, W], got shape ", self.sizes()), site);
  }
  const ResizeMode kind = mode;
  const bool blends = kind == ResizeMode::Linear || kind == ResizeMode::Bilinear;
  if (!blends && align_corners) {
    throw Error("interpolate: align_corners is an option of kLinear and kBilinear", site);
  }
  if ((kind == ResizeMode::Linear && self.dim() != 3) ||
      (kind == ResizeMode::Bilinear && self.dim() != 4)) {
    throw ShapeError(str_cat("interpolate: ", name_of(kind), " of a tensor of shape ", self.sizes(),
                             "\nhelp: kLinear is for [N, C, L], kBilinear for ", "[N, C, H, W]"),
                     site);
  }
  const std::vector<int64_t> wanted = wanted_size(self, size, scale_factor, site);
  std::vector<std::optional<double>> scales(wanted.size());
  if (scale_factor && !recompute_scale_factor.value_or(false)) {
    for (size_t i = 0; i < scales.size(); ++i) {
      scales[i] = (*scale_factor)[scale_factor->size() == 1 ? 0 : i];
    }
  }
  if (kind == ResizeMode::Area) {
    if (self.dim() == 4) return adaptive_avg_pool2d(self, wanted, site);
    return adaptive_avg_pool2d(self.unsqueeze(2, site), {1, wanted[0]}, site).squeeze(2, site);
  }
  return resized("interpolate", self, wanted, blends ? ResizeMode::Linear : ResizeMode::Nearest,
                 align_corners.value_or(false), scales, site);
}

Tensor upsample_nearest1d(const Tensor& self, IntArrayRef output_size, std::optional<double> scales,
                          CallSite site) {
  if (output_size.size() != 1) throw ShapeError("upsample_nearest1d: expected one size", site);
  return resized("upsample_nearest1d", self, output_size, ResizeMode::Nearest, false, {scales},
                 site);
}
Tensor upsample_nearest2d(const Tensor& self, IntArrayRef output_size,
                          std::optional<double> scales_h, std::optional<double> scales_w,
                          CallSite site) {
  if (output_size.size() != 2) throw ShapeError("upsample_nearest2d: expected two sizes", site);
  return resized("upsample_nearest2d", self, output_size, ResizeMode::Nearest, false,
                 {scales_h, scales_w}, site);
}
Tensor upsample_linear1d(const Tensor& self, IntArrayRef output_size, bool align_corners,
                         std::optional<double> scales, CallSite site) {
  if (output_size.size() != 1) throw ShapeError("upsample_linear1d: expected one size", site);
  return resized("upsample_linear1d", self, output_size, ResizeMode::Linear, align_corners,
                 {scales}, site);
}
Tensor upsample_bilinear2d(const Tensor& self, IntArrayRef output_size, bool align_corners,
                           std::optional<double> scales_h, std::optional<double> scales_w,
                           CallSite site) {
  if (output_size.size() != 2) throw ShapeError("upsample_bilinear2d: expected two sizes", site);
  return resized("upsample_bilinear2d", self, output_size, ResizeMode::Linear, align_corners,
                 {scales_h, scales_w}, site);
}

}  // namespace tensorlib
