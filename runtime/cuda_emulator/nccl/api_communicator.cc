// The calls that make communicators, ask about them and end them.

#include <cuda_runtime_api.h>

#include <set>
#include <string>
#include <vector>

#include "cudart/on_device.h"
#include "machine/hooks.h"
#include "machine/say.h"
#include "nccl/check.h"

using namespace xfer::emulated_nccl;

namespace {

ncclResult_t open(const char* function, ncclComm_t* comm, int ranks, const ncclUniqueId& id,
                  int rank, const ncclConfig_t* config, int device) {
  if (comm == nullptr) return wrong(ncclInvalidArgument, "{} was given a null pointer", function);
  if (ranks < 1 || rank < 0 || rank >= ranks)
    return wrong(ncclInvalidArgument, "{} was given rank {} of {}", function, rank, ranks);
  if (static_cast<std::uint32_t>(ranks) > kMostRanks)
    return wrong(ncclInvalidArgument, "{} was given {} ranks; emulated communicators have up to {}",
                 function, ranks, kMostRanks);
  if (config != nullptr && config->magic != kNcclConfigMagic)
    return wrong(ncclInvalidArgument, "{} was given a configuration that is not initialized",
                 function);
  *comm = nullptr;
  return Group::of_this_thread().add(open_by_id(comm, id, static_cast<std::uint32_t>(ranks),
                                                static_cast<std::uint32_t>(rank), device));
}

ncclResult_t open_on_current(const char* function, ncclComm_t* comm, int ranks,
                             const ncclUniqueId& id, int rank, const ncclConfig_t* config) {
  int device = 0;
  if (const auto result = cuda_error("cudaGetDevice", cudaGetDevice(&device));
      result != ncclSuccess)
    return Group::of_this_thread().note(result);
  return open(function, comm, ranks, id, rank, config, device);
}

/// All that the communicator was given is done. Its stream may be gone, with all that it had.
void finish(const Communicator& communicator) {
  if (!communicator.stream) return;
  const xfer::emulator::OnDevice on_device(communicator.device());
  xfer_emulator_finish(*communicator.stream);
}

template <typename Value>
ncclResult_t tell(const char* function, ncclComm_t comm, Value* place,
                  Value (*value)(const Communicator&)) {
  return with(function, comm, [&](const CommunicatorPtr& communicator) {
    if (place == nullptr)
      return wrong(ncclInvalidArgument, "{} was given a null pointer", function);
    *place = value(*communicator);
    return ncclSuccess;
  });
}

}  // namespace

extern "C" {

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (id == nullptr) return wrong(ncclInvalidArgument, "{} was given a null pointer", __func__);
  std::string why;
  if (Meeting::make(id, &why)) return ncclSuccess;
  xfer::emulator::say("xfercheck: NCCL: {}\n", why);
  return wrong(ncclSystemError, "{}", why);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  return open_on_current(__func__, comm, ranks, id, rank, config);
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  return open_on_current(__func__, comm, ranks, id, rank, nullptr);
}

// The ids share the work of bringing many ranks together; one is enough.
ncclResult_t ncclCommInitRankScalable(ncclComm_t* comm, int ranks, int rank, int ids,
                                      ncclUniqueId* id, ncclConfig_t* config) {
  if (ids < 1 || id == nullptr)
    return wrong(ncclInvalidArgument, "{} was given a null pointer", __func__);
  return open_on_current(__func__, comm, ranks, *id, rank, config);
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int devices, const int* device_list) {
  int there = 0;
  if (const auto result = cuda_error("cudaGetDeviceCount", cudaGetDeviceCount(&there));
      result != ncclSuccess)
    return result;
  if (comms == nullptr || devices < 1)
    return wrong(ncclInvalidArgument, "{} was given a null pointer, or no devices", __func__);
  std::set<int> known;
  for (int i = 0; i < devices; ++i) {
    const int device = device_list != nullptr ? device_list[i] : i;
    if (device < 0 || device >= there)
      return wrong(ncclInvalidArgument, "{} was given device {}, but there are {}", __func__,
                   device, there);
    if (!known.insert(device).second)
      return wrong(ncclInvalidUsage, "{} was given device {} twice", __func__, device);
  }
  ncclUniqueId id;
  if (const auto result = ncclGetUniqueId(&id); result != ncclSuccess) return result;
  ncclGroupStart();
  for (int i = 0; i < devices; ++i)
    open(__func__, &comms[i], devices, id, i, nullptr, device_list != nullptr ? device_list[i] : i);
  return ncclGroupEnd();
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* part,
                           ncclConfig_t* config) {
  return with(__func__, comm, [&](const CommunicatorPtr& communicator) {
    if (part == nullptr || color < kNcclSplitNoColor ||
        (config != nullptr && config->magic != kNcclConfigMagic))
      return wrong(
          ncclInvalidArgument,
          "{} was given a null pointer, color {}, or a configuration that is not initialized",
          "ncclCommSplit", color);
    *part = nullptr;
    return Group::of_this_thread().add(open_part(part, communicator, color, key));
  });
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return with(__func__, comm, [](const CommunicatorPtr& communicator) {
    finish(*communicator);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  return with(__func__, comm, [&](const CommunicatorPtr& communicator) {
    finish(*communicator);
    take(comm);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  return with(__func__, comm, [&](const CommunicatorPtr& communicator) {
    communicator->abort();
    take(comm);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  return tell<ncclResult_t>(__func__, comm, error,
                            [](const Communicator& its) { return its.error(); });
}

ncclResult_t ncclCommCount(ncclComm_t comm, int* count) {
  return tell<int>(__func__, comm, count,
                   [](const Communicator& its) { return static_cast<int>(its.ranks()); });
}

ncclResult_t ncclCommCuDevice(ncclComm_t comm, int* device) {
  return tell<int>(__func__, comm, device, [](const Communicator& its) { return its.device(); });
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank) {
  return tell<int>(__func__, comm, rank,
                   [](const Communicator& its) { return static_cast<int>(its.rank()); });
}

// Buffers are as quick without.
ncclResult_t ncclCommRegister(ncclComm_t comm, void* buffer, std::size_t, void** handle) {
  return with(__func__, comm, [&](const CommunicatorPtr&) {
    if (handle == nullptr)
      return wrong(ncclInvalidArgument, "{} was given a null pointer", "ncclCommRegister");
    *handle = buffer;
    return ncclSuccess;
  });
}

ncclResult_t ncclCommDeregister(ncclComm_t comm, void*) {
  return with(__func__, comm, [](const CommunicatorPtr&) { return ncclSuccess; });
}
}

XFER_NCCL_TWIN(ncclGetUniqueId);
XFER_NCCL_TWIN(ncclCommInitRankConfig);
XFER_NCCL_TWIN(ncclCommInitRank);
XFER_NCCL_TWIN(ncclCommInitRankScalable);
XFER_NCCL_TWIN(ncclCommInitAll);
XFER_NCCL_TWIN(ncclCommSplit);
XFER_NCCL_TWIN(ncclCommFinalize);
XFER_NCCL_TWIN(ncclCommDestroy);
XFER_NCCL_TWIN(ncclCommAbort);
XFER_NCCL_TWIN(ncclCommGetAsyncError);
XFER_NCCL_TWIN(ncclCommCount);
XFER_NCCL_TWIN(ncclCommCuDevice);
XFER_NCCL_TWIN(ncclCommUserRank);
XFER_NCCL_TWIN(ncclCommRegister);
XFER_NCCL_TWIN(ncclCommDeregister);
