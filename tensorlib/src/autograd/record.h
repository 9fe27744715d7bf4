// Lets an operation record itself:
//
//   return recorded(std::move(result), "mul", site, {&a, &b}, [&] {
//     return [a = SavedTensor(a), b = SavedTensor(b), site](const Tensor& g, Needs needs) {
//       return Tensors{needs(0) ? g.mul(b.get(), site) : Tensor(), ...};
//     };
//   });
//
// The inner function is made only where a gradient is wanted. It keeps the operands that it uses as
// SavedTensors. It is made of differentiable operations, so that gradients have gradients.
//
// Cost where nothing is recorded: a thread-local read and a null check for each operand.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "autograd/graph.h"
#include "core/tensor_impl.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib {

using autograd::Needs;
using Operands = ArrayRef<const Tensor*>;  // null or undefined: no operand

inline bool requires_grad(const TensorImpl& impl) {
  return impl.grad_meta != nullptr &&
         (impl.grad_meta->requires_grad || impl.grad_meta->node != nullptr);
}

// Whether an operation on these has to record itself. Throws where an operand is a view whose
// memory a recorded operation has changed through another tensor.
bool records(Operands operands, const char* name, CallSite site);

// An operand, or the result, as it was when the operation ran.
class SavedTensor {
 public:
  explicit SavedTensor(const Tensor& tensor);
  // The result of the operation that is being recorded: kept without its record, which would keep
  // itself alive.
  static SavedTensor result(const Tensor& tensor);
  // Throws if the elements were changed in place since. For a result, `node` is what made it.
  Tensor get(autograd::GraphNode* node = nullptr) const;

 private:
  Tensor tensor_;
  uint64_t version_ = 0;
  bool is_result_ = false;
  uint32_t output_ = 0;  // which of the operation's results
};

namespace autograd {

template <class Backward>
class RecordedOperation final : public GraphNode {
 public:
  RecordedOperation(const char* name, CallSite site, std::vector<Edge> operands, Backward backward)
      : GraphNode(name, site, std::move(operands)), backward_(std::move(backward)) {}
  Tensors backward(const Tensor& grad) override {
    if constexpr (std::is_invocable_v<Backward&, const Tensor&, Needs, GraphNode*>) {
      return (*backward_)(grad, Needs(operands()), this);
    } else {
      return (*backward_)(grad, Needs(operands()));
    }
  }

 private:
  void drop() override { backward_.reset(); }
  std::optional<Backward> backward_;
};

std::vector<Edge> edges_to(Operands operands);
void set_node(const Tensor& result, std::shared_ptr<GraphNode> node, uint32_t output = 0);

}  // namespace autograd

template <class MakeBackward>
Tensor recorded(Tensor result, const char* name, CallSite site, Operands operands,
                const MakeBackward& make_backward) {
  if (records(operands, name, site)) {
    auto backward = make_backward();
    using Operation = autograd::RecordedOperation<decltype(backward)>;
    autograd::set_node(
        result, {new Operation(name, site, autograd::edges_to(operands), std::move(backward)),
                 autograd::GraphNode::Dispose()});
  }
  return result;
}

// Says which overload of the operation made a recorded result.
inline Tensor overload(int which, Tensor result) {
  GradMeta* const meta = result.impl()->grad_meta.get();
  if (meta != nullptr && meta->node != nullptr) meta->node->overload = static_cast<uint8_t>(which);
  return result;
}

// An operation in place that has to be recorded: `self` becomes `result`, elements and record.
// Throws where that cannot be: a leaf that requires its gradient, a view.
void assign_recorded(const Tensor& self, const Tensor& result, const char* name, CallSite site);
// An operation in place that makes `self` a constant (fill_).
void forget_record(const Tensor& self, const char* name, CallSite site);

// For gradients that are not made of recorded operations, and must not pass for ones that are:
// throws under create_graph.
void refuse_second_gradient(const char* name, CallSite site);

// zero_grad(): each tensor's gradient becomes undefined, or zeros.
void drop_gradients(const Tensors& tensors, bool set_to_none);

// The transposed of gather: zeros of `sizes`, where grad[o, i, r] is added at [o, index[o, i, r],
// r]; `dim` is the dimension of i.
Tensor scattered(const Tensor& grad, const Tensor& index, int dim, const Dims& sizes,
                 CallSite site);
// The transposed of slice: zeros of `sizes`, where `grad` stands at [start, ..., step] of `dim`.
Tensor embedded(const Tensor& grad, int dim, int64_t start, int64_t step, const Dims& sizes,
                CallSite site);

// `grad` summed over the dimensions along which a tensor of `sizes` was repeated.
Tensor sum_to(const Tensor& grad, const Dims& sizes, CallSite site);

}  // namespace tensorlib
