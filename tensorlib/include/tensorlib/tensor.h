// Tensor: a strided view of typed elements in a shared block of memory on one device.
//
// A Tensor is a handle: copies of it, and views made by t(), view(), slice() and their kin, share
// the block, and a change through one is seen by all. Methods that end in _ change the elements in
// place. The names, arguments and results are those of LibTorch's at::Tensor, for the part that is
// here. An operation on tensors of different devices throws DeviceMismatchError; nothing moves by
// itself.
//
// Thread-safety: as std::vector's; different Tensors that share a block count as one object.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensorlib/array_ref.h"
#include "tensorlib/call_site.h"
#include "tensorlib/detail/accessor.h"
#include "tensorlib/device.h"
#include "tensorlib/macros.h"
#include "tensorlib/scalar.h"
#include "tensorlib/scalar_type.h"
#include "tensorlib/tensor_options.h"

namespace tensorlib {

class Tensor;
struct TensorImpl;
namespace autograd {
class Node;
}
namespace indexing {
class TensorIndex;
}
namespace cuda {
class CUDAStream;
}

// An operand of an operator: a tensor and the line that the operator stands in.
struct Operand {
  Operand(const Tensor& tensor, CallSite site = CallSite::current()) : tensor(tensor), site(site) {}
  const Tensor& tensor;
  CallSite site;
};
// The right-hand side of `+=` and its kin: a number and the line.
struct NumberOperand {
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  NumberOperand(T value, CallSite site = CallSite::current()) : value(value), site(site) {}
  NumberOperand(Scalar value, CallSite site = CallSite::current()) : value(value), site(site) {}
  Scalar value;
  CallSite site;
};

// The index of operator[] and the line.
struct IndexOperand {
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  IndexOperand(T value, CallSite site = CallSite::current())
      : value(static_cast<int64_t>(value)), site(site) {}
  int64_t value;
  CallSite site;
};

class TENSORLIB_API Tensor {
 public:
  Tensor() = default;
  explicit Tensor(std::shared_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) noexcept = default;
  // A variable becomes another handle; what an expression shows, as x[0] or x.index({...}) does, is
  // written: `x[0] = 5`.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  Tensor& operator=(const Operand& values) && { return copy_(values.tensor, false, values.site); }
  Tensor& operator=(const NumberOperand& value) && { return fill_(value.value, value.site); }

  // Its properties.
  bool defined() const { return impl_ != nullptr; }
  int64_t dim() const;
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const;
  int64_t size(int64_t dim, CallSite site = CallSite::current()) const;
  IntArrayRef strides() const;
  int64_t stride(int64_t dim, CallSite site = CallSite::current()) const;
  int64_t numel() const;
  size_t nbytes() const { return static_cast<size_t>(numel()) * element_size(); }
  size_t element_size() const { return elementSize(scalar_type()); }
  size_t itemsize() const { return element_size(); }
  int64_t storage_offset() const;
  ScalarType scalar_type() const;
  TypeMeta dtype() const { return TypeMeta(scalar_type()); }
  Layout layout() const { return kStrided; }
  Device device() const;
  int64_t get_device() const { return device().index(); }
  TensorOptions options() const;
  bool is_cuda() const { return device().is_cuda(); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_pinned() const;
  bool is_contiguous() const;
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }
  // Whether both see the same block of memory.
  bool is_alias_of(const Tensor& other) const;
  std::string toString() const;

  // Its elements. A CUDA tensor's pointer is a device pointer.
  void* data_ptr() const;
  template <class T>
  T* data_ptr(CallSite site = CallSite::current()) const {
    require_type(scalar_type_of<std::remove_const_t<T>>, "data_ptr", site);
    return static_cast<T*>(data_ptr());
  }
  // The element of a one-element tensor; from a CUDA tensor this copies and waits.
  Scalar item(CallSite site = CallSite::current()) const;
  template <class T>
  T item(CallSite site = CallSite::current()) const {
    return item(site).template to<T>();
  }
  // Typed element access to a CPU tensor of N dimensions.
  template <class T, size_t N>
  TensorAccessor<T, N> accessor(CallSite site = CallSite::current()) const {
    require_type(scalar_type_of<std::remove_const_t<T>>, "accessor", site);
    require_host(static_cast<int64_t>(N), "accessor", site);
    return {static_cast<T*>(data_ptr()), sizes().data(), strides().data()};
  }

