#pragma once
// Gives operations to streams, as NCCL does: those of one communicator run in the order of their
// calls, whatever streams they are in.

#include <variant>
#include <vector>

#include "nccl/collective.h"
#include "nccl/point_to_point.h"

namespace xfer::emulated_nccl {

struct Operation {
  CommunicatorPtr communicator;
  cudaStream_t stream;
  std::variant<CollectiveArguments, Piece> what;
};

/// Of one group. Those of a communicator become collectives, one after the other, and then all
/// sends and receives in one.
ncclResult_t launch(const std::vector<Operation>& operations);

/// How long they take by the model, together.
std::uint64_t duration_ns(const std::vector<Operation>& operations);

/// Keeps the error's name for ncclGetLastError.
ncclResult_t cuda_error(const char* call, cudaError_t error);

}  // namespace xfer::emulated_nccl
