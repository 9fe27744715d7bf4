// A grid of a translated kernel as a whole: order, barriers, memory, faults, its end.

#include <gtest/gtest.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "grid/shared_memory.h"
#include "machine/fault.h"
#include "machine/grid_in_progress.h"
#include "machine/time_limit.h"
#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;

struct Seen {
  std::vector<int>* counts;
};

TEST(TranslatedGrid, EveryThreadOfEveryBlockRunsOnce) {
  std::vector<int> counts(2 * 3 * 4 * 5 * 6 * 7);
  const auto kernel = [](Thread* t) {
    const auto& b = *t->block;
    const auto flat = [](const std::uint32_t (&at)[3], const std::uint32_t (&size)[3]) {
      return (at[2] * size[1] + at[1]) * size[0] + at[0];
    };
    EXPECT_EQ(flat(t->index, b.block_size), t->number);
    ++(*parameters_of<Seen>(t).counts)[flat(b.index, b.grid_size) * 210 + t->number];
  };
  EXPECT_EQ(launch(kernel, {.grid = dim3(2, 3, 4), .block = dim3(5, 6, 7)}, Seen{&counts}), "");
  EXPECT_EQ(counts, std::vector<int>(counts.size(), 1));
}

struct Sum {
  const int* in;
  int* out;
};

void tree_sum(Thread* t) {
  auto* const partial = reinterpret_cast<int*>(t->block->shared);
  const auto& p = parameters_of<Sum>(t);
  partial[t->number] = p.in[global_index(t)];
  ask(t).barrier(t, 0, 0);
  for (unsigned half = t->block->block_size[0] / 2; half > 0; half /= 2) {
    if (t->number < half) partial[t->number] += partial[t->number + half];
    ask(t).barrier(t, 0, 0);
  }
  if (t->number == 0) p.out[t->block->index[0]] = partial[0];
}

TEST(TranslatedGrid, BarriersOrderTheThreadsOfABlock) {
  std::vector<int> in(1024);
  for (int i = 0; i < 1024; ++i) in[static_cast<std::size_t>(i)] = i;
  std::vector<int> out(4);
  EXPECT_EQ(launch(&tree_sum, {.grid = 4, .block = 256, .dynamic_shared_bytes = 1024},
                   Sum{in.data(), out.data()}),
            "");
  EXPECT_EQ(out, (std::vector<int>{32640, 98176, 163712, 229248}));
}

TEST(TranslatedGrid, ThreadsThatReturnedAreNotWaitedFor) {
  int after = 0;
  const auto kernel = [](Thread* t) {
    if (t->number % 3 == 0) return;
    ask(t).barrier(t, 0, 0);
    ++*parameters_of<int*>(t);
  };
  EXPECT_EQ(launch(kernel, {.block = 96}, &after), "");
  EXPECT_EQ(after, 64);
  // The last to return lets the others go.
  after = 0;
  const auto late = [](Thread* t) {
    if (t->number == 95) return;
    ask(t).barrier(t, 0, 0);
    ++*parameters_of<int*>(t);
  };
  EXPECT_EQ(launch(late, {.block = 96}, &after), "");
  EXPECT_EQ(after, 95);
}

TEST(TranslatedGrid, BarriersHaveNumbersAndCounts) {
  std::vector<int> order;
  // Two pairs of warps, each with a barrier of its own; the second pair is never waited for.
  const auto kernel = [](Thread* t) {
    auto& seen = *parameters_of<std::vector<int>*>(t);
    const unsigned pair = t->number / 64;
    if (t->number % 64 == 0) seen.push_back(static_cast<int>(10 * pair));
    ask(t).barrier(t, 1 + pair, 64);
    if (t->number % 64 == 0) seen.push_back(static_cast<int>(10 * pair + 1));
  };
  EXPECT_EQ(launch(kernel, {.block = 128}, &order), "");
  EXPECT_EQ(order, (std::vector<int>{0, 1, 10, 11}));
}

