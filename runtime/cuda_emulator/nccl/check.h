#pragma once
// The checks that every call makes first.

#include <fmt/format.h>

#include <utility>

#include "nccl/group.h"

namespace xfer::emulated_nccl {

template <typename... Values>
ncclResult_t wrong(ncclResult_t result, fmt::format_string<Values...> format, Values&&... values) {
  set_last_error(fmt::format(format, std::forward<Values>(values)...));
  return Group::of_this_thread().note(result);
}

/// use(communicator) -> ncclResult_t, if the handle stands for one.
template <typename Use>
ncclResult_t with(const char* function, ncclComm_t handle, Use use) {
  if (const CommunicatorPtr communicator = find(handle)) return use(communicator);
  return wrong(ncclInvalidArgument, "{} was given {}", function,
               handle == nullptr ? "a null communicator" : "an invalid or destroyed communicator");
}

}  // namespace xfer::emulated_nccl
