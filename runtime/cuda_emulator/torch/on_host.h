#pragma once
// CPU tensors that lie where an emulated device keeps a CUDA tensor's elements, for one call of an
// operator. They own nothing, and stay right as long as the device's memory does.

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <utility>
#include <vector>

namespace xfer::emulated_torch {

bool is_cuda(const at::Tensor& tensor);
/// A dense tensor on an emulated device.
bool is_on_device(const at::Tensor& tensor);

/// Those among the values, and in lists of tensors, in their order.
std::vector<at::Tensor> tensors_of(const std::vector<c10::IValue>& values);

class OnHost {
 public:
  /// The same elements, as a CPU tensor; the same one for the same tensor.
  at::Tensor of(const at::Tensor& on_device);
  /// With all CUDA tensors in it as CPU tensors, and CUDA devices as the CPU.
  c10::IValue of(const c10::IValue& argument);
  /// The CUDA tensor that this CPU tensor stands for; null: none.
  const at::Tensor* stands_for(const at::Tensor& on_host) const;
  /// The CUDA tensor whose memory the CPU tensor lies in; null: none.
  const at::Tensor* in_memory_of(const at::Tensor& on_host) const;
  /// One of them so far lies in the same memory.
  bool uses_memory_of(const at::Tensor& on_device) const;
  /// All so far: the CUDA tensor, and the CPU tensor that stands for it.
  const std::vector<std::pair<at::Tensor, at::Tensor>>& all() const { return all_; }

 private:
  c10::Storage storage_of(const at::Tensor& on_device);

  std::vector<std::pair<at::Tensor, at::Tensor>> all_;
  std::vector<std::pair<const c10::StorageImpl*, c10::Storage>> storages_;
};

}  // namespace xfer::emulated_torch
