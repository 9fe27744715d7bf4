// A tensor's part in gradients: whether it wants one, the one it has, and leaving the record.
#include "autograd/record.h"
#include "core/check.h"
#include "tensorlib/autograd.h"

namespace tensorlib {

namespace {

GradMeta& meta_of(TensorImpl& impl) {
  if (impl.grad_meta == nullptr) impl.grad_meta = std::make_shared<GradMeta>();
  return *impl.grad_meta;
}

}  // namespace

void drop_gradients(const Tensors& tensors, bool set_to_none) {
  NoGradGuard no_grad;
  for (const Tensor& tensor : tensors) {
    if (!tensor.grad().defined()) continue;
    Tensor& grad = tensor.mutable_grad();
    grad = set_to_none ? Tensor() : grad.detach().zero_();
  }
}

bool Tensor::requires_grad() const { return defined() && tensorlib::requires_grad(*impl_); }

bool Tensor::is_leaf() const {
  return !defined() || impl_->grad_meta == nullptr || impl_->grad_meta->node == nullptr;
}

const Tensor& Tensor::requires_grad_(bool on, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "requires_grad_", site);
  if (!is_leaf()) {
    if (on) return *this;
    throw Error(
        "requires_grad_: only a leaf can stop requiring its gradient\nhelp: use detach() for a "
        "tensor that does not",
        site);
  }
  if (on && !isFloatingType(impl.dtype)) {
    throw DTypeMismatchError(str_cat("requires_grad_: only floating tensors have gradients, and "
                                     "this one is ",
                                     name_of(impl.dtype)),
                             site);
  }
  if (on || impl_->grad_meta != nullptr) meta_of(*impl_).requires_grad = on;
  return *this;
}

Tensor& Tensor::mutable_grad(CallSite site) const {
  require_defined(*this, "self", "grad", site);
  return meta_of(*impl_).grad;
}

const Tensor& Tensor::grad(CallSite site) const {
  static const Tensor none;
  const TensorImpl& impl = require_defined(*this, "self", "grad", site);
  return impl.grad_meta == nullptr ? none : impl.grad_meta->grad;
}

std::shared_ptr<autograd::Node> Tensor::grad_fn(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "grad_fn", site);
  return impl.grad_meta == nullptr ? nullptr : impl.grad_meta->node;
}

void Tensor::retain_grad(CallSite site) const {
  require_defined(*this, "self", "retain_grad", site);
  if (!requires_grad()) {
    throw Error("retain_grad: the tensor does not require a gradient", site);
  }
  GradMeta& meta = *impl_->grad_meta;
  if (meta.node == nullptr || meta.retains_grad) return;
  meta.retains_grad = true;
  meta.node->hooks.push_back(
      {meta.output, [weak = std::weak_ptr<TensorImpl>(impl_)](const Tensor& grad) {
         if (const auto impl = weak.lock()) {
           Tensor& kept = impl->grad_meta->grad;
           kept = kept.defined() ? kept.add(grad) : grad;
         }
         return Tensor();
       }});
}

unsigned Tensor::add_grad_hook(std::function<Tensor(const Tensor&)> hook, CallSite site) const {
  require_defined(*this, "self", "register_hook", site);
  if (!requires_grad()) {
    throw Error("register_hook: the tensor does not require a gradient", site);
  }
  GradMeta& meta = *impl_->grad_meta;
  if (meta.node != nullptr) {
    meta.node->hooks.push_back({meta.output, std::move(hook)});
    return static_cast<unsigned>(meta.node->hooks.size() - 1);
  }
  meta.hooks.push_back(std::move(hook));
  return static_cast<unsigned>(meta.hooks.size() - 1);
}

// Its place stays, empty, so that the others keep their numbers.
void Tensor::remove_hook(unsigned number, CallSite site) const {
  require_defined(*this, "self", "remove_hook", site);
  GradHook* found = nullptr;
  if (impl_->grad_meta != nullptr) {
    GradMeta& meta = *impl_->grad_meta;
    if (meta.node == nullptr && number < meta.hooks.size()) found = &meta.hooks[number];
    if (meta.node != nullptr && number < meta.node->hooks.size() &&
        meta.node->hooks[number].output == meta.output) {
      found = &meta.node->hooks[number].call;
    }
  }
  if (found == nullptr) throw Error(str_cat("remove_hook: there is no hook ", number), site);
  *found = nullptr;
}

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph, bool create_graph,
                      CallSite site) const {
  autograd::backward({*this}, {gradient}, retain_graph, create_graph, site);
}

Tensor Tensor::detach(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "detach", site);
  Tensor result = make_view(*this, impl.sizes, impl.strides, impl.offset);
  result.impl()->is_view = false;
  return result;
}

Tensor& Tensor::detach_(CallSite site) const {
  require_defined(*this, "self", "detach_", site);
  if (impl_->is_view && requires_grad()) {
    throw Error("detach_: a view stays part of what it views\nhelp: use detach()", site);
  }
  impl_->grad_meta = nullptr;
  return const_cast<Tensor&>(*this);
}

}  // namespace tensorlib
