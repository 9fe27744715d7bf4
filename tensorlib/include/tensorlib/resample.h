// Images of another size: borders around them (pad), and more or fewer pixels (interpolate).
#pragma once

#include <optional>
#include <vector>

#include "tensorlib/nn/init.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

// The elements of the border: a number, the inner elements mirrored without the outermost ones, the
// outermost ones again, or those of the opposite end.
enum class PadMode { Constant, Reflect, Replicate, Circular };
constexpr PadMode kConstant = PadMode::Constant;
constexpr PadMode kReflect = PadMode::Reflect;
constexpr PadMode kReplicate = PadMode::Replicate;
constexpr PadMode kCircular = PadMode::Circular;

// How a new pixel comes from the old ones: the nearest; between the two (four) around it; the mean
// of those that it covers. kLinear is also a nonlinearity of nn::init.
enum class ResizeMode { Nearest, Linear, Bilinear, Area };
constexpr ResizeMode kNearest = ResizeMode::Nearest;
constexpr ResizeMode kBilinear = ResizeMode::Bilinear;
constexpr ResizeMode kArea = ResizeMode::Area;

class InterpolateMode {
 public:
  InterpolateMode(ResizeMode mode) : mode_(mode) {}
  TENSORLIB_API InterpolateMode(nn::init::Nonlinearity linear);
  operator ResizeMode() const { return mode_; }

 private:
  ResizeMode mode_;
};
// "kNearest"
TENSORLIB_API const char* name_of(ResizeMode mode);

// So many elements at the beginning and the end of the last dimension, then of the one before, ...;
// fewer where a number is negative (kConstant alone).
TENSORLIB_PURE TENSORLIB_API Tensor pad(const Tensor& self, IntArrayRef pad,
                                        PadMode mode = kConstant, double value = 0,
                                        CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad,
                                                    Scalar value = 0,
                                                    CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor reflection_pad1d(const Tensor& self, IntArrayRef padding,
                                                     CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor reflection_pad2d(const Tensor& self, IntArrayRef padding,
                                                     CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor replication_pad1d(const Tensor& self, IntArrayRef padding,
                                                      CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor replication_pad2d(const Tensor& self, IntArrayRef padding,
                                                      CallSite site = CallSite::current());

// [N, C, L] or [N, C, H, W] in another size, which is given or so many times the old one.
// align_corners: the outermost pixels' centres stay, rather than their edges (kLinear and kBilinear
// alone). recompute_scale_factor: the scale is that of the sizes, which are whole numbers.
TENSORLIB_PURE TENSORLIB_API Tensor interpolate(
    const Tensor& self, const std::optional<std::vector<int64_t>>& size,
    const std::optional<std::vector<double>>& scale_factor, InterpolateMode mode = kNearest,
    std::optional<bool> align_corners = std::nullopt,
    std::optional<bool> recompute_scale_factor = std::nullopt, CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor upsample_nearest1d(const Tensor& self, IntArrayRef output_size,
                                                       std::optional<double> scales = std::nullopt,
                                                       CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor upsample_nearest2d(
    const Tensor& self, IntArrayRef output_size, std::optional<double> scales_h = std::nullopt,
    std::optional<double> scales_w = std::nullopt, CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor upsample_linear1d(const Tensor& self, IntArrayRef output_size,
                                                      bool align_corners,
                                                      std::optional<double> scales = std::nullopt,
                                                      CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor upsample_bilinear2d(
    const Tensor& self, IntArrayRef output_size, bool align_corners,
    std::optional<double> scales_h = std::nullopt, std::optional<double> scales_w = std::nullopt,
    CallSite site = CallSite::current());

}  // namespace tensorlib
