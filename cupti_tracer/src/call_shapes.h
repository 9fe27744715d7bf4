#pragma once
// The shapes of CUDA calls: one template per shape reads any parameter struct that has its fields.
// CUPTI's generated structs name a field after the argument, so runtime and driver variants of a
// call differ in spelling only, and the field() overload set below settles that.

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <type_traits>

#include "api_call.h"

namespace xfer::tracer::shapes {

struct NoParams {};

/// The parameters of __cudaLaunchKernel, through which nvcc 13 launches. CUPTI 13.0's headers have
/// the id and not the struct; it is laid out like all others, by the arguments.
struct KernelLaunchParams {
  cudaKernel_t kernel;
  dim3 gridDim;
  dim3 blockDim;
  void** args;
  std::size_t sharedMem;
  cudaStream_t stream;
};

/// cudaMemcpyBatchAsync as CUDA 12.8 had it; CUDA 13's headers keep the id only.
struct CopyBatchParams12 {
  void** dsts;
  void** srcs;
  std::size_t* sizes;
  std::size_t count;
  cudaMemcpyAttributes* attrs;
  std::size_t* attrsIdxs;
  std::size_t numAttrs;
  std::size_t* failIdx;
  cudaStream_t stream;
};

template <typename T>
std::uint64_t address_of(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uintptr_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

template <typename P>
void stream(const P& p, ApiCall& call) {
  if constexpr (requires { p.stream; }) call.stream = address_of(p.stream);
  if constexpr (requires { p.hStream; }) call.stream = address_of(p.hStream);
}

inline void kind(cudaMemcpyKind value, CopyCall& t) {
  if (value == cudaMemcpyHostToHost || value == cudaMemcpyHostToDevice) t.source.side = Side::kHost;
  if (value == cudaMemcpyDeviceToHost || value == cudaMemcpyDeviceToDevice)
    t.source.side = Side::kDevice;
  if (value == cudaMemcpyHostToHost || value == cudaMemcpyDeviceToHost)
    t.destination.side = Side::kHost;
  if (value == cudaMemcpyHostToDevice || value == cudaMemcpyDeviceToDevice)
    t.destination.side = Side::kDevice;
}

template <typename P>
void destination(const P& p, CopySide& side) {
  if constexpr (requires { p.dstHost; }) {
    side = {.address = address_of(p.dstHost), .side = Side::kHost};
  } else if constexpr (requires { p.dstArray; }) {
    side = {.address = address_of(p.dstArray), .side = Side::kDevice, .array = true};
  } else if constexpr (requires {
                         p.dst;
                         p.wOffsetDst;
                       }) {
    side = {.address = address_of(p.dst), .side = Side::kDevice, .array = true};
  } else if constexpr (requires { p.dst; }) {
    side.address = address_of(p.dst);
    side.array = std::is_same_v<std::remove_cvref_t<decltype(p.dst)>, cudaArray_t>;
  } else if constexpr (requires { p.dstDevice; }) {
    side = {.address = address_of(p.dstDevice), .side = Side::kDevice};
  } else {
    side = {.address = address_of(p.symbol) + p.offset, .side = Side::kDevice, .symbol = true};
  }
}

template <typename P>
void source(const P& p, CopySide& side) {
  if constexpr (requires { p.srcHost; }) {
    side = {.address = address_of(p.srcHost), .side = Side::kHost};
  } else if constexpr (requires { p.srcArray; }) {
    side = {.address = address_of(p.srcArray), .side = Side::kDevice, .array = true};
  } else if constexpr (requires { p.src; }) {
    side.address = address_of(p.src);
    side.array = std::is_same_v<std::remove_cvref_t<decltype(p.src)>, cudaArray_const_t>;
  } else if constexpr (requires { p.srcDevice; }) {
    side = {.address = address_of(p.srcDevice), .side = Side::kDevice};
  } else {
    side = {.address = address_of(p.symbol) + p.offset, .side = Side::kDevice, .symbol = true};
  }
}

/// cudaMemcpy, cudaMemcpyToSymbol, cudaMemcpyToArray, cuMemcpyHtoD and their kin.
template <typename P>
void copy(const P& p, ApiCall& call) {
  call.op = Op::kCopy;
  CopyCall& t = call.transfer;
  destination(p, t.destination);
  source(p, t.source);
  if constexpr (requires { p.kind; }) kind(p.kind, t);
  if constexpr (requires { p.count; }) t.width = p.count;
  if constexpr (requires { p.ByteCount; }) t.width = p.ByteCount;
  stream(p, call);
}

/// cudaMemcpyPeer: both sides are device memory, and the call names the devices.
template <typename P>
void copy_peer(const P& p, ApiCall& call) {
  call.op = Op::kCopy;
  CopyCall& t = call.transfer;
  t.destination.side = t.source.side = Side::kDevice;
  if constexpr (requires { p.dst; }) {
    t.destination.address = address_of(p.dst);
    t.source.address = address_of(p.src);
    t.destination.device = static_cast<std::int16_t>(p.dstDevice);
    t.source.device = static_cast<std::int16_t>(p.srcDevice);
    t.width = p.count;
  } else {
    t.destination.address = address_of(p.dstDevice);
    t.source.address = address_of(p.srcDevice);
    t.width = p.ByteCount;
  }
  stream(p, call);
}

/// cudaMemcpy2D, also to and from arrays.
template <typename P>
void copy_2d(const P& p, ApiCall& call) {
  call.op = Op::kCopy;
  CopyCall& t = call.transfer;
  destination(p, t.destination);
  source(p, t.source);
  kind(p.kind, t);
  t.width = p.width;
  t.rows = p.height;
  if constexpr (requires { p.dpitch; }) t.destination.pitch = p.dpitch;
  if constexpr (requires { p.spitch; }) t.source.pitch = p.spitch;
  stream(p, call);
}

inline void pitched_side(const cudaPitchedPtr& pointer, const cudaPos& position,
                         cudaArray_const_t array, CopySide& side) {
  if (array != nullptr) {
    side = {.address = address_of(array), .side = Side::kDevice, .array = true};
    return;
  }
  side.pitch = pointer.pitch;
  side.slice_pitch = pointer.pitch * pointer.ysize;
  side.address = address_of(pointer.ptr) + position.x + position.y * side.pitch +
                 position.z * side.slice_pitch;
}

/// cudaMemcpy3D. With an array the extent counts elements, whose size only CUDA knows.
template <typename P>
void copy_3d(const P& p, ApiCall& call) {
  call.op = Op::kCopy;
  if (p.p == nullptr) return;
  CopyCall& t = call.transfer;
  pitched_side(p.p->dstPtr, p.p->dstPos, p.p->dstArray, t.destination);
  pitched_side(p.p->srcPtr, p.p->srcPos, p.p->srcArray, t.source);
  if constexpr (requires { p.p->kind; }) {
    kind(p.p->kind, t);
  } else {
    t.destination.side = t.source.side = Side::kDevice;
    t.destination.device = static_cast<std::int16_t>(p.p->dstDevice);
    t.source.device = static_cast<std::int16_t>(p.p->srcDevice);
  }
  t.width = p.p->extent.width;
  t.rows = p.p->extent.height;
  t.slices = p.p->extent.depth;
  t.in_elements = t.destination.array || t.source.array;
  if (t.in_elements) call.op = Op::kUnmodelled;
  stream(p, call);
}

inline CopySide driver_side(CUmemorytype type, const void* host, CUdeviceptr device, CUarray array,
                            std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t pitch,
                            std::uint64_t height) {
  if (type == CU_MEMORYTYPE_ARRAY)
    return {.address = address_of(array), .side = Side::kDevice, .array = true};
  CopySide side;
  side.pitch = pitch;
  side.slice_pitch = pitch * height;
  side.address = type == CU_MEMORYTYPE_HOST ? address_of(host) : device;
  side.address += x + y * pitch + z * side.slice_pitch;
  if (type == CU_MEMORYTYPE_HOST) side.side = Side::kHost;
  if (type == CU_MEMORYTYPE_DEVICE) side.side = Side::kDevice;
  return side;
}

/// cuMemcpy2D, cuMemcpy3D, cuMemcpy3DPeer: everything is in one struct.
template <typename P>
void copy_driver(const P& p, ApiCall& call) {
  call.op = Op::kCopy;
  if (p.pCopy == nullptr) return;
  const auto& c = *p.pCopy;
  CopyCall& t = call.transfer;
  if constexpr (requires { c.Depth; }) {
    t.destination = driver_side(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes,
                                c.dstY, c.dstZ, c.dstPitch, c.dstHeight);
    t.source = driver_side(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes,
                           c.srcY, c.srcZ, c.srcPitch, c.srcHeight);
    t.slices = c.Depth;
  } else {
    t.destination = driver_side(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes,
                                c.dstY, 0, c.dstPitch, 0);
    t.source = driver_side(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes,
                           c.srcY, 0, c.srcPitch, 0);
  }
  t.width = c.WidthInBytes;
  t.rows = c.Height;
  stream(p, call);
}

/// cudaMemcpyBatchAsync: any number of plain copies in one call.
template <typename P>
void copy_batch(const P& p, ApiCall& call) {
  call.op = Op::kCopy;
  std::size_t attribute = 0;
  for (std::size_t i = 0; i < p.count; ++i) {
    if (attribute + 1 < p.numAttrs && p.attrsIdxs[attribute + 1] == i) ++attribute;
    CopyCall t;
    t.destination.address = address_of(p.dsts[i]);
    t.source.address = address_of(p.srcs[i]);
    t.width = p.sizes[i];
    t.takes_source =
        attribute < p.numAttrs && static_cast<int>(p.attrs[attribute].srcAccessOrder) ==
                                      cudaMemcpySrcAccessOrderDuringApiCall;
    if (i == 0)
      call.transfer = t;
    else
      call.more.push_back(t);
  }
  stream(p, call);
}

/// cudaMemset, cuMemsetD8/16/32.
template <typename P>
void set(const P& p, ApiCall& call) {
  call.op = Op::kSet;
  CopyCall& t = call.transfer;
  t.destination.side = Side::kDevice;
  std::uint64_t unit = 1;
  if constexpr (requires { p.us; }) unit = 2;
  if constexpr (requires { p.ui; }) unit = 4;
  if constexpr (requires { p.devPtr; }) t.destination.address = address_of(p.devPtr);
  if constexpr (requires { p.dstDevice; }) t.destination.address = address_of(p.dstDevice);
  if constexpr (requires { p.count; }) t.width = p.count;
  if constexpr (requires { p.N; }) t.width = p.N * unit;
  if constexpr (requires { p.width; }) t.width = p.width;
  if constexpr (requires { p.height; }) t.rows = p.height;
  if constexpr (requires { p.pitch; }) t.destination.pitch = p.pitch;
  if constexpr (requires { p.Width; }) t.width = p.Width * unit;
  if constexpr (requires { p.Height; }) t.rows = p.Height;
  if constexpr (requires { p.dstPitch; }) t.destination.pitch = p.dstPitch;
  if constexpr (requires { p.pitchedDevPtr; }) {
    pitched_side(p.pitchedDevPtr, {}, nullptr, t.destination);
    t.width = p.extent.width;
    t.rows = p.extent.height;
    t.slices = p.extent.depth;
  }
  stream(p, call);
}

/// Every allocation of linear memory. `space` is what it makes.
template <Space space, typename P>
void alloc(const P& p, ApiCall& call) {
  call.op = Op::kAlloc;
  call.space = space;
  if constexpr (requires { p.devPtr; }) call.out = p.devPtr;
  if constexpr (requires { p.ptr; }) call.out = p.ptr;
  if constexpr (requires { p.pHost; }) call.out = p.pHost;
  if constexpr (requires { p.dptr; }) call.out = p.dptr;
  if constexpr (requires { p.pp; }) call.out = p.pp;
  if constexpr (requires { p.size; }) call.bytes = p.size;
  if constexpr (requires { p.bytesize; }) call.bytes = p.bytesize;
  if constexpr (requires { p.pitch; }) call.pitch_out = p.pitch;
  if constexpr (requires { p.height; }) call.rows = p.height;
  if constexpr (requires { p.pPitch; }) call.pitch_out = p.pPitch;
  if constexpr (requires { p.Height; }) call.rows = p.Height;
  if constexpr (requires { p.pitchedDevPtr; }) {
    if (p.pitchedDevPtr != nullptr) {
      call.out = &p.pitchedDevPtr->ptr;
      call.pitch_out = &p.pitchedDevPtr->pitch;
    }
    call.rows = p.extent.height * p.extent.depth;
  }
  if constexpr (space == Space::kPinned && requires { p.flags; })
    call.uncached = (p.flags & cudaHostAllocWriteCombined) != 0;
  if constexpr (space == Space::kPinned && requires { p.Flags; })
    call.uncached = (p.Flags & CU_MEMHOSTALLOC_WRITECOMBINED) != 0;
  stream(p, call);
}
template <typename P>
void alloc_device(const P& p, ApiCall& call) {
  alloc<Space::kDevice>(p, call);
}
template <typename P>
void alloc_pinned(const P& p, ApiCall& call) {
  alloc<Space::kPinned>(p, call);
}
template <typename P>
void alloc_managed(const P& p, ApiCall& call) {
  alloc<Space::kManaged>(p, call);
}

/// Memory that is there already: a pinned host range, a mapped range of virtual device memory.
template <typename P>
void register_host(const P& p, ApiCall& call) {
  call.op = Op::kRegister;
  call.space = Space::kPinned;
  if constexpr (requires { p.ptr; }) call.address = address_of(p.ptr);
  if constexpr (requires { p.p; }) call.address = address_of(p.p);
  if constexpr (requires { p.size; }) call.bytes = p.size;
  if constexpr (requires { p.bytesize; }) call.bytes = p.bytesize;
}
template <typename P>
void map_device(const P& p, ApiCall& call) {
  call.op = Op::kRegister;
  call.space = Space::kDevice;
  call.address = address_of(p.ptr);
  call.bytes = p.size;
}

template <typename P>
void free(const P& p, ApiCall& call) {
  call.op = Op::kFree;
  if constexpr (requires { p.devPtr; }) call.address = address_of(p.devPtr);
  if constexpr (requires { p.ptr; }) call.address = address_of(p.ptr);
  if constexpr (requires { p.dptr; }) call.address = address_of(p.dptr);
  if constexpr (requires { p.p; }) call.address = address_of(p.p);
  stream(p, call);
}

/// Launches by host function (cudaLaunchKernel) or by driver handle (cuLaunchKernel).
template <typename P>
void launch(const P& p, ApiCall& call) {
  call.op = Op::kLaunch;
  LaunchCall& l = call.launch;
  if constexpr (requires { p.func; }) l.function = reinterpret_cast<const void*>(p.func);
  if constexpr (requires { p.args; }) l.arguments = p.args;
  if constexpr (requires { p.kernel; }) {
    l.function = p.kernel;
    l.handle = LaunchCall::Handle::kKernel;
    // The layout is inferred: believe it where it makes a launch that can be.
    const std::uint64_t threads = std::uint64_t{p.blockDim.x} * p.blockDim.y * p.blockDim.z;
    if (threads == 0 || threads > 1024 || p.gridDim.x == 0) l.arguments = nullptr;
  }
  if constexpr (requires { p.f; }) {
    l.function = p.f;
    l.handle = LaunchCall::Handle::kFunction;
  }
  if constexpr (requires { p.kernelParams; }) l.arguments = p.kernelParams;
  stream(p, call);
  if constexpr (requires { p.config; })
    if (p.config != nullptr) {
      if constexpr (requires { p.config->stream; }) call.stream = address_of(p.config->stream);
      if constexpr (requires { p.config->hStream; }) call.stream = address_of(p.config->hStream);
    }
}
template <typename P>
void event_field(const P& p, ApiCall& call) {
  if constexpr (requires { p.event; }) call.event = address_of(p.event);
  if constexpr (requires { p.hEvent; }) call.event = address_of(p.hEvent);
}
template <typename P>
void sync_device(const P&, ApiCall& call) {
  call.op = Op::kSync;
  call.scope = SyncScope::kDevice;
}
template <typename P>
void sync_stream(const P& p, ApiCall& call) {
  call.op = Op::kSync;
  call.scope = SyncScope::kStream;
  stream(p, call);
}
template <typename P>
void sync_event(const P& p, ApiCall& call) {
  call.op = Op::kSync;
  call.scope = SyncScope::kEvent;
  event_field(p, call);
}
template <typename P>
void query_stream(const P& p, ApiCall& call) {
  sync_stream(p, call);
  call.op = Op::kQuery;
}
template <typename P>
void query_event(const P& p, ApiCall& call) {
  sync_event(p, call);
  call.op = Op::kQuery;
}
// The time between two events, which are then known to be over.
template <typename P>
void elapsed(const P& p, ApiCall& call) {
  call.op = Op::kQuery;
  call.scope = SyncScope::kEvent;
  if constexpr (requires { p.end; }) call.event = address_of(p.end);
  if constexpr (requires { p.hEnd; }) call.event = address_of(p.hEnd);
}
template <typename P>
void event_record(const P& p, ApiCall& call) {
  call.op = Op::kEventRecord;
  event_field(p, call);
  stream(p, call);
}
template <typename P>
void stream_wait(const P& p, ApiCall& call) {
  call.op = Op::kStreamWait;
  event_field(p, call);
  stream(p, call);
}
template <typename P>
void stream_create(const P& p, ApiCall& call) {
  call.op = Op::kStreamCreate;
  if constexpr (requires { p.flags; }) call.nonblocking = (p.flags & cudaStreamNonBlocking) != 0;
  if constexpr (requires { p.Flags; }) call.nonblocking = (p.Flags & CU_STREAM_NON_BLOCKING) != 0;
  if constexpr (requires { p.pStream; }) call.out = p.pStream;
  if constexpr (requires { p.phStream; }) call.out = p.phStream;
}
template <typename P>
void stream_destroy(const P& p, ApiCall& call) {
  call.op = Op::kStreamDestroy;
  stream(p, call);
}
template <typename P>
void capture_begin(const P& p, ApiCall& call) {
  call.op = Op::kCaptureBegin;
  stream(p, call);
}
template <typename P>
void capture_end(const P& p, ApiCall& call) {
  call.op = Op::kCaptureEnd;
  stream(p, call);
}

template <typename P>
void peer_access(const P& p, ApiCall& call) {
  call.op = Op::kPeerAccess;
  if constexpr (requires { p.peerDevice; }) call.peer = static_cast<std::int16_t>(p.peerDevice);
}

template <typename P>
void export_memory(const P& p, ApiCall& call) {
  call.op = Op::kExport;
  if constexpr (requires { p.devPtr; }) call.address = address_of(p.devPtr);
  if constexpr (requires { p.dptr; }) call.address = address_of(p.dptr);
}
template <typename P>
void host_function(const P& p, ApiCall& call) {
  call.op = Op::kHostFunction;
  stream(p, call);
}

// Calls of which it only matters that they were made.
template <Op op, typename P>
void note(const P&, ApiCall& call) {
  call.op = op;
}
template <typename P>
void shared_event(const P& p, ApiCall& call) {
  note<Op::kSharedEvent>(p, call);
}
template <typename P>
void device_reset(const P& p, ApiCall& call) {
  note<Op::kDeviceReset>(p, call);
}
template <typename P>
void opaque_access(const P& p, ApiCall& call) {
  note<Op::kOpaqueAccess>(p, call);
}
template <typename P>
void unmodelled(const P& p, ApiCall& call) {
  note<Op::kUnmodelled>(p, call);
}

}  // namespace xfer::tracer::shapes
