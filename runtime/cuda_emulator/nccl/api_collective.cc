// The calls that move data.

#include <cstring>

#include "nccl/check.h"

using namespace xfer::emulated_nccl;

namespace {

/// The arguments of a call.
struct Given {
  const char* function;
  Kind kind;
  const void* send;
  void* receive;
  std::size_t count;
  ncclDataType_t type;
  int op;
  int root;
  ncclComm_t comm;
  cudaStream_t stream;
};

/// Finds the reduction that the program asks for. Error: the communicator has no such one.
ncclResult_t find_reduction(const Communicator& communicator, const Given& given,
                            CollectiveArguments* arguments) {
  const auto op = static_cast<ncclRedOp_t>(given.op);
  if (op >= ncclSum && op < ncclNumOps) {
    arguments->call.reduction = static_cast<Reduction>(op);
    return ncclSuccess;
  }
  const auto sum = communicator.find(op);
  if (!sum)
    return wrong(ncclInvalidArgument, "{}: {} is not a reduction", given.function, given.op);
  if (sum->type != given.type)
    return wrong(ncclInvalidArgument, "{} of {} was given a reduction of {}", given.function,
                 its(given.type).name, its(sum->type).name);
  arguments->call.reduction = Reduction::kScaledSum;
  std::memcpy(arguments->scale, &sum->scale, sizeof(sum->scale));
  arguments->scale_at = sum->scale_at;
  return ncclSuccess;
}

/// Of every call that moves data. `peer`: a rank.
ncclResult_t check(const Communicator& communicator, const char* function, ncclDataType_t type,
                   int peer) {
  if (!is_data_type(type))
    return wrong(ncclInvalidArgument, "{}: {} is not a data type", function,
                 static_cast<int>(type));
  if (peer < 0 || static_cast<std::uint32_t>(peer) >= communicator.ranks())
    return wrong(ncclInvalidArgument, "{}: expected a rank below {}, got {}", function,
                 communicator.ranks(), peer);
  if (const ncclResult_t error = communicator.error(); error != ncclSuccess)
    return wrong(error, "{}: the communicator can no longer be used: {}", function,
                 communicator.meeting().failure().text);
  return ncclSuccess;
}

ncclResult_t collective(const Given& given) {
  return with(given.function, given.comm, [&](const CommunicatorPtr& communicator) {
    if (const auto result = check(*communicator, given.function, given.type, given.root);
        result != ncclSuccess)
      return result;
    CollectiveArguments arguments{communicator->number(),
                                  {given.kind, given.type, Reduction::kSum,
                                   static_cast<std::uint32_t>(given.root), given.count},
                                  {},
                                  nullptr,
                                  given.send,
                                  given.receive};
    if (arguments.call.reduces())
      if (const auto result = find_reduction(*communicator, given, &arguments);
          result != ncclSuccess)
        return result;
    return Group::of_this_thread().add(Operation{communicator, given.stream, arguments});
  });
}

ncclResult_t point_to_point(const char* function, bool is_send, void* buffer, std::size_t count,
                            ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream) {
  return with(function, comm, [&](const CommunicatorPtr& communicator) {
    if (const auto result = check(*communicator, function, type, peer); result != ncclSuccess)
      return result;
    return Group::of_this_thread().add(
        Operation{communicator, stream,
                  Piece{count * its(type).bytes, buffer, static_cast<std::uint32_t>(peer),
                        is_send ? 1U : 0U}});
  });
}

}  // namespace

extern "C" {

ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return collective({__func__, Kind::kAllReduce, send, receive, count, type, op, 0, comm, stream});
}

ncclResult_t ncclReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  return collective({__func__, Kind::kReduce, send, receive, count, type, op, root, comm, stream});
}

ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t count,
                               ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream) {
  return collective(
      {__func__, Kind::kReduceScatter, send, receive, count, type, op, 0, comm, stream});
}

ncclResult_t ncclBroadcast(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
  return collective(
      {__func__, Kind::kBroadcast, send, receive, count, type, ncclSum, root, comm, stream});
}

ncclResult_t ncclBcast(void* buffer, std::size_t count, ncclDataType_t type, int root,
                       ncclComm_t comm, cudaStream_t stream) {
  return collective(
      {__func__, Kind::kBroadcast, buffer, buffer, count, type, ncclSum, root, comm, stream});
}

ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return collective(
      {__func__, Kind::kAllGather, send, receive, count, type, ncclSum, 0, comm, stream});
}

ncclResult_t ncclAlltoAll(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                          ncclComm_t comm, cudaStream_t stream) {
  return collective(
      {__func__, Kind::kAllToAll, send, receive, count, type, ncclSum, 0, comm, stream});
}

ncclResult_t ncclGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        int root, ncclComm_t comm, cudaStream_t stream) {
  return collective(
      {__func__, Kind::kGather, send, receive, count, type, ncclSum, root, comm, stream});
}

ncclResult_t ncclScatter(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                         int root, ncclComm_t comm, cudaStream_t stream) {
  return collective(
      {__func__, Kind::kScatter, send, receive, count, type, ncclSum, root, comm, stream});
}

ncclResult_t ncclSend(const void* send, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return point_to_point(__func__, true, const_cast<void*>(send), count, type, peer, comm, stream);
}

ncclResult_t ncclRecv(void* receive, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return point_to_point(__func__, false, receive, count, type, peer, comm, stream);
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  return with(__func__, comm, [&](const CommunicatorPtr& communicator) {
    if (op == nullptr || scalar == nullptr || !is_data_type(type) ||
        (residence != ncclScalarDevice && residence != ncclScalarHostImmediate))
      return wrong(ncclInvalidArgument,
                   "{}: a null pointer, or a value that is not a data type or residence",
                   "ncclRedOpCreatePreMulSum");
    ScaledSum sum{type, 0, nullptr};
    if (residence == ncclScalarHostImmediate)
      std::memcpy(&sum.scale, scalar, its(type).bytes);
    else
      sum.scale_at = scalar;
    *op = communicator->add(sum);
    return ncclSuccess;
  });
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  return with(__func__, comm, [&](const CommunicatorPtr& communicator) {
    return communicator->remove(op)
               ? ncclSuccess
               : wrong(ncclInvalidArgument,
                       "ncclRedOpDestroy: {} is not a reduction of this communicator",
                       static_cast<int>(op));
  });
}
}

XFER_NCCL_TWIN(ncclAllReduce);
XFER_NCCL_TWIN(ncclReduce);
XFER_NCCL_TWIN(ncclReduceScatter);
XFER_NCCL_TWIN(ncclBroadcast);
XFER_NCCL_TWIN(ncclBcast);
XFER_NCCL_TWIN(ncclAllGather);
XFER_NCCL_TWIN(ncclAlltoAll);
XFER_NCCL_TWIN(ncclGather);
XFER_NCCL_TWIN(ncclScatter);
XFER_NCCL_TWIN(ncclSend);
XFER_NCCL_TWIN(ncclRecv);
XFER_NCCL_TWIN(ncclRedOpCreatePreMulSum);
XFER_NCCL_TWIN(ncclRedOpDestroy);
