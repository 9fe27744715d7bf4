// Reductions. A backend reduces [outer, n, inner] over n; other shapes are permuted into that.
#include <algorithm>
#include <cmath>

#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

struct Plan {
  Tensor input;  // contiguous, the reduced dimensions side by side
  Rows rows;     // input as [outer, n, inner]
  Dims sizes;    // of the result
};

// A set of dimensions, as bits; none given means all.
unsigned dim_set(const TensorImpl& impl, IntArrayRef dims, const char* name, CallSite site) {
  if (dims.empty()) return (1u << impl.sizes.size()) - 1;
  unsigned set = 0;
  for (int64_t dim : dims) {
    const unsigned bit = 1u << wrap_dim(dim, impl.sizes.size(), name, site);
    if (set & bit) throw IndexError(str_cat(name, ": dimension ", dim, " appears twice"), site);
    set |= bit;
  }
  return set;
}

Plan plan(const Tensor& self, IntArrayRef dims, bool keepdim, const char* name, CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", name, site);
  const unsigned set = dim_set(impl, dims, name, site);
  const int rank = impl.sizes.size();
  Plan result{self, {1, 1, 1}, {}};
  int first = -1, last = -1, count = 0;
  for (int i = 0; i < rank; ++i) {
    if (set >> i & 1) {
      if (first < 0) first = i;
      last = i;
      ++count;
      if (keepdim) result.sizes.push_back(1);
    } else {
      result.sizes.push_back(impl.sizes[i]);
    }
  }
  const bool adjacent = count == 0 || last - first + 1 == count;
  if (adjacent) {
    for (int i = 0; i < rank; ++i) {
      (count == 0 || i < first ? result.rows.outer
       : i <= last             ? result.rows.n
                               : result.rows.inner) *= impl.sizes[i];
    }
    result.input = self.contiguous(site);
    return result;
  }
  Dims order;
  for (int i = 0; i < rank; ++i) {
    if (!(set >> i & 1)) order.push_back(i), result.rows.outer *= impl.sizes[i];
  }
  for (int i = 0; i < rank; ++i) {
    if (set >> i & 1) order.push_back(i), result.rows.n *= impl.sizes[i];
  }
  result.input = self.permute(order, site).contiguous(site);
  return result;
}

void refuse_empty(const char* name, const Tensor& self, CallSite site) {
  throw ShapeError(
      str_cat(name, ": there are no elements to choose from; the shape is ", self.sizes()), site);
}

// The result's shape with the reduced dimensions kept as 1.
Dims kept_sizes(const Tensor& self, IntArrayRef dims, const char* name, CallSite site) {
  const TensorImpl& impl = *self.impl();
  const unsigned set = dim_set(impl, dims, name, site);
  Dims sizes = impl.sizes;
  for (int i = 0; i < sizes.size(); ++i) {
    if (set >> i & 1) sizes[i] = 1;
  }
  return sizes;
}

// A sum passes its gradient to every element; a mean, its share; a maximum, to the elements that it
// took, in equal parts.
Tensor record_reduce(ReduceOp op, Tensor result, const char* name, const Tensor& self,
                     IntArrayRef dims, bool average, CallSite site) {
  // The one over all elements is the first of sum and mean, the second of the others.
  const int which = (op == ReduceOp::sum) != dims.empty();
  return overload(
      which, recorded(result, name, site, {&self}, [&] {
        const Dims kept = kept_sizes(self, dims, name, site);
        const bool chooses = op != ReduceOp::sum;
        const double share =
            average ? static_cast<double>(result.numel()) / static_cast<double>(self.numel()) : 1;
        return [=, sizes = self.impl()->sizes, x = SavedTensor(chooses ? self : Tensor()),
                y = chooses ? SavedTensor::result(result) : SavedTensor(Tensor())](
                   const Tensor& g, Needs, autograd::GraphNode* node) {
          const Tensor spread = g.reshape(kept, site);
          if (!chooses) {
            return Tensors{(average ? spread.mul(share, site) : spread).expand(sizes, site)};
          }
          const Tensor taken = x.get(node)
                                   .eq(y.get(node).reshape(kept, site), site)
                                   .to(g.dtype(), false, false, site);
          Dims reduced;
          for (int i = 0; i < sizes.size(); ++i) {
            if (kept[i] != sizes[i]) reduced.push_back(i);
          }
          const Tensor count = reduced.empty() ? taken : taken.sum(reduced, true, site);
          return Tensors{spread.div(count, site).mul(taken, site)};
        };
      }));
}

