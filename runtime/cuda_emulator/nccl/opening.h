#pragma once
// Communicators on their way: a rank waits for all others, so the ranks of one thread take each
// step together.

#include <memory>
#include <string>
#include <vector>

#include "nccl/communicator.h"

namespace xfer::emulated_nccl {

class Opening {
 public:
  explicit Opening(ncclComm_t* handle) : handle_(handle) {}
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;
  virtual ~Opening() = default;

  // In this order. Each waits for nothing but the step before it, of other ranks.
  virtual ncclResult_t ask() { return ncclSuccess; }
  virtual ncclResult_t agree() { return ncclSuccess; }
  virtual ncclResult_t find() { return ncclSuccess; }
  ncclResult_t enter();
  ncclResult_t meet();
  ncclResult_t settle();

 protected:
  /// Known when all agree. No ranks: it has no part in it.
  struct Membership {
    ncclUniqueId id{};
    std::uint32_t ranks = 0;
    std::uint32_t rank = 0;
    int device = 0;
  };
  Membership membership_;

 private:
  ncclResult_t wait_until(bool (Meeting::*all)() const) const;
  ncclResult_t check_others(std::string* why) const;

  ncclComm_t* const handle_;
  std::shared_ptr<Meeting> meeting_;
};

/// By ncclCommInitRank.
std::unique_ptr<Opening> open_by_id(ncclComm_t* handle, const ncclUniqueId& id, std::uint32_t ranks,
                                    std::uint32_t rank, int device);
/// By ncclCommSplit.
std::unique_ptr<Opening> open_part(ncclComm_t* handle, CommunicatorPtr whole, int color, int key);

ncclResult_t open_all(const std::vector<std::unique_ptr<Opening>>& openings);

}  // namespace xfer::emulated_nccl
