// The walk from results back to leaves.
//
// Nodes are taken by falling number: every user of a node has a larger one, so a node is reached
// when its whole gradient is there. Nothing recurses, whatever the length of the graph.
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "autograd/record.h"
#include "core/check.h"
#include "tensorlib/autograd.h"
#include "tensorlib/factories.h"

namespace tensorlib::autograd {

namespace {

void add_to(Tensor& sum, const Tensor& grad, CallSite site) {
  sum = sum.defined() ? sum.add(grad, 1, site) : grad;
}

// The tensor's own memory, that nobody else has: it may be kept and added to.
bool is_sole_owner(const Tensor& tensor) {
  return tensor.impl().use_count() == 1 && tensor.impl()->storage.use_count() == 1 &&
         tensor.is_contiguous();
}

class Walk {
 public:
  Walk(bool retain_graph, bool create_graph, CallSite site)
      : retain_(retain_graph), create_(create_graph), site_(site) {}

  void start(const Tensor& output, const Tensor& weight) {
    const TensorImpl& impl = require_defined(output, "the tensor", "backward", site_);
    if (!requires_grad(impl)) {
      throw Error(str_cat("backward: the tensor (", describe(output),
                          ") does not depend on any that requires a gradient\nhelp: set "
                          "requires_grad_() on an input, and compute without a NoGradGuard"),
                  site_);
    }
    give(Edge{impl.grad_meta->node, impl.grad_meta->output,
              impl.grad_meta->node ? nullptr : output.impl()},
         checked_weight(output, weight));
  }

  // The gradient of `input` is wanted; wanted ones are known before run().
  void want(const Tensor& input) {
    const TensorImpl& impl = require_defined(input, "an input", "grad", site_);
    if (!requires_grad(impl)) {
      throw Error(str_cat("grad: an input (", describe(input), ") does not require a gradient"),
                  site_);
    }
    if (impl.grad_meta->node != nullptr) found_[result_of(impl)];
  }

  void run() {
    AutoGradMode mode(create_);
    while (!waiting_.empty()) {
      const auto last = std::prev(waiting_.end());
      const std::shared_ptr<GraphNode> node = last->second.node;
      Tensors grads = std::move(last->second.grads);
      waiting_.erase(last);
      for (const GraphNode::Hook& hook : node->hooks) {
        Tensor& grad = grads[hook.output];
        if (!grad.defined() || hook.call == nullptr) continue;
        if (const Tensor changed = hook.call(grad); changed.defined()) grad = changed;
      }
      for (uint32_t output = 0; !found_.empty() && output < node->outputs; ++output) {
        const auto wanted = found_.find({node.get(), output});
        if (wanted != found_.end()) wanted->second = grads[output];
      }
      if (node->released()) {
        throw Error(str_cat("backward: the record of ", node->operation(),
                            " was freed by an earlier backward()\nhelp: pass "
                            "retain_graph=true to the earlier one"),
                    node->site().known() ? node->site() : site_);
      }
      const Tensors operand_grads = node->backward_of_all(grads);
      for (size_t i = 0; i < operand_grads.size(); ++i) {
        if (operand_grads[i].defined()) give(node->operands()[i], operand_grads[i]);
      }
      if (!retain_) node->release();
    }
  }

  Tensor gradient_of(const Tensor& input) const {
    const TensorImpl& impl = *input.impl();
    if (impl.grad_meta->node != nullptr) return found_.at(result_of(impl));
    const auto leaf = leaves_.find(&impl);
    return leaf == leaves_.end() ? Tensor() : leaf->second.grad;
  }

  void accumulate_into_leaves() {
    AutoGradMode mode(create_);
    for (auto& [impl, leaf] : leaves_) {
      GradMeta& meta = *leaf.tensor->grad_meta;
      Tensor grad = std::move(leaf.grad);
      for (const GradHook& hook : meta.hooks) {
        if (hook == nullptr) continue;
        if (const Tensor changed = hook(grad); changed.defined()) grad = changed;
      }
      if (meta.grad.defined()) {
        create_ ? void(meta.grad = meta.grad.add(grad, 1, site_))
                : void(meta.grad.add_(grad, 1, site_));
      } else {
        meta.grad = create_ || is_sole_owner(grad) ? grad : grad.clone(site_);
      }
    }
  }

