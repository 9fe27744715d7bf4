// Normalisation by statistics per channel.
#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// running = (1 - momentum) * running + momentum * observed
void move_running(const Tensor& running, const Tensor& observed, double momentum, double scale,
                  CallSite site) {
  if (!running.defined()) return;
  running.mul_(1 - momentum, site);
  running.add_(observed, momentum * scale, site);
}

// With y = (x - mean) * s * weight + bias and s = 1 / sqrt(variance + eps), each per channel. In
// training the mean and the variance depend on x too.
Tensors batch_norm_gradient(const Tensor& g, const Tensor& x, const Tensor& weight,
                            const Tensor& mean, const Tensor& variance, bool training, double eps,
                            Needs needs, CallSite site) {
  refuse_second_gradient("batch_norm", site);
  Dims channel = Dims::filled(static_cast<int>(x.dim()), 1), others;
  channel[1] = x.size(1);
  for (int i = 0; i < x.dim(); ++i) {
    if (i != 1) others.push_back(i);
  }
  const Tensor s = variance.add(eps, 1, site).rsqrt(site).view(channel, site);
  const Tensor normal = x.sub(mean.view(channel, site), 1, site).mul(s, site);
  const Tensor sum = g.sum(others, false, site);
  const Tensor weighted_sum = g.mul(normal, site).sum(others, false, site);
  Tensors grads(3);
  if (needs(0)) {
    const double share = static_cast<double>(x.size(1)) / static_cast<double>(x.numel());
    Tensor centred = g;
    if (training) {
      centred =
          g.sub(sum.mul(share, site).view(channel, site), 1, site)
              .sub(normal.mul(weighted_sum.mul(share, site).view(channel, site), site), 1, site);
    }
    grads[0] = centred.mul(weight.defined() ? s.mul(weight.view(channel, site), site) : s, site);
  }
  if (needs(1)) grads[1] = weighted_sum;
  if (needs(2)) grads[2] = sum;
  return grads;
}

}  // namespace

Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias,
                  const Tensor& running_mean, const Tensor& running_var, bool training,
                  double momentum, double eps, CallSite site) {
  const TensorImpl& impl = require_defined(input, "input", "batch_norm", site);
  const Arguments all = {{"input", input},
                         {"weight", weight},
                         {"bias", bias},
                         {"running_mean", running_mean},
                         {"running_var", running_var}};
  check_same_device("batch_norm", site, all);
  check_same_dtype("batch_norm", site, all);
  check_floating("batch_norm", site, {"input", input});
  if (impl.sizes.size() < 2) {
    throw ShapeError(
        str_cat("batch_norm: the input must be [N, C, ...], and its shape is ", input.sizes()),
        site);
  }
  BatchNormShape s{impl.sizes[0], impl.sizes[1], 1, eps};
  for (int i = 2; i < impl.sizes.size(); ++i) s.inner *= impl.sizes[i];
  for (const Argument& argument : all) {
    if (&argument.tensor == &input || !argument.tensor.defined()) continue;
    if (argument.tensor.dim() != 1 || argument.tensor.size(0) != s.c) {
      throw ShapeError(
          str_cat("batch_norm: the input has ", s.c, " channels (its shape is ", input.sizes(),
                  "), but ", argument.name, " has shape ", argument.tensor.sizes()),
          site);
    }
  }
  if (!training && (!running_mean.defined() || !running_var.defined())) {
    throw Error("batch_norm: outside training the running mean and variance must be given", site);
  }
  Tensor result = allocate_result(impl.sizes, impl.dtype, input, "batch_norm", site);
  if (impl.numel == 0) return result;
  Tensor mean = running_mean, variance = running_var;
  {
    NoGradGuard raw;
    Backend& backend = backend_for(input.device());
    const Tensor image = input.contiguous(site);
    if (training) {
      const int64_t count = s.n * s.inner;
      if (count < 2) {
        throw ShapeError(
            str_cat("batch_norm: in training a channel needs more than one value, and the "
                    "input's shape is ",
                    input.sizes()),
            site);
      }
      mean = empty({s.c}, input.options(), site);
      variance = empty({s.c}, input.options(), site);
      backend.batch_stats(impl.dtype, s, mean.impl()->writable(), variance.impl()->writable(),
                          image.impl()->data());
      move_running(running_mean, mean, momentum, 1, site);
      // The running variance is the unbiased one.
      move_running(running_var, variance, momentum,
                   static_cast<double>(count) / static_cast<double>(count - 1), site);
    }
    const auto plain = [site](const Tensor& t) { return t.defined() ? t.contiguous(site) : t; };
    const Tensor values[] = {plain(weight), plain(bias), plain(mean), plain(variance)};
    const auto pointer = [](const Tensor& t) { return t.defined() ? t.impl()->data() : nullptr; };
    backend.batch_norm(
        impl.dtype, s, result.impl()->writable(), image.impl()->data(),
        {pointer(values[0]), pointer(values[1]), pointer(values[2]), pointer(values[3])});
  }
  // Of running statistics a copy: the next batch moves them in place.
  const auto kept = [&](const Tensor& t) { return training ? t : t.clone(site); };
  return recorded(std::move(result), "batch_norm", site, {&input, &weight, &bias}, [&] {
    return [=, x = SavedTensor(input), w = SavedTensor(weight), mean = kept(mean.detach()),
            variance = kept(variance.detach())](const Tensor& g, Needs needs) {
      return batch_norm_gradient(g, x.get(), w.get(), mean, variance, training, eps, needs, site);
    };
  });
}

}  // namespace tensorlib