Tensor reduce(ReduceOp op, const char* name, const Tensor& self, IntArrayRef dims, bool keepdim,
              bool average, CallSite site) {
  Plan p = [&] {
    NoGradGuard raw;
    return plan(self, dims, keepdim, name, site);
  }();
  const ScalarType type = p.input.dtype();
  if (average) check_floating(name, site, {"self", self});
  if (op == ReduceOp::sum) {
    if (!isFloatingType(type)) p.input = p.input.to(kLong, false, false, site);
  } else if (p.rows.n == 0 && p.rows.outer * p.rows.inner > 0) {
    refuse_empty(name, self, site);
  } else if (type == kBool) {
    p.input = p.input.to(kByte, false, false, site);
  }
  Tensor result = allocate_result(p.sizes, p.input.dtype(), self, name, site);
  if (result.numel() > 0) {
    backend_for(self.device())
        .reduce(op, p.input.dtype(), p.rows, result.impl()->writable(), p.input.impl()->data(),
                average ? 1.0 / static_cast<double>(p.rows.n) : 1.0);
  }
  if (op != ReduceOp::sum && type == kBool) return result.to(kBool, false, false, site);
  return record_reduce(op, std::move(result), name, self, dims, average, site);
}

// The chosen values (where wanted) and their indices along `dim`, or along the flattened tensor.
std::tuple<Tensor, Tensor> arg_reduce(ReduceOp op, const char* name, const Tensor& self,
                                      std::optional<int64_t> dim, bool keepdim, bool want_values,
                                      CallSite site) {
  require_defined(self, "self", name, site);
  if (self.dtype() == kBool) {
    throw DTypeMismatchError(str_cat(name, ": not an operation of bool tensors"), site);
  }
  const Plan p = [&] {
    NoGradGuard raw;
    return dim ? plan(self, *dim, keepdim, name, site) : plan(self, {}, false, name, site);
  }();
  if (p.rows.n == 0) refuse_empty(name, self, site);
  Tensor indices = allocate_result(p.sizes, kLong, self, name, site);
  Tensor values;
  if (want_values) values = allocate_result(p.sizes, self.dtype(), self, name, site);
  if (indices.numel() > 0) {
    backend_for(self.device())
        .arg_reduce(op, self.dtype(), p.rows, want_values ? values.impl()->writable() : nullptr,
                    static_cast<int64_t*>(indices.impl()->writable()), p.input.impl()->data());
  }
  if (want_values) {
    values = recorded(std::move(values), name, site, {&self}, [&] {
      const int d = static_cast<int>(wrap_dim(dim.value_or(0), self.dim(), name, site));
      return [=, sizes = self.impl()->sizes](const Tensor& g, Needs) {
        const auto along = [&](const Tensor& t) {
          return keepdim || sizes.empty() ? t : t.unsqueeze(d, site);
        };
        return Tensors{scattered(along(g), along(indices), d, sizes, site)};
      };
    });
  }
  return {values, indices};
}

