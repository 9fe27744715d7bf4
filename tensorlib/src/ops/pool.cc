// Pooling of images. The gradient of each is recorded too, and has the pooling as its own.
#include "autograd/record.h"
#include "backend/platform.h"
#include "ops/image.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

struct Call {
  Pool2dShape shape;
  const char* name;
  CallSite site;
};

Call pool_call(const char* name, const Tensor& input, IntArrayRef kernel, IntArrayRef stride,
               IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, CallSite site) {
  check_image(name, input, site);
  check_floating(name, site, {"input", input});
  Call call{{}, name, site};
  Pool2dShape& s = call.shape;
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
  s.out_h = places_of(s.window, 0, s.h, ceil_mode);
  s.out_w = places_of(s.window, 1, s.w, ceil_mode);
  s.planes = s.h * s.w == 0 ? 0 : input.numel() / (s.h * s.w);
  if (s.out_h < 1 || s.out_w < 1) {
    throw ShapeError(str_cat(name, ": a window of ", s.window.kernel[0], "x", s.window.kernel[1],
                             " does not fit an image of ", s.h, "x", s.w),
                     site);
  }
  return call;
}

// A new tensor of `like`'s shape with images of another size.
Tensor resized(const Tensor& like, int64_t h, int64_t w, ScalarType dtype, const Call& call) {
  Dims sizes = like.impl()->sizes;
  sizes[sizes.size() - 2] = h;
  sizes[sizes.size() - 1] = w;
  return allocate_result(sizes, dtype, like, call.name, call.site);
}
Tensor pooled(const Tensor& input, const Call& call) {
  return resized(input, call.shape.out_h, call.shape.out_w, input.dtype(), call);
}
Tensor unpooled(const Tensor& grad, const Call& call) {
  return resized(grad, call.shape.h, call.shape.w, grad.dtype(), call);
}

// `places`: where each maximum was.
Tensor max_gradient(const Tensor& g, const Tensor& places, const Call& call) {
  const auto& [s, name, site] = call;
  Tensor image = unpooled(g, call);
  if (s.planes > 0) {
    const Tensor from = plain(g, site);
    backend_for(g.device())
        .max_pool2d_gradient(g.dtype(), s, image.impl()->writable(), from.impl()->data(),
                             static_cast<const int64_t*>(places.impl()->data()));
  }
  return recorded(std::move(image), name, site, {&g}, [&] {
    return [call, places, sizes = g.impl()->sizes](const Tensor& grad, Needs) {
      const Pool2dShape& shape = call.shape;
      return Tensors{grad.reshape({shape.planes, shape.h * shape.w}, call.site)
                         .gather(1,
                                 places.view({shape.planes, shape.out_h * shape.out_w}, call.site),
                                 call.site)
                         .reshape(sizes, call.site)};
    };
  });
}

// The two ways to average: windows, and shares of any output size.
enum class Mean { windows, padded_windows, shares };

Tensor mean_gradient(const Tensor& g, Mean kind, const Call& call);

Tensor mean_pool(const Tensor& input, Mean kind, const Call& call) {
  const auto& [s, name, site] = call;
  Tensor result = pooled(input, call);
  if (s.planes > 0) {
    const Tensor image = plain(input, site);
    Backend& backend = backend_for(input.device());
    void* const to = result.impl()->writable();
    if (kind == Mean::shares) {
      backend.adaptive_avg_pool2d(input.dtype(), s, to, image.impl()->data());
    } else {
      backend.avg_pool2d(input.dtype(), s, kind == Mean::padded_windows, to, image.impl()->data());
    }
  }
  return recorded(std::move(result), name, site, {&input}, [&] {
    return [=](const Tensor& g, Needs) { return Tensors{mean_gradient(g, kind, call)}; };
  });
}

Tensor mean_gradient(const Tensor& g, Mean kind, const Call& call) {
  const auto& [s, name, site] = call;
  Tensor image = unpooled(g, call);
  if (s.planes > 0) {
    const Tensor from = plain(g, site);
    Backend& backend = backend_for(g.device());
    void* const to = image.impl()->writable();
    if (kind == Mean::shares) {
      backend.adaptive_avg_pool2d_gradient(g.dtype(), s, to, from.impl()->data());
    } else {
      backend.avg_pool2d_gradient(g.dtype(), s, kind == Mean::padded_windows, to,
                                  from.impl()->data());
    }
  }
  return recorded(std::move(image), name, site, {&g}, [&] {
    return [=](const Tensor& grad, Needs) { return Tensors{mean_pool(grad, kind, call)}; };
  });
}

}  // namespace

Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, CallSite site) {
  const Call call =
      pool_call("max_pool2d", input, kernel_size, stride, padding, dilation, ceil_mode, site);
  const Pool2dShape& s = call.shape;
  Tensor result = pooled(input, call), places;
  if (records({&input}, call.name, site)) {
    places = resized(input, s.out_h, s.out_w, kLong, call);
  }
  if (s.planes > 0) {
    const Tensor image = plain(input, site);
    backend_for(input.device())
        .max_pool2d(input.dtype(), s, result.impl()->writable(),
                    places.defined() ? static_cast<int64_t*>(places.impl()->writable()) : nullptr,
                    image.impl()->data());
  }
  return recorded(std::move(result), call.name, site, {&input}, [&] {
    return [=](const Tensor& g, Needs) { return Tensors{max_gradient(g, places, call)}; };
  });
}

Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool count_include_pad, CallSite site) {
  return mean_pool(
      input, count_include_pad ? Mean::padded_windows : Mean::windows,
      pool_call("avg_pool2d", input, kernel_size, stride, padding, 1, ceil_mode, site));
}

Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size, CallSite site) {
  Call call{{}, "adaptive_avg_pool2d", site};
  check_image(call.name, input, site);
  check_floating(call.name, site, {"input", input});
  int64_t out[2];
  read_pair(out, output_size, 1, call.name, "output_size", site);
  Pool2dShape& s = call.shape;
  s.h = input.size(-2);
  s.w = input.size(-1);
  s.out_h = out[0];
  s.out_w = out[1];
  if (s.h * s.w == 0) {
    throw ShapeError(
        str_cat("adaptive_avg_pool2d: the image is empty; its shape is ", input.sizes()), site);
  }
  s.planes = input.numel() / (s.h * s.w);
  return mean_pool(input, Mean::shares, call);
}

}  // namespace tensorlib
