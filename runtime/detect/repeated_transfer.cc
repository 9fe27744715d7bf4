#include "detect/repeated_transfer.h"

#include <algorithm>

namespace xfer {
namespace {

/// Uploads of parts of one array, whose contents are equal by chance: it was filled with one value,
/// say.
bool are_parts_of_one(const Transfer& first, const Transfer& second) {
  constexpr std::uint64_t kMostParts = 4096;
  const std::uint64_t bytes = first.event.bytes;
  const std::uint64_t apart = std::max(first.event.source, second.event.source) -
                              std::min(first.event.source, second.event.source);
  return first.kind == TransferKind::kUpload && bytes == second.event.bytes && apart != 0 &&
         apart % bytes == 0 && apart / bytes <= kMostParts;
}

}  // namespace

RepeatedTransfer::RepeatedTransfer(Scene& scene)
    : Detector(scene),
      sent_(scene.options.max_remembered),
      resends_(scene.options.max_remembered),
      downloaded_(scene.options.max_remembered),
      unverified_(scene.options.max_remembered),
      seen_twice_(scene.options.max_remembered) {}

bool RepeatedTransfer::upload(const CopyView& copy) {
  Transfer& transfer = *copy.transfer;
  const Event& event = transfer.event;
  if (transfer.charged != nullptr) {
    note_sent_again(transfer, false);
    scene_.groups.count_copy(transfer, false);
    return false;
  }
  const RangeKey key{event.source, event.bytes, event.device};
  TransferPtr* const known = sent_.find(key);
  const TransferPtr before = known != nullptr ? *known : nullptr;

  // The tracer compared the destination's bytes: then unknown kernels did not change them either.
  const bool checked_equal = (event.flags & kUnchanged) != 0 && transfer.certain;
  const TransferPtr holder = checked_equal ? scene_.memory.holder_if_checked(
                                                 *copy.allocation, event.address, transfer.extent())
                                           : copy.holder;
  const bool may_be_new = note_first_sent(transfer, before.get(), holder.get());
  note_sent_again(transfer, may_be_new);
  if (holder != nullptr && !may_be_new && holder->same_range(transfer) &&
      (holder->same_content(transfer) || checked_equal) && !are_parts_of_one(*holder, transfer)) {
    scene_.groups.count_copy(transfer, false);
    scene_.groups.charge(Rule::kRepeatedTransfer, Confidence::kProven, Reason::kHeldAlready,
                         transfer, holder->event.site);
    return true;
  }

  const bool same = before != nullptr && !may_be_new && before->same_content(transfer) &&
                    before->source_extent() == transfer.source_extent();
  const bool new_content = before != nullptr && !same && before->event.site == event.site;
  transfer.varies = before != nullptr && (before->varies || new_content);
  scene_.groups.count_copy(transfer, new_content);
  if (same && before->end == End::kNone && still_held(*before)) {
    transfer.earlier = before;  // judged when this one ends; `before` stays the one to compare with
    return false;
  }
  if (same && before->end == End::kFreed && !before->modified) {
    transfer.repeats = before->repeats + 1;
    transfer.earlier = before;
    before->earlier = nullptr;  // no chains
  }
  sent_.put(key, copy.transfer);
  return false;
}

// Says whether it may be new on a real device although it is the same here: it is, or was first
// sent after, what a skipped kernel did not write, and the host may have computed it from that.
bool RepeatedTransfer::note_first_sent(Transfer& transfer, const Transfer* before,
                                       const Transfer* holder) const {
  for (const Transfer* earlier : {before, holder})
    if (earlier != nullptr && earlier->event.source == transfer.event.source &&
        earlier->same_content(transfer))
      transfer.first_sent = std::min(transfer.first_sent, earlier->first_sent);
  return transfer.stale || (scene_.first_stale != 0 && transfer.first_sent > scene_.first_stale);
}

// The device still shows the transfer, unmodified.
bool RepeatedTransfer::still_held(const Transfer& transfer) const {
  const Allocation* allocation = scene_.memory.find(transfer.event.address);
  return allocation != nullptr && allocation->id == transfer.allocation &&
         scene_.memory.holder(*allocation, transfer.event.address, transfer.extent()).get() ==
             &transfer;
}

void RepeatedTransfer::note_sent_again(Transfer& transfer, bool may_be_new) {
  const Event& event = transfer.event;
  if (transfer.kind == TransferKind::kUpload) note_constant(transfer);
  const std::uint64_t sent_before = sent_bytes_;
  sent_bytes_ += event.bytes;
  const EngineOptions& options = scene_.options;
  if (transfer.kind != TransferKind::kUpload || !transfer.hashed() || transfer.strided() ||
      event.bytes < options.least_sent_again_bytes)
    return;
  const RangeKey key{event.source, event.bytes, event.device};
  Resends* const before = resends_.find(key);
  if (before == nullptr || before->hash_lo != event.hash_lo || before->hash_hi != event.hash_hi) {
    resends_.put(key, {event.hash_lo, event.hash_hi, transfer.allocation, sent_bytes_, event.site});
    return;
  }
  const std::uint64_t between = sent_before - before->sent_before;
  before->sent_before = sent_bytes_;
  if (transfer.allocation <= before->newest) return;
  before->newest = transfer.allocation;
  transfer.sent_again = !may_be_new && between <= options.most_sent_between * event.bytes;
}

void RepeatedTransfer::note_constant(Transfer& transfer) {
  const LineContents::Content* const before =
      lines_.sent(transfer, Scene::at(scene_.last_launch, transfer.event.device));
  const bool may_be_new = transfer.stale || (before != nullptr && scene_.first_stale != 0 &&
                                             before->first > scene_.first_stale);
  transfer.constant = before != nullptr && !may_be_new;
}

void RepeatedTransfer::judge_constant(const TransferPtr& gone) {
  LineContents::Content* const content = lines_.find(*gone);
  if (content == nullptr) return;
  content->few.push_back(gone);
  const bool may_be_chance = gone->event.bytes <= scene_.options.small_bytes;
  if (++content->ended < scene_.options.least_constant * (may_be_chance ? 2 : 1)) return;
  for (const TransferPtr& transfer : content->few)
    if (transfer->charged == nullptr)
      scene_.groups.charge(Rule::kRepeatedTransfer, Confidence::kLookAlike, Reason::kConstantAgain,
                           *transfer, transfer->event.site);
  content->few.clear();
}

void RepeatedTransfer::judge_sent_again(const TransferPtr& gone) {
  const Event& event = gone->event;
  Resends* const all = resends_.find({event.source, event.bytes, event.device});
  if (all == nullptr || all->hash_lo != event.hash_lo || all->hash_hi != event.hash_hi) return;
  all->few.push_back(gone);
  if (++all->ended < scene_.options.least_sent_again) return;
  for (const TransferPtr& transfer : all->few)
    if (transfer->charged == nullptr)
      scene_.groups.charge(Rule::kRepeatedTransfer, Confidence::kLookAlike, Reason::kSentAgain,
                           *transfer, all->site);
  all->few.clear();
}

void RepeatedTransfer::ended(const TransferPtr& gone, const Event&) {
  judge_end(gone);
  if (gone->constant && gone->charged == nullptr && gone->maybe_used && !gone->changed &&
      (gone->end == End::kFreed || gone->end == End::kOverwritten))
    judge_constant(gone);
}

void RepeatedTransfer::judge_end(const TransferPtr& gone) {
  Transfer& transfer = *gone;
  if (transfer.sent_again && transfer.modified && !transfer.changed && transfer.maybe_used &&
      transfer.charged == nullptr)
    judge_sent_again(gone);
  const TransferPtr earlier = std::move(transfer.earlier);
  if (earlier == nullptr || transfer.modified || !transfer.maybe_used) return;
  if (transfer.repeats == 0) {
    const bool was_there = earlier->end == End::kNone
                               ? still_held(*earlier)
                               : earlier->end != End::kOverwritten && !earlier->modified;
    if (was_there)
      scene_.groups.charge(Rule::kRepeatedTransfer, Confidence::kContentDuplicate,
                           Reason::kHeldElsewhere, transfer, earlier->event.site);
    return;
  }
  if (transfer.repeats == 1) {
    seen_twice_.put(transfer.time, gone);
    transfer.earlier = earlier;
    return;
  }
  if (seen_twice_.find(earlier->time) != nullptr) {
    seen_twice_.erase(earlier->time);
    if (earlier->charged == nullptr)
      scene_.groups.charge(Rule::kRepeatedTransfer, Confidence::kContentDuplicate,
                           Reason::kFreedUnchanged, *earlier, earlier->event.site);
  }
  if (transfer.charged == nullptr)
    scene_.groups.charge(Rule::kRepeatedTransfer, Confidence::kContentDuplicate,
                         Reason::kFreedUnchanged, transfer, earlier->event.site);
}

void RepeatedTransfer::download(const CopyView& copy) {
  const TransferPtr& transfer = copy.transfer;
  const Event& event = transfer->event;
  const RangeKey key{event.source, transfer->source_extent(), event.source_device};
  TransferPtr* const known = downloaded_.find(key);
  // A download of uploaded bytes is a round trip.
  const bool produced_here = copy.holder == nullptr || copy.holder->kind != TransferKind::kUpload;
  if (known != nullptr && produced_here && transfer->certain &&
      (*known)->allocation == transfer->allocation &&
      (*known)->event.bytes == transfer->event.bytes &&
      scene_.memory.unmodified_since(*copy.allocation, event.source, transfer->source_extent(),
                                     (*known)->time)) {
    if (transfer->hashed())
      judge_download(transfer, *known);
    else
      unverified_.put(transfer->time, *known);
  }
  if (transfer->certain) downloaded_.put(key, transfer);
}

void RepeatedTransfer::content(const TransferPtr& transfer) {
  TransferPtr* const before = unverified_.find(transfer->time);
  if (before == nullptr) return;
  judge_download(transfer, *before);
  unverified_.erase(transfer->time);
}

void RepeatedTransfer::judge_download(const TransferPtr& again, const TransferPtr& before) {
  if (!again->same_content(*before)) {
    if (before->hashed()) scene_.distrust(again->time);
    return;
  }
  if (again->charged != nullptr) return;
  const bool checked_equal = (again->event.flags & kUnchanged) != 0;
  const bool same_place = before->same_range(*again);
  scene_.groups.charge(Rule::kRepeatedTransfer,
                       checked_equal ? Confidence::kProven : Confidence::kContentDuplicate,
                       same_place ? Reason::kDownloadedBefore : Reason::kDownloadedElsewhere,
                       *again, before->event.site);
}

void RepeatedTransfer::forget() {
  sent_.clear();
  resends_.clear();
  lines_.clear();
  downloaded_.clear();
  unverified_.clear();
  seen_twice_.clear();
}

void RepeatedTransfer::finish() {
  for (const auto& [time, transfer] : seen_twice_)
    if (transfer->charged == nullptr)
      scene_.groups.charge(Rule::kRepeatedTransfer, Confidence::kLookAlike, Reason::kFreedUnchanged,
                           *transfer,
                           transfer->earlier != nullptr ? transfer->earlier->event.site : 0);
}

}  // namespace xfer
