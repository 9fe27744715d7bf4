#pragma once
// What an emulated device says it is: a data-centre GPU whose name and compute capability come from
// the options.

#include <driver_types.h>

#include <cstdint>

#include "machine/options.h"

namespace xfer::emulator {

cudaDeviceProp device_properties(const Options& options, std::uint64_t memory, int device);

/// One attribute, out of the properties where they have it.
cudaError_t device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute,
                             int* value);

}  // namespace xfer::emulator
