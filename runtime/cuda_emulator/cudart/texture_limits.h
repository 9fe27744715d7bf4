#pragma once
// How large textures, surfaces and arrays may be: those of a device of capability 9.0.

#include <driver_types.h>

namespace xfer::emulator {

void set_texture_limits(cudaDeviceProp* properties);
/// False: the attribute is none of these.
bool texture_attribute(cudaDeviceAttr attribute, int* value);
/// Whether an array of that extent may be made with these flags of cudaMalloc3DArray.
bool fits_texture_limits(cudaExtent extent, unsigned flags);

/// Texels of linear memory.
inline constexpr int kMostTexelsOfBuffer = 1 << 28;

}  // namespace xfer::emulator
