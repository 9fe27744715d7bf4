// Grids of threads one by one that turn to warps between blocks, once they have done much.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;
using kernels::Warp;

constexpr unsigned kBlocks = 20;
constexpr unsigned kThreads = 40;

/// How often each block ran, and how.
struct Ran {
  std::array<std::atomic<unsigned>, kBlocks> threads{}, warps{};
};

/// Each thread says that it turned through 5 instructions.
void thread(Thread* t) {
  ++parameters_of<Ran*>(t)->threads[t->block->index[0]];
  t->turned += 5;
}

void* warp(Warp* w) {
  ++(*reinterpret_cast<Ran* const*>(w->block->parameters))->warps[w->block->index[0]];
  return nullptr;
}

class TranslatedBusy : public testing::Test {
 protected:
  /// One that has done `blocks` blocks' instructions asks, and gets `code`.
  void run_with_enough_after(unsigned blocks, kernels::RunWarp code, unsigned parties = 1) {
    code_.run = &thread;
    code_.length = 3;
    launch_.code = &code_;
    launch_.parameters = reinterpret_cast<const std::byte*>(&ran_at_);
    launch_.grid = kBlocks;
    launch_.block = kThreads;
    launch_.parties = parties;
    launch_.enough = std::uint64_t{8} * kThreads * blocks;
    launch_.make_warp = [this, code] {
      ++made_;
      return code;
    };
    GridInParts grid(launch_);
    while (!grid.go_on(true)) {
    }
    EXPECT_EQ(grid.failure().what, "");
    work_ = grid.work();
  }
  /// Blocks that threads ran.
  unsigned by_threads() const {
    unsigned blocks = 0;
    for (unsigned i = 0; i < kBlocks; ++i) {
      const unsigned threads = ran_.threads[i], warps = ran_.warps[i];
      EXPECT_TRUE((threads == kThreads && warps == 0) || (threads == 0 && warps == 2)) << i;
      if (threads != 0) ++blocks;
    }
    return blocks;
  }

  Ran ran_;
  Ran* const ran_at_ = &ran_;
  kernels::Code code_;
  Launch launch_;
  unsigned made_ = 0;
  std::uint64_t work_ = 0;
};

TEST_F(TranslatedBusy, WarpsRunTheBlocksThatAreLeft) {
  run_with_enough_after(7, &warp);
  EXPECT_EQ(made_, 1u);
  EXPECT_EQ(by_threads(), 7u);
  EXPECT_EQ(work_, std::uint64_t{8} * kThreads * 7);
}

TEST_F(TranslatedBusy, NoneIsMadeForLittle) {
  run_with_enough_after(kBlocks + 1, &warp);
  EXPECT_EQ(made_, 0u);
  EXPECT_EQ(by_threads(), kBlocks);
  EXPECT_EQ(work_, std::uint64_t{8} * kThreads * kBlocks);
}

TEST_F(TranslatedBusy, ThreadsGoOnWhereThereIsNone) {
  run_with_enough_after(2, nullptr);
  EXPECT_EQ(made_, 1u);
  EXPECT_EQ(by_threads(), kBlocks);
}

TEST_F(TranslatedBusy, PartiesTurnOneByOne) {
  run_with_enough_after(1, &warp, 3);
  EXPECT_EQ(made_, 1u);
  EXPECT_LE(by_threads(), 3u);
}

TEST_F(TranslatedBusy, TheNextGridBeginsWithThreads) {
  run_with_enough_after(1, &warp);
  for (auto* counts : {&ran_.threads, &ran_.warps})
    for (auto& count : *counts) count = 0;
  run_with_enough_after(kBlocks + 1, &warp);
  EXPECT_EQ(made_, 1u);
  EXPECT_EQ(by_threads(), kBlocks);
}

}  // namespace
}  // namespace xfer::emulator::grid
