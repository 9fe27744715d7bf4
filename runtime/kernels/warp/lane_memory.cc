#include "kernels/warp/lane_memory.h"

#include <cstring>

#include "kernels/warp_frame.h"

namespace xfer::kernels::warp {
namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;

/// One place behind the other.
bool is_row(const std::uint64_t* addresses, std::size_t bytes) {
  constexpr unsigned kLast = kLanes - 1;
  if (addresses[kLast] - addresses[0] != kLast * bytes) return false;
  std::uint64_t apart = 0;
  for (unsigned lane = 1; lane < kLanes; ++lane)
    apart |= addresses[lane] - addresses[0] - lane * bytes;
  return apart == 0;
}

std::byte* place(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

/// In whole vectors: for so few bytes a string instruction, which the compiler would take, is slow.
template <class T>
void clear(T* values) {
  using Vector = long long __attribute__((vector_size(16), aligned(1), may_alias));
  auto* const at = reinterpret_cast<Vector*>(values);
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kLanes * sizeof(T) / sizeof(Vector); ++i) at[i] = Vector{};
}

template <class T, class From>
void load_lanes(std::uint32_t mask, T* values, From from) {
  const auto one = [&](unsigned lane) { std::memcpy(values + lane, from(lane), sizeof(T)); };
  if (mask != kAll) {
    clear(values);
    return for_each_lane(mask, one);
  }
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < kLanes; ++lane) one(lane);
}

template <class T, class To>
void store_lanes(std::uint32_t mask, const T* values, To to) {
  const auto one = [&](unsigned lane) { std::memcpy(to(lane), values + lane, sizeof(T)); };
  if (mask != kAll) return for_each_lane(mask, one);
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < kLanes; ++lane) one(lane);
}

template <class T>
void load(const std::uint64_t* addresses, std::uint32_t mask, T* values) {
  if (mask == kAll && is_row(addresses, sizeof(T)))
    std::memcpy(values, place(addresses[0]), kLanes * sizeof(T));
  else
    load_lanes(mask, values, [&](unsigned lane) { return place(addresses[lane]); });
}

/// Of lanes at one place the last one's value stays.
template <class T>
void store(const std::uint64_t* addresses, std::uint32_t mask, const T* values) {
  if (mask == kAll && is_row(addresses, sizeof(T)))
    std::memcpy(place(addresses[0]), values, kLanes * sizeof(T));
  else
    store_lanes(mask, values, [&](unsigned lane) { return place(addresses[lane]); });
}

std::byte* at(std::byte* first, std::int64_t step, unsigned lane) {
  return first + step * static_cast<std::int64_t>(lane);
}

template <class T>
void load_in_steps(std::byte* first, std::int64_t step, std::uint32_t mask, T* values) {
  load_lanes(mask, values, [&](unsigned lane) { return at(first, step, lane); });
}

template <class T>
void store_in_steps(std::byte* first, std::int64_t step, std::uint32_t mask, const T* values) {
  store_lanes(mask, values, [&](unsigned lane) { return at(first, step, lane); });
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
