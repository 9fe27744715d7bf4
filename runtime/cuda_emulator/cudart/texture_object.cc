#include "cudart/texture_object.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "cudart/array.h"
#include "cudart/texture_limits.h"

namespace xfer::emulator {
namespace {

using texture::Format;
using texture::Image;

constexpr std::size_t kAddressAlignment = 512;  // as the device's properties have it
constexpr std::size_t kPitchAlignment = 32;

/// Images that have the same texels.
struct Levels {
  Format format;
  std::vector<Image> images;
  bool buffer = false;
};

Image image_of(const Machine& machine, const Array& array) {
  Image image;
  image.memory = machine.reach(array.at(0, 0, 0));
  image.texel_bytes = static_cast<std::uint32_t>(array.texel_bytes());
  image.width = static_cast<std::uint32_t>(array.extent.width);
  image.height = static_cast<std::uint32_t>(array.rows());
  image.slices = static_cast<std::uint32_t>(array.slices());
  image.pitch = array.row_bytes();
  image.slice_pitch = array.slice_bytes();
  image.layered = (array.flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return image;
}

cudaError_t levels_of_array(const Machine& machine, cudaArray_const_t handle, Levels* levels) {
  const Array* const array = find_array(handle);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  if (!format_of(array->channels, &levels->format)) return cudaErrorInvalidChannelDescriptor;
  levels->images.push_back(image_of(machine, *array));
  return cudaSuccess;
}

/// Linear memory, of one row or more.
cudaError_t levels_of_memory(const Machine& machine, const void* address,
                             const cudaChannelFormatDesc& channels, Image image, Levels* levels) {
  const AddressInfo place = machine.locate(address);
  if (place.dangling || place.kind == MemoryKind::kPageable ||
      reinterpret_cast<std::uintptr_t>(address) % kAddressAlignment != 0)
    return cudaErrorInvalidValue;
  if (!format_of(channels, &levels->format)) return cudaErrorInvalidChannelDescriptor;
  image.memory = machine.reach(address);
  image.texel_bytes = levels->format.bytes();
  levels->images.push_back(image);
  return cudaSuccess;
}

cudaError_t levels_of(const Machine& machine, const cudaResourceDesc& resource, Levels* levels) {
  switch (resource.resType) {
    case cudaResourceTypeArray: return levels_of_array(machine, resource.res.array.array, levels);
    case cudaResourceTypeMipmappedArray: {
      const MipmappedArray* const all = find_array(resource.res.mipmap.mipmap);
      if (all == nullptr) return cudaErrorInvalidResourceHandle;
      for (const cudaArray_t level : all->levels)
        if (const auto error = levels_of_array(machine, level, levels); error != cudaSuccess)
          return error;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      Image image;
      levels->buffer = true;
      const cudaError_t error =
          levels_of_memory(machine, linear.devPtr, linear.desc, image, levels);
      if (error != cudaSuccess) return error;
      const std::size_t texels = linear.sizeInBytes / levels->format.bytes();
      if (texels == 0 || texels > kMostTexelsOfBuffer) return cudaErrorInvalidValue;
      levels->images[0].width = static_cast<std::uint32_t>(texels);
      return cudaSuccess;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      if (!fits_texture_limits({rows.width, std::max<std::size_t>(rows.height, 1), 0}, 0) ||
          rows.pitchInBytes % kPitchAlignment != 0)
        return cudaErrorInvalidValue;
      Image image;
      image.width = static_cast<std::uint32_t>(rows.width);
      image.height = static_cast<std::uint32_t>(std::max<std::size_t>(rows.height, 1));
      image.pitch = rows.pitchInBytes;
      return levels_of_memory(machine, rows.devPtr, rows.desc, image, levels);
    }
  }
  return cudaErrorInvalidValue;
}

/// Texels taken for others of the same size. Nothing: they are compressed.
std::optional<Format> format_of(cudaResourceViewFormat format) {
  // One, two and four channels of each kind, in the order of the enumeration.
  constexpr Format kFormats[] = {{Format::Kind::kUnsigned, 8, 1},  {Format::Kind::kSigned, 8, 1},
                                 {Format::Kind::kUnsigned, 16, 1}, {Format::Kind::kSigned, 16, 1},
                                 {Format::Kind::kUnsigned, 32, 1}, {Format::Kind::kSigned, 32, 1},
                                 {Format::Kind::kFloat, 16, 1},    {Format::Kind::kFloat, 32, 1}};
  static_assert(cudaResViewFormatUnsignedChar1 == 1 && cudaResViewFormatFloat4 == 24);
  if (format < cudaResViewFormatUnsignedChar1 || format > cudaResViewFormatFloat4)
    return std::nullopt;
  const auto number = static_cast<unsigned>(format) - 1;
  Format result = kFormats[number / 3];
  result.channels = static_cast<std::uint8_t>(1U << number % 3);
  return result;
}

cudaError_t apply(const cudaResourceViewDesc& view, Levels* levels) {
  if (view.format != cudaResViewFormatNone) {
    const auto format = format_of(view.format);
    if (!format)
      return xfer_emulator_not_supported("cudaCreateTextureObject with a compressed view");
    if (format->bytes() != levels->format.bytes()) return cudaErrorInvalidValue;
    levels->format = *format;
  }
  std::vector<Image>& images = levels->images;
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= images.size() ||
      view.firstLayer > view.lastLayer)
    return cudaErrorInvalidValue;
  images.erase(images.begin() + view.lastMipmapLevel + 1, images.end());
  images.erase(images.begin(), images.begin() + view.firstMipmapLevel);
  if (view.lastLayer == 0) return cudaSuccess;
  for (Image& image : images) {
    if (!image.layered || view.lastLayer >= image.slices) return cudaErrorInvalidValue;
    image.memory += view.firstLayer * image.slice_pitch;
    image.slices = view.lastLayer - view.firstLayer + 1;
  }
  return cudaSuccess;
}

/// How texels are read and blended.
cudaError_t set_reading(const cudaTextureDesc& how, const Levels& levels,
                        texture::Texture* texture) {
  const Format format = levels.format;
  const bool normalizes =
      how.readMode == cudaReadModeNormalizedFloat && format.kind != Format::Kind::kFloat;
  texture->read = normalizes ? texture::normalized_reader(format, how.sRGB != 0)
                             : texture::element_reader(format);
  if (texture->read == nullptr) return cudaErrorInvalidNormSetting;
  texture->floats = normalizes || format.kind == Format::Kind::kFloat;
  texture->buffer = levels.buffer;
  texture->linear = how.filterMode == cudaFilterModeLinear && !levels.buffer;
  texture->linear_levels = how.mipmapFilterMode == cudaFilterModeLinear;
  return texture->linear && !texture->floats ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

}  // namespace

cudaError_t make_texture(const Machine& machine, const cudaResourceDesc& resource,
                         const cudaTextureDesc& how, const cudaResourceViewDesc* view,
                         texture::Texture* made) {
  Levels levels;
  if (const auto error = levels_of(machine, resource, &levels); error != cudaSuccess) return error;
  if (view != nullptr) {
    if (levels.buffer || resource.resType == cudaResourceTypePitch2D) return cudaErrorInvalidValue;
    if (const auto error = apply(*view, &levels); error != cudaSuccess) return error;
  }
  if (const auto error = set_reading(how, levels, made); error != cudaSuccess) return error;
  for (std::size_t i = 0; i < 3; ++i) {
    if (how.addressMode[i] < cudaAddressModeWrap || how.addressMode[i] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
    made->address[i] = static_cast<texture::AddressMode>(how.addressMode[i]);
  }
  for (std::size_t i = 0; i < 4; ++i)
    made->border[i] = made->floats
                          ? std::bit_cast<std::uint32_t>(how.borderColor[i])
                          : static_cast<std::uint32_t>(static_cast<std::int64_t>(
                                std::clamp(how.borderColor[i], -2147483648.0F, 4294967040.0F)));
  made->normalized = how.normalizedCoords != 0;
  made->level_bias = how.mipmapLevelBias;
  made->least_level = how.minMipmapLevelClamp;
  made->most_level = how.maxMipmapLevelClamp;
  made->levels = std::move(levels.images);
  return cudaSuccess;
}

cudaError_t make_surface(const Machine& machine, const cudaResourceDesc& resource,
                         texture::Surface* made) {
  if (resource.resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  const Array* const array = find_array(resource.res.array.array);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  if ((array->flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
  made->image = image_of(machine, *array);
  return cudaSuccess;
}

}  // namespace xfer::emulator
