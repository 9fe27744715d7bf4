#include "byte_oracle.h"

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "xfer/content_hash.h"

namespace xfer::test {
namespace {

constexpr std::uint64_t kBufferBytes = 6;
constexpr std::uint64_t kHostBytes = 8;
constexpr std::uint64_t kHostBase = 0x1000;
constexpr int kNobody = -1;

struct Byte {
  int value = 0;
  int writer = kNobody;  // index of a copy; kNobody: kernel, fill, nothing
  std::size_t written = 0;
};

struct Buffer {
  bool live = false;
  int id = 0;
  std::vector<Byte> bytes = std::vector<Byte>(kBufferBytes);
};

enum class Kind { kUp, kDown, kWithin };

struct Copy {
  Kind kind;
  std::uint32_t site;
  std::size_t time;
  int buffer;
  int buffer_id;
  std::uint64_t at;    // in the buffer (of a download: its source)
  std::uint64_t host;  // in the host memory
  std::uint64_t bytes;
  std::vector<int> content;
  bool used = false;
  bool read = false;
  bool kernel_wrote = false;
  bool given_to_write = false;  // to a kernel that names it
  bool sent_again = false;
  bool partly_lost = false;
  bool gone = false;
  bool overwritten = false;
  bool charged = false;
  std::size_t end = 0;
};

/// A copy to the host whose bytes are all still there.
struct Landed {
  std::size_t copy;
  bool looked_at = false;  // by host code
  bool passed_on = false;  // read by a copy or a kernel
};

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) : random_(seed), pinned_(seed % 2 == 0) {}

