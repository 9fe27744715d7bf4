#include "cudart/array_copy.h"

#include "cudart/array.h"
#include "cudart/transfer.h"

namespace xfer::emulator {
namespace {

struct Box {
  std::size_t width, height, depth;  ///< width: bytes
};

/// One side of a copy, as Copy has it.
struct Place3D {
  std::byte* address = nullptr;
  std::size_t pitch = 0, slice = 0;
  const Array* array = nullptr;
};

/// Whether `size` from `at` on is within `all`.
bool within(std::size_t at, std::size_t size, std::size_t all) {
  return at <= all && size <= all - at;
}

cudaError_t place_in(const Array* array, cudaPos bytes_and_rows, Box box, Place3D* place) {
  if (array == nullptr || !within(bytes_and_rows.x, box.width, array->row_bytes()) ||
      !within(bytes_and_rows.y, box.height, array->rows()) ||
      !within(bytes_and_rows.z, box.depth, array->slices()))
    return cudaErrorInvalidValue;
  *place = {array->at(bytes_and_rows.x, bytes_and_rows.y, bytes_and_rows.z), array->row_bytes(),
            array->slice_bytes(), array};
  return cudaSuccess;
}

cudaError_t place_in(const cudaPitchedPtr& memory, cudaPos at, Box box, Place3D* place) {
  if (!within(at.x, box.width, memory.pitch) && (box.height > 1 || box.depth > 1 || at.y != 0))
    return cudaErrorInvalidPitchValue;
  if (box.depth > 1 && !within(at.y, box.height, memory.ysize)) return cudaErrorInvalidValue;
  const std::size_t slice = memory.pitch * memory.ysize;
  *place = {static_cast<std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x,
            memory.pitch, slice, nullptr};
  return cudaSuccess;
}

/// An array is memory of a device, whatever the call says of it.
bool direction_fits(cudaMemcpyKind kind, const Place3D& to, const Place3D& from) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return kind == cudaMemcpyDefault ||
         ((to.array == nullptr || to_device) && (from.array == nullptr || from_device));
}

cudaError_t copy_box(Session& session, const Place3D& to, const Place3D& from, Box box,
                     cudaMemcpyKind kind, Stream* stream, bool async) {
  if (!direction_fits(kind, to, from)) return cudaErrorInvalidMemcpyDirection;
  Copy request{to.address, to.pitch, from.address, from.pitch, box.width, box.height, kind};
  request.depth = box.depth;
  request.destination_slice = to.slice;
  request.source_slice = from.slice;
  request.to_array = to.array != nullptr;
  request.from_array = from.array != nullptr;
  return copy(session, request, stream, async);
}

cudaError_t place_2d(const CopySide& side, Box box, Place3D* place) {
  if (side.corner != nullptr)
    return place_in(find_array(side.corner->array), {side.corner->x_bytes, side.corner->y, 0}, box,
                    place);
  if (side.pitch < box.width) return cudaErrorInvalidPitchValue;
  *place = {static_cast<std::byte*>(side.memory), side.pitch, 0, nullptr};
  return cudaSuccess;
}

/// As if the array had one row.
cudaError_t place_run(const CopySide& side, std::size_t bytes, Place3D* place) {
  *place = {static_cast<std::byte*>(side.memory), bytes, 0, nullptr};
  if (side.corner == nullptr) return cudaSuccess;
  const Corner& corner = *side.corner;
  const Array* const array = find_array(corner.array);
  if (array == nullptr || corner.x_bytes >= array->row_bytes() || corner.y >= array->rows() ||
      !within(corner.y * array->row_bytes() + corner.x_bytes, bytes, array->slice_bytes()))
    return cudaErrorInvalidValue;
  *place = {array->at(corner.x_bytes, corner.y, 0), bytes, 0, array};
  return cudaSuccess;
}

cudaError_t place_3d(cudaArray_const_t handle, const Array* array, cudaPitchedPtr memory,
                     cudaPos at, Box box, Place3D* place) {
  if ((handle != nullptr) == (memory.ptr != nullptr)) return cudaErrorInvalidValue;
  if (handle == nullptr) return place_in(memory, at, box, place);
  if (array != nullptr) at.x *= array->texel_bytes();
  return place_in(array, at, box, place);
}

}  // namespace

cudaError_t copy_rectangle(Session& session, const CopySide& to, const CopySide& from,
                           std::size_t width, std::size_t height, cudaMemcpyKind kind,
                           Stream* stream, bool async) {
  const Box box{width, height, 1};
  Place3D target, source;
  if (const auto error = place_2d(to, box, &target); error != cudaSuccess) return error;
  if (const auto error = place_2d(from, box, &source); error != cudaSuccess) return error;
  return copy_box(session, target, source, box, kind, stream, async);
}

cudaError_t copy_run(Session& session, const CopySide& to, const CopySide& from, std::size_t bytes,
                     cudaMemcpyKind kind, Stream* stream, bool async) {
  Place3D target, source;
  if (const auto error = place_run(to, bytes, &target); error != cudaSuccess) return error;
  if (const auto error = place_run(from, bytes, &source); error != cudaSuccess) return error;
  return copy_box(session, target, source, {bytes, 1, 1}, kind, stream, async);
}

cudaError_t copy_3d(Session& session, const cudaMemcpy3DParms* parameters, Stream* stream,
                    bool async) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaMemcpy3DParms& p = *parameters;
  const Array* const to = find_array(p.dstArray);
  const Array* const from = find_array(p.srcArray);
  if (to != nullptr && from != nullptr && to->texel_bytes() != from->texel_bytes())
    return cudaErrorInvalidValue;
  // Of an array's texels, if there is one; else of bytes.
  const std::size_t unit = to != nullptr     ? to->texel_bytes()
                           : from != nullptr ? from->texel_bytes()
                                             : 1;
  const Box box{p.extent.width * unit, p.extent.height, p.extent.depth};
  Place3D target, source;
  if (const auto error = place_3d(p.dstArray, to, p.dstPtr, p.dstPos, box, &target);
      error != cudaSuccess)
    return error;
  if (const auto error = place_3d(p.srcArray, from, p.srcPtr, p.srcPos, box, &source);
      error != cudaSuccess)
    return error;
  return copy_box(session, target, source, box, p.kind, stream, async);
}

}  // namespace xfer::emulator
