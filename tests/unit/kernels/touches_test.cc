// Records of the bytes that code touches, thread by thread and for a warp at once.

#include "kernels/touches.h"

#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/touch_marks.h"

namespace xfer::kernels {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kSpan = 1 << 14;

std::string module_of(const std::string& body) {
  return ".version 9.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 first, .param .u64 second)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n.shared .b32 shared[32];\n"
         "ld.param.u64 %d1, [first];\nld.param.u64 %d2, [second];\nmov.u32 %r1, %tid.x;\n" +
         body + "\nret;\n}\n";
}

/// Device memory at made-up addresses, and marks of it.
class Recorded {
 public:
  explicit Recorded(const std::string& body) {
    std::string why;
    program_.reset(load_program({module_of(body)}, &why));
    code_ = program_->code("k", Extra::kTouches, &why);
    EXPECT_NE(code_, nullptr) << why;
    touches_.reads = reads_.data();
    touches_.writes = writes_.data();
    touches_.pages = pages_.data();
    touches_.context = this;
    touches_.mark_host = [](void* self, std::uintptr_t address, std::uint64_t bytes, bool writes) {
      return static_cast<Recorded*>(self)->mark_host(address, bytes, writes);
    };
    block_.services = &services_;
    block_.touches = &touches_;
    block_.device_base = reinterpret_cast<std::uintptr_t>(memory_.data());
    block_.device_span = kSpan;
    block_.shared = shared_.data();
    block_.shared_bytes = shared_.size();
    block_.block_size[0] = 32;
    parameters_ = {block_.device_base, block_.device_base + kSpan / 2};
    block_.parameters = reinterpret_cast<const std::byte*>(parameters_.data());
    for (std::uint32_t lane = 0; lane < threads_.size(); ++lane) {
      threads_[lane].block = &block_;
      threads_[lane].index[0] = threads_[lane].number = lane;
    }
  }

  bool all() const { return code_->records_touches; }
  std::uintptr_t end() const { return block_.device_base + kSpan; }
  std::uintptr_t host() const { return reinterpret_cast<std::uintptr_t>(&host_); }
  void give(std::uintptr_t first) { parameters_[0] = first; }

  void run_threads() {
    for (Thread& thread : threads_) code_->run(&thread);
  }
  /// A row of 32, or two of 16.
  void run_warp(WarpShape shape = WarpShape::kRows) {
    std::string why;
    const RunWarp run = program_->warp_code("k", Extra::kTouches, shape, &why);
    ASSERT_NE(run, nullptr) << why;
    Warp warp;
    warp.block = &block_;
    warp.threads = threads_.data();
    warp.lanes = 0xffffffff;
    const std::uint32_t row = shape == WarpShape::kHalves ? kLanes / 2 : kLanes;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      warp.index[0][lane] = lane % row;
      warp.index[1][lane] = lane / row;
    }
    EXPECT_EQ(run(&warp), nullptr);
  }

  std::vector<std::string> marks() const {
    std::vector<std::string> found;
    for (const auto* const plane : {&reads_, &writes_})
      for (std::size_t at = 0; at < kSpan;) {
        std::size_t end = at;
        while (end < kSpan && is_marked(*plane, end)) ++end;
        if (end != at)
          found.push_back((plane == &reads_ ? "r " : "w ") + std::to_string(at) + "-" +
                          std::to_string(end));
        at = end + 1;
      }
    return found;
  }
  std::vector<int> pages() const {
    std::vector<int> found;
    for (std::size_t page = 0; page < pages_.size(); ++page)
      if (pages_[page] != std::byte{}) found.push_back(static_cast<int>(page));
    return found;
  }
  const std::vector<std::string>& touched_host() const { return touched_host_; }

 private:
  bool mark_host(std::uintptr_t address, std::uint64_t bytes, bool writes) {
    if (address != host()) return false;
    touched_host_.push_back((writes ? "w " : "r ") + std::to_string(bytes));
    return true;
  }
  static bool is_marked(const std::vector<std::byte>& plane, std::size_t byte) {
    return (std::to_integer<unsigned>(plane[byte / kMarkedWord]) >> byte % kMarkedWord & 1) != 0;
  }

