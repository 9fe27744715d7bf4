// Moving, converting and copying: to(), cpu(), copy_() and similar.
//
// One copy crosses the bus, on the current stream of the CUDA device. A conversion is done on the
// side where fewer bytes cross: before the copy when it narrows, after it when it widens.
#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "ops/geometry.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

namespace {

// out = in on one device; in broadcasts to out.
void convert_into(const Tensor& out, const Tensor& in) {
  const TensorImpl& to = *out.impl();
  const TensorImpl& from = *in.impl();
  if (to.numel == 0) return;
  const Dims in_strides = broadcast_strides(from, to.sizes);
  const auto geometry = merge_dims<2>(to.sizes, {&to.strides, &in_strides});
  backend_for(to.storage->device)
      .convert(geometry, to.writable(), to.dtype, from.data(), from.dtype);
}

// `tensor` as a plain array of `dtype` on its own device: itself, where it is one.
Tensor packed(const Tensor& tensor, ScalarType dtype, CallSite site) {
  const TensorImpl& impl = *tensor.impl();
  if (impl.contiguous && impl.dtype == dtype) return tensor;
  Tensor result = allocate_result(impl.sizes, dtype, tensor, "to", site);
  convert_into(result, tensor);
  return result;
}

// out = in across devices; same shape.
void transfer(const Tensor& out, const Tensor& in, bool non_blocking, CallSite site) {
  const TensorImpl& to = *out.impl();
  if (to.numel == 0) return;
  const bool narrows = elementSize(to.dtype) < elementSize(in.dtype());
  const Tensor sent = packed(in, narrows ? to.dtype : in.dtype(), site);
  const bool direct = to.contiguous && to.dtype == sent.dtype();
  const Tensor landed = direct ? out : allocate_result(to.sizes, sent.dtype(), out, "to", site);
  cross(landed.impl()->writable(), out.device(), sent.impl()->data(), in.device(), sent.nbytes(),
        non_blocking && direct, CauseScope::current(), site);
  if (stream_order::is_checked() && non_blocking && direct && out.is_cpu()) {
    stream_order::note_copy_to_host(*to.storage, in.device());
  }
  // Of pageable memory the host has its own copy made before it goes on.
  if (stream_order::is_checked() && non_blocking && direct && in.is_cpu() &&
      sent.impl()->storage->pinned) {
    stream_order::note_copy_from_host(*sent.impl()->storage, out.device());
  }
  if (!direct) convert_into(out, landed);
}

Tensor moved(const Tensor& self, Device device, ScalarType dtype, bool non_blocking, bool copy,
             CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", "to", site);
  device = resolve(device, site);
  const Device from = impl.storage->device;
  if (!copy && device == from && dtype == impl.dtype) return self;
  const bool crosses = device != from;
  const Placement placement{crosses ? Placement::How::kMoved : Placement::How::kComputed, "to",
                            site};
  // A copy that does not wait needs page-locked memory at its host end.
  const bool pinned = crosses && non_blocking && device.is_cpu();
  Tensor result = allocate(impl.sizes, dtype, device, placement, pinned);
  {
    NoGradGuard raw;
    if (crosses) {
      transfer(result, self, non_blocking, site);
    } else {
      convert_into(result, self);
    }
  }
  return recorded(std::move(result), "to", site, {&self}, [&] {
    return [from, type = impl.dtype, site](const Tensor& g, Needs) {
      return Tensors{g.to(from, type, false, false, site)};
    };
  });
}

// A copy on the same device: the gradient passes as it is.
Tensor record_copy(Tensor result, const char* name, const Tensor& self, CallSite site) {
  return recorded(std::move(result), name, site, {&self},
                  [] { return [](const Tensor& g, Needs) { return Tensors{g}; }; });
}

}  // namespace

