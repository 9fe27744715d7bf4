#include "kernels/warp/lane_memory.h"

#include <cstring>

#include "kernels/warp_frame.h"

namespace xfer::kernels::warp {
namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;

std::byte* reached(std::uint64_t address, std::uint64_t base, std::uint64_t span) {
  return reinterpret_cast<std::byte*>(reachable(base, span, address));
}

/// One place behind the other.
bool is_row(const std::uint64_t* addresses, std::size_t bytes) {
  constexpr unsigned kLast = kLanes - 1;
  if (addresses[kLast] - addresses[0] != kLast * bytes) return false;
  std::uint64_t apart = 0;
  for (unsigned lane = 1; lane < kLanes; ++lane)
    apart |= addresses[lane] - addresses[0] - lane * bytes;
  return apart == 0;
}

template <class T>
void load(const std::uint64_t* addresses, std::uint32_t mask, std::uint64_t base,
          std::uint64_t span, T* values) {
  if (mask == kAll && is_row(addresses, sizeof(T))) {
    std::memcpy(values, reached(addresses[0], base, span), kLanes * sizeof(T));
    return;
  }
  const auto one = [&](unsigned lane) {
    std::memcpy(values + lane, reached(addresses[lane], base, span), sizeof(T));
  };
  if (mask == kAll) {
    for (unsigned lane = 0; lane < kLanes; ++lane) one(lane);
    return;
  }
  std::memset(values, 0, kLanes * sizeof(T));
  for_each_lane(mask, one);
}

template <class T>
void store(const std::uint64_t* addresses, std::uint32_t mask, std::uint64_t base,
           std::uint64_t span, const T* values) {
  if (mask == kAll && is_row(addresses, sizeof(T))) {
    std::memcpy(reached(addresses[0], base, span), values, kLanes * sizeof(T));
    return;
  }
  // Of lanes at one place the last one's value stays.
  for_each_lane(mask, [&](unsigned lane) {
    std::memcpy(reached(addresses[lane], base, span), values + lane, sizeof(T));
  });
}

std::byte* at(std::byte* first, std::int64_t step, unsigned lane) {
  return first + step * static_cast<std::int64_t>(lane);
}

template <class T>
void load_in_steps(std::byte* first, std::int64_t step, std::uint32_t mask, T* values) {
  const auto one = [&](unsigned lane) {
    std::memcpy(values + lane, at(first, step, lane), sizeof(T));
  };
  if (mask == kAll) {
    for (unsigned lane = 0; lane < kLanes; ++lane) one(lane);
    return;
  }
  std::memset(values, 0, kLanes * sizeof(T));
  for_each_lane(mask, one);
}

template <class T>
void store_in_steps(std::byte* first, std::int64_t step, std::uint32_t mask, const T* values) {
  for_each_lane(
      mask, [&](unsigned lane) { std::memcpy(at(first, step, lane), values + lane, sizeof(T)); });
}

const SupportFunction kFunctions[] = {
    {"xfer_lanes_load_1", address_of(load<std::uint8_t>)},
    {"xfer_lanes_load_2", address_of(load<std::uint16_t>)},
    {"xfer_lanes_load_4", address_of(load<std::uint32_t>)},
    {"xfer_lanes_load_8", address_of(load<std::uint64_t>)},
    {"xfer_lanes_store_1", address_of(store<std::uint8_t>)},
    {"xfer_lanes_store_2", address_of(store<std::uint16_t>)},
    {"xfer_lanes_store_4", address_of(store<std::uint32_t>)},
    {"xfer_lanes_store_8", address_of(store<std::uint64_t>)},
    {"xfer_steps_load_1", address_of(load_in_steps<std::uint8_t>)},
    {"xfer_steps_load_2", address_of(load_in_steps<std::uint16_t>)},
    {"xfer_steps_load_4", address_of(load_in_steps<std::uint32_t>)},
    {"xfer_steps_load_8", address_of(load_in_steps<std::uint64_t>)},
    {"xfer_steps_store_1", address_of(store_in_steps<std::uint8_t>)},
    {"xfer_steps_store_2", address_of(store_in_steps<std::uint16_t>)},
    {"xfer_steps_store_4", address_of(store_in_steps<std::uint32_t>)},
    {"xfer_steps_store_8", address_of(store_in_steps<std::uint64_t>)},
};

}  // namespace

std::span<const SupportFunction> lane_memory_functions() { return kFunctions; }

}  // namespace xfer::kernels::warp
