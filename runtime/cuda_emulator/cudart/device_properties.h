#pragma once
// The properties of an emulated device: a data-centre GPU whose name and compute capability come
// from the options.

#include <driver_types.h>

#include <cstdint>

#include "machine/options.h"

namespace xfer::emulator {

/// How much of the second-level cache a program may ask to be kept for it.
inline constexpr int kPersistingL2Bytes = 32 << 20;

cudaDeviceProp device_properties(const Options& options, std::uint64_t memory, int device);

/// One attribute, out of the properties where they have it.
cudaError_t device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute,
                             int* value);

}  // namespace xfer::emulator
