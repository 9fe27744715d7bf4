#include "analyzer/driver/compile_line.h"

#include <gmock/gmock.h>

#include "analyzer/driver/usage_error.h"

namespace xfer::lint {
namespace {

using testing::HasSubstr;
using testing::Optional;

using Words = std::vector<std::string>;

TEST(CompileLine, AsCMakeWritesIt) {
  const CompileLine line =
      read_compile_line({"/usr/bin/c++", "-DX", "-I/p", "-MD", "-MT", "d/a.cc.o", "-MF",
                         "d/a.cc.o.d", "-o", "d/a.cc.o", "-c", "/p/a.cc"});
  EXPECT_EQ(line.file, "/p/a.cc");
  EXPECT_EQ(line.output, "d/a.cc.o");
  EXPECT_EQ(line.depfile, "d/a.cc.o.d");
  EXPECT_THAT(line.target, Optional(std::string("d/a.cc.o")));
}

TEST(CompileLine, OfNvcc) {
  const CompileLine line =
      read_compile_line({"nvcc", "-x", "cu", "-dc", "k.cu", "--output-file=k.o", "-MFk.d"});
  EXPECT_EQ(line.file, "k.cu");
  EXPECT_EQ(line.output, "k.o");
  EXPECT_EQ(line.depfile, "k.d");
  EXPECT_EQ(line.target, std::nullopt);
}

TEST(CompileLine, ByHand) {
  EXPECT_EQ(read_compile_line({"c++", "a.cc", "-c", "-include", "b.cc", "-o", "x.cc"}).file,
            "a.cc");
  EXPECT_EQ(read_compile_line({"c++", "-c", "-o", "first.o", "a.cc", "-olast.o"}).output, "last.o");
  EXPECT_EQ(read_compile_line({"c++", "-o", "a.o", "-c", "table.inc"}).file, "table.inc");
  EXPECT_EQ(read_compile_line({"c++", "-c", "a.cc", "-o", "a.o"}).depfile, "");
}

TEST(CompileLine, WhatIsNone) {
  const auto problem = [](const Words& words) -> std::string {
    try {
      read_compile_line(words);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem({}), HasSubstr("compiler first"));
  EXPECT_THAT(problem({"-c", "a.cc"}), HasSubstr("compiler first"));
  EXPECT_THAT(problem({"c++", "a.o", "-o", "a"}), HasSubstr("no -c"));
  EXPECT_THAT(problem({"c++", "-c", "-o", "a.o"}), HasSubstr("names no C++ or CUDA file"));
  EXPECT_THAT(problem({"c++", "-c", "a.cc"}), HasSubstr("the command of a.cc has no -o"));
}

}  // namespace
}  // namespace xfer::lint
