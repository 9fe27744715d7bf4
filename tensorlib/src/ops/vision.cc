// Operations on images [N, C, H, W] (or one image [C, H, W]): convolution and pooling.
#include "autograd/record.h"
#include "autograd/window.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// One number for both directions, or one for each.
void read_pair(int64_t (&out)[2], IntArrayRef values, int64_t least, const char* name,
               const char* what, CallSite site) {
  if (values.size() != 1 && values.size() != 2) {
    throw ShapeError(str_cat(name, ": ", what, " takes one number or two, not ", values), site);
  }
  out[0] = values[0];
  out[1] = values[values.size() - 1];
  if (out[0] < least || out[1] < least) {
    throw ShapeError(str_cat(name, ": ", what, " is ", values, ", and ", least, " is the least"),
                     site);
  }
}

// The number of places for a window along one direction.
int64_t places(const Window2d& w, int d, int64_t size, bool ceil_mode) {
  const int64_t reach = w.dilation[d] * (w.kernel[d] - 1) + 1;
  const int64_t room = size + 2 * w.padding[d] - reach;
  if (room < 0) return 0;
  int64_t count = (room + (ceil_mode ? w.stride[d] - 1 : 0)) / w.stride[d] + 1;
  // The last window must start inside the image or its near padding.
  if (ceil_mode && (count - 1) * w.stride[d] >= size + w.padding[d]) --count;
  return count;
}

void check_image(const char* name, const Tensor& input, CallSite site) {
  require_defined(input, "input", name, site);
  if (input.dim() != 3 && input.dim() != 4) {
    throw ShapeError(
        str_cat(name, ": the input must be [N, C, H, W] or [C, H, W], and its shape is ",
                input.sizes()),
        site);
  }
}

Pool2dShape pool_shape(const char* name, const Tensor& input, IntArrayRef kernel,
                       IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                       bool ceil_mode, CallSite site) {
  check_image(name, input, site);
  Pool2dShape s{};
  read_pair(s.window.kernel, kernel, 1, name, "kernel_size", site);
  read_pair(s.window.stride, stride.empty() ? kernel : stride, 1, name, "stride", site);
  read_pair(s.window.padding, padding, 0, name, "padding", site);
  read_pair(s.window.dilation, dilation, 1, name, "dilation", site);
  s.h = input.size(-2);
  s.w = input.size(-1);
  for (int d = 0; d < 2; ++d) {
    if (s.window.padding[d] > s.window.kernel[d] / 2) {
      throw ShapeError(str_cat(name, ": padding ", s.window.padding[d],
                               " is more than half of the kernel's ", s.window.kernel[d]),
                       site);
    }
  }
  s.out_h = places(s.window, 0, s.h, ceil_mode);
  s.out_w = places(s.window, 1, s.w, ceil_mode);
  s.planes = s.h * s.w == 0 ? 0 : input.numel() / (s.h * s.w);
  if (s.out_h < 1 || s.out_w < 1) {
    throw ShapeError(str_cat(name, ": a window of ", s.window.kernel[0], "x", s.window.kernel[1],
                             " does not fit an image of ", s.h, "x", s.w),
                     site);
  }
  return s;
}

Tensor pooled(const char* name, const Tensor& input, const Pool2dShape& s, CallSite site) {
  Dims sizes = input.impl()->sizes;
  sizes[sizes.size() - 2] = s.out_h;
  sizes[sizes.size() - 1] = s.out_w;
  return allocate_result(sizes, input.dtype(), input, name, site);
}

Tensor plain(const Tensor& input, CallSite site) {
  NoGradGuard raw;
  return input.contiguous(site);
}

