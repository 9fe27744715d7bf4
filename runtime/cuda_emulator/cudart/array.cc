#include "cudart/array.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>

#include "cudart/texture_limits.h"

namespace xfer::emulator {
namespace {

constexpr unsigned kKnownFlags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                                 cudaArrayTextureGather | cudaArrayColorAttachment;

template <typename T>
using Owned = std::map<const void*, std::unique_ptr<T>>;

Owned<Array>& arrays() {
  static auto* const all = new Owned<Array>;
  return *all;
}
Owned<MipmappedArray>& mipmapped_arrays() {
  static auto* const all = new Owned<MipmappedArray>;
  return *all;
}

template <typename T>
T* look_up(const Owned<T>& all, const void* handle) {
  const auto found = all.find(handle);
  return found == all.end() ? nullptr : found->second.get();
}

template <typename Handle, typename T>
Handle add(Owned<T>& all, std::unique_ptr<T> object) {
  T* const key = object.get();
  all.emplace(key, std::move(object));
  return reinterpret_cast<Handle>(key);
}

cudaError_t allocate_array(Session& session, const cudaChannelFormatDesc& channels,
                           cudaExtent extent, unsigned flags, std::unique_ptr<Array>* made) {
  auto array = std::make_unique<Array>();
  array->channels = channels;
  array->extent = extent;
  array->flags = flags;
  array->device = session.thread.device;
  const auto address = session.machine.memory().allocate(array->device, array->bytes());
  if (!address) return cudaErrorMemoryAllocation;
  array->address = *address;
  *made = std::move(array);
  return cudaSuccess;
}

cudaError_t check_array(const cudaChannelFormatDesc* channels, cudaExtent extent, unsigned flags) {
  texture::Format format;
  if (channels == nullptr || (flags & ~(kKnownFlags | cudaArraySparse)) != 0)
    return cudaErrorInvalidValue;
  if ((flags & cudaArraySparse) != 0) return xfer_emulator_not_supported("cudaArraySparse");
  if (channels->f > cudaChannelFormatKindNone)
    return xfer_emulator_not_supported("an array of normalized or compressed texels");
  if (!format_of(*channels, &format)) return cudaErrorInvalidChannelDescriptor;
  return fits_texture_limits(extent, flags) ? cudaSuccess : cudaErrorInvalidValue;
}

void destroy_array(Machine& machine, cudaArray_t handle) {
  machine.memory().release(find_array(handle)->address);
  arrays().erase(handle);
}

/// Half as large, with as many layers or faces.
cudaExtent smaller(cudaExtent extent, unsigned flags) {
  const auto half = [](std::size_t size) { return size > 1 ? size / 2 : size; };
  const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return {half(extent.width), half(extent.height), layered ? extent.depth : half(extent.depth)};
}

unsigned most_levels(cudaExtent extent, unsigned flags) {
  const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  const std::size_t largest =
      std::max({extent.width, extent.height, layered ? std::size_t{0} : extent.depth});
  return static_cast<unsigned>(std::bit_width(largest));
}

}  // namespace

std::size_t Array::texel_bytes() const {
  return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
}

bool format_of(const cudaChannelFormatDesc& channels, texture::Format* format) {
  using Kind = texture::Format::Kind;
  switch (channels.f) {
    case cudaChannelFormatKindSigned: format->kind = Kind::kSigned; break;
    case cudaChannelFormatKindUnsigned: format->kind = Kind::kUnsigned; break;
    case cudaChannelFormatKindFloat: format->kind = Kind::kFloat; break;
    default: return false;
  }
  const int bits = channels.x;
  const int each[] = {bits, channels.y, channels.z, channels.w};
  const auto used = std::ranges::find_if(each, [&](int other) { return other != bits; }) - each;
  if (std::any_of(each + used, each + 4, [](int other) { return other != 0; })) return false;
  format->bits = static_cast<std::uint8_t>(bits);
  format->channels = static_cast<std::uint8_t>(used);
  return (bits == 8 || bits == 16 || bits == 32) && texture::element_reader(*format) != nullptr;
}

const Array* find_array(cudaArray_const_t handle) { return look_up(arrays(), handle); }
const MipmappedArray* find_array(cudaMipmappedArray_const_t handle) {
  return look_up(mipmapped_arrays(), handle);
}

cudaError_t make_array(Session& session, const cudaChannelFormatDesc* channels, cudaExtent extent,
                       unsigned flags, cudaArray_t* handle) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  if (const auto error = check_array(channels, extent, flags); error != cudaSuccess) return error;
  std::unique_ptr<Array> array;
  const cudaError_t error = allocate_array(session, *channels, extent, flags, &array);
  if (error == cudaSuccess) *handle = add<cudaArray_t>(arrays(), std::move(array));
  return error;
}

cudaError_t make_array(Session& session, const cudaChannelFormatDesc* channels, cudaExtent extent,
                       unsigned levels, unsigned flags, cudaMipmappedArray_t* handle) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  if (const auto error = check_array(channels, extent, flags); error != cudaSuccess) return error;
  auto all = std::make_unique<MipmappedArray>();
  const unsigned count = std::clamp(levels, 1U, most_levels(extent, flags));
  for (unsigned level = 0; level < count; ++level, extent = smaller(extent, flags)) {
    std::unique_ptr<Array> array;
    if (const auto error = allocate_array(session, *channels, extent, flags, &array);
        error != cudaSuccess) {
      for (const cudaArray_t made : all->levels) destroy_array(session.machine, made);
      return error;
    }
    array->is_level = true;
    all->levels.push_back(add<cudaArray_t>(arrays(), std::move(array)));
  }
  *handle = add<cudaMipmappedArray_t>(mipmapped_arrays(), std::move(all));
  return cudaSuccess;
}

bool free_array(Machine& machine, cudaArray_t handle) {
  const Array* const array = find_array(handle);
  if (array == nullptr || array->is_level) return false;
  destroy_array(machine, handle);
  return true;
}

bool free_array(Machine& machine, cudaMipmappedArray_t handle) {
  const MipmappedArray* const all = find_array(handle);
  if (all == nullptr) return false;
  for (const cudaArray_t level : all->levels) destroy_array(machine, level);
  mipmapped_arrays().erase(handle);
  return true;
}

void forget_arrays(int device) {
  std::erase_if(mipmapped_arrays(), [&](const auto& entry) {
    return find_array(entry.second->levels[0])->device == device;
  });
  std::erase_if(arrays(), [&](const auto& entry) { return entry.second->device == device; });
}

}  // namespace xfer::emulator
