// Normalisation by statistics: per channel, and per example.
#include "autograd/record.h"
#include "backend/platform.h"
#include "core/transfer.h"
#include "ops/image.h"
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

// The values that the record of a batch norm keeps.
struct NormRecord {
  BatchNormShape shape;
  bool training;
  SavedTensor input, weight;
  Tensor mean, variance;  // that the result was made with
  CallSite site;
};

// With y = (x - mean) * s * weight + bias and s = 1 / sqrt(variance + eps), each per channel. In
// training the mean and the variance depend on x too. Made of recorded operations.
Tensors differentiable_gradient(const NormRecord& r, const Tensor& g) {
  const CallSite site = r.site;
  const Tensor x = r.input.get(), weight = r.weight.get();
  Dims channel = Dims::filled(static_cast<int>(x.dim()), 1), others;
  channel[1] = x.size(1);
  for (int i = 0; i < x.dim(); ++i) {
    if (i != 1) others.push_back(i);
  }
  const Tensor mean = r.training ? x.mean(others, true, site) : r.mean.view(channel, site);
  const Tensor centred = x.sub(mean, 1, site);
  const Tensor variance =
      r.training ? centred.square(site).mean(others, true, site) : r.variance.view(channel, site);
  const Tensor s = variance.add(r.shape.eps, 1, site).rsqrt(site);
  const Tensor normal = centred.mul(s, site);
  const Tensor sum = g.sum(others, true, site);
  const Tensor weighted_sum = g.mul(normal, site).sum(others, true, site);
  const double part = 1 / static_cast<double>(r.shape.n * r.shape.inner);
  const Tensor own = r.training ? g.sub(sum.mul(part, site), 1, site)
                                      .sub(normal.mul(weighted_sum.mul(part, site), site), 1, site)
                                : g;
  const Tensor scale = weight.defined() ? s.mul(weight.view(channel, site), site) : s;
  return {own.mul(scale, site), weighted_sum.view({r.shape.c}, site), sum.view({r.shape.c}, site)};
}

Tensors batch_norm_gradient(const NormRecord& r, const Tensor& g, Needs needs) {
  if (GradMode::is_enabled()) return differentiable_gradient(r, g);
  const CallSite site = r.site;
  const Tensor x = plain(r.input.get(), site), weight = plain(r.weight.get(), site);
  const Tensor grad = plain(g, site);
  const ScalarType type = x.dtype();
  const auto make = [&](IntArrayRef sizes, ScalarType of) {
    return allocate_result(sizes, of, x, "batch_norm", site);
  };
  Tensors grads(3);
  if (needs(0)) grads[0] = make(x.sizes(), type);
  for (size_t i : {1, 2}) {
    if (needs(i)) grads[i] = make({r.shape.c}, type);
  }
  const Tensor scratch = make({2, r.shape.c}, isReducedFloatingType(type) ? kFloat : type);
  const auto target = [](const Tensor& t) { return t.defined() ? t.impl()->writable() : nullptr; };
  backend_for(x.device())
      .batch_norm_gradient(type, r.shape, r.training,
                           {target(grads[0]), target(grads[1]), target(grads[2]), target(scratch)},
                           grad.impl()->data(), x.impl()->data(),
                           {weight.defined() ? weight.impl()->data() : nullptr, nullptr,
                            r.mean.impl()->data(), r.variance.impl()->data()});
  return grads;
}

struct Statistics {
  Tensor mean, variance;  // of each channel
};

Statistics statistics_of(const Tensor& input, const BatchNormShape& s, CallSite site) {
  NoGradGuard raw;
  const Statistics own{empty({s.c}, input.options(), site), empty({s.c}, input.options(), site)};
  const Tensor image = plain(input, site);
  backend_for(input.device())
      .batch_stats(input.dtype(), s, own.mean.impl()->writable(), own.variance.impl()->writable(),
                   image.impl()->data());
  return own;
}