  int host_ = 0;
  std::vector<std::string> touched_host_;
  std::unique_ptr<Program> program_;
  const Code* code_ = nullptr;
  std::vector<std::byte> memory_ = std::vector<std::byte>(2 * kSpan);
  std::vector<std::byte> reads_ = std::vector<std::byte>(kSpan / kMarkedWord);
  std::vector<std::byte> writes_ = std::vector<std::byte>(kSpan / kMarkedWord);
  std::vector<std::byte> pages_ = std::vector<std::byte>((kSpan >> Touches::kPageBits) + 1);
  alignas(128) std::array<std::byte, 128> shared_{};
  std::array<std::uintptr_t, 2> parameters_{};
  std::array<Thread, kLanes> threads_;
  Touches touches_;
  Services services_;
  Block block_;
};

/// Twenty lanes read four bytes each; all write two at every eighth.
constexpr const char* kCopy = R"(
mul.wide.u32 %d3, %r1, 4;
add.u64 %d4, %d1, %d3;
mul.wide.u32 %d5, %r1, 8;
add.u64 %d6, %d2, %d5;
setp.lt.u32 %p1, %r1, 20;
mov.u32 %r2, 5;
@!%p1 bra STORE;
ld.global.u32 %r2, [%d4+16];
STORE:
st.global.u16 [%d6], %r2;)";

void expect_copy(const Recorded& recorded) {
  std::vector<std::string> expected{"r 16-96"};
  for (int lane = 0; lane < 32; ++lane)
    expected.push_back("w " + std::to_string(8192 + 8 * lane) + "-" +
                       std::to_string(8194 + 8 * lane));
  EXPECT_EQ(recorded.marks(), expected);
  EXPECT_THAT(recorded.pages(), ElementsAre(0, 2));
  EXPECT_THAT(recorded.touched_host(), IsEmpty());
}

TEST(Touches, OfThreads) {
  Recorded recorded(kCopy);
  EXPECT_TRUE(recorded.all());
  recorded.run_threads();
  expect_copy(recorded);
}

TEST(Touches, OfAWarp) {
  Recorded recorded(kCopy);
  recorded.run_warp();
  expect_copy(recorded);
}

TEST(Touches, OfRows) {
  // Behind the first page's end and before it, in words of every size, and all at one place.
  const char* const body = R"(
mul.wide.u32 %d3, %r1, 4;
add.u64 %d4, %d1, %d3;
ld.global.u32 %r2, [%d4+4092];
mul.wide.u32 %d3, %r1, 8;
add.u64 %d4, %d1, %d3;
st.global.u64 [%d4+1024], %d3;
mul.wide.u32 %d3, %r1, 2;
add.u64 %d4, %d1, %d3;
ld.global.u16 %r3, [%d4+2];
ld.global.u64 %d5, [%d2];
st.global.u8 [%d2+9], %r3;)";
  Recorded row(body);
  row.run_warp();
  EXPECT_THAT(row.marks(),
              ElementsAre("r 2-66", "r 4092-4220", "r 8192-8200", "w 1024-1280", "w 8201-8202"));
  EXPECT_THAT(row.pages(), ElementsAre(0, 1, 2));
  Recorded halves(body);
  halves.run_warp(WarpShape::kHalves);
  EXPECT_THAT(halves.marks(),
              ElementsAre("r 2-34", "r 4092-4156", "r 8192-8200", "w 1024-1152", "w 8201-8202"));
}

TEST(Touches, OfARowThatLeavesMemory) {
  // Of device memory; behind it here is what it reaches.
  const char* const body = R"(
mul.wide.u32 %d3, %r1, 4;
add.u64 %d4, %d1, %d3;
ld.global.u32 %r2, [%d4];)";
  Recorded recorded(body);
  recorded.give(recorded.end() - 64);
  recorded.run_warp();
  EXPECT_THAT(recorded.marks(), ElementsAre("r 16320-16384"));
}

TEST(Touches, OfVectorsAndAtomics) {
  const char* const body = R"(
mul.wide.u32 %d3, %r1, 16;
add.u64 %d4, %d1, %d3;
ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d4];
atom.global.add.u32 %r6, [%d2+64], %r2;)";
  Recorded recorded(body);
  recorded.run_threads();
  EXPECT_THAT(recorded.marks(), ElementsAre("r 0-512", "r 8256-8260", "w 8256-8260"));
}

