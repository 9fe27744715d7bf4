#include "core/tensor_impl.h"

#include "backend/platform.h"
#include "core/check.h"
#include "tensorlib/error.h"

namespace tensorlib {

Storage::Storage(Allocator& allocator, size_t nbytes, Device device, bool pinned,
                 Placement placement)
    : nbytes(nbytes), device(device), pinned(pinned), placement(placement), allocator_(&allocator) {
  if (nbytes > 0) data = allocator.allocate(nbytes);
}

Storage::Storage(void* data, size_t nbytes, Device device, std::function<void(void*)> deleter,
                 Placement placement)
    : data(data),
      nbytes(nbytes),
      device(device),
      placement(placement),
      deleter_(std::move(deleter)) {
  exposed = true;
}

Storage::~Storage() {
  if (allocator_ != nullptr) {
    if (data != nullptr) allocator_->release(data, nbytes);
  } else if (deleter_) {
    deleter_(data);
  }
}

TensorImpl::TensorImpl(std::shared_ptr<Storage> storage, int64_t offset, Dims sizes, Dims strides,
                       ScalarType dtype)
    : storage(std::move(storage)),
      offset(offset),
      sizes(sizes),
      strides(strides),
      numel(product(sizes)),
      dtype(dtype),
      made_at_version(this->storage->version) {
  int64_t expected = 1;
  for (int i = sizes.size() - 1; i >= 0 && contiguous; --i) {
    if (sizes[i] == 1) continue;
    contiguous = strides[i] == expected;
    expected *= sizes[i];
  }
  contiguous = contiguous || numel == 0;
}

const TensorImpl& require_defined(const Tensor& tensor, const char* argument, const char* operation,
                                  CallSite site) {
  if (!tensor.defined()) {
    throw Error(str_cat(operation, ": ", argument, " is an undefined tensor"), site);
  }
  if (stream_order::is_checked()) stream_order::note_call(operation, site);
  return *tensor.impl();
}

Tensor allocate(IntArrayRef sizes, ScalarType dtype, Device device, Placement placement,
                bool pinned) {
  const char* operation = placement.operation;
  if (sizes.size() > static_cast<size_t>(kMaxDims)) {
    throw ShapeError(
        str_cat(operation, ": ", sizes.size(), " dimensions; tensors have at most ", kMaxDims),
        placement.site);
  }
  for (int64_t size : sizes) {
    if (size < 0) {
      throw ShapeError(str_cat(operation, ": size ", size, " in ", sizes, " is negative"),
                       placement.site);
    }
  }
  int64_t nbytes = 0;
  if (overflows(sizes) ||
      __builtin_mul_overflow(product(sizes), static_cast<int64_t>(elementSize(dtype)), &nbytes)) {
    throw ShapeError(str_cat(operation, ": the size of ", sizes, " overflows"), placement.site);
  }
  device = resolve(device, placement.site);
  if (pinned && !device.is_cpu()) {
    throw Error(str_cat(operation, ": only host memory can be pinned, not that of ", device),
                placement.site);
  }
  Allocator& allocator = pinned ? require_cuda(placement.site).pinned_host() : backend_for(device);
  try {
    auto storage = std::make_shared<Storage>(allocator, static_cast<size_t>(nbytes), device, pinned,
                                             placement);
    return Tensor(std::make_shared<TensorImpl>(std::move(storage), 0, Dims(sizes),
                                               contiguous_strides(sizes), dtype));
  } catch (const DeviceError& error) {
    throw DeviceError(str_cat(operation, ": ", error.msg()), placement.site);
  }
}

Tensor make_view(const Tensor& base, Dims sizes, Dims strides, int64_t offset) {
  const TensorImpl& impl = *base.impl();
  auto view = std::make_shared<TensorImpl>(impl.storage, offset, sizes, strides, impl.dtype);
  view->is_view = true;
  return Tensor(std::move(view));
}

}  // namespace tensorlib
