#pragma once
// Brings the results that the host made for a call to the emulated device.

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

#include "torch/on_host.h"

namespace xfer::emulated_torch {

/// Throws c10::Error, with PyTorch's words, where the tensors among these are in several places.
void check_devices(const std::string& operator_name, const std::vector<c10::IValue>& arguments);

/// Where the stream has nothing to do.
void write(const at::Tensor& on_device, const at::Tensor& result);

class OnDevice {
 public:
  /// `tensors`: those that the call was given.
  OnDevice(const OnHost& tensors, c10::Device device) : tensors_(tensors), device_(device) {}

  /// The tensor on the device that the result stands for, or is a view of; else a new one.
  at::Tensor of(const at::Tensor& result) const;
  c10::IValue of(const c10::IValue& result) const;

 private:
  const OnHost& tensors_;
  const c10::Device device_;
};

}  // namespace xfer::emulated_torch
