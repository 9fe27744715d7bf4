#include "order_oracle.h"

#include <algorithm>
#include <random>

namespace xfer::test {
namespace {

constexpr std::uint64_t kPinnedBase = 0x5500'0000'0000;
constexpr std::uint64_t kPinnedBytes = 16;
constexpr std::uint64_t kDeviceBase = 0x7f00'0000'0000;
constexpr std::uint64_t kBuffers = 3;  // of each device, with gaps in between
constexpr std::uint64_t kBufferBytes = 7;
constexpr std::uint64_t kEvents = 2;

enum class Kind { kDefault, kBlocking, kNonBlocking };

struct Stream {
  std::uint64_t handle;
  std::int16_t device;
  Kind kind;
};

const Stream kStreams[] = {{0, 0, Kind::kDefault},       {101, 0, Kind::kBlocking},
                           {102, 0, Kind::kBlocking},    {103, 0, Kind::kNonBlocking},
                           {104, 0, Kind::kNonBlocking}, {0, 1, Kind::kDefault},
                           {105, 1, Kind::kBlocking},    {106, 1, Kind::kNonBlocking}};

using Node = std::size_t;

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) : random_(seed) {}

  OrderTrace run(std::size_t length) {
    for (const Stream& stream : kStreams)
      if (stream.handle != 0) create(stream);
    pin();
    for (std::int16_t device = 0; device < 2; ++device)
      for (std::uint64_t i = 0; i < kBuffers; ++i) allocate(stream_on(device), i);
    for (std::size_t i = 0; i < length; ++i) step();
    return std::move(result_);
  }

 private:
  struct Bytes {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t width = 1;  ///< of each row
    std::uint64_t pitch = 1;
    bool has(std::uint64_t at) const {
      return begin <= at && at < end && (at - begin) % pitch < width;
    }
    bool has_gaps() const { return width != pitch; }
    std::uint64_t count() const {
      std::uint64_t count = 0;
      for (std::uint64_t at = begin; at < end; ++at) count += has(at);
      return count;
    }
    bool meets(const Bytes& other) const {
      for (std::uint64_t at = begin; at < end; ++at)
        if (has(at) && other.has(at)) return true;
      return false;
    }
    bool operator==(const Bytes&) const = default;
  };
  struct Pending {
    Node node;
    std::uint64_t stream;  ///< the same number: the same stream, and not one made since
    Bytes source;          ///< empty: of a fill
    Bytes destination;
    bool is_transfer;  ///< between pinned memory and a device
    bool is_on_device_in(const Bytes& whole) const {
      return (source.begin >= kDeviceBase && source.meets(whole)) ||
             (destination.begin >= kDeviceBase && destination.meets(whole));
    }
  };
  /// Bytes that a kernel reads (source) or writes (destination), where they are known.
  struct Use {
    Node node;
    std::uint64_t stream;
    std::uint64_t correlation;
    Bytes source;
    Bytes destination;
    bool on_device() const { return std::max(source.begin, destination.begin) >= kDeviceBase; }
  };

  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  static std::uint64_t buffer(std::int16_t device, std::uint64_t index) {
    return kDeviceBase + (static_cast<std::uint64_t>(device) * kBuffers + index) * 64;
  }
  static const Stream& stream_on(std::int16_t device) { return kStreams[device == 0 ? 0 : 5]; }
  bool is_live(std::int16_t device, std::uint64_t index) const {
    return freed_.count(buffer(device, index)) == 0;
  }
  Bytes some_of(std::uint64_t base, std::uint64_t bytes) {
    const std::uint64_t at = pick(bytes);
    return {base + at, base + at + 1 + pick(std::min<std::uint64_t>(bytes - at, 4))};
  }
  Bytes some_pinned() { return some_of(kPinnedBase, kPinnedBytes); }
  /// Of a buffer that is there; nothing when there is none. Often all of it.
  Bytes some_on(std::int16_t device) {
    const std::uint64_t index = pick(kBuffers);
    if (!is_live(device, index)) return {};
    const std::uint64_t base = buffer(device, index);
    return pick(2) == 0 ? Bytes{base, base + kBufferBytes} : some_of(base, kBufferBytes);
  }
  /// Sometimes with gaps, and then two rows at least.
  Bytes perhaps_rows_of(const Bytes& all) {
    const std::uint64_t pitch = 2 + pick(2);
    const std::uint64_t width = 1 + pick(pitch - 1);
    const std::uint64_t length = all.end - all.begin;
    if (length < pitch + width || pick(2) == 0) return all;
    const std::uint64_t rows = (length - width) / pitch + 1;
    return {all.begin, all.begin + (rows - 1) * pitch + width, width, pitch};
  }

