// Files of summaries: what is written is read, and what no longer fits is refused in one clear
// line.

#include "analyzer/driver/summary_file.h"

#include <gmock/gmock.h>

#include "analyzer/driver/usage_error.h"
#include "unit/analyzer/driver/temp_folder.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::HasSubstr;

SummarisedUnit sample(const TempFolder& folder, const std::string& file) {
  SummarisedUnit unit{file, {{file, content_hash(folder.write(file, "int x;\n"))}}, {}};
  unit.summaries.functions["_Z1fv"].name = "f";
  unit.summaries.functions["_Z1fv"].summary.known = true;
  unit.summaries.calls = {"_Z1gv"};
  return unit;
}

std::string refusal(const TempFolder& folder, const std::vector<std::string>& paths,
                    const std::vector<std::string>& models = {}) {
  try {
    read_summaries(paths, models, folder.path());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "read";
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
}

TEST(SummaryFile, WhatIsWrittenIsRead) {
  const TempFolder folder;
  const std::string file = folder.path() / "all.json";
  write_summaries(file, {sample(folder, "src/b.cc"), sample(folder, "src/a.cc")}, {});
  const auto units = read_summaries({file}, {}, folder.path());
  ASSERT_EQ(units.size(), 2u);
  EXPECT_EQ(units[0].file, "src/a.cc");
  EXPECT_EQ(units[1].summaries, sample(folder, "src/b.cc").summaries);
  EXPECT_EQ(units[1].inputs, sample(folder, "src/b.cc").inputs);
}

TEST(SummaryFile, AFolderIsReadToItsEnds) {
  const TempFolder folder;
  folder.write("out/deep/readme.txt", "no JSON");
  write_summaries(folder.path() / "out/a.json", {sample(folder, "a.cc")}, {});
  write_summaries(folder.path() / "out/deep/b.json", {sample(folder, "b.cc")}, {});
  EXPECT_EQ(read_summaries({folder.path() / "out"}, {}, folder.path()).size(), 2u);
  EXPECT_THAT(refusal(folder, {folder.path() / "out/deep/.."}), "read");
  std::filesystem::create_directory(folder.path() / "empty");
  EXPECT_THAT(refusal(folder, {folder.path() / "empty"}),
              AllOf(HasSubstr("empty holds no summaries"), HasSubstr("--emit-summaries")));
}

TEST(SummaryFile, AChangedInputMakesItStale) {
  const TempFolder folder;
  const std::string file = folder.path() / "a.json";
  write_summaries(file, {sample(folder, "src/a.cc")}, {});
  folder.write("src/a.cc", "int y;\n");
  EXPECT_EQ(refusal(folder, {file}), file +
                                         " was made before src/a.cc changed; make it again with "
                                         "xferlint --emit-summaries");
  // In a build farm the others' sources may be elsewhere.
  std::filesystem::remove(folder.path() / "src/a.cc");
  EXPECT_EQ(refusal(folder, {file}), "read");
}

TEST(SummaryFile, AnotherXferlintOrOtherModels) {
  const TempFolder folder;
  const std::string models = folder.write("team.yaml", "library: ours\n");
  const std::string file = folder.path() / "a.json";
  write_summaries(file, {sample(folder, "a.cc")}, {models});
  EXPECT_EQ(refusal(folder, {file}, {models}), "read");
  EXPECT_THAT(refusal(folder, {file}),
              HasSubstr("a.json was made with other --models; make it again"));
  std::string text = folder.read("a.json");
  replace(text, "\"tool\": \"xferlint ", "\"tool\": \"xferlint 0.0.1 ");
  folder.write("a.json", text);
  EXPECT_THAT(
      refusal(folder, {file}, {models}),
      AllOf(HasSubstr("a.json was made by xferlint 0.0.1 "), HasSubstr(", and this is xferlint "),
            HasSubstr("; make it again with xferlint --emit-summaries")));
}

TEST(SummaryFile, WhatIsNoSummaryFile) {
  const TempFolder folder;
  const std::string file = folder.path() / "a.json";
  EXPECT_THAT(refusal(folder, {file}), HasSubstr("a.json cannot be read"));
  folder.write("a.json", "");
  EXPECT_THAT(refusal(folder, {file}), HasSubstr("a.json: the file is empty; make it again"));
  folder.write("a.json", "[1, 2]");
  EXPECT_THAT(refusal(folder, {file}),
              HasSubstr("a.json is not a summary file: expected an object; make it"));
  folder.write("a.json", R"({"schema": "xfercheck-findings/1", "findings": []})");
  EXPECT_THAT(refusal(folder, {file}),
              HasSubstr("has the schema \"xfercheck-findings/1\", not \"xfer"));
  write_summaries(file, {sample(folder, "a.cc")}, {});
  std::string text = folder.read("a.json");
  replace(text, "\"calls\"", "\"called\"");
  folder.write("a.json", text);
  EXPECT_THAT(refusal(folder, {file}),
              HasSubstr("is not a summary file: units/0: \"calls\" is missing; make"));
}

TEST(SummaryFile, NoByteOfItCanDoHarm) {
  const TempFolder folder;
  const std::string file = folder.path() / "a.json";
  write_summaries(file, {sample(folder, "a.cc")}, {});
  const std::string whole = folder.read("a.json");
  for (std::size_t length = 0; length < whole.size() - 2; ++length) {
    folder.write("a.json", whole.substr(0, length));
    EXPECT_THAT(refusal(folder, {file}), HasSubstr("make it again")) << length;
  }
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char byte : {'\0', '"', '{', '9', '\xff'}) {
      std::string text = whole;
      text[at] = byte;
      folder.write("a.json", text);
      EXPECT_THAT(refusal(folder, {file}), testing::Not(HasSubstr("\n"))) << at;
    }
}

TEST(SummaryFile, WhereItCannotBeWritten) {
  const TempFolder folder;
  EXPECT_THROW(write_summaries(folder.path() / "no/such/folder.json", {}, {}), UsageError);
}

}  // namespace
}  // namespace xfer::lint
