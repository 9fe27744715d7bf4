#include "detect/unused_transfer.h"

#include <unordered_map>

namespace xfer {

void UnusedTransfer::ended(const TransferPtr& gone, const Event& cause) {
  settle();
  Transfer& transfer = *gone;
  if (transfer.kind != TransferKind::kUpload && transfer.kind != TransferKind::kPeer) return;
  if (transfer.maybe_used || transfer.read_by_copy || transfer.charged != nullptr) return;
  const bool kernel_since = Scene::at(scene_.last_launch, transfer.event.device) > transfer.time;
  switch (transfer.end) {
    case End::kOverwritten:
      scene_.groups.charge(Rule::kUnusedTransfer, Confidence::kProven, Reason::kOverwritten,
                           transfer, cause.site);
      break;
    case End::kFreed:
      if (kernel_since) {
        scene_.groups.charge(Rule::kUnusedTransfer, Confidence::kProven, Reason::kFreed, transfer,
                             cause.site);
      } else {
        const bool at_once = Scene::at(scene_.last_upload, transfer.event.device) == transfer.time;
        waiting_.push_back({gone, cause.site, at_once});
      }
      break;
    case End::kProgramEnd:
      scene_.groups.charge(Rule::kUnusedTransfer,
                           kernel_since ? Confidence::kProven : Confidence::kLookAlike,
                           Reason::kNeverRead, transfer, 0);
      break;
    case End::kForgotten:
    case End::kNone: break;
  }
}

// Whatever was freed before a kernel ran after all was not needed by it.
void UnusedTransfer::settle() {
  while (!waiting_.empty() &&
         Scene::at(scene_.last_launch, waiting_.back().transfer->event.device) >
             waiting_.back().transfer->time) {
    const Freed freed = waiting_.back();
    waiting_.pop_back();
    scene_.groups.charge(Rule::kUnusedTransfer, Confidence::kProven, Reason::kFreed,
                         *freed.transfer, freed.free_site);
  }
}

void UnusedTransfer::finish() {
  std::unordered_map<std::uint32_t, bool> all_at_once;  // by site
  const auto kernel_since = [&](const Freed& freed) {
    return Scene::at(scene_.last_launch, freed.transfer->event.device) > freed.transfer->time;
  };
  for (const Freed& freed : waiting_)
    if (!kernel_since(freed))
      all_at_once.try_emplace(freed.transfer->event.site, true).first->second &= freed.at_once;
  for (const Freed& freed : waiting_) {
    const bool proven = kernel_since(freed) || all_at_once[freed.transfer->event.site];
    if (!proven && !scene_.complete) continue;
    scene_.groups.charge(Rule::kUnusedTransfer,
                         proven ? Confidence::kProven : Confidence::kLookAlike, Reason::kFreed,
                         *freed.transfer, freed.free_site);
  }
  waiting_.clear();
}

}  // namespace xfer
