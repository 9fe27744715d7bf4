// small-copies, of what lies anywhere: samples that a line sends one by one, batch after batch.

#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Batches of ten samples, which go to buffers 512 bytes apart; the copies are at line 7.
std::string batches(int count, const std::string& source, const std::string& bytes,
                    const std::string& after_each = "") {
  std::string text = "alloc A 100000\n";
  for (int batch = 0; batch < count; ++batch) {
    text += "repeat 10\nh2d A+{i}512 " + source + std::to_string(batch) + ' ' + bytes + " #b" +
            std::to_string(batch) + "s{i} at=7 ns=5000\n" + after_each +
            "\nend\nlaunch r=A at=99\n";
  }
  return text;
}

TEST(UploadBursts, SamplesOfTheirOwn) {
  EXPECT_THAT(findings_of(batches(3, "s{i}b", "400")),
              ElementsAre("7: small-copies look-alike stacked-first 30x 12000 B"));
}

TEST(UploadBursts, RowsOfOneTensorInAnyOrder) {
  EXPECT_THAT(findings_of("alloc A 100000\nrepeat 4\n"
                          "h2d A+512 x+800 400 #a{i} at=7\nh2d A+1024 x 400 #b{i} at=7\n"
                          "h2d A+1536 x+2800 400 #c{i} at=7\nh2d A+2048 x+400 400 #d{i} at=7\n"
                          "h2d A+2560 x+2000 400 #e{i} at=7\nh2d A+3072 x+1600 400 #f{i} at=7\n"
                          "h2d A+3584 x+1200 400 #g{i} at=7\nh2d A+4096 x+2400 400 #h{i} at=7\n"
                          "launch r=A at=99\nend"),
              ElementsAre("7: small-copies look-alike stacked-first 32x 12800 B"));
}

// Sentences, to be padded.
TEST(UploadBursts, OfSizesThatVary) {
  EXPECT_THAT(findings_of(batches(2, "s{i}b", "4{i}") + batches(1, "s{i}b", "6{i}") +
                          batches(1, "s{i}b", "5{i}")),
              ElementsAre("7: small-copies look-alike stacked-first 40x 2080 B"));
}

TEST(UploadBursts, TwoLinesInTurn) {
  EXPECT_THAT(findings_of(batches(3, "s{i}b", "400", "h2d A+{i}00{i} l{i} 4 #l{i} at=8 ns=5000")),
              testing::IsSupersetOf({"7: small-copies look-alike stacked-first 30x 12000 B",
                                     "8: small-copies look-alike stacked-first 30x 120 B"}));
}

// A data set that is sent row by row, once.
// Their places are `before`, a row's number and `after`.
std::string rows(int tens, const std::string& before, const std::string& after = "") {
  std::string text = "alloc A 1000000\n";
  for (int ten = 0; ten < tens; ++ten) {
    const std::string row = std::to_string(ten) + "{i}";
    text += "repeat 10\nh2d A+" + row + "512 " + before + row + after + " 100 #s" + row +
            " at=7\nend\n";
  }
  return text + "launch r=A at=99";
}

TEST(UploadBursts, OnceButManyRowsOfOneTensor) {
  EXPECT_THAT(findings_of(rows(9, "x+", "00")),
              ElementsAre("7: small-copies look-alike stacked-first 90x 9000 B"));
  EXPECT_THAT(findings_of(rows(9, "x+", "10")),
              ElementsAre("7: small-copies look-alike stacked-first 90x 9000 B"));
}

TEST(UploadBurstsSilent, OnceAndNotManyOrNotOfOneTensor) {
  EXPECT_THAT(findings_of(rows(5, "x+", "00")), IsEmpty());
  EXPECT_THAT(findings_of(rows(9, "x")), IsEmpty());
}

TEST(UploadBursts, ThoseInOrderAreOneFinding) {
  EXPECT_THAT(findings_of("alloc A 100000\nrepeat 4\nh2d A+000 x+000 100 #a{i} at=7\n"
                          "h2d A+100 x+100 100 #b{i} at=7\nh2d A+200 x+200 100 #c{i} at=7\n"
                          "h2d A+300 x+300 100 #d{i} at=7\nh2d A+400 x+400 100 #e{i} at=7\n"
                          "h2d A+500 x+500 100 #f{i} at=7\nh2d A+600 x+600 100 #g{i} at=7\n"
                          "h2d A+700 x+700 100 #h{i} at=7\nlaunch r=A at=99\nend"),
              ElementsAre("7: small-copies proven one-copy 32x 3200 B"));
}

TEST(UploadBurstsSilent, OnceOrTwice) {
  EXPECT_THAT(findings_of(batches(2, "s{i}b", "400")), IsEmpty());
}

// Generation, or an agent that asks the device what to do.
TEST(UploadBurstsSilent, AResultComesInBetween) {
  EXPECT_THAT(findings_of(batches(5, "s{i}b", "400", "d2h r A+90000 64 at=8")), IsEmpty());
}

TEST(UploadBurstsSilent, WorkComesInBetween) {
  EXPECT_THAT(findings_of(batches(5, "s{i}b", "400", "launch r=A at=8")), IsEmpty());
  EXPECT_THAT(findings_of(batches(5, "s{i}b", "400", "set A+90000 64 at=8")), IsEmpty());
}

// The fields of a batch: each has its own size, the same in every batch.
TEST(UploadBurstsSilent, FieldsOfAStructure) {
  EXPECT_THAT(findings_of(batches(5, "s{i}b", "4{i}")), IsEmpty());
}

TEST(UploadBurstsSilent, ThreeTensorsABatch) {
  EXPECT_THAT(findings_of("alloc A 100000\nrepeat 9\nh2d A x{i} 400 #x{i} at=7\n"
                          "h2d A+512 y{i} 400 #y{i} at=7\nh2d A+1024 z{i} 400 #z{i} at=7\n"
                          "launch r=A at=99\nend"),
              IsEmpty());
}

TEST(UploadBurstsSilent, LargeOnes) {
  EXPECT_THAT(findings_of(batches(5, "s{i}b", "20000")), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