Tensor softmax_of(const char* name, const Tensor& self, int64_t dim, bool log, CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", name, site);
  check_floating(name, site, {"self", self});
  const int d = static_cast<int>(wrap_dim(dim, impl.sizes.size(), name, site));
  const Tensor input = [&] {
    NoGradGuard raw;
    return self.contiguous(site);
  }();
  Rows rows{1, 1, 1};
  for (int i = 0; i < impl.sizes.size(); ++i) {
    (i < d ? rows.outer : i == d ? rows.n : rows.inner) *= impl.sizes[i];
  }
  Tensor result = allocate_result(impl.sizes, impl.dtype, self, name, site);
  if (impl.numel > 0) {
    backend_for(self.device())
        .softmax(impl.dtype, rows, result.impl()->writable(), input.impl()->data(), log);
  }
  return recorded(result, name, site, {&self}, [&] {
    return [log, d, site, y = SavedTensor::result(result)](const Tensor& g, Needs,
                                                           autograd::GraphNode* node) {
      const Tensor made = y.get(node);
      if (log) return Tensors{g.sub(made.exp(site).mul(g.sum(d, true, site), site), 1, site)};
      return Tensors{made.mul(g.sub(g.mul(made, site).sum(d, true, site), 1, site), site)};
    };
  });
}

}  // namespace

Tensor Tensor::sum(IntArrayRef dims, bool keepdim, CallSite site) const {
  return reduce(ReduceOp::sum, "sum", *this, dims, keepdim, false, site);
}
Tensor Tensor::sum(CallSite site) const { return sum(IntArrayRef(), false, site); }
Tensor Tensor::mean(IntArrayRef dims, bool keepdim, CallSite site) const {
  return reduce(ReduceOp::sum, "mean", *this, dims, keepdim, true, site);
}
Tensor Tensor::mean(CallSite site) const { return mean(IntArrayRef(), false, site); }
Tensor Tensor::amax(IntArrayRef dims, bool keepdim, CallSite site) const {
  return reduce(ReduceOp::amax, "amax", *this, dims, keepdim, false, site);
}
Tensor Tensor::amin(IntArrayRef dims, bool keepdim, CallSite site) const {
  return reduce(ReduceOp::amin, "amin", *this, dims, keepdim, false, site);
}
Tensor Tensor::max(CallSite site) const {
  return reduce(ReduceOp::amax, "max", *this, {}, false, false, site);
}
Tensor Tensor::min(CallSite site) const {
  return reduce(ReduceOp::amin, "min", *this, {}, false, false, site);
}
std::tuple<Tensor, Tensor> Tensor::max(int64_t dim, bool keepdim, CallSite site) const {
  return arg_reduce(ReduceOp::amax, "max", *this, dim, keepdim, true, site);
}
std::tuple<Tensor, Tensor> Tensor::min(int64_t dim, bool keepdim, CallSite site) const {
  return arg_reduce(ReduceOp::amin, "min", *this, dim, keepdim, true, site);
}
Tensor Tensor::argmax(std::optional<int64_t> dim, bool keepdim, CallSite site) const {
  return std::get<1>(arg_reduce(ReduceOp::amax, "argmax", *this, dim, keepdim, false, site));
}
Tensor Tensor::argmin(std::optional<int64_t> dim, bool keepdim, CallSite site) const {
  return std::get<1>(arg_reduce(ReduceOp::amin, "argmin", *this, dim, keepdim, false, site));
}

