#include "detect/unused_transfer.h"

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
      if (kernel_since)
        scene_.groups.charge(Rule::kUnusedTransfer, Confidence::kProven, Reason::kFreed, transfer,
                             cause.site);
      else
        waiting_.push_back({gone, cause.site});
      break;
    case End::kProgramEnd:
      if (kernel_since)
        scene_.groups.charge(Rule::kUnusedTransfer, Confidence::kProven, Reason::kNeverRead,
                             transfer, 0);
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
  settle();
  for (const Freed& freed : waiting_) {
    const bool kernel_since =
        Scene::at(scene_.last_launch, freed.transfer->event.device) > freed.transfer->time;
    scene_.groups.charge(Rule::kUnusedTransfer,
                         kernel_since ? Confidence::kProven : Confidence::kLookAlike,
                         Reason::kFreed, *freed.transfer, freed.free_site);
  }
  waiting_.clear();
}

}  // namespace xfer