  static std::size_t index_of(const Stream& stream) {
    return static_cast<std::size_t>(&stream - kStreams);
  }
  void create(const Stream& stream) {
    Event& event = emit(EventKind::kStreamCreate, stream);
    if (stream.kind == Kind::kNonBlocking) event.flags |= kAsync;
    lives_[index_of(stream)] = now_;
  }
  // Work on the stream still runs.
  void destroy(const Stream& stream) {
    emit(EventKind::kStreamDestroy, stream);
    const std::size_t index = index_of(stream);
    lives_.erase(index);
    if (const auto last = last_.find(index); last != last_.end()) {
      gone_.push_back({&stream, last->second});
      last_.erase(last);
    }
  }

  void allocate(const Stream& stream, std::uint64_t index) {
    Event& event = emit(EventKind::kAlloc, stream);
    event.flags |= kAsync;
    event.space = Space::kDevice;
    event.address = buffer(stream.device, index);
    event.bytes = kBufferBytes;
    freed_.erase(event.address);
  }

  void pin() {
    Event& event = emit(EventKind::kAlloc, kStreams[0]);
    event.space = Space::kPinned;
    event.device = -1;
    event.address = kPinnedBase;
    event.bytes = kPinnedBytes;
  }

  Event& emit(EventKind kind, const Stream& stream) {
    ++now_;
    Event event;
    event.kind = kind;
    event.site = static_cast<std::uint32_t>(now_);
    event.correlation = now_;
    event.begin_ns = now_ * 10;
    event.end_ns = event.begin_ns + 5;
    event.stream = stream.handle;
    event.device = stream.device;
    result_.events.push_back(event);
    return result_.events.back();
  }

