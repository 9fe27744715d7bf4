#include "analyzer/driver/baseline.h"

#include <gmock/gmock.h>

#include "analyzer/driver/usage_error.h"
#include "temp_folder.h"

namespace xfer::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Finding finding(const std::string& file, const std::string& fingerprint) {
  Finding result;
  result.rule = Rule::kRoundTrip;
  result.location.file = file;
  result.fingerprint = fingerprint;
  return result;
}

TEST(Baseline, KnownFindingsAreLeftOut) {
  const TempFolder folder;
  const std::string file = folder.path() / "base.json";
  write_baseline(file, {finding("a.cc", "1"), finding("a.cc", "2")});
  const BaselineResult result =
      apply_baseline(file, {finding("a.cc", "1"), finding("a.cc", "3")}, {"a.cc"});
  EXPECT_THAT(result.fresh, SizeIs(1));
  EXPECT_EQ(result.fresh.front().fingerprint, "3");
  EXPECT_EQ(result.known, 1U);
  EXPECT_THAT(result.stale, ElementsAre("a.cc: round-trip"));
}

TEST(Baseline, EntriesOfFilesThatWereNotLintedAreNotStale) {
  const TempFolder folder;
  const std::string file = folder.path() / "base.json";
  write_baseline(file, {finding("other.cc", "1")});
  EXPECT_THAT(apply_baseline(file, {}, {"a.cc"}).stale, IsEmpty());
}

TEST(Baseline, OneEntryCoversOneFinding) {
  const TempFolder folder;
  const std::string file = folder.path() / "base.json";
  write_baseline(file, {finding("a.cc", "1")});
  EXPECT_THAT(apply_baseline(file, {finding("a.cc", "1"), finding("a.cc", "1")}, {}).fresh,
              SizeIs(1));
}

TEST(Baseline, IsTheSameFileForTheSameFindings) {
  const TempFolder folder;
  write_baseline(folder.path() / "1", {finding("b.cc", "1"), finding("a.cc", "2")});
  write_baseline(folder.path() / "2", {finding("a.cc", "2"), finding("b.cc", "1")});
  EXPECT_EQ(folder.read("1"), folder.read("2"));
}

TEST(Baseline, FaultyFilesAreSaid) {
  const TempFolder folder;
  EXPECT_THROW(apply_baseline(folder.path() / "none", {}, {}), UsageError);
  for (const char* text : {"", "[]", "{}", "{\"schema\": \"other/1\", \"findings\": []}",
                           "{\"schema\": \"xfercheck-baseline/1\", \"findings\": [{}]}"})
    EXPECT_THROW(apply_baseline(folder.write("bad", text), {}, {}), UsageError) << text;
  EXPECT_THROW(write_baseline(folder.path() / "no" / "folder", {}), UsageError);
}

}  // namespace
}  // namespace xfer::lint
