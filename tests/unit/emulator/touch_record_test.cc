#include "machine/touch_record.h"

#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/touch_marks.h"

namespace xfer::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TouchRecordTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(memory_.map(1, 1 << 20), "");
    TouchRecord::enable(true);
    ASSERT_TRUE(record_.wanted(memory_));
  }
  void TearDown() override { TouchRecord::enable(false); }

  std::uintptr_t allocate(std::uint64_t bytes) { return *memory_.allocate(0, bytes); }
  void mark(std::uintptr_t address, std::uint64_t bytes, const std::string& how) {
    kernels::Touches& touches = record_.begin(host_);
    const std::uint64_t at = address - memory_.base();
    if (how != "w") kernels::mark_bytes(touches.reads, at, bytes);
    if (how != "r") kernels::mark_bytes(touches.writes, at, bytes);
    for (std::uint64_t page = at >> kernels::Touches::kPageBits;
         page <= (at + bytes - 1) >> kernels::Touches::kPageBits; ++page)
      touches.pages[page] = std::byte{1};
  }
  /// By offsets from the address.
  std::vector<std::string> found(std::uintptr_t from) {
    record_.finish(memory_, 7, {});
    std::vector<std::string> text;
    for (const Touched& range : *record_.of(7))
      text.push_back(std::to_string(range.begin - from) + "-" + std::to_string(range.end - from) +
                     (range.reads ? "r" : "") + (range.writes ? "w" : "") +
                     (range.every_byte ? "" : "?") + (range.in_block ? "" : " nowhere") +
                     (range.width != 0 ? " " + std::to_string(range.width) + " of each " +
                                             std::to_string(range.pitch)
                                       : ""));
    return text;
  }

  DeviceMemory memory_;
  HostMemory host_;
  TouchRecord record_;
};

TEST_F(TouchRecordTest, RangesToTheByte) {
  const std::uintptr_t a = allocate(20000);
  mark(a + 1, 3, "r");
  mark(a + 4, 4, "w");
  mark(a + 4000, 9000, "rw");
  EXPECT_THAT(found(a), ElementsAre("1-4r", "4-8w", "4000-13000rw"));
  EXPECT_THAT(found(a), IsEmpty()) << "the marks are gone";
}

TEST_F(TouchRecordTest, BytesOfAWordAreToldApart) {
  const std::uintptr_t a = allocate(512);
  mark(a + 1, 1, "r");
  mark(a + 3, 2, "w");
  mark(a + 7, 1, "r");
  mark(a + 10, 300, "w");
  mark(a + 509, 3, "rw");
  EXPECT_THAT(found(a), ElementsAre("1-2r", "3-5w", "7-8r", "10-310w", "509-512rw"));
}

TEST_F(TouchRecordTest, BlocksAreToldApart) {
  const std::uintptr_t a = allocate(512);
  const std::uintptr_t b = allocate(512);
  ASSERT_EQ(b, a + 1024) << "a gap is between them";
  mark(a, 1536, "w");
  EXPECT_THAT(found(a), ElementsAre("0-512w", "1024-1536w", "512-1024w nowhere"));
}

TEST_F(TouchRecordTest, ManyPiecesAreOneThatIsNotExact) {
  const std::uintptr_t a = allocate(64 << 10);
  for (int i = 0; i < 120; ++i) mark(a + 4 * i * i, 4, i == 80 ? "rw" : "r");
  EXPECT_THAT(found(a), ElementsAre("0-56648rw?"));
}

TEST_F(TouchRecordTest, FieldsOfStructuresAreRows) {
  const std::uintptr_t a = allocate(64 << 10);
  for (int i = 0; i < 1000; ++i) {
    mark(a + 24 * i, 8, "r");
    mark(a + 24 * i + 8, 4, "w");
    mark(a + 24 * i + 18, 2, "r");
  }
  EXPECT_THAT(found(a), ElementsAre("0-23984r 8 of each 24", "8-23988w 4 of each 24",
                                    "18-23996r 2 of each 24"));
}

TEST_F(TouchRecordTest, WhereABlockWas) {
  const std::uintptr_t gone = allocate(512);
  memory_.release(gone);
  mark(gone + 2, 4, "r");
  EXPECT_THAT(found(gone), ElementsAre("2-6r nowhere"));
  mark(gone, 4, "r");
  record_.freed_by_kernel();
  EXPECT_THAT(found(gone), IsEmpty()) << "it may be the kernel's own";
}

TEST_F(TouchRecordTest, MarksOutsideOfBlocksLeaveNothing) {
  const std::uintptr_t a = allocate(512);
  const std::uintptr_t gone = allocate(64 << 10);
  const std::uintptr_t c = allocate(512);
  memory_.release(gone);
  mark(gone, 64 << 10, "w");
  mark(c, 4, "r");
  found(c);
  EXPECT_THAT(found(a), IsEmpty());
}

TEST_F(TouchRecordTest, AnotherLaunchIsNotKnown) {
  mark(allocate(512), 4, "r");
  record_.finish(memory_, 7, {});
  EXPECT_EQ(record_.of(6), nullptr);
  record_.finish(memory_, 0, {});
  EXPECT_EQ(record_.of(0), nullptr);
}

TEST_F(TouchRecordTest, HostMemoryToTheByte) {
  void* const block = host_.allocate(100, HostKind::kManaged, 0, 0);
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  kernels::Touches& touches = record_.begin(host_);
  EXPECT_TRUE(touches.mark_host(touches.context, begin + 8, 8, false));
  EXPECT_TRUE(touches.mark_host(touches.context, begin + 97, 2, true));
  EXPECT_FALSE(touches.mark_host(touches.context, begin - 1, 1, true)) << "nobody's memory";
  EXPECT_THAT(found(begin), ElementsAre("8-16r", "97-99w"));
}

TEST_F(TouchRecordTest, NothingIsKnownOfOneThatMayHaveSpokenWithTheHost) {
  void* const block = host_.allocate(100, HostKind::kManaged, 0, 0);
  kernels::Touches& touches = record_.begin(host_);
  touches.mark_host(touches.context, reinterpret_cast<std::uintptr_t>(block), 4, false);
  record_.finish(memory_, 7, {}, /*tells_others=*/true);
  EXPECT_EQ(record_.of(7), nullptr);
  record_.begin(host_);
  record_.finish(memory_, 8, {}, /*tells_others=*/true);
  EXPECT_NE(record_.of(8), nullptr) << "it touched device memory alone";
}

TEST_F(TouchRecordTest, WhatParametersPointToIsGiven) {
  const std::uintptr_t a = allocate(512);
  const std::uintptr_t parameters[] = {a + 16, 5, a + 512};
  record_.begin(host_);
  record_.finish(memory_, 7, std::as_bytes(std::span(parameters)));
  ASSERT_EQ(record_.of(7)->size(), 2U);
  EXPECT_FALSE(record_.of(7)->back().in_block) << "the end of a block";
  const Touched& given = record_.of(7)->front();
  EXPECT_EQ(given.begin, a + 16);
  EXPECT_EQ(given.end, a + 16);
  EXPECT_FALSE(given.reads || given.writes);
}

TEST_F(TouchRecordTest, OnlyWhereItIsAskedFor) {
  TouchRecord::enable(false);
  EXPECT_FALSE(record_.wanted(memory_));
}

}  // namespace
}  // namespace xfer::emulator
