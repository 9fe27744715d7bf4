// Joining and taking apart: cat, stack and similar; split, chunk, unbind.
#include <algorithm>
#include <iterator>

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "ops/geometry.h"
#include "tensorlib/composed.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// All defined and on one device. Under the implicit policy tensors of another device than the
// first's are copied there, into `moved`, which is empty otherwise.
void check_joined(const char* name, ArrayRef<Tensor> tensors, std::vector<Tensor>& moved,
                  CallSite site) {
  if (tensors.empty()) throw Error(str_cat(name, ": the list of tensors is empty"), site);
  const Tensor& first = tensors[0];
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    require_defined(tensor, "tensors[...]", name, site);
    if (!are_apart({{"tensors[0]", first}, {"tensors[...]", tensor}})) continue;
    if (OperandPolicyScope::current() == OperandPolicy::kStrict) {
      const std::string which = str_cat("tensors[", i, "]");
      throw_device_mismatch(name, site, {{"tensors[0]", first}, {which.c_str(), tensor}});
    }
    const CauseScope cause(TransferCause::kOperand);
    if (moved.empty()) moved = tensors.vec();
    moved[i] = tensor.to(first.device(), tensor.dtype(), false, false, site);
  }
}

// Each tensor's gradient is its part of the result's.
Tensor record_joined(const char* name, Tensor result, ArrayRef<Tensor> tensors, int d,
                     CallSite site) {
  std::vector<const Tensor*> operands;
  for (const Tensor& tensor : tensors) operands.push_back(&tensor);
  return recorded(std::move(result), name, site, operands, [&] {
    std::vector<int64_t> lengths;
    std::vector<ScalarType> types;
    for (const Tensor& tensor : tensors) {
      lengths.push_back(tensor.size(d));
      types.push_back(tensor.dtype());
    }
    return [=](const Tensor& g, Needs needs) {
      Tensors grads(lengths.size());
      int64_t at = 0;
      for (size_t i = 0; i < lengths.size(); ++i) {
        if (needs(i)) grads[i] = g.narrow(d, at, lengths[i], site).to(types[i], false, false, site);
        at += lengths[i];
      }
      return grads;
    };
  });
}

// Along dimension d of what check_joined() has seen; `name` is the operation that a person called.
Tensor joined(const char* name, ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  const Tensor& first = tensors[0];
  const int d = static_cast<int>(wrap_dim(dim, first.dim(), name, site));
  Dims sizes = first.impl()->sizes;
  ScalarType type = first.dtype();
  sizes[d] = 0;
  for (const Tensor& tensor : tensors) {
    Dims other = tensor.impl()->sizes;
    if (other.size() == sizes.size()) {
      const int64_t length = other[d];
      other[d] = sizes[d];
      if (other == sizes) {
        sizes[d] += length;
        type = promoteTypes(type, tensor.dtype());
        continue;
      }
    }
    throw ShapeError(str_cat(name, ": shapes ", first.sizes(), " and ", tensor.sizes(),
                             " differ in more than dimension ", d),
                     site);
  }
  Tensor result = allocate_result(sizes, type, first, name, site);
  {
    NoGradGuard raw;
    int64_t at = 0;
    for (const Tensor& tensor : tensors) {
      const int64_t length = tensor.size(d);
      result.narrow(d, at, length, site).copy_(tensor, false, site);
      at += length;
    }
  }
  return record_joined(name, std::move(result), tensors, d, site);
}

}  // namespace

Tensor cat(ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  std::vector<Tensor> moved;
  check_joined("cat", tensors, moved, site);
  if (!moved.empty()) return cat(moved, dim, site);
  // An empty vector joins whatever the others are: what a list that grows starts from.
  const auto counts = [](const Tensor& t) { return t.dim() != 1 || t.numel() > 0; };
  const auto counted = std::count_if(tensors.begin(), tensors.end(), counts);
  if (counted > 0 && counted < static_cast<std::ptrdiff_t>(tensors.size())) {
    std::vector<Tensor> others;
    std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(others), counts);
    return cat(others, dim, site);
  }
  if (tensors[0].dim() == 0) {
    throw ShapeError("cat: tensors of no dimensions cannot be joined\nhelp: use stack()", site);
  }
  return joined("cat", tensors, dim, site);
}

Tensor stack(ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  std::vector<Tensor> moved;
  check_joined("stack", tensors, moved, site);
  if (!moved.empty()) return stack(moved, dim, site);
  std::vector<Tensor> rows;
  rows.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    if (tensor.sizes() != tensors[0].sizes()) {
      throw ShapeError(
          str_cat("stack: shapes ", tensors[0].sizes(), " and ", tensor.sizes(), " differ"), site);
    }
    rows.push_back(tensor.unsqueeze(dim, site));
  }
  return joined("stack", rows, wrap_dim(dim, tensors[0].dim() + 1, "stack", site), site);
}

