// Parts of a communicator: each rank says which part it wants, and the first rank of each part
// makes the place where they meet.

#include <algorithm>
#include <utility>

#include "nccl/opening.h"

namespace xfer::emulated_nccl {
namespace {

enum SplitStage : std::uint64_t { kAsked = 1, kAgreed = 2, kDone = 3 };

class PartOpening final : public Opening {
 public:
  PartOpening(ncclComm_t* handle, CommunicatorPtr whole, int color, int key)
      : Opening(handle),
        whole_(std::move(whole)),
        number_(whole_->splits++),
        color_(color),
        key_(key) {}

  ncclResult_t ask() override {
    // The wish before this one has been read.
    if (const auto result = wait_for_all(3 * number_); result != ncclSuccess) return result;
    whole_->me().wish = {color_, key_, {}};
    return advance_to(kAsked);
  }

  ncclResult_t agree() override {
    if (const auto result = wait_for_all(at(kAsked)); result != ncclSuccess) return result;
    find_place();
    std::string why;
    if (membership_.ranks > 0 && leader_ == whole_->rank() &&
        !Meeting::make(&whole_->me().wish.id, &why)) {
      whole_->fail(ncclSystemError, why);
      return ncclSystemError;
    }
    return advance_to(kAgreed);
  }

  ncclResult_t find() override {
    if (membership_.ranks > 0) {
      if (const auto result = wait_for(leader_, at(kAgreed)); result != ncclSuccess) return result;
      membership_.id = whole_->meeting().member(leader_).wish.id;
    }
    return advance_to(kDone);
  }

 private:
  std::uint64_t at(SplitStage stage) const { return 3 * number_ + stage; }

  ncclResult_t advance_to(SplitStage stage) {
    whole_->me().split_progress = at(stage);
    whole_->meeting().changed();
    return ncclSuccess;
  }

  ncclResult_t wait_for(std::uint32_t rank, std::uint64_t least) const {
    const Meeting& meeting = whole_->meeting();
    const Member& other = meeting.member(rank);
    while (other.split_progress < least) {
      const std::uint32_t seen = meeting.changes();
      if (other.split_progress >= least) break;
      if (whole_->is_aborted()) return ncclInvalidUsage;
      if (whole_->error() != ncclSuccess) return whole_->error();
      if (meeting.is_lost(rank, true) && other.split_progress < least) {
        whole_->fail(ncclRemoteError,
                     "rank " + std::to_string(rank) + " ended before the communicator was split");
        return ncclRemoteError;
      }
      constexpr std::uint64_t kBetweenLooksNs = 50'000'000;
      meeting.wait(seen, kBetweenLooksNs);
    }
    return ncclSuccess;
  }

  ncclResult_t wait_for_all(std::uint64_t least) const {
    for (std::uint32_t rank = 0; rank < whole_->ranks(); ++rank)
      if (const auto result = wait_for(rank, least); result != ncclSuccess) return result;
    return ncclSuccess;
  }

  /// Ranks of the same color, by their key and then by their rank.
  void find_place() {
    if (color_ == kNcclSplitNoColor) return;
    std::vector<std::pair<std::int32_t, std::uint32_t>> members;
    for (std::uint32_t rank = 0; rank < whole_->ranks(); ++rank) {
      const SplitWish& wish = whole_->meeting().member(rank).wish;
      if (wish.color == color_) members.emplace_back(wish.key, rank);
    }
    std::ranges::sort(members);
    leader_ = members.front().second;
    const auto me = std::ranges::find(members, whole_->rank(),
                                      [](const auto& member) { return member.second; });
    membership_.ranks = static_cast<std::uint32_t>(members.size());
    membership_.rank = static_cast<std::uint32_t>(me - members.begin());
    membership_.device = whole_->device();
  }

  const CommunicatorPtr whole_;
  const std::uint64_t number_;
  const int color_;
  const int key_;
  std::uint32_t leader_ = 0;
};

}  // namespace

std::unique_ptr<Opening> open_part(ncclComm_t* handle, CommunicatorPtr whole, int color, int key) {
  return std::make_unique<PartOpening>(handle, std::move(whole), color, key);
}

}  // namespace xfer::emulated_nccl
