#include "detect/through_host.h"

namespace xfer {

ThroughHost::ThroughHost(Scene& scene) : Detector(scene), on_host_(scene.options.max_remembered) {}

void ThroughHost::download(const CopyView& copy) {
  const Event& event = copy.transfer->event;
  const RangeKey place{event.address, event.bytes, -1};
  if (!copy.transfer->certain || copy.transfer->strided() || copy.transfer->stale)
    return on_host_.erase(place);
  on_host_.put(place, std::make_shared<Held>(Held{copy.transfer}));
}

bool ThroughHost::upload(const CopyView& copy) {
  const Transfer& on = *copy.transfer;
  if (on.kind != TransferKind::kUpload || on.strided()) return false;
  const auto* const found = on_host_.find({on.event.source, on.event.bytes, -1});
  if (found == nullptr || !(*found)->out->same_content(on)) return false;
  Held& held = **found;
  const Event& out = held.out->event;
  if (++held.uploads != 1 || out.source_device == on.event.device || on.charged != nullptr ||
      on.stale || !still_there(*held.out))
    return false;
  waiting_.push_back(
      {{held.out, copy.transfer, Scene::at(scene_.last_launch, out.source_device)}, *found});
  if (waiting_.size() > scene_.options.max_remembered) {
    if (waiting_.front().held->uploads == 1) settle(waiting_.front().trip);
    waiting_.pop_front();
  }
  return false;
}

bool ThroughHost::still_there(const Transfer& out) const {
  const Event& event = out.event;
  const Allocation* const from = scene_.memory.find(event.source);
  if (from == nullptr || from->id != out.allocation)
    return Scene::at(scene_.last_launch, event.source_device) < out.time;
  return scene_.memory.unmodified_since(*from, event.source, out.source_extent(), out.time);
}

void ThroughHost::settle(const Trip& trip) {
  Line& line = lines_[{trip.on->event.site, trip.out->event.source_device, trip.on->event.device}];
  if (line.steps == 0 || trip.step > line.step) ++line.steps;
  line.step = trip.step;
  line.few.push_back(trip);
  if (line.steps < kLeastSteps) return;
  for (const Trip& one : line.few) charge(one);
  line.few.clear();
}

void ThroughHost::charge(const Trip& trip) {
  if (trip.on->charged != nullptr) return;
  Event way = trip.on->event;
  way.source_device = trip.out->event.source_device;
  FindingGroup* const group =
      scene_.groups.charge(Rule::kRoundTrip, Confidence::kContentDuplicate, Reason::kThroughHost,
                           way, {1, 0, 0, 0, 0}, trip.out->event.site);
  scene_.groups.add_cost(*group, *trip.on);
  if (trip.out->charged == nullptr) scene_.groups.add_cost(*group, *trip.out);
}

void ThroughHost::finish() {
  for (const Waiting& waiting : waiting_)
    if (waiting.held->uploads == 1) settle(waiting.trip);
  waiting_.clear();
}

}  // namespace xfer
