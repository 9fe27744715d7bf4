#pragma once
// The order that streams promise: whether earlier work is certain to be done before later work
// runs. Vector clocks over streams, host waits and the default stream's rules. Work that is not
// known to be ordered is not: a stream whose creation was not seen counts as non-blocking.
//
// Cost: a launch or copy O(1), on the default stream O(streams that it waits for); a wait O(streams
// it has waited for); of the host, for a device, O(streams given work since the last). Memory: a
// stream that is destroyed leaves nothing once the host knows its work to be over.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "xfer/event.h"

namespace xfer {

/// Position in the trace: the number of events before. 0 is before everything.
using Time = std::uint64_t;

using StreamId = std::uint32_t;

/// Work on a stream.
struct Work {
  StreamId stream = 0;
  Time time = 0;
};

class StreamOrder {
 public:
  /// The stream of a launch, copy or set; counts as work on it.
  StreamId run(const Event& event, Time time);
  void create(const Event& event);
  void destroy(const Event& event);
  void record(const Event& event, Time time);
  void wait(const Event& event, Time time);
  void sync(const Event& event, Time time);
  /// The host waited for the work on this stream (a blocking copy to the host).
  void host_waited(StreamId stream, Time time);

  /// `earlier` is certain to be over before what `stream` is given next.
  bool done_before(const Work& earlier, StreamId stream) const;
  /// `earlier` is over, and the host knows.
  bool host_knows(const Work& earlier) const;
  /// The same as done_before by the order of the streams alone, whatever the host waited for.
  bool ordered_before(const Work& earlier, StreamId stream) const;
  /// The last work of each stream that the host has not waited for, of those that a sync of
  /// `scope` waits for; of a device, of all its streams.
  std::vector<Work> under_way(const Event& sync);
  std::vector<Work> under_way(std::int16_t device) const;
  /// The device of the sync was given work before.
  bool ever_worked(const Event& sync) const;
  /// The host has waited for all earlier work that the event's stream waits for.
  bool idle(const Event& event);
  /// The stream that the event is about.
  StreamId stream_of(const Event& event) { return id(event); }
  /// Then all work is in one order.
  bool has_one_stream() const { return ids_.size() < 2; }
  /// All that could put the stream in order with others was seen.
  bool is_known(StreamId stream) const { return streams_[stream].is_known; }
  /// The event of the sync was seen to be recorded.
  bool knows_event(const Event& sync) const { return recorded_.count(sync.event_id) != 0; }
  /// The device of a stream that was seen to be created.
  std::optional<std::int32_t> made_on(std::uint64_t handle) const;

 private:
  struct Key {
    std::int32_t device;
    std::uint32_t thread;
    std::uint64_t handle;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  using Clock = std::unordered_map<StreamId, Time>;
  struct Stream {
    std::int32_t device = 0;
    bool is_default = false;
    bool blocking = false;  ///< waits for the default stream, and it for this one
    bool is_known = false;
    bool is_busy = false;  ///< is in its device's list
    bool is_gone = false;  ///< destroyed
    Time last = 0;         ///< work
    Time touched = 0;      ///< work, or an event recorded or waited for
    Time joined = 0;       ///< up to here the default stream's rules are in `waited`
    Time host_done = 0;
    Clock waited;  ///< work of other streams that this one waits for
  };
  struct Device {
    Time all_done = 0;               ///< the host waited for the whole device
    Time blocking_done = 0;          ///< the host waited for the default stream
    Time default_barrier = 0;        ///< last work on the default stream
    bool worked = false;             ///< it was given work, ever
    std::vector<StreamId> blocking;  ///< the default stream and those that it waits for
    std::vector<StreamId> busy;      ///< its streams with work that the host may not know over
    Clock gone;                      ///< what the default stream must wait for of those destroyed
  };
  struct Recorded {
    StreamId stream = 0;
    Time time = 0;
    Clock waited;
  };

  StreamId id(const Event& event);
  /// The default stream waits for the blocking ones, and they for it: what that comes to now.
  void join(StreamId stream, Time time);
  void merge(Clock& into, StreamId from) const;
  void take_over(Clock& into, const Work& work) const;
  /// The host knows all that the stream does and waits for to be over.
  bool settled(StreamId stream) const;
  /// Its number is another stream's from now on.
  void release(StreamId stream);
  static bool holds(const Clock& clock, const Work& earlier);
  const Device& device_of(const Stream& stream) const;
  Device& device(std::int32_t device);

  std::unordered_map<Key, StreamId, KeyHash> ids_;
  std::vector<Stream> streams_;
  std::vector<StreamId> free_;  ///< numbers of streams that are no more
  std::vector<Device> devices_;
  std::unordered_map<std::uint64_t, Recorded> recorded_;
};

}  // namespace xfer
