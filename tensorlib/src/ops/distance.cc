// Distances between vectors.
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/composed.h"

namespace tensorlib {

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps,
                         CallSite site) {
  require_defined(x1, "x1", "cosine_similarity", site);
  require_defined(x2, "x2", "cosine_similarity", site);
  const Tensor both = x1.mul(x2, site).sum(dim, false, site);
  const Tensor squares =
      x1.square(site).sum(dim, false, site).mul(x2.square(site).sum(dim, false, site), site);
  return both.div(squares.clamp_min(eps * eps, site).sqrt(site), site);
}

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, CallSite site) {
  require_defined(x1, "x1", "cdist", site);
  require_defined(x2, "x2", "cdist", site);
  if (x1.dim() < 2 || x2.dim() < 2 || x1.size(-1) != x2.size(-1)) {
    throw ShapeError(str_cat("cdist: expected rows of equal length, got shapes ", x1.sizes(),
                             " and ", x2.sizes()),
                     site);
  }
  return x1.unsqueeze(-2, site).sub(x2.unsqueeze(-3, site), 1, site).norm(p, -1, false, site);
}
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim,
                         CallSite site) {
  require_defined(x1, "x1", "pairwise_distance", site);
  return x1.sub(x2, 1, site).add(eps, 1, site).norm(p, -1, keepdim, site);
}

}  // namespace tensorlib