  // Where it lives and its type. `to` returns this very tensor when there is nothing to change.
#define TENSORLIB_MOVES \
  TENSORLIB_NODISCARD("the moved tensor is the result: this tensor stays where it is")
  TENSORLIB_MOVES Tensor to(TensorOptions options, bool non_blocking = false, bool copy = false,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_MOVES Tensor to(Device device, ScalarType dtype, bool non_blocking = false,
                            bool copy = false, CallSite site = CallSite::current()) const;
  TENSORLIB_MOVES Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_MOVES Tensor to(TypeMeta dtype, bool non_blocking = false, bool copy = false,
                            CallSite site = CallSite::current()) const {
    return to(dtype.toScalarType(), non_blocking, copy, site);
  }
  TENSORLIB_MOVES Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false,
                            CallSite site = CallSite::current()) const;
  // to() by other names: another element type, and the other's type and device.
  TENSORLIB_MOVES Tensor toType(ScalarType dtype, CallSite site = CallSite::current()) const {
    return to(dtype, false, false, site);
  }
  TENSORLIB_MOVES Tensor type_as(const Tensor& other, CallSite site = CallSite::current()) const {
    return to(other, false, false, site);
  }
  TENSORLIB_MOVES Tensor cpu(CallSite site = CallSite::current()) const;
  // To the current CUDA device, which is cuda:0 unless it was changed; not "any GPU".
  TENSORLIB_MOVES Tensor cuda(CallSite site = CallSite::current()) const;
  TENSORLIB_NODISCARD("the pinned tensor is the result: this tensor stays pageable")
  Tensor pin_memory(CallSite site = CallSite::current()) const;
  TENSORLIB_NODISCARD("the copy is the result")
  Tensor clone(CallSite site = CallSite::current()) const;
  TENSORLIB_NODISCARD("the contiguous tensor is the result: this one keeps its strides")
  Tensor contiguous(CallSite site = CallSite::current()) const;
  Tensor& copy_(const Tensor& source, bool non_blocking = false,
                CallSite site = CallSite::current()) const;
#undef TENSORLIB_MOVES

  // Work in that stream uses the memory: it is not given to another tensor before that is done. To
  // be said of a CUDA tensor that is used in another stream than the one it was made in.
  void record_stream(const cuda::CUDAStream& stream) const;

  // This very tensor, and all handles of it, become what `data` is: another block, device or type.
  void set_data(const Tensor& data, CallSite site = CallSite::current()) const;

