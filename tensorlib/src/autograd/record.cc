#include "autograd/record.h"

#include <atomic>

#include "backend/platform.h"
#include "core/check.h"
#include "tensorlib/factories.h"

namespace tensorlib {

namespace autograd {

namespace {

std::atomic<uint64_t> next_number{0};

}  // namespace

GraphNode::GraphNode(const char* name, CallSite site, std::vector<Edge> operands)
    : operation_(name), site_(site), number_(++next_number), operands_(std::move(operands)) {}

Node::~Node() = default;
GraphNode::~GraphNode() = default;

// One at a time: what a node keeps holds other nodes, and destroyed from within each other a long
// chain of them would overflow the stack.
void GraphNode::Dispose::operator()(GraphNode* node) const {
  thread_local std::vector<GraphNode*> waiting;
  thread_local bool busy = false;
  waiting.push_back(node);
  if (busy) return;
  busy = true;
  while (!waiting.empty()) {
    GraphNode* next = waiting.back();
    waiting.pop_back();
    delete next;
  }
  busy = false;
}

void GraphNode::release() {
  drop();
  released_ = true;
}

std::vector<Edge> edges_to(Operands operands) {
  std::vector<Edge> edges;
  edges.reserve(operands.size());
  for (const Tensor* operand : operands) {
    Edge& edge = edges.emplace_back();
    if (operand == nullptr || !operand->defined() || !requires_grad(*operand->impl())) continue;
    const auto& impl = operand->impl();
    if (impl->grad_meta->node != nullptr) {
      edge.node = impl->grad_meta->node;
      edge.output = impl->grad_meta->output;
    } else {
      edge.leaf = impl;
    }
  }
  return edges;
}

void set_node(const Tensor& result, std::shared_ptr<GraphNode> node, uint32_t output) {
  TensorImpl& impl = *result.impl();
  if (!isFloatingType(impl.dtype)) return;
  impl.grad_meta = std::make_shared<GradMeta>();
  impl.grad_meta->node = std::move(node);
  impl.grad_meta->output = output;
}

}  // namespace autograd

namespace {

[[noreturn]] void throw_stale(const char* name, CallSite site) {
  throw Error(str_cat(name, ": an operand is a view, and its memory was changed in place through ",
                      "another tensor since\nhelp: take the view after the change"),
              site);
}

}  // namespace

bool records(Operands operands, const char* name, CallSite site) {
  if (!GradMode::is_enabled()) return false;
  bool any = false;
  for (const Tensor* operand : operands) {
    if (operand == nullptr || !operand->defined()) continue;
    const TensorImpl& impl = *operand->impl();
    const Storage& storage = *impl.storage;
    if (impl.is_view && storage.rewritten_through != nullptr &&
        storage.rewritten_through != &impl && impl.made_at_version < storage.rewritten_at_version) {
      throw_stale(name, site);
    }
    any = any || requires_grad(impl);
  }
  return any;
}

SavedTensor::SavedTensor(const Tensor& tensor)
    : tensor_(tensor), version_(tensor.defined() ? tensor.impl()->storage->version : 0) {}

SavedTensor SavedTensor::result(const Tensor& tensor) {
  SavedTensor saved(tensor.detach());
  saved.is_result_ = true;
  if (tensor.impl()->grad_meta != nullptr) saved.output_ = tensor.impl()->grad_meta->output;
  return saved;
}

Tensor SavedTensor::get(autograd::GraphNode* node) const {
  if (!tensor_.defined()) return tensor_;
  const TensorImpl& impl = *tensor_.impl();
  if (impl.storage->version != version_) {
    throw Error(str_cat("backward: a tensor that the gradient of ",
                        node != nullptr ? node->operation() : "an operation",
                        " needs was changed in place since (", describe(tensor_),
                        ")\nhelp: change a clone(), or change it after backward()"),
                node != nullptr ? node->site() : CallSite::none());
  }
  if (!is_result_ || node == nullptr || !GradMode::is_enabled()) return tensor_;
  const Tensor again = tensor_.detach();
  autograd::set_node(again, node->shared_from_this(), output_);
  return again;
}

void assign_recorded(const Tensor& self, const Tensor& result, const char* name, CallSite site) {
  TensorImpl& impl = *self.impl();
  if (requires_grad(impl) && impl.grad_meta->node == nullptr) {
    throw Error(str_cat(name,
                        ": the tensor is a leaf that requires its gradient, and cannot be "
                        "changed in place\nhelp: do it under a NoGradGuard, or on a clone()"),
                site);
  }
  if (impl.is_view) {
    throw Error(str_cat(name,
                        ": a view cannot be changed in place by an operation that is recorded "
                        "for gradients\nhelp: make a new tensor, with cat() or stack()"),
                site);
  }
  {
    NoGradGuard no_grad;
    self.copy_(result, false, site);
  }
  impl.storage->rewritten_through = &impl;
  impl.storage->rewritten_at_version = impl.storage->version;
  if (impl.grad_meta == nullptr) impl.grad_meta = std::make_shared<GradMeta>();
  impl.grad_meta->node = result.impl()->grad_meta->node;
  impl.grad_meta->output = result.impl()->grad_meta->output;
}

void forget_record(const Tensor& self, const char* name, CallSite site) {
  TensorImpl& impl = *self.impl();
  if (!GradMode::is_enabled() || !requires_grad(impl)) return;
  if (impl.grad_meta->node == nullptr) {
    throw Error(str_cat(name,
                        ": the tensor is a leaf that requires its gradient, and cannot be "
                        "changed in place\nhelp: do it under a NoGradGuard"),
                site);
  }
  impl.grad_meta = nullptr;
}

void refuse_second_gradient(const char* name, CallSite site) {
  if (!GradMode::is_enabled()) return;
  throw Error(str_cat(name,
                      ": the gradient of its gradient is not there\nhelp: call backward() "
                      "without create_graph"),
              site);
}

Tensor embedded(const Tensor& grad, int dim, int64_t start, int64_t step, const Dims& sizes,
                CallSite site) {
  Tensor result;
  const int64_t end = start + (grad.size(dim) - 1) * step + 1;
  {
    NoGradGuard raw;
    result = zeros(sizes, grad.options(), site);
    if (grad.numel() > 0) result.slice(dim, start, end, step, site).copy_(grad, false, site);
  }
  return recorded(std::move(result), "slice", site, {&grad}, [&] {
    return [=, empty = grad.numel() == 0](const Tensor& g, Needs) {
      return Tensors{g.slice(dim, start, empty ? start : end, step, site)};
    };
  });
}

Tensor scattered(const Tensor& grad, const Tensor& index, int dim, const Dims& sizes,
                 CallSite site) {
  if (sizes.empty()) return grad.reshape({}, site);
  Dims own = index.impl()->sizes;
  own[dim] = sizes[dim];
  Tensor result;
  {
    NoGradGuard raw;
    result = zeros(own, grad.options(), site);
    if (grad.numel() > 0) {
      Rows rows{1, sizes[dim], 1};
      for (int i = 0; i < own.size(); ++i) {
        if (i != dim) (i < dim ? rows.outer : rows.inner) *= own[i];
      }
      const Tensor from = grad.contiguous(site), places = index.contiguous(site);
      backend_for(grad.device())
          .scatter_add(grad.dtype(), rows, index.size(dim), result.impl()->writable(),
                       from.impl()->data(), static_cast<const int64_t*>(places.impl()->data()),
                       {"gather", site});
    }
  }
  result = recorded(std::move(result), "scatter_add", site, {&grad}, [&] {
    return [=](const Tensor& g, Needs) { return Tensors{g.gather(dim, index, site)}; };
  });
  for (int i = 0; i < sizes.size(); ++i) {
    if (result.size(i) == sizes[i]) continue;
    Dims wider = result.impl()->sizes;
    wider[i] = sizes[i];
    result = embedded(result, i, 0, 1, wider, site);
  }
  return result;
}

Tensor sum_to(const Tensor& grad, const Dims& sizes, CallSite site) {
  const Dims& own = grad.impl()->sizes;
  if (own == sizes) return grad;
  const int missing = own.size() - sizes.size();
  Dims repeated;
  for (int i = 0; i < own.size(); ++i) {
    if (i < missing || (sizes[i - missing] == 1 && own[i] != 1)) repeated.push_back(i);
  }
  return grad.sum(repeated, true, site).reshape(sizes, site);
}

}  // namespace tensorlib
