#pragma once
// A rank's part in a collective operation, as it tells the others.

#include <algorithm>
#include <cstdint>
#include <string>

#include "nccl/data_type.h"

namespace xfer::emulated_nccl {

enum class Kind : std::uint32_t {
  kAllReduce,
  kReduceScatter,
  kReduce,
  kBroadcast,
  kAllGather,
  kGather,
  kScatter,
  kAllToAll,
};

/// All ranks give the same.
struct Call {
  Kind kind;
  ncclDataType_t type;
  Reduction reduction;  ///< kSum where nothing is reduced
  std::uint32_t root;   ///< 0 where there is none
  std::uint64_t count;  ///< elements, as the program gives them

  bool operator==(const Call&) const = default;

  bool has_root() const {
    return kind == Kind::kReduce || kind == Kind::kBroadcast || kind == Kind::kGather ||
           kind == Kind::kScatter;
  }
  bool reduces() const {
    return kind == Kind::kAllReduce || kind == Kind::kReduceScatter || kind == Kind::kReduce;
  }
  /// Of `count` elements.
  std::uint64_t bytes() const { return count * its(type).bytes; }
  std::uint64_t sent_bytes(std::uint32_t rank, std::uint32_t ranks) const;
  std::uint64_t received_bytes(std::uint32_t rank, std::uint32_t ranks) const;
  /// The bytes that one rank's link carries, as with NCCL's rings and trees.
  std::uint64_t bytes_on_link(std::uint32_t ranks) const;
};

/// "ncclAllReduce", and with all that it was given.
std::string_view name_of(Kind kind);
std::string describe(const Call& call);

}  // namespace xfer::emulated_nccl
