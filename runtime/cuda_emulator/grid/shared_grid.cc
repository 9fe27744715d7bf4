#include "grid/shared_grid.h"

#include <algorithm>
#include <cstdio>

namespace xfer::emulator::grid {
namespace {

constexpr std::uint64_t kShares = 16;  // of the blocks, for each party

}  // namespace

SharedGrid::SharedGrid(const Launch& launch, unsigned parties)
    : parties_(parties),
      blocks_(std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z),
      together_(parties == 1 ? blocks_ : std::max<std::uint64_t>(1, blocks_ / parties / kShares)),
      most_resident_(
          std::uint64_t{kMultiprocessors} *
          std::max(1U, blocks_per_multiprocessor(launch.threads(), launch.shared_bytes()))) {}

std::optional<SharedGrid::Blocks> SharedGrid::take_blocks() {
  if (const auto block = take_returned()) return Blocks{*block, *block + 1};
  const std::uint64_t first = add(next_, together_);
  if (first >= blocks_) return std::nullopt;
  return Blocks{first, std::min(blocks_, first + together_)};
}

void SharedGrid::give_back(Blocks blocks) {
  if (blocks.first == blocks.end) return;
  const std::lock_guard lock(mutex_);
  returned_.push_back(blocks);
  has_returned_.store(true, std::memory_order_relaxed);
}

std::optional<std::uint64_t> SharedGrid::take_returned() {
  if (!has_returned_.load(std::memory_order_relaxed)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (returned_.empty()) return std::nullopt;
  Blocks& blocks = returned_.back();
  const std::uint64_t block = blocks.first++;
  if (blocks.first == blocks.end) returned_.pop_back();
  if (returned_.empty()) has_returned_.store(false, std::memory_order_relaxed);
  return block;
}

std::optional<std::uint64_t> SharedGrid::begin_block() {
  if (next_.load(std::memory_order_relaxed) >= blocks_ &&
      !has_returned_.load(std::memory_order_relaxed))
    return std::nullopt;
  if (add(resident_, 1) < most_resident_) {
    if (const auto block = take_returned()) return block;
    const std::uint64_t block = add(next_, 1);
    if (block < blocks_) return block;
  }
  end_block();
  return std::nullopt;
}

bool SharedGrid::fail(const char* what, const void* at) {
  State fine = State::kFine;
  if (!state_.compare_exchange_strong(fine, State::kFailed)) return false;
  std::snprintf(failure_, sizeof(failure_), "%s", what);
  at_ = at;
  return true;
}

}  // namespace xfer::emulator::grid
