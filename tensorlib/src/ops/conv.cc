// Convolution of images, and its transposed.
//
// Three maps, each linear in two of image, weight and result: from image and weight to the result,
// and back to either. The gradients of each are the other two, so that gradients have gradients of
// any order, and a transposed convolution is one of them.
#include <array>

#include "autograd/record.h"
#include "backend/platform.h"
#include "core/transfer.h"
#include "ops/image.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// A shape, and the operation and line that errors name.
struct Call {
  Conv2dShape shape;
  const char* name;
  CallSite site;
};

Weight as_weight(const Tensor& kernel) {
  const TensorImpl& impl = *kernel.impl();
  Storage& storage = *impl.storage;
  const bool whole = impl.offset == 0 && storage.nbytes == kernel.nbytes();
  return {impl.data(), storage.version, whole && !storage.exposed ? &storage.packed : nullptr};
}

Tensor bias_gradient(const Tensor& g, CallSite site) {
  return g.sum({2, 3}, false, site).sum(0, false, site);
}

Tensor to_image(const Tensor& g, const Tensor& weight, const Tensor& bias, const Call& call,
                bool is_gradient);
Tensor to_weight(const Tensor& g, const Tensor& image, const Call& call);

Tensor to_result(const Tensor& image, const Tensor& weight, const Tensor& bias, const Call& call) {
  const auto& [s, name, site] = call;
  Tensor result =
      allocate_result({s.n, s.out_c, s.out_h, s.out_w}, image.dtype(), image, name, site);
  if (result.numel() > 0) {
    const Tensor x = plain(image, site), w = plain(weight, site), b = plain(bias, site);
    backend_for(image.device())
        .conv2d(image.dtype(), s, result.impl()->writable(), x.impl()->data(), as_weight(w),
                b.defined() ? b.impl()->data() : nullptr);
  }
  return recorded(std::move(result), name, site, {&image, &weight, &bias}, [&] {
    return [call, x = SavedTensor(image), w = SavedTensor(weight)](const Tensor& g, Needs needs) {
      Tensors grads(3);
      if (needs(0)) grads[0] = to_image(g, w.get(), {}, call, true);
      if (needs(1)) grads[1] = to_weight(g, x.get(), call);
      if (needs(2)) grads[2] = bias_gradient(g, call.site);
      return grads;
    };
  });
}

// `bias` is of the image's channels.
Tensor to_image(const Tensor& g, const Tensor& weight, const Tensor& bias, const Call& call,
                bool is_gradient) {
  const auto& [s, name, site] = call;
  Tensor image = allocate_result({s.n, s.c, s.h, s.w}, g.dtype(), g, name, site);
  if (image.numel() > 0) {
    const Tensor from = plain(g, site), w = plain(weight, site);
    Weight kernel = as_weight(w);
    // A gradient's weight changes before it is needed again: no arrangement of it is worth keeping.
    if (is_gradient) kernel.packed = nullptr;
    backend_for(g.device())
        .conv2d_to_input(g.dtype(), s, image.impl()->writable(), from.impl()->data(), kernel);
    NoGradGuard raw;
    if (bias.defined()) image.add_(bias.view({s.c, 1, 1}, site), 1, site);
  }
  return recorded(std::move(image), name, site, {&g, &weight, &bias}, [&] {
    return [call, from = SavedTensor(g), w = SavedTensor(weight)](const Tensor& grad, Needs needs) {
      Tensors grads(3);
      if (needs(0)) grads[0] = to_result(grad, w.get(), {}, call);
      if (needs(1)) grads[1] = to_weight(from.get(), grad, call);
      if (needs(2)) grads[2] = bias_gradient(grad, call.site);
      return grads;
    };
  });
}

