#include "torch/on_host.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "machine/hooks.h"
#include "torch/composed.h"

namespace xfer::emulated_torch {
namespace {

bool holds_tensors(const c10::List<c10::IValue>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.get(i).isTensor()) return true;
  return false;
}

}  // namespace

bool is_cuda(const at::Tensor& tensor) { return tensor.defined() && tensor.is_cuda(); }

bool is_on_device(const at::Tensor& tensor) { return is_cuda(tensor) && !is_composed(tensor); }

std::vector<at::Tensor> tensors_of(const std::vector<c10::IValue>& values) {
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& value : values) {
    if (value.isTensor()) tensors.push_back(value.toTensor());
    if (value.isTensorList())
      for (const at::Tensor& tensor : value.toTensorVector()) tensors.push_back(tensor);
  }
  return tensors;
}

c10::Storage OnHost::storage_of(const at::Tensor& on_device) {
  const c10::Storage& its = on_device.storage();
  for (const auto& [known, storage] : storages_)
    if (known == its.unsafeGetStorageImpl()) return storage;
  void* const data = xfer_emulator_kernel_view(its.data());
  c10::Storage storage(c10::Storage::use_byte_size_t(), its.nbytes(),
                       c10::DataPtr(data, c10::Device(at::kCPU)), nullptr, false);
  storages_.emplace_back(its.unsafeGetStorageImpl(), storage);
  return storage;
}

at::Tensor OnHost::of(const at::Tensor& on_device) {
  for (const auto& [known, on_host] : all_)
    if (known.is_same(on_device)) return on_host;
  at::Tensor on_host;
  if (is_composed(on_device)) {
    on_host = made_of(on_device, [this](const at::Tensor& part) { return of(part); });
    all_.emplace_back(on_device, on_host);
    return on_host;
  }
  if (on_device.storage().data() == nullptr || on_device.storage().nbytes() == 0) {
    on_host = at::empty_strided(on_device.sizes(), on_device.strides(),
                                on_device.options().device(at::kCPU));
  } else {
    on_host = at::detail::make_tensor<c10::TensorImpl>(
        storage_of(on_device), c10::DispatchKeySet(c10::DispatchKey::CPU), on_device.dtype());
    on_host.unsafeGetTensorImpl()->set_sizes_and_strides(on_device.sizes(), on_device.strides(),
                                                         on_device.storage_offset());
    if (on_device.is_conj()) on_host._set_conj(true);
    if (on_device.is_neg()) on_host._set_neg(true);
  }
  if (on_device.unsafeGetTensorImpl()->is_wrapped_number())
    on_host.unsafeGetTensorImpl()->set_wrapped_number(true);
  all_.emplace_back(on_device, on_host);
  return on_host;
}

c10::IValue OnHost::of(const c10::IValue& argument) {
  const auto one = [this](const at::Tensor& tensor) {
    return is_cuda(tensor) ? of(tensor) : tensor;
  };
  if (argument.isTensor()) return one(argument.toTensor());
  if (argument.isTensorList()) {
    c10::List<at::Tensor> tensors;
    for (const at::Tensor& tensor : argument.toTensorVector()) tensors.push_back(one(tensor));
    return tensors;
  }
  if (argument.isList() && holds_tensors(argument.toList())) {
    c10::List<std::optional<at::Tensor>> tensors;
    const c10::List<c10::IValue> list = argument.toList();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const c10::IValue item = list.get(i);
      tensors.push_back(item.isTensor() ? std::optional(one(item.toTensor())) : std::nullopt);
    }
    return c10::IValue(tensors);
  }
  if (argument.isDevice() && argument.toDevice().is_cuda()) return c10::Device(at::kCPU);
  return argument;
}

const at::Tensor* OnHost::stands_for(const at::Tensor& on_host) const {
  for (const auto& [on_device, known] : all_)
    if (known.is_same(on_host)) return &on_device;
  return nullptr;
}

bool OnHost::uses_memory_of(const at::Tensor& on_device) const {
  const c10::StorageImpl* const its = on_device.storage().unsafeGetStorageImpl();
  return std::ranges::find(storages_, its, &decltype(storages_)::value_type::first) !=
         storages_.end();
}

const at::Tensor* OnHost::in_memory_of(const at::Tensor& on_host) const {
  if (!on_host.has_storage()) return nullptr;
  for (const auto& [on_device, known] : all_)
    if (known.has_storage() &&
        known.storage().unsafeGetStorageImpl() == on_host.storage().unsafeGetStorageImpl())
      return &on_device;
  return nullptr;
}

}  // namespace xfer::emulated_torch
