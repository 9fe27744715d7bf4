#include "order/stream_order.h"

#include <algorithm>
#include <utility>

namespace xfer {
namespace {

constexpr std::uint64_t kLegacyDefault = 1;
constexpr std::uint64_t kPerThreadDefault = 2;

}  // namespace

std::size_t StreamOrder::KeyHash::operator()(const Key& key) const {
  std::uint64_t mixed = key.handle * 0x9e3779b97f4a7c15ull;
  mixed ^= (std::uint64_t{key.thread} << 16 | static_cast<std::uint16_t>(key.device)) *
           0xc2b2ae3d27d4eb4full;
  return mixed ^ mixed >> 29;
}

StreamOrder::Device& StreamOrder::device(std::int32_t device) {
  const auto index = static_cast<std::size_t>(std::max(device, 0));
  if (index >= devices_.size()) devices_.resize(index + 1);
  return devices_[index];
}

const StreamOrder::Device& StreamOrder::device_of(const Stream& stream) const {
  return devices_[static_cast<std::size_t>(std::max(stream.device, 0))];
}

StreamId StreamOrder::id(const Event& event) {
  // A copy to the host runs on its source's device.
  const std::int32_t index =
      event.device >= 0 ? event.device : std::max<std::int32_t>(event.source_device, 0);
  const std::uint64_t handle = event.stream == kLegacyDefault ? 0 : event.stream;
  // Created streams have handles of their own; default ones are one a device (and thread).
  const bool of_device = handle == 0 || handle == kPerThreadDefault;
  const Key key{of_device ? index : -1, handle == kPerThreadDefault ? event.thread : 0, handle};
  const auto [entry, is_new] = ids_.try_emplace(key, static_cast<StreamId>(streams_.size()));
  if (is_new) {
    if (free_.empty()) {
      streams_.emplace_back();
    } else {
      entry->second = free_.back();
      free_.pop_back();
    }
    Stream stream;
    stream.host_done = streams_[entry->second].host_done;  // work of whose number it was before
    stream.device = index;
    stream.is_default = handle == 0;
    stream.blocking = stream.is_known = of_device;
    streams_[entry->second] = std::move(stream);
    Device& owner = device(index);
    if (of_device) owner.blocking.push_back(entry->second);
  }
  return entry->second;
}

StreamId StreamOrder::run(const Event& event, Time time) {
  const StreamId stream = id(event);
  join(stream, time);
  streams_[stream].last = time;
  Device& owner = device(streams_[stream].device);
  owner.worked = true;
  if (streams_[stream].is_default) owner.default_barrier = time;
  return stream;
}

void StreamOrder::create(const Event& event) {
  destroy(event);
  const StreamId made = id(event);
  Stream& stream = streams_[made];
  stream.blocking = (event.flags & kAsync) == 0;
  stream.is_known = true;
  if (stream.blocking) device(stream.device).blocking.push_back(made);
}

void StreamOrder::take_over(Clock& into, const Work& work) const {
  if (host_knows(work)) return;
  Time& known = into[work.stream];
  known = std::max(known, work.time);
}

void StreamOrder::merge(Clock& into, StreamId from) const {
  const Stream& other = streams_[from];
  take_over(into, {from, other.last});
  for (const auto& [stream, time] : other.waited) take_over(into, {stream, time});
}

void StreamOrder::join(StreamId stream, Time time) {
  Stream& state = streams_[stream];
  Device& owner = device(state.device);
  state.touched = time;
  if (!state.is_busy) owner.busy.push_back(stream);
  state.is_busy = true;
  if (!state.blocking) return;
  for (const StreamId other : owner.blocking)
    if (other != stream && (state.is_default || streams_[other].is_default) &&
        streams_[other].touched > state.joined)
      merge(state.waited, other);
  if (state.is_default) {
    for (const auto& [gone, its_last] : owner.gone) take_over(state.waited, {gone, its_last});
    owner.gone.clear();
  }
  state.joined = time;
}

bool StreamOrder::holds(const Clock& clock, const Work& earlier) {
  const auto found = clock.find(earlier.stream);
  return found != clock.end() && found->second >= earlier.time;
}

std::optional<std::int32_t> StreamOrder::made_on(std::uint64_t handle) const {
  const auto entry = ids_.find(Key{-1, 0, handle});
  if (entry == ids_.end() || !streams_[entry->second].is_known) return std::nullopt;
  return streams_[entry->second].device;
}

void StreamOrder::destroy(const Event& event) {
  const auto entry = ids_.find(Key{-1, 0, event.stream});
  if (entry == ids_.end()) return;
  const StreamId stream = entry->second;
  Stream& gone = streams_[stream];
  Device& owner = device(gone.device);
  std::erase(owner.blocking, stream);
  ids_.erase(entry);
  gone.is_gone = true;
  if (settled(stream)) {
    std::erase(owner.busy, stream);
    release(stream);
  } else if (gone.blocking) {  // what it was given still runs, and the default stream waits for it
    merge(owner.gone, stream);
  }
}

bool StreamOrder::settled(StreamId stream) const {
  const Stream& state = streams_[stream];
  return host_knows({stream, state.last}) &&
         std::all_of(state.waited.begin(), state.waited.end(),
                     [&](const auto& waited) { return host_knows({waited.first, waited.second}); });
}

void StreamOrder::release(StreamId stream) {
  Stream& state = streams_[stream];
  state.host_done = std::max(state.host_done, state.touched);
  state.waited = {};
  free_.push_back(stream);
}

void StreamOrder::record(const Event& event, Time time) {
  constexpr std::size_t kMaxRecorded = 1u << 18;  // events are not seen to be destroyed
  if (recorded_.size() >= kMaxRecorded) recorded_.clear();
  const StreamId stream = id(event);
  join(stream, time);
  recorded_[event.event_id] = {stream, time, streams_[stream].waited};
}

void StreamOrder::wait(const Event& event, Time time) {
  const StreamId waiting = id(event);
  join(waiting, time);
  const auto found = recorded_.find(event.event_id);
  if (found == recorded_.end()) {
    streams_[waiting].is_known = false;
    return;
  }
  const Recorded& recorded = found->second;
  Clock& waited = streams_[waiting].waited;
  waited[recorded.stream] = std::max(waited[recorded.stream], recorded.time);
  for (const auto& [stream, done] : recorded.waited)
    waited[stream] = std::max(waited[stream], done);
}

void StreamOrder::host_waited(StreamId stream, Time time) {
  Stream& state = streams_[stream];
  state.host_done = std::max(state.host_done, time);
  for (const auto& [other, done] : state.waited)
    streams_[other].host_done = std::max(streams_[other].host_done, done);
  state.waited.clear();
  if (state.is_default) {
    Device& owner = device(state.device);
    owner.blocking_done = std::max(owner.blocking_done, owner.default_barrier);
  }
}

void StreamOrder::sync(const Event& event, Time time) {
  switch (event.sync) {
    case SyncScope::kDevice: {
      Device& owner = device(event.device);
      owner.all_done = time;
      for (const StreamId stream : std::exchange(owner.busy, {})) {
        streams_[stream].is_busy = false;
        if (!streams_[stream].waited.empty()) host_waited(stream, time);
        if (streams_[stream].is_gone) release(stream);
      }
      break;
    }
    case SyncScope::kStream: {
      const StreamId stream = id(event);
      // Waiting for the default stream is waiting for all that it waits for.
      if (streams_[stream].is_default) join(stream, time);
      host_waited(stream, time);
      break;
    }
    case SyncScope::kEvent: {
      const auto found = recorded_.find(event.event_id);
      if (found == recorded_.end()) break;
      const Recorded& recorded = found->second;
      Stream& stream = streams_[recorded.stream];
      stream.host_done = std::max(stream.host_done, recorded.time);
      for (const auto& [other, done] : recorded.waited)
        streams_[other].host_done = std::max(streams_[other].host_done, done);
      break;
    }
    case SyncScope::kNone: break;
  }
}

bool StreamOrder::host_knows(const Work& earlier) const {
  const Stream& stream = streams_[earlier.stream];
  if (stream.host_done >= earlier.time) return true;
  const Device& device = device_of(stream);
  return device.all_done >= earlier.time ||
         (stream.blocking && device.blocking_done >= earlier.time);
}

std::vector<Work> StreamOrder::under_way(std::int16_t device) const {
  std::vector<Work> works;
  const auto index = static_cast<std::size_t>(std::max<std::int16_t>(device, 0));
  if (index >= devices_.size()) return works;
  for (const StreamId stream : devices_[index].busy)
    if (const Work last{stream, streams_[stream].last}; last.time != 0 && !host_knows(last))
      works.push_back(last);
  return works;
}

std::vector<Work> StreamOrder::under_way(const Event& sync) {
  const StreamId stream = id(sync);
  // A wait for the default stream is one for all streams that it waits for.
  const bool is_default = streams_[stream].is_default;
  std::erase_if(device(streams_[stream].device).busy, [&](StreamId busy) {
    const bool is_over = streams_[busy].is_gone && settled(busy);
    if (is_over) release(busy);
    return is_over;
  });
  std::vector<Work> works = under_way(static_cast<std::int16_t>(streams_[stream].device));
  if (sync.sync == SyncScope::kDevice) return works;
  std::erase_if(works, [&](const Work& work) {
    return is_default ? !streams_[work.stream].blocking : work.stream != stream;
  });
  return works;
}

bool StreamOrder::ever_worked(const Event& sync) const {
  const auto index = static_cast<std::size_t>(std::max<std::int16_t>(sync.device, 0));
  return index < devices_.size() && devices_[index].worked;
}

bool StreamOrder::idle(const Event& event) {
  Event sync = event;
  sync.sync = SyncScope::kStream;
  return under_way(sync).empty();
}

bool StreamOrder::done_before(const Work& earlier, StreamId next) const {
  return host_knows(earlier) || ordered_before(earlier, next);
}

bool StreamOrder::ordered_before(const Work& earlier, StreamId next) const {
  if (earlier.stream == next) return true;
  const Stream& from = streams_[earlier.stream];
  const Stream& to = streams_[next];
  if (holds(to.waited, earlier)) return true;
  if (!to.blocking) return false;
  // The default stream waits for the blocking ones, and they for it.
  if (from.blocking && from.device == to.device &&
      (from.is_default || to.is_default || device_of(from).default_barrier > earlier.time))
    return true;
  if (to.is_default && holds(device_of(to).gone, earlier)) return true;
  const std::vector<StreamId>& blocking = device_of(to).blocking;
  return std::any_of(blocking.begin(), blocking.end(), [&](StreamId other) {
    return (to.is_default || streams_[other].is_default) && holds(streams_[other].waited, earlier);
  });
}

}  // namespace xfer