Tensor to_weight(const Tensor& g, const Tensor& image, const Call& call) {
  const auto& [s, name, site] = call;
  const Dims sizes(
      std::vector<int64_t>{s.out_c, s.c / s.groups, s.window.kernel[0], s.window.kernel[1]});
  if (g.numel() == 0) return zeros(sizes, g.options(), site);
  Tensor weight = allocate_result(sizes, g.dtype(), g, name, site);
  const Tensor from = plain(g, site), x = plain(image, site);
  backend_for(g.device())
      .conv2d_to_weight(g.dtype(), s, weight.impl()->writable(), from.impl()->data(),
                        x.impl()->data());
  return recorded(std::move(weight), name, site, {&g, &image}, [&] {
    return [call, from = SavedTensor(g), x = SavedTensor(image)](const Tensor& grad, Needs needs) {
      Tensors grads(2);
      if (needs(0)) grads[0] = to_result(x.get(), grad, {}, call);
      if (needs(1)) grads[1] = to_image(from.get(), grad, {}, call, true);
      return grads;
    };
  });
}

void check_operands(const char* name, const Tensor& input, const Tensor& weight, const Tensor& bias,
                    CallSite site) {
  check_image(name, input, site);
  require_defined(weight, "weight", name, site);
  check_same_device(name, site, {{"input", input}, {"weight", weight}, {"bias", bias}});
  check_same_dtype(name, site, {{"input", input}, {"weight", weight}, {"bias", bias}});
  check_floating(name, site, {"input", input});
  check_dim(name, site, {"weight", weight}, 4);
  if (weight.numel() == 0) {
    throw ShapeError(str_cat(name, ": the weight is empty; its shape is ", weight.sizes()), site);
  }
}

void check_bias(const char* name, const Tensor& bias, int64_t channels, CallSite site) {
  if (bias.defined() && (bias.dim() != 1 || bias.size(0) != channels)) {
    throw ShapeError(str_cat(name, ": bias has shape ", bias.sizes(), ", not [", channels, "]"),
                     site);
  }
}

void read_window(Call& call, const Tensor& weight, IntArrayRef stride, IntArrayRef padding,
                 IntArrayRef dilation) {
  Window2d& window = call.shape.window;
  window.kernel[0] = weight.size(2);
  window.kernel[1] = weight.size(3);
  read_pair(window.stride, stride, 1, call.name, "stride", call.site);
  read_pair(window.padding, padding, 0, call.name, "padding", call.site);
  read_pair(window.dilation, dilation, 1, call.name, "dilation", call.site);
}

[[noreturn]] void throw_channels(const Call& call, const Tensor& input, const Tensor& weight,
                                 int64_t groups) {
  throw ShapeError(str_cat(call.name, ": an input of ", input.size(1), " channels (shape ",
                           input.sizes(), ") does not fit a weight of shape ", weight.sizes(),
                           " in ", groups, groups == 1 ? " group" : " groups"),
                   call.site);
}

// Of [N, C, H, W]; `name` is what errors call it.
Tensor convolution(const char* name, const Tensor& input, const Tensor& weight, const Tensor& bias,
                   IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, int64_t groups,
                   CallSite site) {
  check_operands(name, input, weight, bias, site);
  Call call{{}, name, site};
  Conv2dShape& s = call.shape;
  s.n = input.size(0);
  s.c = input.size(1);
  s.h = input.size(2);
  s.w = input.size(3);
  s.out_c = weight.size(0);
  s.groups = groups;
  if (groups < 1 || s.out_c % groups != 0 || weight.size(1) * groups != s.c) {
    throw_channels(call, input, weight, groups);
  }
  check_bias(name, bias, s.out_c, site);
  read_window(call, weight, stride, padding, dilation);
  s.out_h = places_of(s.window, 0, s.h, false);
  s.out_w = places_of(s.window, 1, s.w, false);
  if (s.out_h < 1 || s.out_w < 1) {
    throw ShapeError(str_cat(name, ": a kernel of ", s.window.kernel[0], "x", s.window.kernel[1],
                             " does not fit an image of ", s.h, "x", s.w),
                     site);
  }
  return to_result(input, weight, bias, call);
}

}  // namespace

Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups, CallSite site) {
  if (const Arguments all = {{"input", input}, {"weight", weight}, {"bias", bias}};
      are_apart(all)) {
    const auto o = brought_together("conv2d", site, all);
    return conv2d(o[0], o[1], o[2], stride, padding, dilation, groups, site);
  }
  check_image("conv2d", input, site);
  if (input.dim() == 4) {
    return convolution("conv2d", input, weight, bias, stride, padding, dilation, groups, site);
  }
  return convolution("conv2d", input.unsqueeze(0, site), weight, bias, stride, padding, dilation,
                     groups, site)
      .squeeze(0, site);
}

