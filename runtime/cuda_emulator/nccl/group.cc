#include "nccl/group.h"

#include <utility>

namespace xfer::emulated_nccl {

Group& Group::of_this_thread() {
  static thread_local Group group;
  return group;
}

ncclResult_t Group::end() {
  if (depth_ == 0) {
    set_last_error("ncclGroupEnd without ncclGroupStart");
    return ncclInvalidUsage;
  }
  return --depth_ > 0 ? ncclSuccess : do_all();
}

ncclResult_t Group::end_without(std::uint64_t* duration) {
  if (depth_ == 0) {
    set_last_error("ncclGroupSimulateEnd without ncclGroupStart");
    return ncclInvalidUsage;
  }
  *duration = duration_ns(operations_);
  if (--depth_ > 0) return ncclSuccess;
  operations_.clear();
  openings_.clear();
  return std::exchange(error_, ncclSuccess);
}

ncclResult_t Group::do_all() {
  const auto operations = std::exchange(operations_, {});
  const auto openings = std::exchange(openings_, {});
  ncclResult_t result = std::exchange(error_, ncclSuccess);
  if (result == ncclSuccess) result = open_all(openings);
  return result == ncclSuccess ? launch(operations) : result;
}

ncclResult_t Group::add(Operation operation) {
  operations_.push_back(std::move(operation));
  return is_open() ? ncclSuccess : do_all();
}

ncclResult_t Group::add(std::unique_ptr<Opening> opening) {
  openings_.push_back(std::move(opening));
  return is_open() ? ncclSuccess : do_all();
}

ncclResult_t Group::note(ncclResult_t result) {
  if (is_open() && error_ == ncclSuccess) error_ = result;
  return result;
}

}  // namespace xfer::emulated_nccl
