#include "tensorlib/io/dlpack.h"

#include <memory>
#include <vector>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "io/dlpack_abi.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::io {

namespace {

struct TypeCode {
  ScalarType type;
  uint8_t code, bits;
};
constexpr TypeCode kTypeCodes[] = {
    {kByte, kDLUInt, 8},        {kChar, kDLInt, 8},      {kShort, kDLInt, 16},
    {kInt, kDLInt, 32},         {kLong, kDLInt, 64},     {kHalf, kDLFloat, 16},
    {kFloat, kDLFloat, 32},     {kDouble, kDLFloat, 64}, {kBool, kDLBool, 8},
    {kBFloat16, kDLBfloat, 16},
};

// The struct that to_dlpack() hands out, with the tensor that keeps its memory.
struct Shared {
  DLManagedTensorVersioned managed;
  Tensor tensor;
};

[[noreturn]] void refuse(const std::string& why, CallSite site) {
  throw Error("from_dlpack: " + why, site);
}

Device device_of(const DLDevice& device, CallSite site) {
  switch (device.device_type) {
    case kDLCPU:
    case kDLCUDAHost: return kCPU;
    case kDLCUDA:
      if (device.device_id < 0 || device.device_id > 127) {
        refuse(str_cat("there is no CUDA device ", device.device_id), site);
      }
      return Device(kCUDA, static_cast<DeviceIndex>(device.device_id));
    default:
      refuse(str_cat("the tensor is on a device of DLPack's type ", device.device_type,
                     ", and tensorlib has CPU and CUDA"),
             site);
  }
}

ScalarType type_of(const DLDataType& type, CallSite site) {
  for (const TypeCode& known : kTypeCodes) {
    if (known.code == type.code && known.bits == type.bits && type.lanes == 1) return known.type;
  }
  throw DTypeMismatchError(
      str_cat("from_dlpack: tensorlib has no elements of DLPack's type ", int{type.code}, " with ",
              int{type.bits}, " bits and ", type.lanes, type.lanes == 1 ? " lane" : " lanes"),
      site);
}

Dims strides_of(const DLTensor& from, IntArrayRef sizes, CallSite site) {
  if (from.strides == nullptr) return contiguous_strides(sizes);
  const Dims strides(IntArrayRef(from.strides, sizes.size()));
  for (const int64_t stride : strides) {
    if (stride < 0) refuse("the strides go backwards\nhelp: make it contiguous first", site);
  }
  return strides;
}

}  // namespace

DLManagedTensorVersioned* to_dlpack(const Tensor& tensor, CallSite site) {
  const TensorImpl& impl = require_defined(tensor, "tensor", "to_dlpack", site);
  if (tensor.requires_grad()) {
    throw Error(
        "to_dlpack: the tensor requires its gradient, of which the receiver would not know\n"
        "help: give its detach()",
        site);
  }
  impl.storage->exposed = true;
  auto shared = std::make_unique<Shared>();
  shared->tensor = tensor;
  DLTensor& out = shared->managed.dl_tensor;
  out.data = impl.address();
  const Device device = impl.storage->device;
  out.device = {device.is_cuda()       ? kDLCUDA
                : impl.storage->pinned ? kDLCUDAHost
                                       : kDLCPU,
                device.is_cuda() ? device.index() : 0};
  out.ndim = impl.sizes.size();
  for (const TypeCode& known : kTypeCodes) {
    if (known.type == impl.dtype) out.dtype = {known.code, known.bits, 1};
  }
  out.shape = const_cast<int64_t*>(impl.sizes.begin());
  out.strides = const_cast<int64_t*>(impl.strides.begin());
  shared->managed.version = {1, 0};
  shared->managed.manager_ctx = shared.get();
  shared->managed.deleter = [](DLManagedTensorVersioned* self) {
    delete static_cast<Shared*>(self->manager_ctx);
  };
  return &shared.release()->managed;
}

Tensor from_dlpack(DLManagedTensorVersioned* managed, CallSite site) {
  if (managed == nullptr) refuse("there is no tensor", site);
  // Given back by whoever holds this last.
  const std::shared_ptr<DLManagedTensorVersioned> owner(managed,
                                                        [](DLManagedTensorVersioned* self) {
                                                          if (self->deleter != nullptr)
                                                            self->deleter(self);
                                                        });
  if (managed->version.major != 1) {
    refuse(str_cat("the tensor is of DLPack ", managed->version.major, ", and 1 is known"), site);
  }
  const DLTensor& from = managed->dl_tensor;
  if (from.ndim < 0 || from.ndim > kMaxDims) {
    refuse(str_cat(from.ndim, " dimensions; tensors have at most ", kMaxDims), site);
  }
  const IntArrayRef sizes(from.shape, static_cast<size_t>(from.ndim));
  const TensorOptions options =
      TensorOptions(device_of(from.device, site)).dtype(type_of(from.dtype, site));
  char* const data = static_cast<char*>(from.data) + from.byte_offset;
  Tensor tensor =
      from_blob(data, sizes, strides_of(from, sizes, site), [owner](void*) {}, options, site);
  if ((managed->flags & kDLReadOnly) == 0) return tensor;
  NoGradGuard raw;
  return tensor.clone(site);
}

}  // namespace tensorlib::io
