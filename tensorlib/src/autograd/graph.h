// The record of operations: a GraphNode for each operation on tensors that require gradients, and a
// GradMeta for each tensor that takes part. Operations record themselves with recorded(); see
// record.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tensorlib/autograd.h"
#include "tensorlib/call_site.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

using Tensors = std::vector<Tensor>;
using GradHook = std::function<Tensor(const Tensor&)>;

namespace autograd {

class GraphNode;

// Where the gradient of an operand goes: to the operation that made it, or to a leaf, or nowhere.
struct Edge {
  std::shared_ptr<GraphNode> node;
  uint32_t output = 0;
  std::shared_ptr<TensorImpl> leaf;
  bool needed() const { return node != nullptr || leaf != nullptr; }
};

// Which operands' gradients are wanted.
class Needs {
 public:
  explicit Needs(const std::vector<Edge>& edges) : edges_(edges) {}
  bool operator()(size_t operand) const { return edges_[operand].needed(); }

 private:
  const std::vector<Edge>& edges_;
};

// One operation that ran. Nodes are numbered as they are made, so that a node's operands always
// have smaller numbers than the node.
class GraphNode : public Node, public std::enable_shared_from_this<GraphNode> {
 public:
  // How a shared_ptr lets go of a node.
  struct Dispose {
    void operator()(GraphNode* node) const;
  };

  GraphNode(const char* name, CallSite site, std::vector<Edge> operands);
  ~GraphNode() override;

  // The operation's own name; name() is LibTorch's for it.
  const char* operation() const { return operation_; }
  std::string name() const override;
  CallSite site() const { return site_; }
  uint64_t number() const { return number_; }
  const std::vector<Edge>& operands() const { return operands_; }
  bool released() const { return released_; }

  // The gradients of the operands from that of the result; an undefined one is zero.
  virtual Tensors backward(const Tensor& grad) = 0;
  // The same for an operation of several results.
  virtual Tensors backward_of_all(const Tensors& grads) { return backward(grads[0]); }
  // Drops what the gradient needs: memory is given back, and the graph ends here.
  void release();

  struct Hook {
    uint32_t output;
    GradHook call;
  };
  std::vector<Hook> hooks;  // of the results, in order
  uint32_t outputs = 1;
  uint8_t overload = 0;  // which of the operation's overloads, as LibTorch counts them

 protected:
  virtual void drop() = 0;

 private:
  const char* operation_;
  CallSite site_;
  uint64_t number_;
  std::vector<Edge> operands_;
  bool released_ = false;
};

}  // namespace autograd

struct GradMeta {
  bool requires_grad = false;  // of a leaf: what the user asked for
  bool retains_grad = false;
  Tensor grad;
  std::shared_ptr<autograd::GraphNode> node;  // what made the tensor; null in a leaf
  uint32_t output = 0;                        // which of its results the tensor is
  std::vector<GradHook> hooks;                // of a leaf
};

}  // namespace tensorlib
