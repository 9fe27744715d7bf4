// Groups, memory, and what the library says of itself.

#include <cuda_runtime_api.h>

#include "nccl/check.h"

using namespace xfer::emulated_nccl;

extern "C" {

ncclResult_t ncclGroupStart() {
  Group::of_this_thread().start();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() { return Group::of_this_thread().end(); }

ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t* info) {
  std::uint64_t nanoseconds = 0;
  const ncclResult_t result = Group::of_this_thread().end_without(&nanoseconds);
  if (info != nullptr && info->magic != kNcclSimInfoMagic)
    return wrong(ncclInvalidArgument, "{} was given a structure that is not initialized", __func__);
  if (info != nullptr) info->estimatedTime = static_cast<float>(nanoseconds) / 1000;
  return result;
}

ncclResult_t ncclMemAlloc(void** pointer, std::size_t bytes) {
  if (pointer == nullptr)
    return wrong(ncclInvalidArgument, "{} was given a null pointer", __func__);
  return cuda_error("cudaMalloc", cudaMalloc(pointer, bytes));
}

ncclResult_t ncclMemFree(void* pointer) { return cuda_error("cudaFree", cudaFree(pointer)); }

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr)
    return wrong(ncclInvalidArgument, "{} was given a null pointer", __func__);
  *version = kNcclVersion;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError: return "internal error";
    case ncclInvalidArgument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    case ncclTimeout: return "timeout";
  }
  return "unknown result code";
}

const char* ncclGetLastError(ncclComm_t comm) {
  const CommunicatorPtr communicator = find(comm);
  if (communicator != nullptr && communicator->error() != ncclSuccess)
    set_last_error(communicator->meeting().failure().text);
  return last_error();
}

void ncclResetDebugInit() {}
void pncclResetDebugInit() {}
}

XFER_NCCL_TWIN(ncclGroupStart);
XFER_NCCL_TWIN(ncclGroupEnd);
XFER_NCCL_TWIN(ncclGroupSimulateEnd);
XFER_NCCL_TWIN(ncclMemAlloc);
XFER_NCCL_TWIN(ncclMemFree);
XFER_NCCL_TWIN(ncclGetVersion);
XFER_NCCL_TWIN(ncclGetErrorString);
XFER_NCCL_TWIN(ncclGetLastError);
