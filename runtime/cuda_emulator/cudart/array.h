#pragma once
// CUDA arrays: texels in device memory that programs know by a handle alone. They lie as they are
// numbered: x is the nearest, then y, then z, the layer or the face; nothing is in between.

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cudart/api_call.h"
#include "texture/texture.h"

namespace xfer::emulator {

struct Array {
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};  ///< as the program gave it
  unsigned flags = 0;
  int device = 0;
  std::uintptr_t address = 0;
  bool is_level = false;  ///< a mipmapped array owns it

  std::size_t texel_bytes() const;
  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  std::size_t row_bytes() const { return extent.width * texel_bytes(); }
  std::size_t slice_bytes() const { return row_bytes() * rows(); }
  std::size_t bytes() const { return slice_bytes() * slices(); }
  std::byte* at(std::size_t x_bytes, std::size_t y, std::size_t z) const {
    return reinterpret_cast<std::byte*>(address) + z * slice_bytes() + y * row_bytes() + x_bytes;
  }
};

struct MipmappedArray {
  std::vector<cudaArray_t> levels;
};

/// The format of an array's texels. False: no array has such texels.
bool format_of(const cudaChannelFormatDesc& channels, texture::Format* format);

// With the machine's lock held.

/// Null: the handle stands for none.
const Array* find_array(cudaArray_const_t handle);
const MipmappedArray* find_array(cudaMipmappedArray_const_t handle);

cudaError_t make_array(Session& session, const cudaChannelFormatDesc* channels, cudaExtent extent,
                       unsigned flags, cudaArray_t* handle);
cudaError_t make_array(Session& session, const cudaChannelFormatDesc* channels, cudaExtent extent,
                       unsigned levels, unsigned flags, cudaMipmappedArray_t* handle);
/// False: there is none.
bool free_array(Machine& machine, cudaArray_t handle);
bool free_array(Machine& machine, cudaMipmappedArray_t handle);

/// Forgets those of a device whose memory is gone.
void forget_arrays(int device);

}  // namespace xfer::emulator
