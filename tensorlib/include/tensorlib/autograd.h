// Gradients of any result with respect to any tensor: autograd::grad. For those of parameters,
// Tensor::backward() is enough.
//
// An operation on a tensor that requires a gradient is recorded; backward() and grad() walk the
// records from a result back to the leaves. A gradient is computed by the same operations as any
// value, so with create_graph it is itself recorded, and can be differentiated again.
//
// Thread-safety: one graph belongs to one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tensorlib/grad_mode.h"
#include "tensorlib/tensor.h"

namespace tensorlib::autograd {

using Variable = Tensor;
using variable_list = std::vector<Tensor>;
using tensor_list = std::vector<Tensor>;

// The record of one operation.
class TENSORLIB_API Node {
 public:
  virtual ~Node();
  // As LibTorch names it: "MulBackward0".
  virtual std::string name() const = 0;
};

// The gradients of the sum of `outputs`, weighted by `grad_outputs` (an undefined one is 1, for an
// output of one element), with respect to `inputs`. The grad() of leaf tensors stays as it is.
// An input that no output depends on is an Error, or with `allow_unused` an undefined tensor.
TENSORLIB_PURE TENSORLIB_API variable_list
grad(const variable_list& outputs, const variable_list& inputs,
     const variable_list& grad_outputs = {}, std::optional<bool> retain_graph = std::nullopt,
     bool create_graph = false, bool allow_unused = false, CallSite site = CallSite::current());

// The same with respect to all leaves: added to what grad() of each of them holds.
TENSORLIB_API void backward(const variable_list& tensors, const variable_list& grad_tensors = {},
                            std::optional<bool> retain_graph = std::nullopt,
                            bool create_graph = false, CallSite site = CallSite::current());

}  // namespace tensorlib::autograd
