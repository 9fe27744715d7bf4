#pragma once
// Groups of calls: kept by the thread that makes them, and done when the outermost group ends.

#include <functional>
#include <memory>
#include <vector>

#include "nccl/launch.h"
#include "nccl/opening.h"

namespace xfer::emulated_nccl {

class Group {
 public:
  static Group& of_this_thread();

  void start() { ++depth_; }
  bool is_open() const { return depth_ > 0; }
  /// Does what was kept. ncclInvalidUsage: there is no group.
  ncclResult_t end();
  /// Forgets what was kept, of which `duration_ns` is told.
  ncclResult_t end_without(std::uint64_t* duration_ns);

  /// Now, or when the group ends.
  ncclResult_t add(Operation operation);
  ncclResult_t add(std::unique_ptr<Opening> opening);
  /// A call of the group failed with this, and so will the group.
  ncclResult_t note(ncclResult_t result);

 private:
  ncclResult_t do_all();

  int depth_ = 0;
  ncclResult_t error_ = ncclSuccess;
  std::vector<Operation> operations_;
  std::vector<std::unique_ptr<Opening>> openings_;
};

}  // namespace xfer::emulated_nccl
