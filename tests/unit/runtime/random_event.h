#pragma once
// Events with every field at random, small and extreme values included.

#include <random>

#include "xfer/event.h"

namespace xfer::test {

inline std::uint64_t random_number(std::mt19937_64& random) {
  const unsigned bits = static_cast<unsigned>(random() % 65);
  return bits == 0 ? 0 : random() >> (64 - bits);
}

inline Event random_event(std::mt19937_64& random) {
  Event event;
  event.kind = static_cast<EventKind>(random() % (static_cast<unsigned>(kLastEventKind) + 1));
  event.space = static_cast<Space>(random() % 5);
  event.source_space = static_cast<Space>(random() % 5);
  event.sync = static_cast<SyncScope>(random() % 4);
  event.flags = static_cast<std::uint16_t>(random_number(random));
  event.device = static_cast<std::int16_t>(random_number(random));
  event.source_device = static_cast<std::int16_t>(random_number(random));
  event.thread = static_cast<std::uint32_t>(random_number(random));
  event.site = static_cast<std::uint32_t>(random_number(random));
  event.name = static_cast<std::uint32_t>(random_number(random));
  for (std::uint64_t* field :
       {&event.correlation, &event.stream, &event.event_id, &event.address, &event.source,
        &event.bytes, &event.extent, &event.source_extent, &event.pitch, &event.source_pitch,
        &event.slice_pitch, &event.source_slice_pitch, &event.hash_lo, &event.hash_hi,
        &event.begin_ns, &event.end_ns})
    *field = random_number(random);
  return event;
}

inline bool same(const Event& a, const Event& b) {
  return a.kind == b.kind && a.space == b.space && a.source_space == b.source_space &&
         a.sync == b.sync && a.flags == b.flags && a.device == b.device &&
         a.source_device == b.source_device && a.thread == b.thread && a.site == b.site &&
         a.name == b.name && a.correlation == b.correlation && a.stream == b.stream &&
         a.event_id == b.event_id && a.address == b.address && a.source == b.source &&
         a.bytes == b.bytes && a.extent == b.extent && a.source_extent == b.source_extent &&
         a.pitch == b.pitch && a.source_pitch == b.source_pitch && a.slice_pitch == b.slice_pitch &&
         a.source_slice_pitch == b.source_slice_pitch && a.hash_lo == b.hash_lo &&
         a.hash_hi == b.hash_hi && a.begin_ns == b.begin_ns && a.end_ns == b.end_ns;
}

}  // namespace xfer::test
