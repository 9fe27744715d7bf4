#include "src/missing_lines.h"

#include <gmock/gmock.h>

namespace xfer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SymbolFrame frame(const std::string& module, const std::string& function, unsigned line = 0) {
  SymbolFrame frame;
  frame.module = module;
  frame.location.function = function;
  frame.location.line = line;
  if (line != 0) frame.location.file = "/src/a.cu";
  return frame;
}

Finding at(const SymbolFrame& frame) {
  Finding finding;
  finding.location = frame.location;
  return finding;
}

TEST(MissingLines, AreSaidOnceForEachModule) {
  MissingLines missing;
  for (const char* function : {"f", "g"}) {
    const SymbolFrame place = frame("/opt/app", function);
    Finding finding = at(place);
    missing.look_at(&place, finding);
    ASSERT_EQ(finding.notes.size(), 1U);
    EXPECT_EQ(finding.notes[0].message, "in app, which has no line numbers");
    EXPECT_EQ(finding.location.function, function);
  }
  const SymbolFrame other = frame("/opt/libapp.so", "h");
  Finding finding = at(other);
  missing.look_at(&other, finding);
  EXPECT_THAT(missing.problems(),
              ElementsAre("2 findings name a function but no line: /opt/app was built without -g "
                          "there (nvcc: -g for host code, -lineinfo for kernels)",
                          "1 finding names a function but no line: /opt/libapp.so was built "
                          "without -g there (nvcc: -g for host code, -lineinfo for kernels)"));
}

TEST(MissingLines, AStrippedProgramIsNamed) {
  MissingLines missing;
  const SymbolFrame place = frame("/opt/app", "");
  Finding finding = at(place);
  missing.look_at(&place, finding);
  EXPECT_EQ(finding.location.function, "(a function of app)");
}

TEST(MissingLines, WhatHasLinesOrIsNotTheUsersIsLeftAlone) {
  MissingLines missing;
  SymbolFrame library = frame("/usr/lib/libtorch.so", "at::copy");
  library.kind = FrameKind::kLibrary;
  SymbolFrame python = frame("", "train");
  python.python = true;
  for (const SymbolFrame& place : {frame("/opt/app", "f", 7), library, python, frame("", "")}) {
    Finding finding = at(place);
    missing.look_at(&place, finding);
    EXPECT_THAT(finding.notes, IsEmpty());
  }
  Finding nowhere;
  missing.look_at(nullptr, nowhere);
  EXPECT_THAT(missing.problems(), IsEmpty());
}

}  // namespace
}  // namespace xfer