// An image of one row.
Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups, CallSite site) {
  require_defined(input, "input", "conv1d", site);
  require_defined(weight, "weight", "conv1d", site);
  if (const Arguments all = {{"input", input}, {"weight", weight}, {"bias", bias}};
      are_apart(all)) {
    const auto o = brought_together("conv1d", site, all);
    return conv1d(o[0], o[1], o[2], stride, padding, dilation, groups, site);
  }
  if (input.dim() != 2 && input.dim() != 3) {
    throw ShapeError(
        str_cat("conv1d: expected an input [N, C, L] or [C, L], got shape ", input.sizes()), site);
  }
  check_dim("conv1d", site, {"weight", weight}, 3);
  const auto of_row = [site](const char* what, IntArrayRef values, int64_t otherwise) {
    if (values.size() == 1) return std::array{otherwise, values[0]};
    throw ShapeError(str_cat("conv1d: ", what, " takes one number, not ", values), site);
  };
  const Tensor image = (input.dim() == 3 ? input : input.unsqueeze(0, site)).unsqueeze(-2, site);
  const Tensor rows =
      convolution("conv1d", image, weight.unsqueeze(-2, site), bias, of_row("stride", stride, 1),
                  of_row("padding", padding, 0), of_row("dilation", dilation, 1), groups, site)
          .squeeze(-2, site);
  return input.dim() == 3 ? rows : rows.squeeze(0, site);
}

Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const Tensor& bias,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding,
                        int64_t groups, IntArrayRef dilation, CallSite site) {
  if (const Arguments all = {{"input", input}, {"weight", weight}, {"bias", bias}};
      are_apart(all)) {
    const auto o = brought_together("conv_transpose2d", site, all);
    return conv_transpose2d(o[0], o[1], o[2], stride, padding, output_padding, groups, dilation,
                            site);
  }
  check_operands("conv_transpose2d", input, weight, bias, site);
  if (input.dim() == 3) {
    return conv_transpose2d(input.unsqueeze(0, site), weight, bias, stride, padding, output_padding,
                            groups, dilation, site)
        .squeeze(0, site);
  }
  // The input is the result of the convolution that this one undoes the shape of.
  Call call{{}, "conv_transpose2d", site};
  Conv2dShape& s = call.shape;
  s.n = input.size(0);
  s.out_c = input.size(1);
  s.out_h = input.size(2);
  s.out_w = input.size(3);
  s.groups = groups;
  if (groups < 1 || s.out_c % groups != 0 || weight.size(0) != s.out_c) {
    throw_channels(call, input, weight, groups);
  }
  s.c = weight.size(1) * groups;
  check_bias("conv_transpose2d", bias, s.c, site);
  read_window(call, weight, stride, padding, dilation);
  int64_t extra[2], size[2];
  read_pair(extra, output_padding, 0, "conv_transpose2d", "output_padding", site);
  const int64_t from[2] = {s.out_h, s.out_w};
  for (int d = 0; d < 2; ++d) {
    const Window2d& w = s.window;
    if (extra[d] >= w.stride[d] && extra[d] >= w.dilation[d]) {
      throw ShapeError(str_cat("conv_transpose2d: output_padding ", extra[d],
                               " must be smaller than the stride ", w.stride[d],
                               " or the dilation ", w.dilation[d]),
                       site);
    }
    size[d] = (from[d] - 1) * w.stride[d] - 2 * w.padding[d] + w.dilation[d] * (w.kernel[d] - 1) +
              extra[d] + 1;
    if (from[d] < 1 || size[d] < 1) {
      throw ShapeError(
          str_cat("conv_transpose2d: an input of ", s.out_h, "x", s.out_w,
                  " gives an empty image (padding ", w.padding[0], "x", w.padding[1], ")"),
          site);
    }
  }
  s.h = size[0];
  s.w = size[1];
  return to_image(input, weight, bias, call, false);
}

}  // namespace tensorlib