TEST(TranslatedGrid, ProducersArriveWithoutWaiting) {
  struct State {
    int made = 0;
    int wrong = 0;
  } state;
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    if (t->number < 32) {
      ask(t).barrier(t, 3, 64);
      if (s.made != 32) ++s.wrong;
    } else {
      ++s.made;
      ask(t).arrive(t, 3, 64);
    }
  };
  EXPECT_EQ(launch(kernel, {.block = 64}, &state), "");
  EXPECT_EQ(state.made, 32);
  EXPECT_EQ(state.wrong, 0);
}

TEST(TranslatedGrid, BarriersCountPredicates) {
  std::vector<std::uint32_t> got(100);
  const auto kernel = [](Thread* t) {
    std::uint32_t arrived = 0;
    const std::uint32_t holding = ask(t).barrier_count(t, 0, 0, t->number < 10 ? 7 : 0, &arrived);
    (*parameters_of<std::vector<std::uint32_t>*>(t))[t->number] = holding * 1000 + arrived;
  };
  EXPECT_EQ(launch(kernel, {.block = 100}, &got), "");
  EXPECT_EQ(got, std::vector<std::uint32_t>(100, 10100));
}

TEST(TranslatedGrid, BarrierThatNobodyCompletesEndsTheKernel) {
  const auto kernel = [](Thread* t) { ask(t).barrier(t, t->number % 2, 32); };
  EXPECT_EQ(launch(kernel, {.block = 32}, 0), kNobodyComes);
}

TEST(TranslatedGrid, SharedMemoryIsAlignedAndZeroAtFirst) {
  int wrong = 0;
  const auto kernel = [](Thread* t) {
    const auto& b = *t->block;
    if (reinterpret_cast<std::uintptr_t>(b.shared) % 128 != 0) ++*parameters_of<int*>(t);
    if (b.shared_bytes != 300 || b.dynamic_shared_bytes != 44) ++*parameters_of<int*>(t);
    std::memset(b.shared, 1, b.shared_bytes);
  };
  EXPECT_EQ(launch(kernel,
                   {.grid = 3, .block = 2, .dynamic_shared_bytes = 44, .static_shared_bytes = 256},
                   &wrong),
            "");
  EXPECT_EQ(wrong, 0);
}