Weight as_weight(const Tensor& kernel) {
  const TensorImpl& impl = *kernel.impl();
  Storage& storage = *impl.storage;
  const bool whole = impl.offset == 0 && storage.nbytes == kernel.nbytes();
  return {impl.data(), storage.version, whole && !storage.exposed ? &storage.packed : nullptr};
}

}  // namespace

Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups, CallSite site) {
  check_image("conv2d", input, site);
  require_defined(weight, "weight", "conv2d", site);
  check_same_device("conv2d", site, {{"input", input}, {"weight", weight}, {"bias", bias}});
  check_same_dtype("conv2d", site, {{"input", input}, {"weight", weight}, {"bias", bias}});
  check_floating("conv2d", site, {"input", input});
  check_dim("conv2d", site, {"weight", weight}, 4);
  if (input.dim() == 3) {
    return conv2d(input.unsqueeze(0, site), weight, bias, stride, padding, dilation, groups, site)
        .squeeze(0, site);
  }
  Conv2dShape s{};
  s.n = input.size(0);
  s.c = input.size(1);
  s.h = input.size(2);
  s.w = input.size(3);
  s.out_c = weight.size(0);
  s.groups = groups;
  if (groups < 1 || s.out_c % groups != 0 || weight.size(1) * groups != s.c) {
    throw ShapeError(str_cat("conv2d: an input of ", s.c, " channels (shape ", input.sizes(),
                             ") does not fit a weight of shape ", weight.sizes(), " in ", groups,
                             groups == 1 ? " group" : " groups"),
                     site);
  }
  if (bias.defined() && (bias.dim() != 1 || bias.size(0) != s.out_c)) {
    throw ShapeError(str_cat("conv2d: bias has shape ", bias.sizes(), ", not [", s.out_c, "]"),
                     site);
  }
  s.window.kernel[0] = weight.size(2);
  s.window.kernel[1] = weight.size(3);
  read_pair(s.window.stride, stride, 1, "conv2d", "stride", site);
  read_pair(s.window.padding, padding, 0, "conv2d", "padding", site);
  read_pair(s.window.dilation, dilation, 1, "conv2d", "dilation", site);
  s.out_h = places(s.window, 0, s.h, false);
  s.out_w = places(s.window, 1, s.w, false);
  if (s.out_h < 1 || s.out_w < 1 || weight.numel() == 0) {
    throw ShapeError(str_cat("conv2d: a kernel of ", s.window.kernel[0], "x", s.window.kernel[1],
                             " does not fit an image of ", s.h, "x", s.w),
                     site);
  }
  Tensor result =
      allocate_result({s.n, s.out_c, s.out_h, s.out_w}, input.dtype(), input, "conv2d", site);
  if (result.numel() == 0) return result;
  {
    NoGradGuard raw;
    const Tensor image = input.contiguous(site), kernel = weight.contiguous(site);
    const Tensor offset = bias.defined() ? bias.contiguous(site) : bias;
    backend_for(input.device())
        .conv2d(input.dtype(), s, result.impl()->writable(), image.impl()->data(),
                as_weight(kernel), offset.defined() ? offset.impl()->data() : nullptr);
  }
  return recorded(std::move(result), "conv2d", site, {&input, &weight, &bias}, [&] {
    return [=, x = SavedTensor(input), w = SavedTensor(weight)](const Tensor& g, Needs needs) {
      refuse_second_gradient("conv2d", site);
      Tensors grads(3);
      if (needs(0)) grads[0] = conv2d_gradient_of_input(g, w.get(), s, site);
      if (needs(1)) grads[1] = conv2d_gradient_of_weight(g, x.get(), s, site);
      if (needs(2)) grads[2] = g.sum({0, 2, 3}, false, site);
      return grads;
    };
  });
}

Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, CallSite site) {
  const Pool2dShape s =
      pool_shape("max_pool2d", input, kernel_size, stride, padding, dilation, ceil_mode, site);
  check_floating("max_pool2d", site, {"input", input});
  Tensor result = pooled("max_pool2d", input, s, site);
  if (s.planes > 0) {
    const Tensor image = plain(input, site);
    backend_for(input.device())
        .max_pool2d(input.dtype(), s, result.impl()->writable(), image.impl()->data());
  }
  return recorded(result, "max_pool2d", site, {&input}, [&] {
    return [=, x = SavedTensor(input), y = SavedTensor::result(result)](const Tensor& g, Needs) {
      refuse_second_gradient("max_pool2d", site);
      return Tensors{max_pool2d_gradient(g, x.get(), y.get(), s, site)};
    };
  });
}

Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool count_include_pad, CallSite site) {
  const Pool2dShape s =
      pool_shape("avg_pool2d", input, kernel_size, stride, padding, 1, ceil_mode, site);
  check_floating("avg_pool2d", site, {"input", input});
  Tensor result = pooled("avg_pool2d", input, s, site);
  if (s.planes > 0) {
    const Tensor image = plain(input, site);
    backend_for(input.device())
        .avg_pool2d(input.dtype(), s, count_include_pad, result.impl()->writable(),
                    image.impl()->data());
  }
  return recorded(std::move(result), "avg_pool2d", site, {&input}, [&] {
    return [=, sizes = input.impl()->sizes](const Tensor& g, Needs) {
      refuse_second_gradient("avg_pool2d", site);
      return Tensors{avg_pool2d_gradient(g, sizes, s, count_include_pad, site)};
    };
  });
}

Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size, CallSite site) {
  check_image("adaptive_avg_pool2d", input, site);
  check_floating("adaptive_avg_pool2d", site, {"input", input});
  int64_t out[2];
  read_pair(out, output_size, 1, "adaptive_avg_pool2d", "output_size", site);
  Pool2dShape s{};
  s.h = input.size(-2);
  s.w = input.size(-1);
  s.out_h = out[0];
  s.out_w = out[1];
  if (s.h * s.w == 0) {
    throw ShapeError(
        str_cat("adaptive_avg_pool2d: the image is empty; its shape is ", input.sizes()), site);
  }
  s.planes = input.numel() / (s.h * s.w);
  Tensor result = pooled("adaptive_avg_pool2d", input, s, site);
  if (s.planes > 0) {
    const Tensor image = plain(input, site);
    backend_for(input.device())
        .adaptive_avg_pool2d(input.dtype(), s, result.impl()->writable(), image.impl()->data());
  }
  return recorded(std::move(result), "adaptive_avg_pool2d", site, {&input}, [&] {
    return [=, sizes = input.impl()->sizes](const Tensor& g, Needs) {
      refuse_second_gradient("adaptive_avg_pool2d", site);
      return Tensors{adaptive_avg_pool2d_gradient(g, sizes, s, site)};
    };
  });
}

}  // namespace tensorlib