  // Views: no element is copied (reshape and flatten copy where no view exists).
#define TENSORLIB_VIEWS TENSORLIB_NODISCARD("the view is the result: this tensor keeps its shape")
  TENSORLIB_VIEWS Tensor view(IntArrayRef sizes, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor reshape(IntArrayRef sizes, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor view_as(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1,
                                 CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor t(CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor transpose(int64_t dim0, int64_t dim1,
                                   CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor permute(IntArrayRef dims, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor slice(int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
                               std::optional<int64_t> end = std::nullopt, int64_t step = 1,
                               CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor narrow(int64_t dim, int64_t start, int64_t length,
                                CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor select(int64_t dim, int64_t index,
                                CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor operator[](const IndexOperand& index) const {
    return select(0, index.value, index.site);
  }
  // By a whole number in a tensor of no dimensions; from a GPU this copies and waits.
  TENSORLIB_VIEWS Tensor operator[](const Operand& index) const;
  TENSORLIB_VIEWS Tensor squeeze(CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor squeeze(int64_t dim, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor unsqueeze(int64_t dim, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor expand(IntArrayRef sizes, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor expand_as(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor as_strided(IntArrayRef sizes, IntArrayRef strides,
                                    std::optional<int64_t> storage_offset = std::nullopt,
                                    CallSite site = CallSite::current()) const;
  // What LibTorch's and Python's x[0, 1:, ...] says; see indexing.h. A view, unless a tensor is
  // among the indices: int32 or int64 places (from the end where negative) in a dimension, whose
  // shape stands in the result instead, or a bool mask of one or more dimensions. Several tensors
  // broadcast, and name elements together: x.index({rows, columns}). Their shape stands where the
  // first of them does, or first where another entry is between them. IndexError for a place or a
  // dimension that is not there.
  TENSORLIB_VIEWS Tensor index(ArrayRef<indexing::TensorIndex> indices,
                               CallSite site = CallSite::current()) const;
  // Parts along a dimension, as views: of `split_size` (the last one of what is left), of the given
  // sizes (which make up the whole), and in `chunks` equal ones (the last ones smaller or missing).
  TENSORLIB_VIEWS std::vector<Tensor> split(int64_t split_size, int64_t dim = 0,
                                            CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS std::vector<Tensor> split(IntArrayRef split_sizes, int64_t dim = 0,
                                            CallSite site = CallSite::current()) const {
    return split_with_sizes(split_sizes, dim, site);
  }
  TENSORLIB_VIEWS std::vector<Tensor> split_with_sizes(IntArrayRef split_sizes, int64_t dim = 0,
                                                       CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0,
                                            CallSite site = CallSite::current()) const;
  // Each slice of a dimension, without it.
  TENSORLIB_VIEWS std::vector<Tensor> unbind(int64_t dim = 0,
                                             CallSite site = CallSite::current()) const;
  // The diagonal's elements, as a last dimension in place of the two; 0 is the main diagonal.
  TENSORLIB_VIEWS Tensor diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1,
                                  CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor movedim(int64_t source, int64_t destination,
                                 CallSite site = CallSite::current()) const;
  TENSORLIB_VIEWS Tensor swapaxes(int64_t dim0, int64_t dim1,
                                  CallSite site = CallSite::current()) const {
    return transpose(dim0, dim1, site);
  }
#undef TENSORLIB_VIEWS
  // The same in place: every handle of this tensor has the new shape.
  Tensor& squeeze_(CallSite site = CallSite::current()) const;
  Tensor& squeeze_(int64_t dim, CallSite site = CallSite::current()) const;
  Tensor& unsqueeze_(int64_t dim, CallSite site = CallSite::current()) const;
  Tensor& transpose_(int64_t dim0, int64_t dim1, CallSite site = CallSite::current()) const;
  Tensor& t_(CallSite site = CallSite::current()) const;
  // Another shape of the same elements as far as they go; what is more is not initialised, and lies
  // in a new block if the old one is too small. An Error for a tensor that requires its gradient.
  Tensor& resize_(IntArrayRef sizes, CallSite site = CallSite::current()) const;
  // Sets what index() shows, to values that broadcast to its shape; or adds them, each as often as
  // its place is named. Where it is not added, any value of a place that is named twice may stay.
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& values,
                     CallSite site = CallSite::current()) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& values, bool accumulate,
                     CallSite site = CallSite::current()) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, Scalar value,
                     CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor index_put(ArrayRef<indexing::TensorIndex> indices, const Tensor& values,
                                  bool accumulate = false,
                                  CallSite site = CallSite::current()) const;

  // Element-wise operations; see op_names.def for the list.
#define TENSORLIB_UNARY_OP(name)                                         \
  TENSORLIB_PURE Tensor name(CallSite site = CallSite::current()) const; \
  Tensor& name##_(CallSite site = CallSite::current()) const;
#define TENSORLIB_BINARY_OP(name)                                                             \
  TENSORLIB_PURE Tensor name(const Tensor& other, CallSite site = CallSite::current()) const; \
  TENSORLIB_PURE Tensor name(Scalar other, CallSite site = CallSite::current()) const;        \
  Tensor& name##_(const Tensor& other, CallSite site = CallSite::current()) const;            \
  Tensor& name##_(Scalar other, CallSite site = CallSite::current()) const;
#define TENSORLIB_COMPARE_OP(name)                                                            \
  TENSORLIB_PURE Tensor name(const Tensor& other, CallSite site = CallSite::current()) const; \
  TENSORLIB_PURE Tensor name(Scalar other, CallSite site = CallSite::current()) const;
#include "tensorlib/op_names.def"
  // self + alpha * other
  TENSORLIB_PURE Tensor add(const Tensor& other, Scalar alpha = 1,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor add(Scalar other, Scalar alpha = 1,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor sub(const Tensor& other, Scalar alpha = 1,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor sub(Scalar other, Scalar alpha = 1,
                            CallSite site = CallSite::current()) const;
  Tensor& add_(const Tensor& other, Scalar alpha = 1, CallSite site = CallSite::current()) const;
  Tensor& add_(Scalar other, Scalar alpha = 1, CallSite site = CallSite::current()) const;
  Tensor& sub_(const Tensor& other, Scalar alpha = 1, CallSite site = CallSite::current()) const;
  Tensor& sub_(Scalar other, Scalar alpha = 1, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor clamp(std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt,
                              CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor clamp_min(Scalar min, CallSite site = CallSite::current()) const {
    return clamp(min, std::nullopt, site);
  }
  TENSORLIB_PURE Tensor clamp_max(Scalar max, CallSite site = CallSite::current()) const {
    return clamp(std::nullopt, max, site);
  }
  Tensor& clamp_(std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt,
                 CallSite site = CallSite::current()) const;
  // With bounds that broadcast.
  TENSORLIB_PURE Tensor clamp(const std::optional<Tensor>& min,
                              const std::optional<Tensor>& max = std::nullopt,
                              CallSite site = CallSite::current()) const;
  // clamp by its other name.
  TENSORLIB_PURE Tensor clip(std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt,
                             CallSite site = CallSite::current()) const {
    return clamp(min, max, site);
  }
  Tensor& clamp_min_(Scalar min, CallSite site = CallSite::current()) const {
    return clamp_(min, std::nullopt, site);
  }
  Tensor& clamp_max_(Scalar max, CallSite site = CallSite::current()) const {
    return clamp_(std::nullopt, max, site);
  }
  // self + value * a * b, and self + value * a / b
  TENSORLIB_PURE Tensor addcmul(const Tensor& tensor1, const Tensor& tensor2, Scalar value = 1,
                                CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor addcdiv(const Tensor& tensor1, const Tensor& tensor2, Scalar value = 1,
                                CallSite site = CallSite::current()) const;
  Tensor& addcmul_(const Tensor& tensor1, const Tensor& tensor2, Scalar value = 1,
                   CallSite site = CallSite::current()) const;
  Tensor& addcdiv_(const Tensor& tensor1, const Tensor& tensor2, Scalar value = 1,
                   CallSite site = CallSite::current()) const;
  // self + weight * (end - self)
  TENSORLIB_PURE Tensor lerp(const Tensor& end, Scalar weight,
                             CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor lerp(const Tensor& end, const Tensor& weight,
                             CallSite site = CallSite::current()) const;
  // Of truths: any type counts as whether it is not 0. A gradient does not come through.
  TENSORLIB_PURE Tensor logical_not(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor logical_and(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor logical_or(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor logical_xor(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor bitwise_not(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor isnan(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor isinf(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor isfinite(CallSite site = CallSite::current()) const;
  // Whether the one element is not 0.
  TENSORLIB_PURE bool is_nonzero(CallSite site = CallSite::current()) const;
  // NaN becomes `nan` (0), the infinities `posinf` and `neginf`: by default the type's largest and
  // least numbers.
  TENSORLIB_PURE Tensor nan_to_num(std::optional<double> nan = std::nullopt,
                                   std::optional<double> posinf = std::nullopt,
                                   std::optional<double> neginf = std::nullopt,
                                   CallSite site = CallSite::current()) const;
  // `value` where the bool mask, which broadcasts to this tensor, is true.
  TENSORLIB_PURE Tensor masked_fill(const Tensor& mask, Scalar value,
                                    CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor masked_fill(const Tensor& mask, const Tensor& value,
                                    CallSite site = CallSite::current()) const;
  Tensor& masked_fill_(const Tensor& mask, Scalar value, CallSite site = CallSite::current()) const;
  Tensor& masked_fill_(const Tensor& mask, const Tensor& value,
                       CallSite site = CallSite::current()) const;
  // The lower (upper) triangle of matrices, zeros elsewhere; `diagonal` 0 is the main one, larger
  // ones are above it.
  TENSORLIB_PURE Tensor tril(int64_t diagonal = 0, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor triu(int64_t diagonal = 0, CallSite site = CallSite::current()) const;
  Tensor& fill_(Scalar value, CallSite site = CallSite::current()) const;
  Tensor& zero_(CallSite site = CallSite::current()) const;
  // Random values in place, from the generator that manual_seed seeds.
  Tensor& uniform_(double from = 0, double to = 1, CallSite site = CallSite::current()) const;
  Tensor& normal_(double mean = 0, double std = 1, CallSite site = CallSite::current()) const;
  // Of the exponential distribution with the mean 1 / lambd.
  Tensor& exponential_(double lambd = 1, CallSite site = CallSite::current()) const;
  // 1 with probability p, else 0.
  Tensor& bernoulli_(double p = 0.5, CallSite site = CallSite::current()) const;
  Tensor& fill_diagonal_(Scalar value, CallSite site = CallSite::current()) const;
  // 1 with the probability that each element is, else 0.
  TENSORLIB_PURE Tensor bernoulli(CallSite site = CallSite::current()) const;
  // int64 places in the last dimension of a vector, or of each row of a matrix, drawn by these
  // weights; without replacement each at most once. That the weights can be such is looked at on
  // the CPU only.
  TENSORLIB_PURE Tensor multinomial(int64_t num_samples, bool replacement = false,
                                    CallSite site = CallSite::current()) const;

  Tensor operator-() const { return neg(); }
  Tensor operator~() const { return bitwise_not(); }
  Tensor& operator+=(const Operand& other) { return add_(other.tensor, 1, other.site); }
  Tensor& operator-=(const Operand& other) { return sub_(other.tensor, 1, other.site); }
  Tensor& operator*=(const Operand& other) { return mul_(other.tensor, other.site); }
  Tensor& operator/=(const Operand& other) { return div_(other.tensor, other.site); }
  Tensor& operator+=(const NumberOperand& other) { return add_(other.value, 1, other.site); }
  Tensor& operator-=(const NumberOperand& other) { return sub_(other.value, 1, other.site); }
  Tensor& operator*=(const NumberOperand& other) { return mul_(other.value, other.site); }
  Tensor& operator/=(const NumberOperand& other) { return div_(other.value, other.site); }

  // Reductions, over all elements or over the given dimensions.
  TENSORLIB_PURE Tensor sum(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor sum(IntArrayRef dims, bool keepdim = false,
                            CallSite site = CallSite::current()) const;
  // Of elements as `dtype`.
  TENSORLIB_PURE Tensor sum(ScalarType dtype, CallSite site = CallSite::current()) const {
    return to(dtype, false, false, site).sum(site);
  }
  TENSORLIB_PURE Tensor sum(IntArrayRef dims, bool keepdim, ScalarType dtype,
                            CallSite site = CallSite::current()) const {
    return to(dtype, false, false, site).sum(dims, keepdim, site);
  }
  TENSORLIB_PURE Tensor mean(ScalarType dtype, CallSite site = CallSite::current()) const {
    return to(dtype, false, false, site).mean(site);
  }
  TENSORLIB_PURE Tensor mean(IntArrayRef dims, bool keepdim, ScalarType dtype,
                             CallSite site = CallSite::current()) const {
    return to(dtype, false, false, site).mean(dims, keepdim, site);
  }
  TENSORLIB_PURE Tensor mean(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor mean(IntArrayRef dims, bool keepdim = false,
                             CallSite site = CallSite::current()) const;
  // The variance and its root; unbiased: divided by one less than the number of elements.
  TENSORLIB_PURE Tensor var(bool unbiased = true, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor var(int dim, CallSite site = CallSite::current()) const {
    return var(IntArrayRef(dim), true, false, site);
  }
  TENSORLIB_PURE Tensor var(IntArrayRef dims, bool unbiased = true, bool keepdim = false,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor std(bool unbiased = true, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor std(int dim, CallSite site = CallSite::current()) const {
    return std(IntArrayRef(dim), true, false, site);
  }
  TENSORLIB_PURE Tensor std(IntArrayRef dims, bool unbiased = true, bool keepdim = false,
                            CallSite site = CallSite::current()) const;
  // Running sums along a dimension; of integers and bools as int64.
  TENSORLIB_PURE Tensor cumsum(int64_t dim, std::optional<ScalarType> dtype = std::nullopt,
                               CallSite site = CallSite::current()) const;
  // Running products along a dimension; made of as many steps as the dimension's size has bits.
  TENSORLIB_PURE Tensor cumprod(int64_t dim, std::optional<ScalarType> dtype = std::nullopt,
                                CallSite site = CallSite::current()) const;
  // Products of all elements, and along a dimension; of integers and bools as int64.
  TENSORLIB_PURE Tensor prod(std::optional<ScalarType> dtype = std::nullopt,
                             CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor prod(int64_t dim, bool keepdim = false,
                             std::optional<ScalarType> dtype = std::nullopt,
                             CallSite site = CallSite::current()) const;
  // (sum of |x|^p)^(1/p); p may be 0 (how many are not 0) and infinite (the largest).
  TENSORLIB_PURE Tensor norm(Scalar p = 2, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor norm(std::optional<Scalar> p, IntArrayRef dims, bool keepdim = false,
                             CallSite site = CallSite::current()) const;
  // Whether all (any) are not 0, as a bool tensor.
  TENSORLIB_PURE Tensor all(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor any(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor all(int64_t dim, bool keepdim = false,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor any(int64_t dim, bool keepdim = false,
                            CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor max(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor min(CallSite site = CallSite::current()) const;
  // maximum() and minimum() by their other names.
  TENSORLIB_PURE Tensor max(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor min(const Tensor& other, CallSite site = CallSite::current()) const;
  // The middle element, the smaller of two; NaN where one is among them. Along a dimension with its
  // index.
  TENSORLIB_PURE Tensor median(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE std::tuple<Tensor, Tensor> median(int64_t dim, bool keepdim = false,
                                                   CallSite site = CallSite::current()) const;
  // self where the condition holds, else other.
  TENSORLIB_PURE Tensor where(const Tensor& condition, const Tensor& other,
                              CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor amax(IntArrayRef dims, bool keepdim = false,
                             CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor amin(IntArrayRef dims, bool keepdim = false,
                             CallSite site = CallSite::current()) const;
  // The largest (smallest) values along a dimension, and their indices.
  TENSORLIB_PURE std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false,
                                                CallSite site = CallSite::current()) const;
  TENSORLIB_PURE std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false,
                                                CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor argmax(std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                               CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor argmin(std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                               CallSite site = CallSite::current()) const;
  // The k largest (smallest) values along a dimension, the first of them first, and their indices;
  // of equal ones the first, and NaN is larger than any number. `sorted` makes no difference: they
  // always are. IndexError where k is negative or larger than the dimension.
  TENSORLIB_PURE std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1, bool largest = true,
                                                 bool sorted = true,
                                                 CallSite site = CallSite::current()) const;
  // All of them in order, of equal ones the first first. On a GPU meant for the few: its time grows
  // with the square of the dimension.
  TENSORLIB_PURE std::tuple<Tensor, Tensor> sort(int64_t dim = -1, bool descending = false,
                                                 CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor argsort(int64_t dim = -1, bool descending = false,
                                CallSite site = CallSite::current()) const;
  // The places of what is not 0, a row of indices for each, in row-major order. From a GPU this
  // copies and waits.
  TENSORLIB_PURE Tensor nonzero(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE bool equal(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE bool allclose(const Tensor& other, double rtol = 1e-5, double atol = 1e-8,
                               CallSite site = CallSite::current()) const;
  // log(sum(exp(x))), without overflow.
  TENSORLIB_PURE Tensor logsumexp(IntArrayRef dims, bool keepdim = false,
                                  CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor softmax(int64_t dim, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor log_softmax(int64_t dim, CallSite site = CallSite::current()) const;
  // Of elements as `dtype`, where it is given.
  TENSORLIB_PURE Tensor softmax(int64_t dim, std::optional<ScalarType> dtype,
                                CallSite site = CallSite::current()) const {
    return to(dtype.value_or(this->dtype()), false, false, site).softmax(dim, site);
  }
  TENSORLIB_PURE Tensor log_softmax(int64_t dim, std::optional<ScalarType> dtype,
                                    CallSite site = CallSite::current()) const {
    return to(dtype.value_or(this->dtype()), false, false, site).log_softmax(dim, site);
  }

  // Products.
  TENSORLIB_PURE Tensor matmul(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor mm(const Tensor& mat2, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor bmm(const Tensor& mat2, CallSite site = CallSite::current()) const;
  // A matrix and a vector; two vectors; and all products of two vectors' elements, as a matrix.
  TENSORLIB_PURE Tensor mv(const Tensor& vec, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor dot(const Tensor& other, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor outer(const Tensor& vec2, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor addmm(const Tensor& mat1, const Tensor& mat2, Scalar beta = 1,
                              Scalar alpha = 1, CallSite site = CallSite::current()) const;
  // Elements of `index`'s shape, taken along `dim`.
  TENSORLIB_PURE Tensor gather(int64_t dim, const Tensor& index,
                               CallSite site = CallSite::current()) const;
  // The slices of `dim` that a vector of int32 or int64 names, as a new tensor.
  TENSORLIB_PURE Tensor index_select(int64_t dim, const Tensor& index,
                                     CallSite site = CallSite::current()) const;

  // The elements where the bool mask is true, in row-major order; both broadcast. From a GPU this
  // copies the mask and waits.
  TENSORLIB_PURE Tensor masked_select(const Tensor& mask,
                                      CallSite site = CallSite::current()) const;
  // The number at self[index[i][j]][j] (dim 0) and the like, for all of the index.
  TENSORLIB_PURE Tensor scatter(int64_t dim, const Tensor& index, Scalar value,
                                CallSite site = CallSite::current()) const;
  Tensor& scatter_(int64_t dim, const Tensor& index, Scalar value,
                   CallSite site = CallSite::current()) const;
  // The same with a tensor's numbers, of which those are taken that stand where the index does.
  // Where places are named twice either may stay; scatter_add adds all of them.
  TENSORLIB_PURE Tensor scatter(int64_t dim, const Tensor& index, const Tensor& src,
                                CallSite site = CallSite::current()) const;
  Tensor& scatter_(int64_t dim, const Tensor& index, const Tensor& src,
                   CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor scatter_add(int64_t dim, const Tensor& index, const Tensor& src,
                                    CallSite site = CallSite::current()) const;
  Tensor& scatter_add_(int64_t dim, const Tensor& index, const Tensor& src,
                       CallSite site = CallSite::current()) const;
  // The slices of `dim` that a vector of int32 or int64 names: source's are added to them or take
  // their place, or the number does.
  TENSORLIB_PURE Tensor index_add(int64_t dim, const Tensor& index, const Tensor& source,
                                  Scalar alpha = 1, CallSite site = CallSite::current()) const;
  Tensor& index_add_(int64_t dim, const Tensor& index, const Tensor& source, Scalar alpha = 1,
                     CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor index_copy(int64_t dim, const Tensor& index, const Tensor& source,
                                   CallSite site = CallSite::current()) const;
  Tensor& index_copy_(int64_t dim, const Tensor& index, const Tensor& source,
                      CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor index_fill(int64_t dim, const Tensor& index, Scalar value,
                                   CallSite site = CallSite::current()) const;
  Tensor& index_fill_(int64_t dim, const Tensor& index, Scalar value,
                      CallSite site = CallSite::current()) const;
  // The elements at these places of the flattened tensor, in the index's shape.
  TENSORLIB_PURE Tensor take(const Tensor& index, CallSite site = CallSite::current()) const;
  // Each element so often in a row, of a dimension or of the flattened tensor; or each as often as
  // `repeats` says, which from a GPU is copied and waited for.
  TENSORLIB_PURE Tensor repeat_interleave(int64_t repeats,
                                          std::optional<int64_t> dim = std::nullopt,
                                          CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor repeat_interleave(const Tensor& repeats,
                                          std::optional<int64_t> dim = std::nullopt,
                                          CallSite site = CallSite::current()) const;
  // The windows of `size` elements that begin every `step` elements of a dimension, as a new last
  // dimension. A copy.
  TENSORLIB_PURE Tensor unfold(int64_t dimension, int64_t size, int64_t step,
                               CallSite site = CallSite::current()) const;
  // Copies side by side, so many along each dimension; more numbers than dimensions make new first
  // ones.
  TENSORLIB_PURE Tensor repeat(IntArrayRef repeats, CallSite site = CallSite::current()) const;
  // In the opposite order along these dimensions.
  TENSORLIB_PURE Tensor flip(IntArrayRef dims, CallSite site = CallSite::current()) const;

  // Moved on by so many places along each dimension, what falls off the end coming in at the start;
  // without dimensions, along the flattened tensor.
  TENSORLIB_PURE Tensor roll(IntArrayRef shifts, IntArrayRef dims = {},
                             CallSite site = CallSite::current()) const;
  // A matrix's diagonal as a vector, a vector as the diagonal of a square matrix of zeros;
  // `diagonal` 0 is the main one, larger ones are above it.
  TENSORLIB_PURE Tensor diag(int64_t diagonal = 0, CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor trace(CallSite site = CallSite::current()) const;

  // New tensors of this one's type and device, but for what the options say.
  TENSORLIB_PURE Tensor new_empty(IntArrayRef sizes, TensorOptions options = {},
                                  CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor new_zeros(IntArrayRef sizes, TensorOptions options = {},
                                  CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor new_ones(IntArrayRef sizes, TensorOptions options = {},
                                 CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor new_full(IntArrayRef sizes, Scalar value, TensorOptions options = {},
                                 CallSite site = CallSite::current()) const;

  // Gradients. A floating leaf that requires its gradient, and all that is computed from it outside
  // a NoGradGuard, is recorded; backward() of a result adds to grad() of each such leaf.
  bool requires_grad() const;
  const Tensor& requires_grad_(bool on = true, CallSite site = CallSite::current()) const;
  const Tensor& set_requires_grad(bool on, CallSite site = CallSite::current()) const {
    return requires_grad_(on, site);
  }
  bool is_leaf() const;
  // Undefined until a backward() has reached this leaf. A moved tensor (`to`) is no leaf: the
  // gradient reaches the one that it was moved from.
  const Tensor& grad(CallSite site = CallSite::current()) const;
  Tensor& mutable_grad(CallSite site = CallSite::current()) const;
  // The record of what computed it; null in a leaf. grad_fn()->name() is "MulBackward0" and the
  // like.
  std::shared_ptr<autograd::Node> grad_fn(CallSite site = CallSite::current()) const;
  // Keeps the gradient of a result as well.
  void retain_grad(CallSite site = CallSite::current()) const;
  // `gradient` weighs the elements; a tensor of one element needs none. The record is given back
  // unless retain_graph (by default: create_graph).
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt,
                bool create_graph = false, CallSite site = CallSite::current()) const;
  // Called with this tensor's gradient in each backward(); what it returns, if defined, takes the
  // gradient's place. The number that it gives back is for remove_hook.
  template <class Hook>
  unsigned register_hook(Hook hook, CallSite site = CallSite::current()) const {
    return add_grad_hook(
        [hook = std::move(hook)](const Tensor& grad) -> Tensor {
          if constexpr (std::is_void_v<decltype(hook(grad))>) {
            hook(grad);
            return Tensor();
          } else {
            return hook(grad);
          }
        },
        site);
  }
  void remove_hook(unsigned number, CallSite site = CallSite::current()) const;
  // The same elements, out of the record.
  TENSORLIB_PURE Tensor detach(CallSite site = CallSite::current()) const;
  Tensor& detach_(CallSite site = CallSite::current()) const;
  TENSORLIB_PURE Tensor data(CallSite site = CallSite::current()) const { return detach(site); }

  const std::shared_ptr<TensorImpl>& impl() const { return impl_; }

 private:
  unsigned add_grad_hook(std::function<Tensor(const Tensor&)> hook, CallSite site) const;
  void require_type(ScalarType type, const char* what, CallSite site) const;
  void require_host(int64_t dims, const char* what, CallSite site) const;

  std::shared_ptr<TensorImpl> impl_;
};

TENSORLIB_API std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace tensorlib
