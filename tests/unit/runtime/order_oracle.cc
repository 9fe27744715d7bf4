#include "order_oracle.h"

#include <algorithm>
#include <random>

namespace xfer::test {
namespace {

constexpr std::uint64_t kPinnedBase = 0x5500'0000'0000;
constexpr std::uint64_t kPinnedBytes = 16;
constexpr std::uint64_t kDeviceBase = 0x7f00'0000'0000;
constexpr std::uint64_t kDeviceBytes = 1 << 20;
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
      if (stream.handle != 0) {
        Event& event = emit(EventKind::kStreamCreate, stream);
        if (stream.kind == Kind::kNonBlocking) event.flags |= kAsync;
      }
    for (std::int16_t device = 0; device < 2; ++device) {
      Event& event = emit(EventKind::kAlloc, kStreams[0]);
      event.space = Space::kDevice;
      event.device = device;
      event.address = device_memory(device);
      event.bytes = kDeviceBytes;
    }
    for (std::size_t i = 0; i < length; ++i) step();
    return std::move(result_);
  }

 private:
  struct Pending {
    Node node;
    bool upload;
    std::uint64_t begin;
    std::uint64_t end;
  };

  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  static std::uint64_t device_memory(std::int16_t device) {
    return kDeviceBase + static_cast<std::uint64_t>(device) * 2 * kDeviceBytes;
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

  // What a node that is put on the stream now comes after.
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
    return nodes;
  }

  Node put(const Stream& stream, const std::vector<Node>& more = {}) {
    std::vector<Node> edges = before(stream);
    edges.insert(edges.end(), more.begin(), more.end());
    edges_.push_back(std::move(edges));
    last_[static_cast<std::size_t>(&stream - kStreams)] = edges_.size() - 1;
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
  }

  void step() {
    const Stream& stream = kStreams[pick(std::size(kStreams))];
    switch (pick(16)) {
      case 0:
      case 1:
      case 2: return copy(stream, true);
      case 3:
      case 4:
      case 5: return copy(stream, false);
      case 6:
      case 7:
      case 8: return touch(stream);
      case 9: return launch(stream);
      case 10:
      case 11: return record(stream);
      case 12:
      case 13: return wait(stream);
      case 14: return sync(stream);
      default: return rare(stream);
    }
  }

  void charge(Reason reason, bool upload, std::uint64_t begin, std::uint64_t bytes,
              const Stream* on) {
    const auto early = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& copy) {
      return copy.upload == upload && copy.begin < begin + bytes && begin < copy.end &&
             (on == nullptr || !comes_before(copy.node, before(*on)));
    });
    if (early == pending_.end()) return;
    result_.expected[reason].insert(static_cast<std::uint32_t>(now_));
    pending_.erase(early);
  }

  void copy(const Stream& stream, bool upload) {
    const bool waits = pick(8) == 0;
    const std::uint64_t at = pick(kPinnedBytes);
    const std::uint64_t bytes = 1 + pick(std::min<std::uint64_t>(kPinnedBytes - at, 4));
    const std::uint64_t host = kPinnedBase + at;
    const std::uint64_t device = device_memory(stream.device) + pick(64) * 1024;
    Event& event = emit(EventKind::kCopy, stream);
    event.space = upload ? Space::kDevice : Space::kPinned;
    event.source_space = upload ? Space::kPinned : Space::kDevice;
    event.device = upload ? stream.device : std::int16_t{-1};
    event.source_device = upload ? std::int16_t{-1} : stream.device;
    event.address = upload ? device : host;
    event.source = upload ? host : device;
    event.bytes = bytes;
    if (!waits) event.flags |= kAsync;
    charge(upload ? Reason::kUploadedPending : Reason::kDownloadedOver, !upload, host, bytes,
           &stream);
    const Node node = put(stream);
    if (waits)
      forget_before({node});
    else
      pending_.push_back({node, upload, host, host + bytes});
  }

  void touch(const Stream& stream) {
    const bool writes = pick(2) == 0;
    Event& event = emit(EventKind::kHostAccess, stream);
    event.space = Space::kPinned;
    event.address = kPinnedBase + pick(kPinnedBytes);
    event.bytes = 1;
    event.flags |= writes ? kWrites : kReads;
    const std::uint64_t address = event.address;
    charge(Reason::kHostReadsPending, false, address, 1, nullptr);
    if (writes) charge(Reason::kHostWritesPending, true, address, 1, nullptr);
  }

  void launch(const Stream& stream) {
    Event& event = emit(EventKind::kLaunch, stream);
    const bool shows = pick(4) == 0;
    if (shows) event.flags |= kMayTouchAll;
    const Node node = put(stream);
    if (shows) forget_before({node});
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
        break;
      case 1:
        event.sync = SyncScope::kStream;
        // Waiting for the default stream is waiting for all that it waits for.
        if (stream.kind == Kind::kDefault)
          done = before(stream);
        else if (const auto last = last_.find(static_cast<std::size_t>(&stream - kStreams));
                 last != last_.end())
          done = {last->second};
        break;
      default: {
        event.sync = SyncScope::kEvent;
        event.event_id = 1 + pick(kEvents);
        const auto recorded = recorded_.find(event.event_id);
        if (recorded == recorded_.end())
          pending_.clear();  // nobody knows what was waited for
        else
          done = {recorded->second};
      }
    }
    forget_before(done);
  }

  // What may tell the host anything.
  void rare(const Stream& stream) {
    switch (pick(3)) {
      case 0:
        emit(EventKind::kHostFunction, stream);
        put(stream);
        break;
      case 1: {
        Event& event = emit(EventKind::kAlloc, stream);
        event.space = Space::kDevice;
        event.address = kDeviceBase + 0x1000'0000 + now_ * 256;
        event.bytes = 16;
        break;
      }
      default: emit(EventKind::kFree, stream).address = 64;
    }
    pending_.clear();
  }

  std::mt19937_64 random_;
  OrderTrace result_;
  std::uint64_t now_ = 0;
  std::vector<std::vector<Node>> edges_;
  std::map<std::size_t, Node> last_;
  std::map<std::uint64_t, Node> recorded_;
  std::vector<Pending> pending_;
};

}  // namespace

OrderTrace random_order_trace(std::uint64_t seed, std::size_t length) {
  return Simulation(seed).run(length);
}

}  // namespace xfer::test
