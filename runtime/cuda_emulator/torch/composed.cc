#include "torch/composed.h"

#include <ATen/ATen.h>
#include <ATen/NestedTensorImpl.h>
#include <ATen/SparseCsrTensorImpl.h>
#include <ATen/SparseCsrTensorUtils.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/native/SparseTensorUtils.h>

#include <utility>

namespace xfer::emulated_torch {
namespace {

struct Compressed {
  at::Tensor rows;  ///< of CSC and BSC the columns
  at::Tensor columns;
  at::Tensor values;
};

at::SparseCsrTensorImpl& compressed_impl(const at::Tensor& tensor) {
  return *at::sparse_csr::get_sparse_csr_impl(tensor);
}

Compressed parts_of(const at::Tensor& tensor, const EachPart& part) {
  const auto& impl = compressed_impl(tensor);
  return {part(impl.compressed_indices()), part(impl.plain_indices()), part(impl.values())};
}

at::Tensor made_of_buffer(const at::Tensor& nested, const EachPart& part) {
  const auto& impl = *at::native::get_nested_tensor_impl(nested);
  // Of a view: all of the memory that its offsets count in.
  const at::Tensor buffer = impl.get_unsafe_storage_as_tensor();
  return at::_nested_view_from_buffer(part(buffer), impl.get_nested_sizes(),
                                      impl.get_nested_strides(), impl.get_storage_offsets());
}

}  // namespace

bool is_composed(const at::Tensor& tensor) {
  return tensor.defined() && (tensor.layout() != at::kStrided || tensor.is_nested());
}

at::Tensor made_of(const at::Tensor& composed, const EachPart& part) {
  const at::AutoDispatchBelowADInplaceOrView below;
  if (composed.is_nested()) return made_of_buffer(composed, part);
  if (composed.is_sparse()) {
    const at::Tensor indices = part(composed._indices());
    const at::Tensor values = part(composed._values());
    return at::_sparse_coo_tensor_unsafe(indices, values, composed.sizes(), values.options())
        ._coalesced_(composed.is_coalesced());
  }
  const Compressed parts = parts_of(composed, part);
  return at::_sparse_compressed_tensor_unsafe(parts.rows, parts.columns, parts.values,
                                              composed.sizes(),
                                              parts.values.options().layout(composed.layout()));
}

void become(const at::Tensor& composed, const at::Tensor& other, const EachPart& part) {
  const at::AutoDispatchBelowADInplaceOrView below;
  if (composed.is_nested()) return;  // is written to where it lies
  if (composed.is_sparse()) {
    auto& impl = *at::sparse::get_sparse_impl(composed);
    impl.raw_resize_(other.sparse_dim(), other.dense_dim(), other.sizes());
    impl.set_indices_and_values_unsafe(part(other._indices()), part(other._values()));
    impl.set_coalesced(other.is_coalesced());
    return;
  }
  const Compressed parts = parts_of(other, part);
  compressed_impl(composed).set_member_tensors(parts.rows, parts.columns, parts.values,
                                               other.sizes());
}

}  // namespace xfer::emulated_torch
