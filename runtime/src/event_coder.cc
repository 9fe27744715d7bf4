#include "trace_format.h"

namespace xfer::format {
namespace {

constexpr unsigned kKindBits = 6;

enum Field : unsigned {
  kSpaces = kKindBits,
  kSyncScope,
  kFlags,
  kDevice,
  kSourceDevice,
  kThread,
  kSite,
  kName,
  kCorrelation,
  kStream,
  kEventId,
  kAddress,
  kSource,
  kBytes,
  kExtent,
  kSourceExtent,
  kHash,
  kBegin,
  kDuration,
  kPitch,
  kSourcePitch,
  kSlicePitch,
  kSourceSlicePitch,
  kFieldEnd,
};
static_assert(kFieldEnd <= 32);

constexpr std::uint64_t widen(std::int16_t value) {
  return static_cast<std::uint64_t>(std::int64_t{value});
}

}  // namespace

void EventCoder::put(std::string& out, const Event& event) {
  char bytes[kMaxEventBytes];
  char* at = bytes;
  std::uint32_t word = static_cast<std::uint32_t>(event.kind);
  *at++ = static_cast<char>(RecordTag::kEvent);
  char* const word_at = at;
  at += sizeof(word);

  const auto number = [&](std::uint64_t value) {
    while (value >= 0x80) {
      *at++ = static_cast<char>(value | 0x80);
      value >>= 7;
    }
    *at++ = static_cast<char>(value);
  };
  const auto field = [&](Field which, std::uint64_t value) {
    if (value == 0) return;
    word |= 1u << which;
    number(value);
  };

  field(kSpaces, static_cast<std::uint64_t>(event.space) |
                     static_cast<std::uint64_t>(event.source_space) << 4);
  field(kSyncScope, static_cast<std::uint64_t>(event.sync));
  field(kFlags, event.flags);
  field(kDevice, zigzag(widen(event.device)));
  field(kSourceDevice, zigzag(widen(event.source_device) + 1));
  field(kThread, event.thread);
  field(kSite, event.site);
  field(kName, event.name);
  field(kCorrelation, zigzag(event.correlation - correlation_));
  field(kStream, event.stream);
  field(kEventId, event.event_id);
  field(kAddress, event.address);
  field(kSource, event.source);
  field(kBytes, event.bytes);
  field(kExtent, event.extent);
  field(kSourceExtent, event.source_extent);
  if ((event.hash_lo | event.hash_hi) != 0) {
    word |= 1u << kHash;
    std::memcpy(at, &event.hash_lo, 8);
    std::memcpy(at + 8, &event.hash_hi, 8);
    at += 16;
  }
  field(kBegin, zigzag(event.begin_ns - time_));
  field(kDuration, zigzag(event.end_ns - event.begin_ns));
  field(kPitch, event.pitch);
  field(kSourcePitch, event.source_pitch);
  field(kSlicePitch, event.slice_pitch);
  field(kSourceSlicePitch, event.source_slice_pitch);
  time_ = event.begin_ns;
  correlation_ = event.correlation;
  std::memcpy(word_at, &word, sizeof(word));
  out.append(bytes, static_cast<std::size_t>(at - bytes));
}

Event EventCoder::take(Cursor& in) {
  Event event;
  const auto word = in.plain<std::uint32_t>();
  const std::uint32_t kind = word & ((1u << kKindBits) - 1);
  if (kind > static_cast<std::uint32_t>(kLastEventKind) ||
      (kFieldEnd < 32 && word >> kFieldEnd != 0))
    in.fail();
  event.kind = static_cast<EventKind>(kind);
  const auto field = [&](Field which) {
    return (word >> which & 1u) != 0 ? in.number() : std::uint64_t{0};
  };
  const auto narrow = [&](std::uint64_t value) {
    const auto result = static_cast<std::int16_t>(value);
    if (widen(result) != value) in.fail();
    return result;
  };
  const auto narrow32 = [&](std::uint64_t value) {
    if (value > UINT32_MAX) in.fail();
    return static_cast<std::uint32_t>(value);
  };

  const std::uint64_t spaces = field(kSpaces);
  const std::uint64_t sync = field(kSyncScope);
  const std::uint64_t flags = field(kFlags);
  constexpr auto kLastSpace = static_cast<std::uint64_t>(Space::kManaged);
  if ((spaces & 15) > kLastSpace || spaces >> 4 > kLastSpace || flags > UINT16_MAX ||
      sync > static_cast<std::uint64_t>(SyncScope::kEvent))
    in.fail();
  event.space = static_cast<Space>(spaces & 15);
  event.source_space = static_cast<Space>(spaces >> 4 & 15);
  event.sync = static_cast<SyncScope>(sync);
  event.flags = static_cast<std::uint16_t>(flags);
  event.device = narrow(unzigzag(field(kDevice)));
  event.source_device = narrow(unzigzag(field(kSourceDevice)) - 1);
  event.thread = narrow32(field(kThread));
  event.site = narrow32(field(kSite));
  event.name = narrow32(field(kName));
  event.correlation = correlation_ + unzigzag(field(kCorrelation));
  event.stream = field(kStream);
  event.event_id = field(kEventId);
  event.address = field(kAddress);
  event.source = field(kSource);
  event.bytes = field(kBytes);
  event.extent = field(kExtent);
  event.source_extent = field(kSourceExtent);
  if ((word >> kHash & 1u) != 0) {
    event.hash_lo = in.plain<std::uint64_t>();
    event.hash_hi = in.plain<std::uint64_t>();
  }
  event.begin_ns = time_ + unzigzag(field(kBegin));
  event.end_ns = event.begin_ns + unzigzag(field(kDuration));
  event.pitch = field(kPitch);
  event.source_pitch = field(kSourcePitch);
  event.slice_pitch = field(kSlicePitch);
  event.source_slice_pitch = field(kSourceSlicePitch);
  time_ = event.begin_ns;
  correlation_ = event.correlation;
  return event;
}

}  // namespace xfer::format