namespace {

// All parts of a tensor along a dimension: one record, whose gradient is theirs joined.
class Parted final : public autograd::GraphNode {
 public:
  Parted(const char* name, CallSite site, const Tensor& whole, int d, bool keeps_dim,
         const std::vector<Tensor>& parts)
      : GraphNode(name, site, autograd::edges_to({&whole})), d_(d), keeps_dim_(keeps_dim) {
    outputs = static_cast<uint32_t>(parts.size());
    for (const Tensor& part : parts) sizes_.push_back(part.impl()->sizes);
  }
  Tensors backward(const Tensor& grad) override { return backward_of_all({grad}); }
  Tensors backward_of_all(const Tensors& given) override {
    Tensors grads = given;
    const Tensor* like = nullptr;
    for (const Tensor& grad : grads) {
      if (grad.defined()) like = &grad;
    }
    if (like == nullptr) return {Tensor()};
    for (size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined()) grads[i] = zeros(sizes_[i], like->options(), site());
    }
    return {keeps_dim_ ? joined("cat", grads, d_, site()) : stack(grads, d_, site())};
  }

 private:
  void drop() override {}

  int d_;
  bool keeps_dim_;
  std::vector<Dims> sizes_;
};

template <class Take>
std::vector<Tensor> parted(const char* name, const Tensor& whole, int64_t dim, bool keeps_dim,
                           CallSite site, const Take& take) {
  std::vector<Tensor> parts;
  {
    NoGradGuard raw;
    parts = take();
  }
  if (parts.empty() || !records({&whole}, name, site)) return parts;
  const int d = static_cast<int>(wrap_dim(dim, whole.dim(), name, site));
  const std::shared_ptr<autograd::GraphNode> node(
      new Parted(name, site, whole, d, keeps_dim, parts), autograd::GraphNode::Dispose());
  for (size_t i = 0; i < parts.size(); ++i) {
    autograd::set_node(parts[i], node, static_cast<uint32_t>(i));
  }
  return parts;
}

}  // namespace

std::vector<Tensor> Tensor::split_with_sizes(IntArrayRef split_sizes, int64_t dim,
                                             CallSite site) const {
  const int64_t size = this->size(dim, site);
  return parted("split_with_sizes", *this, dim, true, site, [&] {
    int64_t at = 0;
    std::vector<Tensor> parts;
    for (const int64_t length : split_sizes) {
      if (length < 0 || length > size - at) {
        throw ShapeError(str_cat("split: parts of ", split_sizes, " do not make up dimension ", dim,
                                 " of size ", size),
                         site);
      }
      parts.push_back(narrow(dim, at, length, site));
      at += length;
    }
    if (at != size) {
      throw ShapeError(str_cat("split: parts of ", split_sizes, " make up ", at, " of dimension ",
                               dim, ", whose size is ", size),
                       site);
    }
    return parts;
  });
}

std::vector<Tensor> Tensor::split(int64_t split_size, int64_t dim, CallSite site) const {
  const int64_t size = this->size(dim, site);
  if (split_size < 0 || (split_size == 0 && size != 0)) {
    throw ShapeError(
        str_cat("split: a dimension of size ", size, " has no parts of size ", split_size), site);
  }
  return parted("split", *this, dim, true, site, [&] {
    std::vector<Tensor> parts;
    for (int64_t at = 0; at < size || parts.empty(); at += parts.back().size(dim)) {
      parts.push_back(narrow(dim, at, std::min(split_size, size - at), site));
    }
    return parts;
  });
}

std::vector<Tensor> Tensor::chunk(int64_t chunks, int64_t dim, CallSite site) const {
  const int64_t size = this->size(dim, site);
  if (chunks < 1) throw ShapeError(str_cat("chunk: ", chunks, " chunks asked for"), site);
  if (size > 0) return split(size / chunks + (size % chunks != 0), dim, site);
  // Of nothing there are as many as were asked for.
  return std::vector<Tensor>(static_cast<size_t>(chunks), narrow(dim, 0, 0, site));
}

std::vector<Tensor> Tensor::unbind(int64_t dim, CallSite site) const {
  const int64_t size = this->size(dim, site);
  return parted("unbind", *this, dim, false, site, [&] {
    std::vector<Tensor> parts;
    for (int64_t i = 0; i < size; ++i) parts.push_back(select(dim, i, site));
    return parts;
  });
}

std::vector<Tensor> broadcast_tensors(TensorList tensors, CallSite site) {
  if (tensors.empty()) return {};
  for (const Tensor& t : tensors) require_defined(t, "tensors[...]", "broadcast_tensors", site);
  Tensor widest = tensors[0];
  for (const Tensor& t : tensors) {
    widest = widest.expand(broadcast_sizes(widest, t, "broadcast_tensors", site), site);
  }
  std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(t.expand(widest.sizes(), site));
  return result;
}

Tensor vstack(TensorList tensors, CallSite site) {
  std::vector<Tensor> rows;
  for (const Tensor& t : tensors) {
    require_defined(t, "tensors[...]", "vstack", site);
    rows.push_back(t.dim() < 2 ? t.reshape({1, -1}, site) : t);
  }
  return cat(rows, 0, site);
}
Tensor hstack(TensorList tensors, CallSite site) {
  std::vector<Tensor> parts;
  for (const Tensor& t : tensors) {
    require_defined(t, "tensors[...]", "hstack", site);
    parts.push_back(t.dim() == 0 ? t.reshape(1, site) : t);
  }
  return cat(parts, !parts.empty() && parts[0].dim() > 1 ? 1 : 0, site);
}

}  // namespace tensorlib
