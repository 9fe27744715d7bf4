// Losses, made of other operations.
#include "tensorlib/loss.h"

#include <algorithm>
#include <utility>

#include "autograd/record.h"
#include "backend/class_fault.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "ops/index.h"

namespace tensorlib {

namespace {

Tensor reduced(const Tensor& losses, int64_t reduction, const char* name, CallSite site) {
  switch (reduction) {
    case Reduction::None: return losses;
    case Reduction::Mean: return losses.mean(site);
    case Reduction::Sum: return losses.sum(site);
  }
  throw Error(
      str_cat(name, ": ", reduction, " is not a reduction (torch::Reduction::Mean, Sum, None)"),
      site);
}

// Both as an operation sees them: defined and floating.
void check_pair(const char* name, const Tensor& self, const Tensor& target, CallSite site) {
  require_defined(self, "self", name, site);
  require_defined(target, "target", name, site);
  check_floating(name, site, {"self", self});
}

// Whether some targets may be `index`. A CPU's can be looked at; a GPU's are not waited for.
bool may_contain(const Tensor& target, int64_t index, CallSite site) {
  if (!target.is_cpu() || target.dtype() != kLong) return true;
  const Tensor plain = target.contiguous(site);
  const int64_t* values = static_cast<const int64_t*>(plain.impl()->data());
  return std::find(values, values + plain.numel(), index) != values + plain.numel();
}

// Each is one of the classes, or ignored. Only on the CPU: a GPU's are not waited for, and the
// kernel that picks by them says the same later.
void check_labels(const char* name, const Tensor& target, int64_t classes, int64_t ignore_index,
                  CallSite site) {
  if (target.dtype() != kLong) {
    throw DTypeMismatchError(str_cat(name, ": target is ", name_of(target.dtype()),
                                     ", not int64\nhelp: target = target.to(torch::kLong)"),
                             site);
  }
  if (!target.is_cpu()) return;
  const Tensor plain = target.contiguous(site);
  const int64_t* labels = static_cast<const int64_t*>(plain.impl()->data());
  for (int64_t i = 0; i < plain.numel(); ++i) {
    if ((labels[i] >= 0 && labels[i] < classes) || labels[i] == ignore_index) continue;
    throw IndexError(no_such_class(name, labels[i], i, classes), site);
  }
}

// The classes of the rows, and what each row counts: its class's weight, and 0 where it is ignored;
// undefined where every row counts 1.
struct RowClasses {
  Tensor classes, weights;
};
RowClasses row_classes(const char* name, const Tensor& scores, const Tensor& target,
                       const Tensor& class_weights, int64_t ignore_index, CallSite site) {
  RowClasses rows{target, {}};
  if (may_contain(target, ignore_index, site)) {
    const Tensor counts = target.ne(ignore_index, site);
    rows.classes = target.mul(counts.to(target.dtype(), false, false, site), site);
    rows.weights = counts.to(scores.dtype(), false, false, site);
  }
  if (class_weights.defined()) {
    const Tensor flat = rows.classes.reshape(-1, site);
    const Tensor own = of_classes(name, class_weights, 0, flat, site).view(target.sizes(), site);
    rows.weights = rows.weights.defined() ? rows.weights.mul(own, site) : own;
  }
  return rows;
}

// The losses of rows: a mean is of what the rows count.
Tensor reduced_rows(const Tensor& losses, const Tensor& weights, int64_t reduction,
                    const char* name, CallSite site) {
  if (weights.defined() && reduction == Reduction::Mean) {
    return losses.sum(site).div(weights.sum(site), site);
  }
  return reduced(losses, reduction, name, site);
}

void require_floating_scores(const char* name, const Tensor& self, CallSite site) {
  check_floating(name, site, {"self", self});
  if (self.dim() == 0)
    throw ShapeError(str_cat(name, ": the scores have no dimension of classes"), site);
}

// [classes] as [classes, 1, ...], to meet scores of [N, classes, ...].
Tensor along_classes(const Tensor& weight, int64_t dims, CallSite site) {
  std::vector<int64_t> sizes(static_cast<size_t>(std::max<int64_t>(1, dims - 1)), 1);
  sizes[0] = -1;
  return weight.view(sizes, site);
}

// The target gives a probability for each class, and has the scores' shape.
Tensor cross_entropy_of_probabilities(const char* name, const Tensor& self, const Tensor& target,
                                      const Tensor& weight, int64_t reduction,
                                      double label_smoothing, CallSite site) {
  if (target.sizes() != self.sizes()) {
    throw ShapeError(str_cat(name, ": probabilities of shape ", target.sizes(),
                             " are not one for each of the scores ", self.sizes(),
                             target.dim() + 1 == self.dim()
                                 ? "\nhelp: the numbers of classes are integers: target = "
                                   "target.to(torch::kLong)"
                                 : ""),
                     site);
  }
  const int64_t d = self.dim() == 1 ? 0 : 1;
  const int64_t classes = self.size(d);
  Tensor wanted = target;
  if (label_smoothing > 0) {
    wanted = target.mul(1 - label_smoothing, site)
                 .add(label_smoothing / static_cast<double>(classes), 1, site);
  }
  Tensor products = self.log_softmax(d, site).mul(wanted, site);
  if (weight.defined()) products = products.mul(along_classes(weight, self.dim(), site), site);
  const Tensor losses = products.sum(d, false, site).neg(site);
  return reduced(losses, reduction, name, site);
}

// nll_loss() for an operation that the person called by `name`.
Tensor nll(const char* name, const Tensor& self, const Tensor& target, const Tensor& weight,
           int64_t reduction, int64_t ignore_index, CallSite site) {
  check_floating(name, site, {"self", self});
  if (self.dim() == 1) {  // one row alone
    const Tensor loss = nll(name, self.unsqueeze(0, site), target.unsqueeze(0, site), weight,
                            reduction, ignore_index, site);
    return loss.dim() == 1 ? loss.squeeze(0, site) : loss;
  }
  Dims places = self.impl()->sizes;
  if (self.dim() >= 2) places.erase(1);
  if (self.dim() < 2 || target.impl()->sizes != places) {
    throw ShapeError(str_cat(name, ": a target of shape ", target.sizes(),
                             " does not name one class for each row of ", self.sizes()),
                     site);
  }
  check_labels(name, target, self.size(1), ignore_index, site);
  const auto [classes, weights] = row_classes(name, self, target, weight, ignore_index, site);
  const Tensor chosen =
      of_classes(name, self, 1, classes.unsqueeze(1, site), site).squeeze(1, site);
  const Tensor losses = weights.defined() ? chosen.mul(weights, site).neg(site) : chosen.neg(site);
  return reduced_rows(losses, weights, reduction, name, site);
}

}  // namespace

Tensor nll_loss(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction,
                int64_t ignore_index, CallSite site) {
  constexpr const char* kName = "nll_loss";
  require_defined(self, "self", kName, site);
  require_defined(target, "target", kName, site);
  if (const Arguments all = {{"self", self}, {"target", target}, {"weight", weight}};
      are_apart(all)) {
    const auto o = brought_together(kName, site, all);
    return nll(kName, o[0], o[1], o[2], reduction, ignore_index, site);
  }
  return nll(kName, self, target, weight, reduction, ignore_index, site);
}

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const Tensor& weight,
                          int64_t reduction, int64_t ignore_index, double label_smoothing,
                          CallSite site) {
  constexpr const char* kName = "cross_entropy";
  require_defined(self, "self", kName, site);
  require_defined(target, "target", kName, site);
  if (const Arguments all = {{"self", self}, {"target", target}, {"weight", weight}};
      are_apart(all)) {
    const auto o = brought_together(kName, site, all);
    return cross_entropy_loss(o[0], o[1], o[2], reduction, ignore_index, label_smoothing, site);
  }
  if (!(label_smoothing >= 0 && label_smoothing <= 1)) {
    throw Error(str_cat(kName, ": label_smoothing ", label_smoothing, " is not in [0, 1]"), site);
  }
  require_floating_scores(kName, self, site);
  if (isFloatingType(target.dtype())) {
    return cross_entropy_of_probabilities(kName, self, target, weight, reduction, label_smoothing,
                                          site);
  }
  const Tensor scores = self.log_softmax(self.dim() == 1 ? 0 : 1, site);
  const Tensor own = nll(kName, scores, target, weight, reduction, ignore_index, site);
  if (label_smoothing == 0) return own;
  if (self.dim() == 1) {
    const Tensor loss = cross_entropy_loss(self.unsqueeze(0, site), target.unsqueeze(0, site),
                                           weight, reduction, ignore_index, label_smoothing, site);
    return loss.dim() == 1 ? loss.squeeze(0, site) : loss;
  }
  // The share that is spread over all classes, each with its own weight.
  const auto [classes, weights] = row_classes(kName, scores, target, weight, ignore_index, site);
  const auto counts = row_classes(kName, scores, target, {}, ignore_index, site).weights;
  Tensor spread =
      (weight.defined() ? scores.mul(along_classes(weight, self.dim(), site), site) : scores)
          .mean(1, false, site)
          .neg(site);
  if (counts.defined()) spread = spread.mul(counts, site);
  return own.mul(1 - label_smoothing, site)
      .add(reduced_rows(spread, weights, reduction, kName, site), label_smoothing, site);
}

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction, CallSite site) {
  return reduced(self.sub(target, 1, site).square(site), reduction, "mse_loss", site);
}

Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, CallSite site) {
  return reduced(self.sub(target, 1, site).abs(site), reduction, "l1_loss", site);
}

Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction, double delta,
                  CallSite site) {
  if (const Arguments both = {{"self", self}, {"target", target}}; are_apart(both)) {
    const auto o = brought_together("huber_loss", site, both);
    return huber_loss(o[0], o[1], reduction, delta, site);
  }
  check_pair("huber_loss", self, target, site);
  if (!(delta > 0)) throw Error(str_cat("huber_loss: delta is ", delta, ", not above 0"), site);
  // With c = min(z, delta): z^2 / 2 below delta, delta * (z - delta / 2) above.
  const Tensor distance = self.sub(target, 1, site).abs(site);
  const Tensor near = distance.clamp_max(delta, site);
  return reduced(near.mul(distance.sub(near, 0.5, site), site), reduction, "huber_loss", site);
}

Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, double beta,
                      CallSite site) {
  if (const Arguments both = {{"self", self}, {"target", target}}; are_apart(both)) {
    const auto o = brought_together("smooth_l1_loss", site, both);
    return smooth_l1_loss(o[0], o[1], reduction, beta, site);
  }
  check_pair("smooth_l1_loss", self, target, site);
  if (!(beta >= 0)) throw Error(str_cat("smooth_l1_loss: beta is ", beta, ", below 0"), site);
  if (beta == 0) return l1_loss(self, target, reduction, site);
  const Tensor loss = huber_loss(self, target, reduction, beta, site);
  return beta == 1 ? loss : loss.div(beta, site);
}

Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction, bool log_target,
              CallSite site) {
  check_pair("kl_div", self, target, site);
  Tensor losses;
  if (log_target) {
    losses = target.exp(site).mul(target.sub(self, 1, site), site);
  } else {
    // Where the target is 0 there is no loss, whatever the logarithm.
    const Tensor none = target.detach(site).le(0, site);
    const Tensor log = target.masked_fill(none, 1, site).log(site);
    losses = target.mul(log.sub(self, 1, site), site).masked_fill(none, 0, site);
  }
  if (reduction == Reduction::BatchMean) {
    const double rows = self.dim() > 0 ? static_cast<double>(self.size(0)) : 1;
    return losses.sum(site).div(rows, site);
  }
  return reduced(losses, reduction, "kl_div", site);
}

Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, const Tensor& weight,
                            int64_t reduction, CallSite site) {
  constexpr const char* kName = "binary_cross_entropy";
  if (const Arguments both = {{"self", self}, {"target", target}}; are_apart(both)) {
    const auto o = brought_together(kName, site, both);
    return binary_cross_entropy(o[0], o[1], weight, reduction, site);
  }
  check_pair(kName, self, target, site);
  check_same_dtype(kName, site, {{"self", self}, {"target", target}});
  if (self.sizes() != target.sizes()) {
    throw ShapeError(str_cat(kName, ": a target of shape ", target.sizes(),
                             " does not fit an input of shape ", self.sizes()),
                     site);
  }
  // log(p), log(1 - p)
  const auto logarithms = [site](const Tensor& p) {
    return std::pair(p.log(site).clamp_min(-100, site),
                     p.neg(site).log1p(site).clamp_min(-100, site));
  };
  Tensor losses;
  {
    NoGradGuard raw;
    const auto [yes, no] = logarithms(self);
    losses = target.mul(no.sub(yes, 1, site), site).sub(no, 1, site);
  }
  losses = recorded(std::move(losses), kName, site, {&self, &target}, [&] {
    return [=, p = SavedTensor(self), t = SavedTensor(target)](const Tensor& g, Needs needs) {
      Tensors grads(2);
      if (needs(0)) {
        // (p - t) / (p * (1 - p)), kept finite at 0 and 1.
        const Tensor spread = p.get().mul(p.get().neg(site).add(1, 1, site), site);
        grads[0] =
            g.mul(p.get().sub(t.get(), 1, site), site).div(spread.clamp_min(1e-12, site), site);
      }
      if (needs(1)) {
        const auto [yes, no] = logarithms(p.get());
        grads[1] = g.mul(no.sub(yes, 1, site), site);
      }
      return grads;
    };
  });
  return reduced(weight.defined() ? losses.mul(weight, site) : losses, reduction, kName, site);
}

Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target,
                                        const Tensor& weight, const Tensor& pos_weight,
                                        int64_t reduction, CallSite site) {
  constexpr const char* kName = "binary_cross_entropy_with_logits";
  if (const Arguments both = {{"self", self}, {"target", target}}; are_apart(both)) {
    const auto o = brought_together(kName, site, both);
    return binary_cross_entropy_with_logits(o[0], o[1], weight, pos_weight, reduction, site);
  }
  check_pair(kName, self, target, site);
  // (1 - t) * x + w * (log(exp(-m) + exp(-x - m)) + m) with m = max(-x, 0), a constant to
  // gradients: no exponent is above 0.
  const Tensor m = self.detach(site).neg(site).clamp_min(0, site);
  Tensor log_term = m.neg(site)
                        .exp(site)
                        .add(self.neg(site).sub(m, 1, site).exp(site), 1, site)
                        .log(site)
                        .add(m, 1, site);
  if (pos_weight.defined()) {
    const Tensor w = pos_weight.sub(1, 1, site).mul(target, site).add(1, 1, site);
    log_term = log_term.mul(w, site);
  }
  const Tensor losses = target.neg(site).add(1, 1, site).mul(self, site).add(log_term, 1, site);
  return reduced(weight.defined() ? losses.mul(weight, site) : losses, reduction, kName, site);
}

}  // namespace tensorlib
