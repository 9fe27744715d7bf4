#include "analyzer/driver/compiler_args.h"

#include <gmock/gmock.h>

#include "temp_folder.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

ParseCommand translate(const std::vector<std::string>& words, const std::string& file = "/p/a.cc") {
  return translate_command(
      {.file = file, .directory = "/p/build", .arguments = words},
      {.resource_dir = "/res", .gcc_include = {}, .library = {}, .cuda_path = {}});
}

TEST(CompilerArgs, LeavesOutputsAndInputsOut) {
  const ParseCommand command = translate(
      {"g++", "-O2", "-c", "../a.cc", "-o", "a.o", "-MD", "-MF", "a.d", "-Werror", "-DX"});
  EXPECT_THAT(command.arguments,
              AllOf(Contains("-O2"), Contains("X"), Not(Contains("../a.cc")), Not(Contains("a.o")),
                    Not(Contains("-MD")), Not(Contains("a.d")), Not(Contains("-Werror"))));
  EXPECT_EQ(command.arguments.front(), "clang++");
}

TEST(CompilerArgs, PathsBecomeAbsolute) {
  const ParseCommand command =
      translate({"c++", "-Iinc", "-isystem", "../sys", "-iquote=q", "-isystem=/abs"});
  EXPECT_THAT(include_folders(command), Contains("/p/build/inc"));
  EXPECT_THAT(include_folders(command), Contains("/p/sys"));
  EXPECT_THAT(include_folders(command), Contains("/abs"));
}

TEST(CompilerArgs, OptionsThatOnlyGccKnowsAreDropped) {
  const ParseCommand command =
      translate({"g++", "-fno-such-thing-in-clang", "-mno-such", "-DKEPT"});
  EXPECT_THAT(command.dropped, ElementsAre("-fno-such-thing-in-clang", "-mno-such"));
  EXPECT_THAT(command.arguments, Contains("KEPT"));
}

TEST(CompilerArgs, LaunchersAndCrossCompilers) {
  EXPECT_EQ(translate({"/usr/bin/ccache", "/usr/bin/g++", "-DX"}).arguments.front(), "clang++");
  EXPECT_THAT(translate({"aarch64-linux-gnu-g++", "-DX"}).arguments,
              Contains("--target=aarch64-linux-gnu"));
}

TEST(CompilerArgs, CFilesAreC) {
  EXPECT_EQ(translate({"gcc", "-DX"}, "/p/a.c").arguments.front(), "clang");
  EXPECT_EQ(translate({"gcc", "-DX"}, "/p/a.cc").arguments.front(), "clang++");
}

TEST(CompilerArgs, PrecompiledHeadersOfTheBuildAreNotUsed) {
  const ParseCommand command =
      translate({"clang++", "-Xclang", "-include-pch", "-Xclang", "/p/x.pch", "-Xclang", "-include",
                 "-Xclang", "/p/x.h", "-Winvalid-pch"});
  EXPECT_THAT(command.arguments, AllOf(Not(Contains("-include-pch")), Not(Contains("/p/x.pch")),
                                       Contains("-include"), Contains("/p/x.h")));
}

TEST(CompilerArgs, HipIsWhatHipccCompilesAndHipFilesHave) {
  for (const auto& [compiler, file] :
       {std::pair("/opt/rocm/bin/hipcc", "/p/a.cpp"), std::pair("clang++", "/p/a.hip")}) {
    const ParseCommand command = translate({compiler, "-DX"}, file);
    EXPECT_TRUE(command.cuda);
    EXPECT_THAT(command.arguments,
                AllOf(Contains("hip"), Contains("--cuda-host-only"), Not(Contains("cuda"))));
  }
  EXPECT_FALSE(translate({"clang++", "-DX"}, "/p/hipcc.cc").cuda);
}

TEST(CompilerArgs, CudaIsParsedForTheHost) {
  const TempFolder toolkit;
  toolkit.write("bin/nvcc", "");
  toolkit.write("include/cuda_runtime.h", "");
  toolkit.write("include/cccl/cub/cub.cuh", "");
  const ParseCommand command = translate(
      {toolkit.path() / "bin/nvcc", "-use_fast_math", "-Xcompiler=-fPIC,-fno-such-thing", "-DX"},
      "/p/a.cu");
  EXPECT_TRUE(command.cuda);
  EXPECT_THAT(command.arguments,
              AllOf(Contains("--cuda-host-only"), Contains("cuda"), Contains("-fPIC"),
                    Contains("X"), Contains("--cuda-path=" + toolkit.path().string()),
                    Contains((toolkit.path() / "include/cccl").string())));
  EXPECT_THAT(command.dropped, ElementsAre("-fno-such-thing"));
}

TEST(CompilerArgs, AToolkitOfHeadersAloneIsReadByItsHeaders) {
  const TempFolder toolkit;
  toolkit.write("include/cuda_runtime.h", "");
  toolkit.write("include/cuda.h", "#pragma once\n#define CUDA_VERSION 13020\n");
  const ParseCommand command = translate_command(
      {.file = "/p/a.cu", .directory = "/p/build", .arguments = {"g++", "-DX"}},
      {.resource_dir = "/res", .gcc_include = {}, .library = {}, .cuda_path = toolkit.path()});
  EXPECT_THAT(
      command.arguments,
      AllOf(Contains("-nocudainc"), Contains("/res/include/cuda_wrappers"),
            Contains((toolkit.path() / "include").string()),
            Contains("__clang_cuda_runtime_wrapper.h"), Contains("-target-sdk-version=13.2"),
            Not(Contains("--cuda-path=" + toolkit.path().string()))));
}

}  // namespace
}  // namespace xfer::lint
