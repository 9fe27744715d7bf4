// Changes of shape in place: squeeze_, unsqueeze_, transpose_, t_, resize_. An operation may keep
// this very tensor for its gradient, so each counts as a change of its elements.
#include <algorithm>

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

namespace {

// `self` becomes what `view` shows, shape and record.
Tensor& become(const Tensor& self, const Tensor& view, const char* name, CallSite site) {
  if (view.is_same(self)) return const_cast<Tensor&>(self);
  TensorImpl& impl = *self.impl();
  const TensorImpl& shown = *view.impl();
  if (GradMode::is_enabled() && requires_grad(impl) && impl.grad_meta->node == nullptr) {
    throw Error(str_cat(name,
                        ": the tensor is a leaf that requires its gradient, and cannot be "
                        "changed in place\nhelp: do it under a NoGradGuard, or on a view of it"),
                site);
  }
  ++impl.storage->version;
  impl.sizes = shown.sizes;
  impl.strides = shown.strides;
  impl.offset = shown.offset;
  impl.contiguous = shown.contiguous;
  if (shown.grad_meta != nullptr && shown.grad_meta->node != nullptr) {
    impl.grad_meta = shown.grad_meta;
  }
  return const_cast<Tensor&>(self);
}

}  // namespace

Tensor& Tensor::squeeze_(CallSite site) const {
  return become(*this, squeeze(site), "squeeze_", site);
}
Tensor& Tensor::squeeze_(int64_t dim, CallSite site) const {
  return become(*this, squeeze(dim, site), "squeeze_", site);
}
Tensor& Tensor::unsqueeze_(int64_t dim, CallSite site) const {
  return become(*this, unsqueeze(dim, site), "unsqueeze_", site);
}
Tensor& Tensor::transpose_(int64_t dim0, int64_t dim1, CallSite site) const {
  return become(*this, transpose(dim0, dim1, site), "transpose_", site);
}
Tensor& Tensor::t_(CallSite site) const { return become(*this, t(site), "t_", site); }

Tensor& Tensor::resize_(IntArrayRef sizes, CallSite site) const {
  TensorImpl& impl = const_cast<TensorImpl&>(require_defined(*this, "self", "resize_", site));
  if (requires_grad()) {
    throw Error("resize_: a tensor that requires its gradient cannot be resized\nhelp: detach() it",
                site);
  }
  if (sizes.size() > static_cast<size_t>(kMaxDims)) {
    throw ShapeError(
        str_cat("resize_: ", sizes.size(), " dimensions; tensors have at most ", kMaxDims), site);
  }
  const bool negative = std::any_of(sizes.begin(), sizes.end(), [](int64_t n) { return n < 0; });
  if (negative || overflows(sizes)) {
    throw ShapeError(str_cat("resize_: ", sizes, " is not a shape"), site);
  }
  const int64_t numel = product(sizes);
  const auto room = static_cast<int64_t>(impl.storage->nbytes / elementSize(impl.dtype));
  if (numel > room - impl.offset) {
    const Tensor larger =
        allocate(sizes, impl.dtype, device(), {Placement::How::kComputed, "resize_", site});
    Dims flat;
    flat.push_back(impl.numel);
    if (impl.contiguous && impl.numel > 0) {
      make_view(larger, flat, contiguous_strides(flat), 0)
          .copy_(make_view(*this, flat, contiguous_strides(flat), impl.offset), false, site);
    }
    impl.storage = larger.impl()->storage;
    impl.offset = 0;
    impl.is_view = false;
  }
  ++impl.storage->version;
  impl.sizes = Dims(sizes);
  impl.strides = contiguous_strides(impl.sizes);
  impl.numel = numel;
  impl.contiguous = true;
  return const_cast<Tensor&>(*this);
}

}  // namespace tensorlib
