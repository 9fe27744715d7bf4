// Losses, made of other operations.
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/nn/functional.h"

namespace tensorlib {

namespace {

Tensor reduced(const Tensor& losses, int64_t reduction, const char* name, CallSite site) {
  switch (reduction) {
    case Reduction::None: return losses;
    case Reduction::Mean: return losses.mean(site);
    case Reduction::Sum: return losses.sum(site);
  }
  throw Error(
      str_cat(name, ": ", reduction, " is no reduction (torch::Reduction::Mean, Sum, None)"), site);
}

}  // namespace

Tensor nll_loss(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction,
                CallSite site) {
  require_defined(self, "self", "nll_loss", site);
  require_defined(target, "target", "nll_loss", site);
  check_same_device("nll_loss", site, {{"self", self}, {"target", target}, {"weight", weight}});
  check_floating("nll_loss", site, {"self", self});
  check_dim("nll_loss", site, {"self", self}, 2);
  if (target.dim() != 1 || target.size(0) != self.size(0)) {
    throw ShapeError(str_cat("nll_loss: a target of shape ", target.sizes(),
                             " does not name one class for each row of ", self.sizes()),
                     site);
  }
  const Tensor chosen = self.gather(1, target.unsqueeze(1, site), site).squeeze(1, site);
  if (!weight.defined()) return reduced(chosen.neg(site), reduction, "nll_loss", site);
  const Tensor weights = weight.gather(0, target, site);
  const Tensor losses = chosen.neg(site).mul(weights, site);
  if (reduction == Reduction::Mean) return losses.sum(site).div(weights.sum(site), site);
  return reduced(losses, reduction, "nll_loss", site);
}

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const Tensor& weight,
                          int64_t reduction, CallSite site) {
  require_defined(self, "self", "cross_entropy_loss", site);
  require_defined(target, "target", "cross_entropy_loss", site);
  check_same_device("cross_entropy_loss", site,
                    {{"self", self}, {"target", target}, {"weight", weight}});
  return nll_loss(self.log_softmax(1, site), target, weight, reduction, site);
}

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction, CallSite site) {
  return reduced(self.sub(target, 1, site).square(site), reduction, "mse_loss", site);
}

}  // namespace tensorlib
