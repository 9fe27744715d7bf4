#include "unit/kernels/matrix/warp.h"

#include <array>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>

#include "kernels/kernels.h"

namespace xfer::kernels::testing {
namespace {

constexpr unsigned kLanes = 32;
constexpr std::size_t kSlot = 16;

/// All lanes meet in each service: only what they exchange is theirs to read, until the next time.
struct Meeting {
  std::barrier<> barrier{kLanes};
  std::array<std::array<std::byte, kLanes * kSlot>, 2> slots;
};

struct Lane : Thread {
  Meeting* meeting = nullptr;
  unsigned turn = 0;
};

Lane& lane_of(Thread* thread) { return *static_cast<Lane*>(thread); }

void meet(Thread* thread, std::uint32_t mask) {
  if (mask != 0xFFFFFFFF) throw std::runtime_error("only whole warps meet here");
  lane_of(thread).meeting->barrier.arrive_and_wait();
}

const std::byte* exchange(Thread* thread, std::uint32_t mask, const std::byte* value,
                          std::uint32_t bytes) {
  Lane& lane = lane_of(thread);
  auto& slots = lane.meeting->slots[lane.turn++ % 2];
  std::byte* mine = slots.data() + lane.number * kSlot;
  std::memset(mine, 0xA5, kSlot);
  std::memcpy(mine, value, bytes);
  meet(thread, mask);
  return slots.data();
}

std::unique_ptr<Program> load(const std::string& ptx) {
  std::string why;
  std::unique_ptr<Program> program(load_program({ptx}, &why));
  if (program == nullptr) throw std::runtime_error(why);
  return program;
}

/// All tests run once so and once so: see CMakeLists.txt.
bool in_step() { return std::getenv("XFER_MATRICES_IN_STEP") != nullptr; }

void run_in_step(Program& program, Block& block) {
  std::string why;
  const RunWarp run = program.warp_code("k", Extra::kNone, WarpShape::kRows, &why);
  if (run == nullptr) throw std::runtime_error(why);
  std::array<Thread, kLanes> threads;
  Warp warp;
  warp.block = &block;
  warp.threads = threads.data();
  warp.lanes = 0xFFFFFFFF;
  for (unsigned i = 0; i < kLanes; ++i) {
    threads[i].block = &block;
    threads[i].index[0] = threads[i].number = warp.index[0][i] = i;
  }
  run(&warp);
  if (warp.stop != WarpStop::kEnd) throw std::runtime_error("it waits");
  std::free(warp.frame);
}

}  // namespace

void run_warp(const std::string& ptx, const std::vector<const void*>& parameters) {
  const std::unique_ptr<Program> program = load(ptx);
  std::string why;
  const Code* code = program->code("k", Extra::kNone, &why);
  if (code == nullptr) throw std::runtime_error(why + "\n" + ptx);
  if (!code->waits) throw std::runtime_error("nobody knows that it waits");

  Services services{};
  services.exchange = exchange;
  services.warp_barrier = meet;
  const auto shared = std::make_unique<std::array<std::byte, 65536>>();
  Block block;
  block.services = &services;
  block.shared = shared->data();
  block.shared_bytes = code->shared_bytes;
  block.parameters = reinterpret_cast<const std::byte*>(parameters.data());
  block.block_size[0] = kLanes;

  if (in_step()) return run_in_step(*program, block);
  Meeting meeting;
  std::vector<std::thread> threads;
  std::array<Lane, kLanes> lanes;
  for (unsigned i = 0; i < kLanes; ++i) {
    lanes[i].block = &block;
    lanes[i].index[0] = lanes[i].number = i;
    lanes[i].meeting = &meeting;
    threads.emplace_back([code, lane = &lanes[i]] { code->run(lane); });
  }
  for (std::thread& thread : threads) thread.join();
}

std::string refusal(const std::string& ptx) {
  std::string why;
  return load(ptx)->code("k", Extra::kNone, &why) == nullptr ? why : "";
}

std::string refusal_in_step(const std::string& ptx) {
  std::string why;
  return load(ptx)->warp_code("k", Extra::kNone, WarpShape::kRows, &why) == nullptr ? why : "";
}

std::vector<std::string> approximate(const std::string& ptx) {
  const std::unique_ptr<Program> program = load(ptx);
  std::string why;
  const Code* code = program->code("k", Extra::kNone, &why);
  if (code == nullptr) throw std::runtime_error(why);
  return code->approximate;
}

}  // namespace xfer::kernels::testing