TEST(Touches, OfLanesThatLieApart) {
  // One of them lies where the first ones do not say.
  const char* const body = R"(
mul.wide.u32 %d3, %r1, 16;
setp.eq.u32 %p1, %r1, 30;
@%p1 mov.u64 %d3, 4;
add.u64 %d4, %d2, %d3;
mul.wide.u32 %d5, %r1, 24;
add.u64 %d6, %d1, %d5;
setp.ne.u32 %p1, %r1, 31;
@%p1 ld.global.u64 %d7, [%d6];
@%p1 st.global.u32 [%d4], %r1;)";
  std::vector<std::string> expected;
  for (int lane = 0; lane < 31; ++lane)
    expected.push_back("r " + std::to_string(24 * lane) + "-" + std::to_string(24 * lane + 8));
  expected.emplace_back("w 8192-8200");
  for (int lane = 1; lane < 30; ++lane)
    expected.push_back("w " + std::to_string(8192 + 16 * lane) + "-" +
                       std::to_string(8196 + 16 * lane));
  Recorded threads(body), warp(body);
  threads.run_threads();
  EXPECT_EQ(threads.marks(), expected);
  warp.run_warp();
  EXPECT_EQ(warp.marks(), expected);
}

TEST(TouchMarks, AreOfBytes) {
  for (const std::uint64_t first : {0, 1, 3, 4, 6})
    for (const std::uint64_t bytes : {1, 2, 3, 4, 5, 8, 16, 23, 128, 255}) {
      std::array<std::byte, 80> marks{};
      mark_bytes(marks.data(), first, bytes);
      mark_bytes(marks.data(), first, bytes);  // again changes nothing
      for (std::uint64_t byte = 0; byte < marks.size() * kMarkedWord; ++byte)
        EXPECT_EQ(std::to_integer<unsigned>(marks[byte / kMarkedWord]) >> byte % kMarkedWord & 1,
                  byte >= first && byte < first + bytes)
            << first << ' ' << bytes << ' ' << byte;
    }
}

TEST(Touches, OfAsynchronousCopies) {
  const char* const body = R"(
mul.wide.u32 %d3, %r1, 8;
add.u64 %d4, %d1, %d3;
cp.async.ca.shared.global [shared], [%d4], 8;
cp.async.ca.shared.global [shared+16], [%d2], 16, %r1;)";
  Recorded recorded(body);
  EXPECT_TRUE(recorded.all());
  recorded.run_threads();
  EXPECT_THAT(recorded.marks(), ElementsAre("r 0-256", "r 8192-8208"));
}

TEST(Touches, NotOfMemoryThatIsNoDevices) {
  // A generic address of shared memory, and one of the host's.
  const char* const body = R"(
mov.u64 %d3, shared;
cvta.shared.u64 %d4, %d3;
st.u32 [%d4], %r1;)";
  Recorded recorded(body);
  recorded.run_threads();
  EXPECT_THAT(recorded.marks(), IsEmpty());
  EXPECT_THAT(recorded.touched_host(), IsEmpty());
}

TEST(Touches, OfTheHostsMemoryAreTold) {
  Recorded recorded("ld.global.u32 %r2, [%d1];\nst.shared.u32 [shared], %r2;");
  recorded.give(recorded.host());
  recorded.run_threads();
  EXPECT_THAT(recorded.marks(), IsEmpty());
  EXPECT_THAT(recorded.touched_host(), testing::Each("r 4"));
  EXPECT_EQ(recorded.touched_host().size(), kLanes);
}

TEST(Touches, NotBehindTheEndOfMemory) {
  std::array<std::byte, 64> writes{};
  std::array<std::byte, 2> pages{};
  Touches touches;
  touches.writes = touches.reads = writes.data();
  touches.pages = pages.data();
  Block block;
  block.touches = &touches;
  block.device_base = 0x1000;
  block.device_span = 32;
  touches::mark(&block, 0x1000 + 28, 16, 1);
  EXPECT_EQ(writes[7], std::byte{kWholeWord});
  EXPECT_EQ(writes[8], std::byte{0});
}

TEST(Touches, NotWhereATextureIsRead) {
  EXPECT_FALSE(Recorded("tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%d1, {%r1}];").all());
}

}  // namespace
}  // namespace xfer::kernels