  // The nodes that come before a node that is put on the stream now.
  std::vector<Node> before(const Stream& stream) const {
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < std::size(kStreams); ++i) {
      const Stream& other = kStreams[i];
      const bool same = &other == &stream;
      const bool by_rule = other.device == stream.device && other.kind != Kind::kNonBlocking &&
                           stream.kind != Kind::kNonBlocking &&
                           (other.kind == Kind::kDefault || stream.kind == Kind::kDefault);
      const auto last = last_.find(i);
      if ((same || by_rule) && last != last_.end()) nodes.push_back(last->second);
    }
    if (stream.kind == Kind::kDefault)
      for (const auto& [gone, last] : gone_)
        if (gone->device == stream.device && gone->kind == Kind::kBlocking) nodes.push_back(last);
    return nodes;
  }

  Node put(const Stream& stream, const std::vector<Node>& more = {}) {
    std::vector<Node> edges = before(stream);
    edges.insert(edges.end(), more.begin(), more.end());
    edges_.push_back(std::move(edges));
    last_[index_of(stream)] = edges_.size() - 1;
    return edges_.size() - 1;
  }

  bool comes_before(Node node, const std::vector<Node>& ends) const {
    std::vector<Node> walk = ends;
    std::set<Node> seen;
    while (!walk.empty()) {
      const Node at = walk.back();
      walk.pop_back();
      if (at == node) return true;
      if (!seen.insert(at).second) continue;
      walk.insert(walk.end(), edges_[at].begin(), edges_[at].end());
    }
    return false;
  }

  void forget_before(const std::vector<Node>& ends) {
    std::erase_if(pending_, [&](const Pending& copy) { return comes_before(copy.node, ends); });
    std::erase_if(uses_, [&](const Use& use) { return comes_before(use.node, ends); });
  }
  void forget_all() {
    pending_.clear();
    uses_.clear();
  }

  void step() {
    const Stream& stream = kStreams[pick(std::size(kStreams))];
    if (stream.handle != 0 && lives_.count(index_of(stream)) == 0) return create(stream);
    switch (pick(22)) {
      case 0:
      case 1:
      case 2: return copy(stream, true);
      case 3:
      case 4:
      case 5: return copy(stream, false);
      case 6:
      case 7:
      case 8: return touch(stream);
      case 9:
      case 10:
      case 11: return launch(stream);
      case 12:
      case 13: return record(stream);
      case 14:
      case 15: return wait(stream);
      case 16: return sync(stream);
      case 17: return device_copy(stream);
      case 18:
      case 19: return fill(stream);
      case 20: return free_or_allocate(stream);
      default: return rare(stream);
    }
  }

  template <class Meets>
  std::vector<Pending>::iterator early(Meets meets, const Stream* on) {
    for (const bool transfers : {true, false}) {
      const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& copy) {
        return copy.is_transfer == transfers && meets(copy) &&
               (on == nullptr || !comes_before(copy.node, before(*on)));
      });
      if (found != pending_.end()) return found;
    }
    return pending_.end();
  }
  void expect(Reason reason) { result_.expected[reason].insert(static_cast<std::uint32_t>(now_)); }
  /// Something touches the bytes of that side; `on`: on a stream, not by the host.
  bool charge(Reason reason, Bytes Pending::* side, const Bytes& bytes, const Stream* on) {
    const auto found = early(
        [&](const Pending& copy) {
          return (copy.*side).meets(bytes) && (on != nullptr || copy.is_transfer);
        },
        on);
    if (found == pending_.end())
      return on != nullptr && charge_use(reason, side, bytes, *on, /*alone=*/false);
    expect(reason);
    pending_.erase(found);
    return true;
  }
  /// The same of a kernel's bytes. `alone`: that it does not write as well.
  bool charge_use(Reason reason, Bytes Pending::* side, const Bytes& bytes, const Stream& on,
                  bool alone) {
    const auto found = std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) {
      const Bytes& its = side == &Pending::source ? use.source : use.destination;
      return its.meets(bytes) && (!alone || use.destination.end == 0) &&
             !comes_before(use.node, before(on));
    });
    if (found == uses_.end()) return false;
    expect(reason);
    uses_.erase(found);
    return true;
  }
  void charge_copy(const Bytes& destination, const Bytes& source, const Stream& on) {
    charge(Reason::kCopiedPending, &Pending::destination, source, &on);
    charge_fill(destination, on);
  }
  void charge_fill(const Bytes& bytes, const Stream& on) {
    charge(Reason::kOverwrittenPending, &Pending::destination, bytes, &on);
    charge(Reason::kSourceOverwritten, &Pending::source, bytes, &on);
  }

  static void set_bytes(Event& event, const Bytes& bytes) {
    event.bytes = bytes.count();
    if (!bytes.has_gaps()) return;
    event.flags |= kStrided;
    event.extent = bytes.end - bytes.begin;
    event.pitch = bytes.pitch;
  }
  Event& emit_copy(const Stream& stream, const Bytes& destination, const Bytes& source) {
    Event& event = emit(EventKind::kCopy, stream);
    const auto is_pinned = [](const Bytes& bytes) { return bytes.begin < kDeviceBase; };
    event.space = is_pinned(destination) ? Space::kPinned : Space::kDevice;
    event.source_space = is_pinned(source) ? Space::kPinned : Space::kDevice;
    event.device = is_pinned(destination) ? std::int16_t{-1} : stream.device;
    event.source_device = is_pinned(source) ? std::int16_t{-1} : stream.device;
    event.address = destination.begin;
    event.source = source.begin;
    event.bytes = destination.count();
    if (destination.has_gaps() || source.has_gaps()) {
      event.flags |= kStrided;
      event.extent = destination.end - destination.begin;
      event.source_extent = source.end - source.begin;
      event.pitch = destination.pitch;
      event.source_pitch = source.pitch;
    }
    return event;
  }

  void copy(const Stream& stream, bool upload) {
    const Bytes device = perhaps_rows_of(some_on(stream.device));
    if (device.end == 0) return;
    const bool packed = pick(2) == 0;
    const std::uint64_t bytes = packed ? device.count() : device.end - device.begin;
    const std::uint64_t host = kPinnedBase + pick(kPinnedBytes - bytes);
    Bytes pinned{host, host + bytes};
    if (!packed) pinned.width = device.width, pinned.pitch = device.pitch;
    const Bytes destination = upload ? device : pinned;
    const Bytes source = upload ? pinned : device;
    const bool waits = pick(8) == 0;
    Event& event = emit_copy(stream, destination, source);
    if (!waits) event.flags |= kAsync;
    charge_copy(destination, source, stream);
    const Node node = put(stream);
    if (waits) return forget_before({node});
    keep({node, lives_[index_of(stream)], source, destination, true});
  }
  // The last of several that are the same stands for all.
  void keep(const Pending& made) {
    std::erase_if(pending_, [&](const Pending& old) {
      return old.stream == made.stream && old.source == made.source &&
             old.destination == made.destination && old.is_transfer == made.is_transfer;
    });
    pending_.push_back(made);
  }

  void device_copy(const Stream& stream) {
    const Bytes destination = perhaps_rows_of(some_on(stream.device));
    const Bytes source = perhaps_rows_of(some_on(stream.device));
    const bool same_shape =
        destination.width == source.width || destination.pitch == 1 || source.pitch == 1;
    if (destination.end == 0 || source.count() != destination.count() || !same_shape) return;
    emit_copy(stream, destination, source).flags |= kAsync;
    charge_copy(destination, source, stream);
    const Node node = put(stream);
    keep({node, lives_[index_of(stream)], source, destination, false});
  }

  void fill(const Stream& stream) {
    const bool pinned = pick(4) == 0;
    const bool waits = pick(4) == 0;
    const Bytes bytes = perhaps_rows_of(pinned ? some_pinned() : some_on(stream.device));
    if (bytes.end == 0) return;
    Event& event = emit(EventKind::kSet, stream);
    event.space = pinned ? Space::kPinned : Space::kDevice;
    event.address = bytes.begin;
    set_bytes(event, bytes);
    if (!waits) event.flags |= kAsync;
    charge_fill(bytes, stream);
    const Node node = put(stream);
    if (waits && pinned) return forget_before({node});  // of device memory, it never waits
    keep({node, lives_[index_of(stream)], {}, bytes, false});
  }

  void free_or_allocate(const Stream& stream) {
    const std::uint64_t index = pick(kBuffers);
    if (!is_live(stream.device, index)) return allocate(stream, index);
    const std::uint64_t base = buffer(stream.device, index);
    const Bytes whole{base, base + kBufferBytes};
    Event& event = emit(EventKind::kFree, stream);
    event.flags |= kAsync;
    event.address = base;
    if (early([&](const Pending& copy) { return copy.is_on_device_in(whole); }, &stream) !=
            pending_.end() ||
        std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) {
          return (use.source.meets(whole) || use.destination.meets(whole)) &&
                 !comes_before(use.node, before(stream));
        }))
      expect(Reason::kFreedPending);
    std::erase_if(uses_, [&](const Use& use) {
      return use.source.meets(whole) || use.destination.meets(whole);
    });
    for (Pending& copy : pending_)
      for (Bytes* const side : {&copy.source, &copy.destination})
        if (side->meets(whole)) *side = {};
    freed_.insert(base);
  }

  void touch(const Stream& stream) {
    const bool writes = pick(2) == 0;
    Event& event = emit(EventKind::kHostAccess, stream);
    event.space = Space::kPinned;
    event.correlation = 0;
    event.address = kPinnedBase + pick(kPinnedBytes);
    event.bytes = 1;
    event.flags |= writes ? kWrites : kReads;
    const Bytes byte{event.address, event.address + 1};
    if (pick(3) == 0) return touch_known(event, byte, writes);
    charge(Reason::kHostReadsPending, &Pending::destination, byte, nullptr);
    if (writes) charge(Reason::kHostWritesPending, &Pending::source, byte, nullptr);
  }
  /// The event names the kernel that uses the byte, since the watch of the memory knows it.
  void touch_known(Event& event, const Bytes& byte, bool writes) {
    const auto kernel =
        std::find_if(uses_.begin(), uses_.end(), [](const Use& use) { return !use.on_device(); });
    if (kernel == uses_.end()) return void(event.correlation = ~std::uint64_t{0});
    const std::uint64_t which = event.correlation = kernel->correlation;
    const auto charge_one = [&](Reason reason, Bytes Use::* side) {
      const auto found = std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) {
        return use.correlation == which && (use.*side).meets(byte);
      });
      if (found == uses_.end()) return;
      expect(reason);
      uses_.erase(found);
    };
    charge_one(Reason::kHostReadsPending, &Use::destination);
    if (writes) charge_one(Reason::kHostWritesPending, &Use::source);
  }

  /// A parameter of a kernel, and what the kernel may touch through it.
  struct Argument {
    Bytes bytes;
    bool writes;
    bool reads = true;
  };
  std::vector<Argument> some_arguments(std::int16_t device) {
    std::vector<Argument> arguments;
    for (int i = 0; i < 2; ++i)
      if (const Bytes bytes = pick(6) == 0 ? some_pinned() : some_on(device); bytes.end != 0)
        arguments.push_back({bytes, pick(2) == 0});
    return arguments;
  }
  void charge_launch(Reason reason, Bytes Pending::* side, const Argument& argument,
                     const Stream& on) {
    const auto found = early(
        [&](const Pending& copy) {
          const Bytes& there = copy.*side;
          return copy.is_transfer && !there.has_gaps() && there.begin <= argument.bytes.begin &&
                 argument.bytes.end <= there.end;
        },
        &on);
    if (found == pending_.end()) return;
    expect(reason);
    pending_.erase(found);
  }

  void launch(const Stream& stream) {
    std::vector<Argument> arguments = some_arguments(stream.device);
    const std::uint64_t correlation = now_ + arguments.size() + 1;
    bool shows = pick(6) == 0;
    const bool may_touch_all = shows;
    const bool plain = !may_touch_all && pick(2) == 0;
    std::vector<Use> uses;
    for (Argument& argument : arguments) {
      const bool pinned = argument.bytes.begin < kDeviceBase;
      if (plain) {
        argument.reads = !argument.writes || pick(2) == 0;
        argument.bytes = perhaps_rows_of(argument.bytes);
      }
      shows |= pinned && !plain;
      Event& event = emit(EventKind::kLaunchArg, stream);
      event.correlation = correlation;
      event.address = argument.bytes.begin;
      set_bytes(event, argument.bytes);
      event.space = pinned ? Space::kPinned : Space::kDevice;
      event.flags |= (argument.writes ? kWrites : 0) | (argument.reads ? kReads : 0);
      if (plain) {
        event.flags |= kPlain;
        uses.push_back({0, lives_[index_of(stream)], correlation,
                        argument.reads ? argument.bytes : Bytes{},
                        argument.writes ? argument.bytes : Bytes{}});
        continue;
      }
      // A range up to the buffer's end says no more than that: it may be all of it.
      const std::uint64_t base = argument.bytes.begin / 64 * 64;
      if (argument.bytes.end == base + (pinned ? kPinnedBytes : kBufferBytes))
        argument.bytes.begin = base;
    }
    Event& event = emit(EventKind::kLaunch, stream);
    const bool known = plain || pick(2) == 0;
    if (may_touch_all) event.flags |= kMayTouchAll;
    if (known) event.flags |= kArgumentsOnly;
    const auto charge_one = [&](Reason reason, Bytes Pending::* side, bool only_writes) {
      const std::size_t before = result_.expected[reason].size();
      for (const Argument& argument : arguments) {
        if (result_.expected[reason].size() != before) return;
        if (plain ? (only_writes ? argument.writes : argument.reads)
                  : (argument.writes || !only_writes))
          plain ? charge_plain(reason, side, argument, stream)
                : charge_launch(reason, side, argument, stream);
      }
    };
    charge_one(Reason::kLaunchedPending, &Pending::destination, false);
    if (plain) charge_one(Reason::kLaunchedOverPending, &Pending::destination, true);
    if (known) charge_one(Reason::kLaunchedOver, &Pending::source, true);
    const Node node = put(stream);
    if (shows) forget_before({node});
    for (Use& use : uses) {
      use.node = node;
      // The last of several that are the same stands for all, on devices.
      std::erase_if(uses_, [&](const Use& old) {
        return old.on_device() && old.stream == use.stream && old.source == use.source &&
               old.destination == use.destination;
      });
      uses_.push_back(use);
    }
  }
  /// Of two kernels that both write to the same bytes, each may do so by atomic operations.
  void charge_plain(Reason reason, Bytes Pending::* side, const Argument& argument,
                    const Stream& on) {
    const auto found =
        early([&](const Pending& copy) { return (copy.*side).meets(argument.bytes); }, &on);
    if (found != pending_.end()) {
      expect(reason);
      pending_.erase(found);
      return;
    }
    if (reason == Reason::kLaunchedOverPending) return;
    const bool writes_over = reason == Reason::kLaunchedOver;
    if (writes_over || !argument.writes)
      charge_use(reason, side, argument.bytes, on, /*alone=*/writes_over);
  }

  void record(const Stream& stream) {
    const std::uint64_t which = 1 + pick(kEvents);
    emit(EventKind::kEventRecord, stream).event_id = which;
    recorded_[which] = put(stream);
  }

  void wait(const Stream& stream) {
    const std::uint64_t which = 1 + pick(kEvents);
    const auto recorded = recorded_.find(which);
    if (recorded == recorded_.end()) return;
    emit(EventKind::kStreamWait, stream).event_id = which;
    put(stream, {recorded->second});
  }

  void sync(const Stream& stream) {
    Event& event = emit(EventKind::kSync, stream);
    if (pick(3) == 0) event.flags |= kAsync;  // a query that says "done"
    std::vector<Node> done;
    switch (pick(3)) {
      case 0:
        event.sync = SyncScope::kDevice;
        for (std::size_t i = 0; i < std::size(kStreams); ++i)
          if (kStreams[i].device == stream.device && last_.count(i) != 0) done.push_back(last_[i]);
        for (const auto& [gone, last] : gone_)
          if (gone->device == stream.device) done.push_back(last);
        break;
      case 1:
        event.sync = SyncScope::kStream;
        // Waiting for the default stream is waiting for all that it waits for.
        if (stream.kind == Kind::kDefault)
          done = before(stream);
        else if (const auto last = last_.find(index_of(stream)); last != last_.end())
          done = {last->second};
        break;
      default: {
        event.sync = SyncScope::kEvent;
        event.event_id = 1 + pick(kEvents);
        const auto recorded = recorded_.find(event.event_id);
        if (recorded == recorded_.end())
          forget_all();  // unknown what was waited for
        else
          done = {recorded->second};
      }
    }
    forget_before(done);
  }

  // Calls that may tell the host anything.
  void rare(const Stream& stream) {
    switch (pick(6)) {
      case 3:
      case 4:
      case 5: return stream.handle != 0 ? destroy(stream) : void();
      case 0:  // it runs when what is before it is over, and may tell that
        emit(EventKind::kHostFunction, stream);
        return forget_before({put(stream)});
      case 1: {
        Event& event = emit(EventKind::kAlloc, stream);
        event.space = Space::kDevice;
        event.address = kDeviceBase + 0x1000'0000 + now_ * 256;
        event.bytes = 16;
        return;
      }
      default: emit(EventKind::kFree, stream).address = 64;
    }
    forget_all();
  }

  std::mt19937_64 random_;
  OrderTrace result_;
  std::uint64_t now_ = 0;
  std::vector<std::vector<Node>> edges_;
  std::map<std::size_t, Node> last_;
  std::map<std::size_t, std::uint64_t> lives_;        // when each stream that is there was made
  std::vector<std::pair<const Stream*, Node>> gone_;  // and the last of those that are no more
  std::map<std::uint64_t, Node> recorded_;
  std::vector<Pending> pending_;
  std::vector<Use> uses_;
  std::set<std::uint64_t> freed_;  // buffers that are not there
};

}  // namespace

OrderTrace random_order_trace(std::uint64_t seed, std::size_t length) {
  return Simulation(seed).run(length);
}

}  // namespace xfer::test
