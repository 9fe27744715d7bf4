#include "detect/hidden_sync.h"

#include <algorithm>

namespace xfer {
namespace {

/// How long one was under way while the other was.
std::uint64_t common_ns(const Event& one, const Event& other) {
  const std::uint64_t begin = std::max(one.begin_ns, other.begin_ns);
  const std::uint64_t end = std::min(one.end_ns, other.end_ns);
  return end > begin ? end - begin : 0;
}

}  // namespace

void HiddenSync::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kFree: return free(event);
    case EventKind::kLaunch:
    case EventKind::kSet: return given(event);
    case EventKind::kCopy:
      under_way_.clear();
      if ((event.flags & kAsync) == 0 && duration_ns(event) >= scene_.options.least_hidden_wait_ns)
        for (const Work& work : scene_.order.under_way(event.device))
          if (const auto last = last_.find(work.stream); last != last_.end())
            under_way_.insert(under_way_.end(), last->second.begin(), last->second.end());
      return given(event);
    case EventKind::kDeviceTime:
      ended_.put(event.correlation, event.end_ns);
      if (const auto* const uploads = awaited_.find(event.correlation))
        for (const TransferPtr& upload : *uploads)
          upload->busy_ns += common_ns(event, upload->event);
      return;
    default: return;
  }
}

void HiddenSync::given(const Event& work) {
  std::deque<std::uint64_t>& last = last_[scene_.order.stream_of(work)];
  last.push_back(work.correlation);
  if (last.size() > kLast) last.pop_front();
}

bool HiddenSync::upload(const CopyView& copy) {
  if (!copy.transfer->behind) return false;
  for (const std::uint64_t work : under_way_) {
    if (auto* const uploads = awaited_.find(work))
      uploads->push_back(copy.transfer);
    else
      awaited_.put(work, {copy.transfer});
  }
  return false;
}

void HiddenSync::forget() {
  uploads_.clear();
  last_.clear();
  ended_.clear();
  awaited_.clear();
}

void HiddenSync::free(const Event& event) {
  if ((event.flags & (kAsync | kSuballocation)) != 0) return;
  if (const Allocation* const freed = scene_.memory.find(event.address); freed != nullptr)
    free_on(freed->device, event);
}

void HiddenSync::see_unplaced(const Event& event) {
  const bool waits = !is_host(event.space) && (event.flags & kAsync) == 0;
  if (event.kind == EventKind::kFree && waits) free_on(event.device, event);
}

void HiddenSync::free_on(std::int16_t device, const Event& event) {
  const std::vector<Work> under_way = scene_.order.under_way(device);
  if (std::all_of(under_way.begin(), under_way.end(),
                  [&](const Work& work) { return ended_before(work.stream, event.begin_ns); }))
    return;
  Event call = event;
  call.device = device;
  FindingGroup* const group =
      scene_.groups.charge(Rule::kHiddenSync, Confidence::kProven, Reason::kFreeWaits, call,
                           {1, 0, duration_ns(call), 0, 0}, 0);
  group->unplaced |= event.address == kUnrecordedAddress;
  scene_.waits.next_wait(call);
  scene_.waits.waited(call, *group);
}

bool HiddenSync::ended_before(StreamId stream, std::uint64_t ns) {
  const auto last = last_.find(stream);
  if (last == last_.end() || last->second.empty()) return false;
  const std::uint64_t* const end = ended_.find(last->second.back());
  return end != nullptr && *end <= ns;
}

void HiddenSync::ended(const TransferPtr& gone, const Event&) {
  if (gone->kind != TransferKind::kUpload || !gone->behind ||
      gone->host_ns() < scene_.options.least_hidden_wait_ns)
    return;
  // The device's times come in late.
  uploads_.push_back(gone);
  if (uploads_.size() <= scene_.options.max_remembered) return;
  judge(*uploads_.front());
  uploads_.pop_front();
}

void HiddenSync::finish() {
  for (const TransferPtr& upload : uploads_) judge(*upload);
  uploads_.clear();
}

void HiddenSync::judge(const Transfer& upload) {
  if (upload.charged != nullptr || upload.device_ns == 0 || upload.host_ns() < 2 * upload.device_ns)
    return;
  const std::uint64_t waited = std::min(upload.host_ns() - upload.device_ns, upload.busy_ns);
  if (waited < scene_.options.least_hidden_wait_ns) return;
  scene_.groups.charge(Rule::kHiddenSync, Confidence::kLookAlike, Reason::kUploadWaits,
                       upload.event,
                       {1, upload.event.bytes, waited, 0, std::min(waited, upload.gap_ns)}, 0);
}

}  // namespace xfer
