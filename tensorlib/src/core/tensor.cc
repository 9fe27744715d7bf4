// A tensor's shape, type, device, and access to its elements.
#include "tensorlib/tensor.h"

#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "tensorlib/cuda_stream.h"

namespace tensorlib {

namespace {

const TensorImpl& meta(const Tensor& tensor) {
  return require_defined(tensor, "self", "tensor", CallSite::none());
}

size_t existing_dim(const Tensor& tensor, int64_t dim, const char* operation, CallSite site) {
  const int64_t dims = tensor.dim();
  if (dims == 0) {
    throw IndexError(str_cat(operation, ": dimension ", dim, " of a tensor of no dimensions"),
                     site);
  }
  return static_cast<size_t>(wrap_dim(dim, dims, operation, site));
}

}  // namespace

int64_t Tensor::dim() const { return meta(*this).sizes.size(); }
IntArrayRef Tensor::sizes() const { return meta(*this).sizes; }
IntArrayRef Tensor::strides() const { return meta(*this).strides; }
int64_t Tensor::size(int64_t dim, CallSite site) const {
  return sizes()[existing_dim(*this, dim, "size", site)];
}
int64_t Tensor::stride(int64_t dim, CallSite site) const {
  return strides()[existing_dim(*this, dim, "stride", site)];
}
int64_t Tensor::numel() const { return meta(*this).numel; }
int64_t Tensor::storage_offset() const { return meta(*this).offset; }
ScalarType Tensor::scalar_type() const { return meta(*this).dtype; }
Device Tensor::device() const { return meta(*this).storage->device; }
bool Tensor::is_pinned() const { return meta(*this).storage->pinned; }
bool Tensor::is_contiguous() const { return meta(*this).contiguous; }
bool Tensor::is_alias_of(const Tensor& other) const {
  return meta(*this).storage == meta(other).storage;
}
TensorOptions Tensor::options() const {
  return TensorOptions(device()).dtype(scalar_type()).layout(kStrided);
}

std::string Tensor::toString() const {
  return str_cat(is_cuda() ? "CUDA" : "CPU", tensorlib::toString(scalar_type()), "Type");
}

void* Tensor::data_ptr() const {
  const TensorImpl& impl = meta(*this);
  impl.storage->exposed = true;
  // A device pointer may be handed to any stream; a host pointer is for now.
  if (stream_order::is_checked() && impl.storage->device.is_cpu()) stream_order::note_read(impl);
  return impl.address();
}

void Tensor::require_type(ScalarType type, const char* what, CallSite site) const {
  const ScalarType own = require_defined(*this, "self", what, site).dtype;
  if (own == type) return;
  throw DTypeMismatchError(
      str_cat(what, "<", name_of(type), ">: the tensor's elements are ", name_of(own)), site);
}

void Tensor::require_host(int64_t dims, const char* what, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", what, site);
  if (!impl.storage->device.is_cpu()) {
    throw DeviceError(str_cat(what, ": the tensor is on ", impl.storage->device,
                              ", and the host cannot touch its elements\n"
                              "help: copy it first: .cpu()"),
                      site);
  }
  if (impl.sizes.size() != dims) {
    throw ShapeError(
        str_cat(what, ": ", dims, " dimensions asked for, the shape is ", IntArrayRef(impl.sizes)),
        site);
  }
}

void Tensor::record_stream(const cuda::CUDAStream& stream) const {
  const TensorImpl& impl = meta(*this);
  if (!impl.storage->device.is_cuda() || impl.storage->data == nullptr) return;
  cuda_platform()->used_on(impl.storage->device.index(), impl.storage->data, stream.stream());
}

Scalar Tensor::item(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "item", site);
  if (impl.numel != 1) {
    throw ShapeError(str_cat("item: the tensor has ", impl.numel,
                             " elements, not one; its shape is ", IntArrayRef(impl.sizes)),
                     site);
  }
  alignas(8) char bytes[8];
  const void* data = impl.data();
  if (impl.storage->device.is_cuda()) {
    cross(bytes, kCPU, data, impl.storage->device, elementSize(impl.dtype), false,
          TransferCause::kRead, site);
    data = bytes;
  }
  switch (impl.dtype) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text) \
  case ScalarType::name: return Scalar(*static_cast<const cpp*>(data));
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  return {};
}

}  // namespace tensorlib
