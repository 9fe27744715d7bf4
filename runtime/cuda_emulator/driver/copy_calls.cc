// Copies. Those of two dimensions are copies of three with one slice, where an array is part of
// them.

#include "driver/contexts.h"

using namespace xfer::emulator::driver;

namespace {

/// One end of a copy of rows, as the driver describes both.
struct End {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;

  void* memory() const {
    return type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : pointer(device);
  }
  /// Its first byte. A pitch of zero: the rows follow each other.
  void* begin(size_t width) const { return static_cast<char*>(memory()) + y * row(width) + x; }
  size_t row(size_t width) const { return pitch != 0 ? pitch : width; }
};

template <typename Description>
End source_of(const Description& d, size_t z, size_t height) {
  return {d.srcMemoryType, d.srcHost, d.srcDevice, d.srcArray, d.srcXInBytes,
          d.srcY,          z,         d.srcPitch,  height};
}
template <typename Description>
End destination_of(const Description& d, size_t z, size_t height) {
  return {d.dstMemoryType, d.dstHost, d.dstDevice, d.dstArray, d.dstXInBytes,
          d.dstY,          z,         d.dstPitch,  height};
}

/// The runtime counts in elements where an array is part of a copy.
size_t element_bytes(CUarray array) {
  cudaChannelFormatDesc its{};
  if (cudaArrayGetInfo(&its, nullptr, nullptr, reinterpret_cast<cudaArray_t>(array)) != cudaSuccess)
    return 1;
  return static_cast<size_t>(its.x + its.y + its.z + its.w) / 8;
}

cudaError_t copy_rows(const End& from, const End& to, size_t width, size_t height, size_t depth,
                      bool async, cudaStream_t stream) {
  const bool from_array = from.type == CU_MEMORYTYPE_ARRAY;
  const bool to_array = to.type == CU_MEMORYTYPE_ARRAY;
  if (depth == 1 && from.z == 0 && to.z == 0 && !from_array && !to_array)
    return async ? cudaMemcpy2DAsync(to.begin(width), to.row(width), from.begin(width),
                                     from.row(width), width, height, cudaMemcpyDefault, stream)
                 : cudaMemcpy2D(to.begin(width), to.row(width), from.begin(width), from.row(width),
                                width, height, cudaMemcpyDefault);
  cudaMemcpy3DParms parameters{};
  size_t element = 1;
  if (from_array) {
    element = element_bytes(from.array);
    parameters.srcArray = reinterpret_cast<cudaArray_t>(from.array);
    parameters.srcPos = {from.x / element, from.y, from.z};
  } else {
    parameters.srcPtr = {from.memory(), from.row(width), width, from.height};
    parameters.srcPos = {from.x, from.y, from.z};
  }
  if (to_array) {
    element = element_bytes(to.array);
    parameters.dstArray = reinterpret_cast<cudaArray_t>(to.array);
    parameters.dstPos = {to.x / element, to.y, to.z};
  } else {
    parameters.dstPtr = {to.memory(), to.row(width), width, to.height};
    parameters.dstPos = {to.x, to.y, to.z};
  }
  parameters.extent = {width / element, height, depth};
  parameters.kind = cudaMemcpyDefault;
  return async ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters);
}

CUresult copy_2d(const CUDA_MEMCPY2D* copy, bool async, cudaStream_t stream) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return forward([&] {
    return copy_rows(source_of(*copy, 0, copy->Height), destination_of(*copy, 0, copy->Height),
                     copy->WidthInBytes, copy->Height, 1, async, stream);
  });
}

CUresult copy_3d(const CUDA_MEMCPY3D* copy, bool async, cudaStream_t stream) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto slice = [&](size_t height) { return height != 0 ? height : copy->Height; };
  return forward([&] {
    return copy_rows(source_of(*copy, copy->srcZ, slice(copy->srcHeight)),
                     destination_of(*copy, copy->dstZ, slice(copy->dstHeight)), copy->WidthInBytes,
                     copy->Height, copy->Depth, async, stream);
  });
}

CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return forward([&] { return cudaMemcpy(to, from, bytes, kind); });
}
CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return forward([&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

}  // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return copy(pointer(dst), pointer(src), ByteCount, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return copy(pointer(dst), pointer(src), ByteCount, cudaMemcpyDefault, hStream);
}
CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return copy(pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                           CUstream hStream) {
  return copy(pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, hStream);
}
CUresult cuMemcpyDtoH(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy(dstHost, pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoHAsync(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                           CUstream hStream) {
  return copy(dstHost, pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost, hStream);
}
CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy(pointer(dstDevice), pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                           CUstream hStream) {
  return copy(pointer(dstDevice), pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice, hStream);
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                      CUcontext srcContext, size_t ByteCount) {
  const Context* const to = context_of(dstContext);
  const Context* const from = context_of(srcContext);
  if (to == nullptr || from == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return forward([&] {
    return cudaMemcpyPeer(pointer(dstDevice), to->device, pointer(srcDevice), from->device,
                          ByteCount);
  });
}
CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                           CUcontext srcContext, size_t ByteCount, CUstream hStream) {
  const Context* const to = context_of(dstContext);
  const Context* const from = context_of(srcContext);
  if (to == nullptr || from == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return forward([&] {
    return cudaMemcpyPeerAsync(pointer(dstDevice), to->device, pointer(srcDevice), from->device,
                               ByteCount, hStream);
  });
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* pCopy) { return copy_2d(pCopy, false, nullptr); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* pCopy) { return copy_2d(pCopy, false, nullptr); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return copy_2d(pCopy, true, hStream);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* pCopy) { return copy_3d(pCopy, false, nullptr); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return copy_3d(pCopy, true, hStream);
}
}
