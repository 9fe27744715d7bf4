#pragma once
// Generators of random numbers. The CPU's own stands for all devices' default ones, so that a
// program draws what it would draw on the CPU; each generator that a program makes for a device has
// one for the CPU beside it.

#include <ATen/core/Generator.h>

namespace xfer::emulated_torch {

/// Before the device's generator is used: one for the CPU that has drawn as often. Nothing: the
/// default one.
std::optional<at::Generator> on_host(const at::Generator& of_device);

}  // namespace xfer::emulated_torch