TEST(TranslatedGrid, NothingLiesAroundSharedMemory) {
  SharedMemory memory;
  std::byte* const begin = memory.reserve(8192);
  std::memset(begin, 1, 8192);
  for (const std::ptrdiff_t at : {-1, -4096, -40'000, 8192, 40'000, 900'000}) {
    std::byte byte{};
    const iovec local{&byte, 1};
    const iovec remote{begin + at, 1};
    EXPECT_EQ(process_vm_readv(getpid(), &local, 1, &remote, 1, 0), -1) << at;
  }
}

TEST(TranslatedGrid, EachThreadHasLocalMemoryOfItsOwn) {
  int wrong = 0;
  const auto kernel = [](Thread* t) {
    int& wrong_ones = *parameters_of<int*>(t);
    const auto at = reinterpret_cast<std::uintptr_t>(t->local);
    if (at % 16 != 0) ++wrong_ones;
    auto* const mine = reinterpret_cast<std::uint32_t*>(t->local);
    for (unsigned i = 0; i < 100; ++i) mine[i] = t->number;
    ask(t).barrier(t, 0, 0);
    for (unsigned i = 0; i < 100; ++i)
      if (mine[i] != t->number) ++wrong_ones;
    int here = 0;
    if (ask(t).is_local(t, at + 399) == 0) ++wrong_ones;
    if (ask(t).is_local(t, reinterpret_cast<std::uintptr_t>(&here)) == 0) ++wrong_ones;
    if (ask(t).is_local(t, reinterpret_cast<std::uintptr_t>(&wrong_ones)) != 0) ++wrong_ones;
  };
  EXPECT_EQ(launch(kernel, {.block = 256, .local_bytes = 400}, &wrong), "");
  EXPECT_EQ(wrong, 0);
}

class CountingHeap final : public Heap {
 public:
  std::uintptr_t allocate(std::uint64_t bytes) override {
    if (bytes > 1000) return 0;
    void* const memory = std::malloc(bytes);
    return reinterpret_cast<std::uintptr_t>(memory);
  }
  void release(std::uintptr_t address) override {
    ++released;
    std::free(reinterpret_cast<void*>(address));
  }
  int released = 0;
};

TEST(TranslatedGrid, MallocAndFree) {
  CountingHeap heap;
  int wrong = 0;
  const auto kernel = [](Thread* t) {
    const std::uintptr_t memory = ask(t).allocate(t, 100);
    if (memory == 0) ++*parameters_of<int*>(t);
    if (ask(t).allocate(t, 2000) != 0) ++*parameters_of<int*>(t);
    ask(t).release(t, memory);
    ask(t).release(t, 0);
  };
  EXPECT_EQ(launch(kernel, {.block = 10, .heap = &heap}, &wrong), "");
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(heap.released, 10);
  EXPECT_EQ(launch(kernel, {.block = 10}, &wrong), "");  // no heap at all
  EXPECT_EQ(wrong, 10);
}

TEST(TranslatedGrid, TrapEndsTheGridAndTheNextOneRuns) {
  int ran = 0;
  const auto kernel = [](Thread* t) {
    if (t->number >= 32) ask(t).barrier(t, 0, 0);
    if (t->number == 40) ++*parameters_of<int*>(t);
    if (t->number == 5 && t->block->index[0] == 1) ask(t).trap(t);
    ask(t).barrier(t, 0, 0);
  };
  EXPECT_EQ(launch(kernel, {.grid = 3, .block = 64}, &ran), kTrapped);
  EXPECT_EQ(ran, 1) << "the first block alone got past its barrier";
  EXPECT_EQ(launch(kernel, {.grid = 1, .block = 64}, &ran), "");
  EXPECT_EQ(ran, 2);
}

TEST(TranslatedGrid, AssertionSaysWhere) {
  testing::internal::CaptureStderr();
  const auto kernel = [](Thread* t) {
    const auto text = [](const char* what) { return reinterpret_cast<std::uintptr_t>(what); };
    if (t->number == 3 && t->block->index[0] == 2)
      ask(t).fail_assertion(t, text("x < 3"), text("a.cu"), 17, text("void k(int)"));
  };
  EXPECT_EQ(launch(kernel, {.grid = 4, .block = 8}, 0), kAssertionFailed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "a.cu:17: void k(int): block: [2,0,0], thread: [3,0,0] Assertion `x < 3` failed.\n");
}

TEST(TranslatedGrid, FaultEndsTheGrid) {
  install_fault_handler();
  const auto kernel = [](Thread* t) {
    ask(t).barrier(t, 0, 0);
    if (t->number == 3) *reinterpret_cast<volatile int*>(std::uintptr_t{16}) = 1;
  };
  EXPECT_EQ(launch(kernel, {.grid = 2, .block = 8}, 0),
            "kernel touched an address that the device cannot reach");
  EXPECT_EQ(grid_in_progress(), nullptr);
  EXPECT_EQ(launch([](Thread* t) { ask(t).barrier(t, 0, 0); }, {.grid = 2, .block = 8}, 0), "");
}

TEST(TranslatedGrid, KernelThatNeverEndsIsStopped) {
  install_fault_handler();
  const auto loop = [](Thread*) {
    volatile unsigned turns = 0;
    while (true) turns = turns + 1;
  };
  EXPECT_EQ(launch(loop, {.block = 2, .seconds = 1}, 0), kTooLong);
  const auto waiting = [](Thread* t) {
    while (true) ask(t).yield(t);
  };
  EXPECT_EQ(launch(waiting, {.block = 40, .seconds = 1}, 0), kTooLong);
}

}  // namespace
}  // namespace xfer::emulator::grid
