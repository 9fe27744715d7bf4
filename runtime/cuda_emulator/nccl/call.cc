#include "nccl/call.h"

#include <fmt/format.h>

namespace xfer::emulated_nccl {

std::uint64_t Call::sent_bytes(std::uint32_t rank, std::uint32_t ranks) const {
  switch (kind) {
    case Kind::kReduceScatter:
    case Kind::kAllToAll: return bytes() * ranks;
    case Kind::kBroadcast: return rank == root ? bytes() : 0;
    case Kind::kScatter: return rank == root ? bytes() * ranks : 0;
    default: return bytes();
  }
}

std::uint64_t Call::received_bytes(std::uint32_t rank, std::uint32_t ranks) const {
  switch (kind) {
    case Kind::kAllGather:
    case Kind::kAllToAll: return bytes() * ranks;
    case Kind::kReduce: return rank == root ? bytes() : 0;
    case Kind::kGather: return rank == root ? bytes() * ranks : 0;
    default: return bytes();
  }
}

std::uint64_t Call::bytes_on_link(std::uint32_t ranks) const {
  switch (kind) {
    case Kind::kAllReduce: return 2 * bytes() * (ranks - 1) / ranks;
    case Kind::kReduce:
    case Kind::kBroadcast: return ranks == 1 ? 0 : bytes();
    default: return bytes() * (ranks - 1);
  }
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kAllReduce: return "ncclAllReduce";
    case Kind::kReduceScatter: return "ncclReduceScatter";
    case Kind::kReduce: return "ncclReduce";
    case Kind::kBroadcast: return "ncclBroadcast";
    case Kind::kAllGather: return "ncclAllGather";
    case Kind::kGather: return "ncclGather";
    case Kind::kScatter: return "ncclScatter";
    case Kind::kAllToAll: return "ncclAlltoAll";
  }
  return "an operation";
}

std::string describe(const Call& call) {
  std::string text = fmt::format("{} of {} {}", name_of(call.kind), call.count,
                                 is_data_type(call.type) ? its(call.type).name : "?");
  if (call.reduces())
    text += fmt::format(" ({})", kReductionNames[static_cast<std::size_t>(call.reduction)]);
  if (call.has_root()) text += fmt::format(", root {}", call.root);
  return text;
}

}  // namespace xfer::emulated_nccl
