#include "detect/unused_transfer.h"

#include <iterator>

namespace xfer {

void UnusedTransfer::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kCopy:
      if (event.source_space != Space::kDevice) {
        read_on_host({event.source, event.source + extent_at_source(event)});
      }
      break;
    case EventKind::kLaunchArg: {
      const ByteRange block = scene_.pending.pinned_around(event.address);
      // Plain memory, where devices can reach that.
      read_on_host(block.end != 0 ? block : ByteRange{event.address, event.address + 1});
      break;
    }
    case EventKind::kLaunch:
      // On emulated devices, the accesses of a kernel that runs are seen, as the host's are.
      if ((event.flags & kSkipped) != 0 &&
          ((event.flags & kMayTouchAll) != 0 || (event.flags & kArgumentsOnly) == 0))
        std::erase_if(on_host_, [](const auto& entry) {
          return entry.second->event.space == Space::kPinned;
        });
      break;
    case EventKind::kUnread: unread(event); break;
    default: break;
  }
}

void UnusedTransfer::read_on_host(ByteRange range) {
  auto at = on_host_.upper_bound(range.begin);
  if (at != on_host_.begin()) --at;
  while (at != on_host_.end() && at->first < range.end) {
    const Event& copy = at->second->event;
    at = copy.address + copy.bytes > range.begin ? on_host_.erase(at) : std::next(at);
  }
}

void UnusedTransfer::download(const CopyView& copy) {
  const Event& event = copy.transfer->event;
  if (!is_host(event.space) || copy.transfer->strided()) return;
  read_on_host({event.address, event.address + event.bytes});
  on_host_[event.address] = copy.transfer;
}

void UnusedTransfer::unread(const Event& event) {
  const auto found = on_host_.find(event.address);
  if (found == on_host_.end() || found->second->event.correlation != event.correlation) return;
  if (found->second->charged == nullptr) charge(*found->second, Reason::kNobodyLooked, 0);
  on_host_.erase(found);
}

void UnusedTransfer::forget() {
  waiting_.clear();
  on_host_.clear();
}

void UnusedTransfer::ended(const TransferPtr& gone, const Event& cause) {
  settle();
  Transfer& transfer = *gone;
  if (transfer.kind != TransferKind::kUpload && transfer.kind != TransferKind::kPeer) return;
  if (transfer.maybe_used || transfer.read_by_copy || transfer.charged != nullptr) return;
  switch (transfer.end) {
    case End::kOverwritten: charge(transfer, Reason::kOverwritten, cause.site); break;
    case End::kFreed:
      if (kernel_since(transfer))
        charge(transfer, Reason::kFreed, cause.site);
      else
        waiting_.push_back({gone, cause.site});
      break;
    case End::kProgramEnd:
      if (kernel_since(transfer))
        charge(transfer, Reason::kNeverRead, 0);
      else if (is_too_late(transfer))
        charge(transfer, Reason::kTooLate, 0);
      break;
    case End::kForgotten:
    case End::kNone: break;
  }
}

void UnusedTransfer::charge(Transfer& transfer, Reason reason, std::uint32_t other_site) {
  scene_.groups.charge(Rule::kUnusedTransfer, Confidence::kProven, reason, transfer, other_site);
}

bool UnusedTransfer::kernel_since(const Transfer& transfer) const {
  return Scene::at(scene_.last_launch, transfer.event.device) > transfer.time;
}

// No kernel came after it, though kernels had run there, and the program did what it was to do.
bool UnusedTransfer::is_too_late(const Transfer& transfer) const {
  return scene_.ending == Ending::kSucceeded &&
         Scene::at(scene_.last_launch, transfer.event.device) != 0;
}

// The kernel that ran after all did not need copies that were freed before it.
void UnusedTransfer::settle() {
  while (!waiting_.empty() && kernel_since(*waiting_.back().transfer)) {
    const Freed freed = waiting_.back();
    waiting_.pop_back();
    charge(*freed.transfer, Reason::kFreed, freed.free_site);
  }
}

void UnusedTransfer::finish() {
  settle();
  for (const Freed& freed : waiting_) {
    Transfer& transfer = *freed.transfer;
    if (kernel_since(transfer))
      charge(transfer, Reason::kFreed, freed.free_site);
    else if (is_too_late(transfer))
      charge(transfer, Reason::kTooLate, freed.free_site);
    else
      scene_.groups.charge(Rule::kUnusedTransfer, Confidence::kLookAlike, Reason::kFreed, transfer,
                           freed.free_site);
  }
  waiting_.clear();
}

}  // namespace xfer