  RandomTrace run(std::size_t length) {
    if (pinned_) pin();
    for (std::size_t i = 0; i < length; ++i) step();
    ++now_;
    overwrite_host(0, kHostBytes);
    for (Buffer& buffer : buffers_)
      if (buffer.live) lose_all(buffer, false);
    allow_sent_again();
    for (const int index : freed_unused_) {
      const Copy& copy = copies_[static_cast<std::size_t>(index)];
      const bool late = last_launch_ != 0 && last_launch_ < copy.time;
      exactly(late ? Reason::kTooLate : Reason::kFreed, copy.site);
    }
    return std::move(result_);
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  void exactly(Reason reason, std::uint32_t site) { result_.expected.exactly[reason].insert(site); }
  void allow(Reason reason, std::uint32_t site) { result_.expected.allowed[reason].insert(site); }

  static std::uint64_t address(int buffer, std::uint64_t at) {
    return 0x7f0000000000 + static_cast<std::uint64_t>(buffer) * 0x1000 + at;
  }

  Event& emit(EventKind kind) {
    Event event;
    event.kind = kind;
    event.site = static_cast<std::uint32_t>(now_);
    event.correlation = now_;
    event.begin_ns = now_ * 10;
    event.end_ns = event.begin_ns + 5;
    result_.events.push_back(event);
    return result_.events.back();
  }

  void step() {
    ++now_;
    const int which = static_cast<int>(pick(buffers_.size()));
    Buffer& buffer = buffers_[static_cast<std::size_t>(which)];
    if (!buffer.live) return buffer.id != 0 && pick(3) == 0 ? use_freed(which) : allocate(which);
    switch (pick(14)) {
      case 12: return touch(which, Reason::kHostReads, Reason::kHostWrites);
      case 13: refused(which); return;
      case 0: return release(which);
      case 1: return fill(which);
      case 2:
      case 3: return launch();
      case 4:
      case 5:
      case 6:
      case 7: return upload(which);
      case 8:
      case 9: return download(which);
      case 10: return within(which);
      default: use_host(pick(kHostBytes));
    }
  }

  void pin() {
    ++now_;
    Event& event = emit(EventKind::kAlloc);
    event.space = Space::kPinned;
    event.device = -1;
    event.address = kHostBase;
    event.bytes = kHostBytes;
  }

  // Host code writes a byte, or looks at it.
  void use_host(std::uint64_t at) {
    if (pick(2) == 0) host_[at] = static_cast<int>(pick(2));
    for (Landed& landed : landed_) landed.looked_at |= overlaps(landed, at, 1);
  }

  bool overlaps(const Landed& landed, std::uint64_t at, std::uint64_t bytes) const {
    const Copy& copy = copies_[landed.copy];
    return copy.host < at + bytes && at < copy.host + copy.bytes;
  }

  // Only where memory is pinned is it known what host code looks at; of bytes that go in part, not.
  void overwrite_host(std::uint64_t at, std::uint64_t bytes) {
    std::erase_if(landed_, [&](const Landed& landed) {
      if (!overlaps(landed, at, bytes)) return false;
      const Copy& copy = copies_[landed.copy];
      const bool whole = at <= copy.host && copy.host + copy.bytes <= at + bytes;
      if (!pinned_ || landed.looked_at || !whole) return true;
      Event& event = emit(EventKind::kUnread);
      event.address = kHostBase + copy.host;
      event.bytes = copy.bytes;
      event.correlation = copy.time;
      if (!landed.passed_on && !copy.charged) exactly(Reason::kNobodyLooked, copy.site);
      return true;
    });
  }

  Space host_space() const { return pinned_ ? Space::kPinned : Space::kPageable; }

  /// The copy is one that an operation made for itself.
  bool make_implicit(Event& event) {
    if (pick(6) != 0) return false;
    event.flags |= kImplicit;
    exactly(Reason::kOperandElsewhere, event.site);
    return true;
  }

  void allocate(int which) {
    Event& event = emit(EventKind::kAlloc);
    event.space = Space::kDevice;
    event.address = address(which, 0);
    event.bytes = kBufferBytes;
    Buffer& buffer = buffers_[static_cast<std::size_t>(which)];
    buffer = Buffer{};
    buffer.live = true;
    buffer.id = ++next_id_;
  }

  void release(int which) {
    emit(EventKind::kFree).address = address(which, 0);
    Buffer& buffer = buffers_[static_cast<std::size_t>(which)];
    lose_all(buffer, true);
    buffer.live = false;
  }

  void touch(int which, Reason reads, Reason writes) {
    Event& event = emit(EventKind::kHostAccess);
    event.space = Space::kDevice;
    event.address = address(which, pick(kBufferBytes));
    event.bytes = 1;
    const bool is_write = pick(2) == 0;
    event.flags |= is_write ? kWrites : kReads;
    exactly(is_write ? writes : reads, event.site);
  }

  /// A call that does nothing, for a reason of CUDA's.
  Event& refused(int which) {
    const std::uint64_t kind = pick(4);
    Event& event = emit(kind == 0   ? EventKind::kFree
                        : kind == 1 ? EventKind::kSet
                                    : EventKind::kCopy);
    event.flags |= kFailed;
    event.address = address(which, kind == 0 ? 0 : pick(kBufferBytes));
    if (kind != 0) event.bytes = 1;
    if (kind >= 2) event.source = kHostBase;
    if (kind == 3) std::swap(event.address, event.source);
    return event;
  }

  void use_freed(int which) {
    if (pick(4) == 0) return touch(which, Reason::kHostTouchesFreed, Reason::kHostTouchesFreed);
    const Event& event = refused(which);
    switch (event.kind) {
      case EventKind::kFree: return exactly(Reason::kFreedTwice, event.site);
      case EventKind::kSet: return exactly(Reason::kFilledFreed, event.site);
      default:
        exactly(event.address == kHostBase ? Reason::kCopiedFromFreed : Reason::kCopiedToFreed,
                event.site);
    }
  }

  // `freed`: or else the program has ended.
  void lose_all(Buffer& buffer, bool freed) {
    std::set<int> writers;
    for (const Byte& byte : buffer.bytes)
      if (byte.writer != kNobody) writers.insert(byte.writer);
    for (const int index : writers) {
      Copy& copy = copies_[static_cast<std::size_t>(index)];
      copy.gone = true;
      copy.end = now_;
      judge_duplicate(copy);
      if (!unused(copy)) continue;
      if (freed)
        freed_unused_.push_back(index);  // proven or advice: the reason is the same
      else if (last_launch_ > copy.time)
        exactly(Reason::kNeverRead, copy.site);
      else if (last_launch_ != 0)
        exactly(Reason::kTooLate, copy.site);
    }
  }

  static bool unused(const Copy& copy) {
    return copy.kind == Kind::kUp && !copy.used && !copy.read && !copy.charged;
  }

  struct Range {
    int buffer;
    std::uint64_t at;
    std::uint64_t bytes;
  };

  Range some_range(int which) {
    const std::uint64_t at = pick(3) == 0 ? pick(kBufferBytes) : 0;
    const std::uint64_t most = kBufferBytes - at;
    return {which, at, pick(3) == 0 ? 1 + pick(most) : most};
  }

  std::vector<int> content_of(const Range& range) {
    std::vector<int> content;
    for (std::uint64_t i = 0; i < range.bytes; ++i) content.push_back(byte_at(range, i).value);
    return content;
  }

  Byte& byte_at(const Range& range, std::uint64_t i) {
    return buffers_[static_cast<std::size_t>(range.buffer)].bytes[range.at + i];
  }

  /// The one copy that wrote all of the range, exactly.
  Copy* sole_writer(const Range& range) {
    const int writer = byte_at(range, 0).writer;
    if (writer == kNobody) return nullptr;
    for (std::uint64_t i = 0; i < range.bytes; ++i)
      if (byte_at(range, i).writer != writer) return nullptr;
    Copy& copy = copies_[static_cast<std::size_t>(writer)];
    return copy.at == range.at && copy.bytes == range.bytes ? &copy : nullptr;
  }

  bool written_since(const Range& range, std::size_t time) {
    for (std::uint64_t i = 0; i < range.bytes; ++i)
      if (byte_at(range, i).written > time) return true;
    return false;
  }

  void overwrite(const Range& range, int writer, const std::vector<int>& content) {
    std::set<int> old;
    for (std::uint64_t i = 0; i < range.bytes; ++i) {
      Byte& byte = byte_at(range, i);
      if (byte.writer != kNobody) old.insert(byte.writer);
      byte = {content[i], writer, now_};
    }
    for (const int index : old) {
      Copy& copy = copies_[static_cast<std::size_t>(index)];
      bool alive = false;
      for (const Byte& byte : buffers_[static_cast<std::size_t>(copy.buffer)].bytes)
        alive |= byte.writer == index;
      if (alive) {
        copy.partly_lost = true;
        continue;
      }
      copy.gone = copy.overwritten = true;
      copy.end = now_;
      judge_duplicate(copy);
      if (unused(copy)) exactly(Reason::kOverwritten, copy.site);
    }
  }

  /// Allows reports that the upload duplicates an earlier one. Known only when the upload ends.
  void judge_duplicate(Copy& copy) {
    if (copy.kind != Kind::kUp || copy.kernel_wrote || copy.partly_lost || !copy.used) return;
    for (const Copy& before : copies_) {
      if (before.kind != Kind::kUp || before.time >= copy.time || before.host != copy.host ||
          before.content != copy.content || before.kernel_wrote || before.partly_lost)
        continue;
      if (before.gone && before.end < copy.time && !before.overwritten)
        allow(Reason::kFreedUnchanged, copy.site);
      const bool there = !before.gone || (before.end > copy.time && !before.overwritten);
      if (there) allow(Reason::kHeldElsewhere, copy.site);
    }
  }

  /// Whether the same bytes of the host were sent the last time, and to older buffers only.
  bool sent_again(const Range& range, std::uint64_t host, const std::vector<int>& content) {
    Sent& before = sent_[{host, range.bytes}];
    const int id = buffers_[static_cast<std::size_t>(range.buffer)].id;
    const bool same = before.content == content;
    const bool again = same && id > before.newest;
    before = {content, same ? std::max(before.newest, id) : id};
    return again;
  }

  /// Which are waste if a kernel of which nothing is known came after.
  void allow_sent_again() {
    for (const Copy& copy : copies_)
      if (copy.sent_again && !copy.given_to_write && copy.time < last_all_)
        allow(Reason::kSentAgain, copy.site);
  }

  void hash(Event& event, const std::vector<int>& content) {
    const ContentHash hash = content_hash(content.data(), content.size() * sizeof(int));
    event.flags |= kHashed;
    event.hash_lo = hash.lo;
    event.hash_hi = hash.hi;
  }

  void upload(int which) {
    const Range range = some_range(which);
    const std::uint64_t host = pick(kHostBytes - range.bytes + 1);
    const std::vector<int> content(host_.begin() + static_cast<std::ptrdiff_t>(host),
                                   host_.begin() + static_cast<std::ptrdiff_t>(host + range.bytes));
    Event& event = emit(EventKind::kCopy);
    event.space = Space::kDevice;
    event.source_space = host_space();
    event.address = address(which, range.at);
    event.source = kHostBase + host;
    event.bytes = range.bytes;
    hash(event, content);
    for (Landed& landed : landed_) landed.passed_on |= overlaps(landed, host, range.bytes);
    const bool again = sent_again(range, host, content);
    if (make_implicit(event)) return uploaded(range, host, content, true);

    const Copy* holder = sole_writer(range);
    if (holder != nullptr && holder->content == content && !is_part(*holder, host, range.bytes))
      return exactly(Reason::kHeldAlready, event.site);
    const Copy* out = last_download(range);
    if (out != nullptr && out->host == host && out->content == content &&
        !written_since(range, out->time))
      return exactly(Reason::kReturnedInPlace, event.site);
    for (const Copy& copy : copies_)
      if (copy.kind == Kind::kDown && copy.host == host && copy.content == content) {
        const Buffer& from = buffers_[static_cast<std::size_t>(copy.buffer)];
        const bool alive = from.live && from.id == copy.buffer_id;
        if (alive ? !written_since({copy.buffer, copy.at, copy.bytes}, copy.time)
                  : last_launch_ < copy.time)
          allow(Reason::kReturnedElsewhere, event.site);
      }
    uploaded(range, host, content, false);
    copies_.back().sent_again = again;
  }

  /// Of the array that the earlier upload sent another part of.
  static bool is_part(const Copy& earlier, std::uint64_t host, std::uint64_t bytes) {
    return earlier.kind == Kind::kUp && earlier.bytes == bytes && earlier.host != host &&
           (std::max(earlier.host, host) - std::min(earlier.host, host)) % bytes == 0;
  }

  void uploaded(const Range& range, std::uint64_t host, const std::vector<int>& content,
                bool charged) {
    Copy& copy = note(Kind::kUp, range, host, content);
    copy.charged = charged;
    overwrite(range, static_cast<int>(copies_.size()) - 1, content);
  }

  Copy& note(Kind kind, const Range& range, std::uint64_t host, const std::vector<int>& content) {
    const Buffer& buffer = buffers_[static_cast<std::size_t>(range.buffer)];
    copies_.push_back({kind, static_cast<std::uint32_t>(now_), now_, range.buffer, buffer.id,
                       range.at, host, range.bytes, content});
    return copies_.back();
  }

  Copy* last_download(const Range& range) {
    for (auto copy = copies_.rbegin(); copy != copies_.rend(); ++copy)
      if (copy->kind == Kind::kDown && copy->buffer == range.buffer && copy->at == range.at &&
          copy->bytes == range.bytes)
        return copy->buffer_id == buffers_[static_cast<std::size_t>(range.buffer)].id ? &*copy
                                                                                      : nullptr;
    return nullptr;
  }

  void mark_read(const Range& range) {
    for (std::uint64_t i = 0; i < range.bytes; ++i)
      if (const int writer = byte_at(range, i).writer; writer != kNobody)
        copies_[static_cast<std::size_t>(writer)].read = true;
  }

  void download(int which) {
    const Range range = some_range(which);
    const std::uint64_t host = pick(kHostBytes - range.bytes + 1);
    const std::vector<int> content = content_of(range);
    overwrite_host(host, range.bytes);
    Event& event = emit(EventKind::kCopy);
    event.space = host_space();
    event.source_space = Space::kDevice;
    event.device = -1;
    event.source_device = 0;
    event.address = kHostBase + host;
    event.source = address(which, range.at);
    event.bytes = range.bytes;
    hash(event, content);
    const Copy* holder = sole_writer(range);
    const Copy* before = last_download(range);
    const bool returned = holder != nullptr && holder->kind == Kind::kUp;
    const bool again = !returned && before != nullptr && !written_since(range, before->time);
    const bool implicit = make_implicit(event);
    if (returned && !implicit) exactly(Reason::kSentAndReturned, event.site);
    if (again && !implicit)
      exactly(before->host == host ? Reason::kDownloadedBefore : Reason::kDownloadedElsewhere,
              event.site);
    mark_read(range);
    std::copy(content.begin(), content.end(), host_.begin() + static_cast<std::ptrdiff_t>(host));
    note(Kind::kDown, range, host, content).charged = returned || again || implicit;
    landed_.push_back({copies_.size() - 1});
  }

  void within(int which) {
    const int from = static_cast<int>(pick(buffers_.size()));
    if (from == which || !buffers_[static_cast<std::size_t>(from)].live) return;
    const Range to = some_range(which);
    const Range source{from, pick(kBufferBytes - to.bytes + 1), to.bytes};
    Event& event = emit(EventKind::kCopy);
    event.space = event.source_space = Space::kDevice;
    event.source_device = 0;
    event.address = address(which, to.at);
    event.source = address(from, source.at);
    event.bytes = to.bytes;
    const std::vector<int> content = content_of(source);
    const Copy* holder = sole_writer(source);
    // Only what one copy wrote has a known content.
    const bool known = holder != nullptr && !holder->content.empty();
    mark_read(source);
    note(Kind::kWithin, to, 0, known ? content : std::vector<int>());
    overwrite(to, static_cast<int>(copies_.size()) - 1, content);
  }

  void fill(int which) {
    const Range range = some_range(which);
    Event& event = emit(EventKind::kSet);
    event.address = address(which, range.at);
    event.bytes = range.bytes;
    overwrite(range, kNobody, std::vector<int>(range.bytes, 0));
  }

  void launch() {
    const bool all = pick(8) == 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      Buffer& buffer = buffers_[i];
      const std::uint64_t access = pick(4);  // 0, 1: none; 2: reads; 3: may write
      if (!buffer.live || (!all && access < 2)) continue;
      const bool writes = all || access == 3;
      if (!all) {
        Event& argument = emit(EventKind::kLaunchArg);
        argument.address = address(static_cast<int>(i), pick(kBufferBytes));
        argument.flags |= static_cast<std::uint16_t>(kReads | (writes ? kWrites : 0));
      }
      for (Byte& byte : buffer.bytes) {
        if (byte.writer != kNobody) {
          Copy& copy = copies_[static_cast<std::size_t>(byte.writer)];
          copy.used = true;
          copy.kernel_wrote |= writes;
          copy.given_to_write |= writes && !all;
        }
        if (!writes) continue;
        byte = {pick(2) == 0 ? byte.value : static_cast<int>(pick(2)), kNobody, now_};
      }
    }
    if (pinned_ && !all && pick(6) == 0) {
      Event& argument = emit(EventKind::kLaunchArg);
      argument.address = kHostBase + pick(kHostBytes);
      argument.flags |= kReads;
      for (Landed& landed : landed_) landed.passed_on = true;
    }
    Event& event = emit(EventKind::kLaunch);
    if (all) event.flags |= kMayTouchAll;
    if (all) last_all_ = now_;
    last_launch_ = now_;
  }

  std::mt19937_64 random_;
  const bool pinned_;  // the host's memory
  RandomTrace result_;
  std::size_t now_ = 0;
  int next_id_ = 0;
  std::size_t last_launch_ = 0;
  struct Sent {
    std::vector<int> content;
    int newest = 0;  // buffer
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Sent> sent_;  // by host range
  std::size_t last_all_ = 0;                                      // of unknown parameters
  std::vector<Buffer> buffers_ = std::vector<Buffer>(3);
  std::vector<int> host_ = std::vector<int>(kHostBytes, 0);
  std::vector<Copy> copies_;
  std::vector<int> freed_unused_;
  std::vector<Landed> landed_;
};

}  // namespace

RandomTrace random_trace(std::uint64_t seed, std::size_t length) {
  return Simulation(seed).run(length);
}

}  // namespace xfer::test