 private:
  static std::pair<const GraphNode*, uint32_t> result_of(const TensorImpl& impl) {
    return {impl.grad_meta->node.get(), impl.grad_meta->output};
  }

  struct Waiting {
    std::shared_ptr<GraphNode> node;
    Tensors grads;  // of its results
  };
  struct Leaf {
    std::shared_ptr<TensorImpl> tensor;
    Tensor grad;
  };

  Tensor checked_weight(const Tensor& output, const Tensor& weight) const {
    if (!weight.defined()) {
      if (output.numel() != 1) {
        throw ShapeError(str_cat("backward: a tensor of shape ", output.sizes(),
                                 " is not a single number\nhelp: reduce it first (sum(), mean()), "
                                 "or give the weight of each element: backward(weights)"),
                         site_);
      }
      return ones_like(output, {}, site_);
    }
    check_same_device("backward", site_, {{"tensor", output}, {"gradient", weight}});
    if (weight.sizes() != output.sizes()) {
      throw ShapeError(str_cat("backward: a gradient of shape ", weight.sizes(),
                               " does not fit a tensor of shape ", output.sizes()),
                       site_);
    }
    return weight;
  }

  void give(const Edge& edge, const Tensor& grad) {
    if (edge.node != nullptr) {
      Waiting& waiting = waiting_[edge.node->number()];
      waiting.node = edge.node;
      if (waiting.grads.empty()) waiting.grads.resize(edge.node->outputs);
      add_to(waiting.grads[edge.output], grad, site_);
    } else if (edge.leaf != nullptr) {
      Leaf& leaf = leaves_[edge.leaf.get()];
      leaf.tensor = edge.leaf;
      add_to(leaf.grad, grad, site_);
    }
  }

  bool retain_, create_;
  CallSite site_;
  std::map<uint64_t, Waiting> waiting_;
  std::unordered_map<const TensorImpl*, Leaf> leaves_;
  // Wanted gradients of results, by what made them.
  std::map<std::pair<const GraphNode*, uint32_t>, Tensor> found_;
};

void start_all(Walk& walk, const char* name, const variable_list& outputs,
               const variable_list& weights, CallSite site) {
  if (!weights.empty() && weights.size() != outputs.size()) {
    throw Error(
        str_cat(name, ": ", outputs.size(), " tensors and ", weights.size(), " gradients for them"),
        site);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    walk.start(outputs[i], weights.empty() ? Tensor() : weights[i]);
  }
}

}  // namespace

variable_list grad(const variable_list& outputs, const variable_list& inputs,
                   const variable_list& grad_outputs, std::optional<bool> retain_graph,
                   bool create_graph, bool allow_unused, CallSite site) {
  Walk walk(retain_graph.value_or(create_graph), create_graph, site);
  for (const Tensor& input : inputs) walk.want(input);
  start_all(walk, "grad", outputs, grad_outputs, site);
  walk.run();
  variable_list grads;
  for (const Tensor& input : inputs) {
    grads.push_back(walk.gradient_of(input));
    if (!grads.back().defined() && !allow_unused) {
      throw Error(str_cat("grad: no output depends on an input (", describe(input),
                          ")\nhelp: leave it out, or pass allow_unused=true"),
                  site);
    }
  }
  return grads;
}

void backward(const variable_list& tensors, const variable_list& grad_tensors,
              std::optional<bool> retain_graph, bool create_graph, CallSite site) {
  Walk walk(retain_graph.value_or(create_graph), create_graph, site);
  start_all(walk, "backward", tensors, grad_tensors, site);
  walk.run();
  walk.accumulate_into_leaves();
}

}  // namespace tensorlib::autograd
