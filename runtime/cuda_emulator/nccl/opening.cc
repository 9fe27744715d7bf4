#include "nccl/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "machine/say.h"

namespace xfer::emulated_nccl {
namespace {

ncclResult_t refuse(ncclResult_t result, const std::string& why) {
  emulator::say("xfercheck: NCCL: {}\n", why);
  set_last_error(why);
  return result;
}

/// The device of the machine that a process calls `device`.
std::string name_of_device(int device) {
  const char* const several = std::getenv("NCCL_MULTI_RANK_GPU_ENABLE");
  if (several != nullptr && std::string_view(several) == "1") return {};
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return std::to_string(device);
  std::string_view list(visible);
  for (int i = 0; i < device; ++i) {
    const std::size_t comma = list.find(',');
    if (comma == std::string_view::npos) return {};  // emulated devices are there all the same
    list.remove_prefix(comma + 1);
  }
  return std::string(list.substr(0, list.find(',')));
}

}  // namespace

ncclResult_t Opening::enter() {
  if (membership_.ranks == 0) return ncclSuccess;
  ncclResult_t result = ncclSuccess;
  std::string why;
  meeting_ = Meeting::enter(membership_.id, membership_.ranks, &result, &why);
  if (meeting_ == nullptr) return refuse(result, why);
  if (meeting_->join(membership_.rank, name_of_device(membership_.device).c_str()))
    return ncclSuccess;
  return refuse(ncclInvalidUsage,
                fmt::format("rank {} of a communicator of {} has joined already: each rank joins "
                            "once, and an ncclUniqueId serves one communicator",
                            membership_.rank, membership_.ranks));
}

ncclResult_t Opening::wait_until(bool (Meeting::*all)() const) const {
  while (!(meeting_.get()->*all)()) {
    const std::uint32_t seen = meeting_->changes();
    if ((meeting_.get()->*all)()) break;
    if (meeting_->failure().state == 2)
      return static_cast<ncclResult_t>(meeting_->failure().result);
    for (std::uint32_t rank = 0; rank < membership_.ranks; ++rank)
      if (meeting_->is_lost(rank, true))
        return refuse(
            ncclRemoteError,
            fmt::format("rank {} ended before all ranks of the communicator joined", rank));
    constexpr std::uint64_t kBetweenLooksNs = 50'000'000;
    meeting_->wait(seen, kBetweenLooksNs);
  }
  return ncclSuccess;
}

ncclResult_t Opening::meet() {
  if (membership_.ranks == 0) return ncclSuccess;
  if (const auto result = wait_until(&Meeting::all_joined); result != ncclSuccess) return result;
  meeting_->close_door();
  std::string why;
  if (const auto result = check_others(&why); result != ncclSuccess) {
    meeting_->fail(result, why);
    return refuse(result, why);
  }
  meeting_->settle();
  return ncclSuccess;
}

// None goes on, and perhaps ends, before all have seen that it is there.
ncclResult_t Opening::settle() {
  if (membership_.ranks == 0) return ncclSuccess;
  if (const auto result = wait_until(&Meeting::all_settled); result != ncclSuccess) return result;
  *handle_ =
      publish(std::make_shared<Communicator>(meeting_, membership_.rank, membership_.device));
  return ncclSuccess;
}

ncclResult_t Opening::check_others(std::string* why) const {
  const Member& me = meeting_->member(membership_.rank);
  for (std::uint32_t rank = 0; rank < membership_.ranks; ++rank) {
    if (rank == membership_.rank) continue;
    const Member& other = meeting_->member(rank);
    if (me.device[0] != '\0' && std::strcmp(me.device, other.device) == 0) {
      *why = fmt::format(
          "ranks {} and {} both use device {}: each rank needs a device of its own "
          "(cudaSetDevice, xfertrace --emulate={})",
          std::min(rank, membership_.rank), std::max(rank, membership_.rank), me.device,
          membership_.ranks);
      return ncclInvalidUsage;
    }
    if (meeting_->is_here(rank)) continue;
    std::uint64_t proof = 0;
    const int error = read_memory(other.process, other.proof, &proof, sizeof(proof));
    if (error == 0 && proof == other.proof_value) continue;
    *why = fmt::format(
        "the memory of rank {}, process {}, cannot be read, by which emulated ranks exchange "
        "data: {}",
        rank, other.process.id, error != 0 ? std::strerror(error) : "it is another process");
    return ncclSystemError;
  }
  return ncclSuccess;
}

namespace {

class ById final : public Opening {
 public:
  ById(ncclComm_t* handle, const ncclUniqueId& id, std::uint32_t ranks, std::uint32_t rank,
       int device)
      : Opening(handle) {
    membership_ = {id, ranks, rank, device};
  }
};

}  // namespace

std::unique_ptr<Opening> open_by_id(ncclComm_t* handle, const ncclUniqueId& id, std::uint32_t ranks,
                                    std::uint32_t rank, int device) {
  return std::make_unique<ById>(handle, id, ranks, rank, device);
}

ncclResult_t open_all(const std::vector<std::unique_ptr<Opening>>& openings) {
  let_others_read();
  for (const auto step : {&Opening::ask, &Opening::agree, &Opening::find, &Opening::enter,
                          &Opening::meet, &Opening::settle})
    for (const auto& opening : openings)
      if (const ncclResult_t result = (opening.get()->*step)(); result != ncclSuccess)
        return result;
  return ncclSuccess;
}

}  // namespace xfer::emulated_nccl
