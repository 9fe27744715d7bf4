#include "detect/round_trip.h"

namespace xfer {

RoundTrip::RoundTrip(Scene& scene)
    : Detector(scene),
      by_device_range_(scene.options.max_remembered),
      by_host_range_(scene.options.max_remembered),
      unverified_(scene.options.max_remembered) {}

void RoundTrip::download(const CopyView& copy) {
  const TransferPtr& back = copy.transfer;
  const Event& event = back->event;
  const TransferPtr& sent = copy.holder;
  if (sent != nullptr && sent->kind == TransferKind::kUpload && sent->event.bytes == event.bytes) {
    const bool awaited = sent->hashed() && !back->hashed() && (event.flags & kAsync) != 0;
    if (awaited)
      unverified_.put(back->time, sent);
    else
      judge_return(back, sent);
  }
  if (!back->certain) return;
  by_device_range_.put({event.source, back->source_extent(), event.source_device}, back);
  by_host_range_.put({event.address, event.bytes, event.source_device}, back);
}

void RoundTrip::content(const TransferPtr& back) {
  TransferPtr* const sent = unverified_.find(back->time);
  if (sent == nullptr) return;
  judge_return(back, *sent);
  unverified_.erase(back->time);
}

void RoundTrip::judge_return(const TransferPtr& back, const TransferPtr& sent) {
  Confidence confidence = Confidence::kProven;
  if (!back->hashed() || !sent->hashed()) {
    if ((back->event.flags & kUnchanged) == 0) confidence = Confidence::kLookAlike;
  } else if (!back->same_content(*sent)) {
    scene_.distrust(back->time);
    return;
  }
  if (back->charged != nullptr) return;
  FindingGroup* const group = scene_.groups.charge(
      Rule::kRoundTrip, confidence, Reason::kSentAndReturned, *back, sent->event.site);
  if (sent->returned == nullptr) sent->returned = group;
}

bool RoundTrip::upload(const CopyView& copy) {
  Transfer& transfer = *copy.transfer;
  const Event& event = transfer.event;
  if (transfer.kind != TransferKind::kUpload || transfer.charged != nullptr) return false;

  TransferPtr* found = by_device_range_.find({event.address, transfer.extent(), event.device});
  if (found != nullptr && (*found)->allocation == copy.allocation->id &&
      (*found)->event.address == event.source && (*found)->extent() == transfer.source_extent() &&
      (*found)->same_content(transfer) && transfer.certain &&
      scene_.memory.unmodified_since(*copy.allocation, event.address, transfer.extent(),
                                     (*found)->time)) {
    scene_.groups.charge(Rule::kRoundTrip,
                         transfer.stale ? Confidence::kLookAlike : Confidence::kProven,
                         Reason::kReturnedInPlace, transfer, (*found)->event.site);
    return true;
  }

  found = by_host_range_.find({event.source, event.bytes, event.device});
  if (found == nullptr || (*found)->charged != nullptr || !(*found)->same_content(transfer) ||
      (*found)->extent() != transfer.source_extent())
    return false;
  const Transfer& out = **found;
  const Allocation* from = scene_.memory.find(out.event.source);
  const bool alive = from != nullptr && from->id == out.allocation;
  if (alive) {
    const bool overlap = out.event.source < event.address + transfer.extent() &&
                         event.address < out.event.source + out.source_extent();
    if (overlap ||
        !scene_.memory.unmodified_since(*from, out.event.source, out.source_extent(), out.time))
      return false;
  } else if (Scene::at(scene_.last_launch, event.device) > out.time) {
    return false;
  }
  scene_.groups.charge(Rule::kRoundTrip,
                       transfer.stale ? Confidence::kLookAlike : Confidence::kContentDuplicate,
                       Reason::kReturnedElsewhere, transfer, out.event.site);
  return false;
}

void RoundTrip::ended(const TransferPtr& gone, const Event&) {
  if (gone->returned != nullptr && !gone->maybe_used && gone->charged == nullptr)
    scene_.groups.add_cost(*gone->returned, *gone);
}

void RoundTrip::forget() {
  by_device_range_.clear();
  by_host_range_.clear();
  unverified_.clear();
}

}  // namespace xfer