// `own`: the statistics are those of this very input, and the gradient goes through them.
Tensor normalized(const char* name, const Tensor& input, const Tensor& weight, const Tensor& bias,
                  const BatchNormShape& s, const Statistics& by, bool own, CallSite site) {
  const TensorImpl& impl = *input.impl();
  Tensor result = allocate_result(impl.sizes, impl.dtype, input, name, site);
  const Tensor mean = plain(by.mean, site), variance = plain(by.variance, site);
  const Tensor image = plain(input, site), scale = plain(weight, site), shift = plain(bias, site);
  const auto pointer = [](const Tensor& t) { return t.defined() ? t.impl()->data() : nullptr; };
  backend_for(input.device())
      .batch_norm(impl.dtype, s, result.impl()->writable(), image.impl()->data(),
                  {pointer(scale), pointer(shift), pointer(mean), pointer(variance)});
  return recorded(std::move(result), name, site, {&input, &weight, &bias}, [&] {
    // Of running statistics a copy: the next batch moves them in place.
    const auto kept = [&](const Tensor& t) { return own ? t : t.detach(site).clone(site); };
    return [r = NormRecord{s, own, SavedTensor(input), SavedTensor(weight), kept(mean),
                           kept(variance), site}](const Tensor& g, Needs needs) {
      return batch_norm_gradient(r, g, needs);
    };
  });
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
  if (are_apart(all)) {
    const auto o = brought_together("batch_norm", site, all);
    return batch_norm(o[0], o[1], o[2], o[3], o[4], training, momentum, eps, site);
  }
  check_same_dtype("batch_norm", site, all);
  check_floating("batch_norm", site, {"input", input});
  if (impl.sizes.size() < 2) {
    throw ShapeError(
        str_cat("batch_norm: expected an input [N, C, ...], got shape ", input.sizes()), site);
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
  if (impl.numel == 0) return allocate_result(impl.sizes, impl.dtype, input, "batch_norm", site);
  if (!training) {
    return normalized("batch_norm", input, weight, bias, s, {running_mean, running_var}, false,
                      site);
  }
  const int64_t count = s.n * s.inner;
  if (count < 2) {
    throw ShapeError(str_cat("batch_norm: in training a channel needs more than one value, and the "
                             "input's shape is ",
                             input.sizes()),
                     site);
  }
  const Statistics own = statistics_of(input, s, site);
  {
    NoGradGuard raw;
    move_running(running_mean, own.mean, momentum, 1, site);
    // The running variance is the unbiased one.
    move_running(running_var, own.variance, momentum,
                 static_cast<double>(count) / static_cast<double>(count - 1), site);
  }
  return normalized("batch_norm", input, weight, bias, s, own, true, site);
}

// Each example is a channel of a batch norm of one image, which keeps no statistics.
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight,
                  const Tensor& bias, double eps, bool, CallSite site) {
  const TensorImpl& impl = require_defined(input, "input", "layer_norm", site);
  const Arguments all = {{"input", input}, {"weight", weight}, {"bias", bias}};
  if (are_apart(all)) {
    const auto o = brought_together("layer_norm", site, all);
    return layer_norm(o[0], normalized_shape, o[1], o[2], eps, true, site);
  }
  check_same_dtype("layer_norm", site, all);
  check_floating("layer_norm", site, {"input", input});
  const auto count = static_cast<int>(normalized_shape.size());
  const int outer = impl.sizes.size() - count;
  bool fits = count > 0 && outer >= 0;
  for (int i = 0; fits && i < count; ++i) fits = impl.sizes[outer + i] == normalized_shape[i];
  if (!fits) {
    throw ShapeError(str_cat("layer_norm: an input of shape ", input.sizes(),
                             " does not end in the normalized shape ", normalized_shape),
                     site);
  }
  for (const Argument& argument : {Argument{"weight", weight}, Argument{"bias", bias}}) {
    if (!argument.tensor.defined() || argument.tensor.sizes() == normalized_shape) continue;
    throw ShapeError(str_cat("layer_norm: ", argument.name, " has shape ", argument.tensor.sizes(),
                             ", not ", normalized_shape),
                     site);
  }
  if (isReducedFloatingType(impl.dtype)) {  // two bytes are too few for the mean
    const auto wide = [site](const Tensor& t) {
      return t.defined() ? t.to(kFloat, false, false, site) : t;
    };
    return layer_norm(wide(input), normalized_shape, wide(weight), wide(bias), eps, true, site)
        .to(impl.dtype, false, false, site);
  }
  const int64_t inner = product(normalized_shape);
  Tensor result = input;
  if (input.numel() > 0) {
    const BatchNormShape shape{1, input.numel() / inner, inner, eps};
    const Tensor examples = input.reshape({1, shape.c, inner}, site);
    result = normalized("layer_norm", examples, {}, {}, shape, statistics_of(examples, shape, site),
                        true, site)
                 .view(impl.sizes, site);
  }
  if (weight.defined()) result = result.mul(weight, site);
  return bias.defined() ? result.add(bias, 1, site) : result;
}

}  // namespace tensorlib
