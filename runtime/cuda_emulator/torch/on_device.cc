#include "torch/on_device.h"

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include <optional>

#include "torch/composed.h"

namespace xfer::emulated_torch {

void check_devices(const std::string& operator_name, const std::vector<c10::IValue>& arguments) {
  std::optional<c10::Device> first;
  const auto check = [&](const at::Tensor& tensor) {
    if (!tensor.defined() || (tensor.dim() == 0 && tensor.is_cpu())) return;
    if (!first) first = tensor.device();
    TORCH_CHECK(*first == tensor.device(),
                "Expected all tensors to be on the same device, but found at least two devices, ",
                *first, " and ", tensor.device(), "! (in ", operator_name, ")");
  };
  for (const at::Tensor& tensor : tensors_of(arguments)) check(tensor);
}

void write(const at::Tensor& on_device, const at::Tensor& result) {
  if (result.numel() == 0) return;
  const at::AutoDispatchBelowADInplaceOrView below;
  OnHost().of(on_device).copy_(result);
}

c10::IValue OnDevice::of(const c10::IValue& result) const {
  if (result.isTensor()) return of(result.toTensor());
  if (!result.isTensorList()) return result;
  c10::List<at::Tensor> list;
  for (const at::Tensor& tensor : result.toTensorVector()) list.push_back(of(tensor));
  return list;
}

at::Tensor OnDevice::of(const at::Tensor& result) const {
  if (!result.defined() || !result.is_cpu()) return result;
  if (const at::Tensor* const argument = tensors_.stands_for(result)) return *argument;
  if (is_composed(result)) return made_of(result, [&](const at::Tensor& part) { return of(part); });
  if (const at::Tensor* const viewed = tensors_.in_memory_of(result))
    return viewed->as_strided(result.sizes(), result.strides(), result.storage_offset());
  const at::Tensor on_device =
      at::empty_strided(result.sizes(), result.strides(), result.options().device(device_));
  write(on_device, result);
  return on_device;
}

}  // namespace xfer::emulated_torch