Tensor Tensor::to(TensorOptions options, bool non_blocking, bool copy, CallSite site) const {
  require_defined(*this, "self", "to", site);
  Tensor result = moved(*this, options.device_opt().value_or(device()),
                        options.dtype_opt().value_or(dtype()), non_blocking, copy, site);
  if (options.pinned_memory()) return result.pin_memory(site);
  return result;  // moved out: a copy counts references, and nothing else here costs as much
}

Tensor Tensor::to(Device device, ScalarType dtype, bool non_blocking, bool copy,
                  CallSite site) const {
  return moved(*this, device, dtype, non_blocking, copy, site);
}

Tensor Tensor::to(ScalarType dtype, bool non_blocking, bool copy, CallSite site) const {
  require_defined(*this, "self", "to", site);
  return moved(*this, device(), dtype, non_blocking, copy, site);
}

Tensor Tensor::to(const Tensor& other, bool non_blocking, bool copy, CallSite site) const {
  require_defined(other, "other", "to", site);
  return moved(*this, other.device(), other.dtype(), non_blocking, copy, site);
}

Tensor Tensor::cpu(CallSite site) const { return to(TensorOptions(kCPU), false, false, site); }
Tensor Tensor::cuda(CallSite site) const { return to(TensorOptions(kCUDA), false, false, site); }

Tensor Tensor::clone(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "clone", site);
  Tensor result = allocate_result(impl.sizes, impl.dtype, *this, "clone", site);
  convert_into(result, *this);
  return record_copy(std::move(result), "clone", *this, site);
}

Tensor Tensor::contiguous(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "contiguous", site);
  if (impl.contiguous) return *this;
  Tensor result = allocate_result(impl.sizes, impl.dtype, *this, "contiguous", site);
  convert_into(result, *this);
  return record_copy(std::move(result), "contiguous", *this, site);
}

Tensor Tensor::pin_memory(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "pin_memory", site);
  if (impl.storage->pinned) return *this;
  if (!impl.storage->device.is_cpu()) {
    throw Error(str_cat("pin_memory: only host memory can be pinned, and this tensor is on ",
                        impl.storage->device),
                site);
  }
  Tensor result =
      allocate(impl.sizes, impl.dtype, kCPU, {Placement::How::kComputed, "pin_memory", site}, true);
  convert_into(result, *this);
  return record_copy(std::move(result), "pin_memory", *this, site);
}

Tensor& Tensor::copy_(const Tensor& source, bool non_blocking, CallSite site) const {
  const TensorImpl& to = require_defined(*this, "self", "copy_", site);
  const TensorImpl& from = require_defined(source, "source", "copy_", site);
  if (broadcast_sizes(*this, source, "copy_", site) != to.sizes) {
    throw ShapeError(str_cat("copy_: a source of shape ", IntArrayRef(from.sizes),
                             " does not fit a tensor of shape ", IntArrayRef(to.sizes)),
                     site);
  }
  if (records({&source}, "copy_", site)) {
    const Tensor moved = source.to(device(), to.dtype, non_blocking, false, site);
    assign_recorded(*this, moved.expand(to.sizes, site).clone(site), "copy_", site);
    return const_cast<Tensor&>(*this);
  }
  forget_record(*this, "copy_", site);
  NoGradGuard raw;
  if (to.storage->device == from.storage->device) {
    // Views of one block may overlap.
    const bool overlaps = to.storage == from.storage && !is_same(source);
    convert_into(*this, overlaps ? source.clone(site) : source);
  } else {
    transfer(*this, from.sizes == to.sizes ? source : source.expand(to.sizes, site), non_blocking,
             site);
  }
  return const_cast<Tensor&>(*this);
}

void Tensor::set_data(const Tensor& data, CallSite site) const {
  require_defined(*this, "self", "set_data", site);
  const TensorImpl& other = require_defined(data, "data", "set_data", site);
  // It stays what it is called, and what it is to gradients.
  std::string name = impl_->name;
  std::shared_ptr<GradMeta> grad_meta = impl_->grad_meta;
  *impl_ = other;
  impl_->name = std::move(name);
  impl_->grad_meta = std::move(grad_meta);
}

}  // namespace tensorlib
