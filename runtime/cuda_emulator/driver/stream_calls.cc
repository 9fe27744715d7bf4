// The driver's calls about streams.

#include "driver/contexts.h"

using namespace xfer::emulator::driver;

namespace {

/// A callback of the runtime has another type of error.
struct Callback {
  CUstreamCallback function;
  void* data;
};

void call_back(cudaStream_t stream, cudaError_t error, void* data) {
  auto* const its = static_cast<Callback*>(data);
  its->function(stream, result_of(error), its->data);
  delete its;
}

CUresult context_of_stream(CUstream stream, CUcontext* context) {
  int device = 0;
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = forward([&] { return cudaStreamGetDevice(stream, &device); });
  if (error != CUDA_SUCCESS) return error;
  Context* const current = current_context();
  *context = handle_of(current != nullptr && current->device == device ? current
                                                                       : primary_context(device));
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuStreamQuery(CUstream hStream) {
  return forward([&] { return cudaStreamQuery(hStream); });
}
CUresult cuStreamSynchronize(CUstream hStream) {
  return forward([&] { return cudaStreamSynchronize(hStream); });
}
CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  return forward([&] { return cudaStreamWaitEvent(hStream, hEvent, Flags); });
}
CUresult cuEventRecord(CUevent hEvent, CUstream hStream) {
  return forward([&] { return cudaEventRecord(hEvent, hStream); });
}
CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  return forward([&] { return cudaEventRecordWithFlags(hEvent, hStream, flags); });
}
CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData,
                             unsigned int flags) {
  if (callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto* const its = new Callback{callback, userData};
  const CUresult error =
      forward([&] { return cudaStreamAddCallback(hStream, call_back, its, flags); });
  if (error != CUDA_SUCCESS) delete its;
  return error;
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
  return forward([&] { return cudaStreamGetFlags(hStream, flags); });
}
CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
  return forward([&] { return cudaStreamGetPriority(hStream, priority); });
}
CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
  return forward([&] { return cudaStreamGetId(hStream, streamId); });
}
CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device) {
  return forward([&] { return cudaStreamGetDevice(hStream, device); });
}
CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
  return context_of_stream(hStream, pctx);
}
CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx) {
  if (pGreenCtx != nullptr) *pGreenCtx = nullptr;
  return context_of_stream(hStream, pCtx);
}

CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode) {
  return forward(
      [&] { return cudaStreamBeginCapture(hStream, static_cast<cudaStreamCaptureMode>(mode)); });
}
CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
  return forward([&] { return cudaStreamEndCapture(hStream, phGraph); });
}
CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  return forward([&] {
    return cudaStreamIsCapturing(hStream,
                                 reinterpret_cast<cudaStreamCaptureStatus*>(captureStatus));
  });
}
CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out,
                                cuuint64_t* id_out, CUgraph* graph_out,
                                const CUgraphNode** dependencies_out,
                                const CUgraphEdgeData** edgeData_out, size_t* numDependencies_out) {
  return forward([&] {
    return cudaStreamGetCaptureInfo(
        hStream, reinterpret_cast<cudaStreamCaptureStatus*>(captureStatus_out),
        reinterpret_cast<unsigned long long*>(id_out), graph_out, dependencies_out,
        reinterpret_cast<const cudaGraphEdgeData**>(edgeData_out), numDependencies_out);
  });
}
CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
  return forward([&] { return cudaGraphLaunch(hGraphExec, hStream); });
}

CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  return forward(
      [&] { return cudaMallocAsync(reinterpret_cast<void**>(dptr), bytesize, hStream); });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool,
                                 CUstream hStream) {
  return forward([&] {
    return cudaMallocFromPoolAsync(reinterpret_cast<void**>(dptr), bytesize, pool, hStream);
  });
}
CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  return forward([&] { return cudaFreeAsync(pointer(dptr), hStream); });
}
CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                            unsigned int flags, CUstream hStream) {
  return forward([&] {
    return cudaMemPrefetchAsync(pointer(devPtr), count,
                                {static_cast<cudaMemLocationType>(location.type), location.id},
                                flags, hStream);
  });
}
}
