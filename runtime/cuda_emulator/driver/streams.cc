// Streams, events and captured graphs: made, waited for, destroyed.

#include "driver/driver.h"

using namespace xfer::emulator::driver;

extern "C" {

CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) {
  return forward([&] { return cudaStreamCreateWithFlags(phStream, Flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
  return forward([&] { return cudaStreamCreateWithPriority(phStream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream hStream) {
  return forward([&] { return cudaStreamDestroy(hStream); });
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return forward([&] {
    return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode));
  });
}

CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  return forward([&] { return cudaEventCreateWithFlags(phEvent, Flags); });
}
CUresult cuEventDestroy(CUevent hEvent) {
  return forward([&] { return cudaEventDestroy(hEvent); });
}
CUresult cuEventQuery(CUevent hEvent) {
  return forward([&] { return cudaEventQuery(hEvent); });
}
CUresult cuEventSynchronize(CUevent hEvent) {
  return forward([&] { return cudaEventSynchronize(hEvent); });
}
CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  return forward([&] { return cudaEventElapsedTime(pMilliseconds, hStart, hEnd); });
}

CUresult cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long flags) {
  return forward([&] { return cudaGraphInstantiate(phGraphExec, hGraph, flags); });
}
CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  return forward([&] { return cudaGraphExecDestroy(hGraphExec); });
}
CUresult cuGraphDestroy(CUgraph hGraph) {
  return forward([&] { return cudaGraphDestroy(hGraph); });
}
}