namespace {

// The dimensions are all where none is given. A gradient of 0 where the norm is 0, whose slope is
// none: as in LibTorch.
Tensor norm_of(const Tensor& self, double p, IntArrayRef dims, bool keepdim, CallSite site) {
  require_defined(self, "self", "norm", site);
  check_floating("norm", site, {"self", self});
  if (p == 0) return self.ne(0, site).to(self.dtype(), false, false, site).sum(dims, keepdim, site);
  if (p == 1) return self.abs(site).sum(dims, keepdim, site);
  if (p == INFINITY) return self.abs(site).amax(dims, keepdim, site);
  if (p == -INFINITY) return self.abs(site).amin(dims, keepdim, site);
  Tensor result;
  {
    NoGradGuard raw;
    result = p == 2 ? self.square(site).sum(dims, keepdim, site).sqrt(site)
                    : self.abs(site).pow(p, site).sum(dims, keepdim, site).pow(1 / p, site);
  }
  return recorded(result, "norm", site, {&self}, [&] {
    return [p, site, kept = kept_sizes(self, dims, "norm", site), x = SavedTensor(self),
            y = SavedTensor::result(result)](const Tensor& g, Needs, autograd::GraphNode* node) {
      const Tensor base = x.get(node), norm = y.get(node).reshape(kept, site);
      const Tensor is_zero = norm.eq(0, site).to(norm.dtype(), false, false, site);
      const Tensor safe = norm.add(is_zero, 1, site), spread = g.reshape(kept, site);
      if (p == 2) return Tensors{base.mul(spread.div(safe, site), site)};
      const Tensor slope = base.sign(site).mul(base.abs(site).pow(p - 1, site), site);
      return Tensors{slope.mul(spread.div(safe.pow(p - 1, site), site), site)};
    };
  });
}

Tensor truth(const Tensor& self, const char* name, CallSite site) {
  require_defined(self, "self", name, site);
  return self.dtype() == kBool ? self : self.ne(0, site);
}

}  // namespace

Tensor Tensor::norm(Scalar p, CallSite site) const {
  return norm_of(*this, p.toDouble(), {}, false, site);
}
Tensor Tensor::norm(std::optional<Scalar> p, IntArrayRef dims, bool keepdim, CallSite site) const {
  return norm_of(*this, p.value_or(2).toDouble(), dims, keepdim, site);
}
Tensor Tensor::all(CallSite site) const {
  const Tensor is = truth(*this, "all", site);
  return is.numel() == 0 ? full({}, true, is.options(), site) : is.min(site);
}
Tensor Tensor::any(CallSite site) const {
  const Tensor is = truth(*this, "any", site);
  return is.numel() == 0 ? full({}, false, is.options(), site) : is.max(site);
}
Tensor Tensor::all(int64_t dim, bool keepdim, CallSite site) const {
  return truth(*this, "all", site).amin(dim, keepdim, site);
}
Tensor Tensor::any(int64_t dim, bool keepdim, CallSite site) const {
  return truth(*this, "any", site).amax(dim, keepdim, site);
}

Tensor Tensor::softmax(int64_t dim, CallSite site) const {
  return softmax_of("softmax", *this, dim, false, site);
}
Tensor Tensor::log_softmax(int64_t dim, CallSite site) const {
  return softmax_of("log_softmax", *this, dim, true, site);
}

bool Tensor::equal(const Tensor& other, CallSite site) const {
  const TensorImpl& a = require_defined(*this, "self", "equal", site);
  const TensorImpl& b = require_defined(other, "other", "equal", site);
  if (const Arguments both = {{"self", *this}, {"other", other}}; are_apart(both)) {
    const auto o = brought_together("equal", site, both);
    return o[0].equal(o[1], site);
  }
  check_same_dtype("equal", site, {{"self", *this}, {"other", other}});
  if (a.sizes != b.sizes) return false;
  return a.numel == 0 || eq(other, site).min(site).item(site).toBool();
}

bool Tensor::allclose(const Tensor& other, double rtol, double atol, CallSite site) const {
  require_defined(*this, "self", "allclose", site);
  require_defined(other, "other", "allclose", site);
  if (const Arguments both = {{"self", *this}, {"other", other}}; are_apart(both)) {
    const auto o = brought_together("allclose", site, both);
    return o[0].allclose(o[1], rtol, atol, site);
  }
  check_same_dtype("allclose", site, {{"self", *this}, {"other", other}});
  const Tensor bound = other.abs(site).mul(rtol, site).add(atol, 1, site);
  const Tensor near = sub(other, 1, site).abs(site).le(bound, site);
  // Infinities differ by NaN, and are close where they are equal.
  const Tensor close = near.to(kByte, false, false, site)
                           .add(eq(other, site).to(kByte, false, false, site), 1, site);
  return close.numel() == 0 || close.min(site).item(site).toLong() > 0;
}

}  // namespace tensorlib
