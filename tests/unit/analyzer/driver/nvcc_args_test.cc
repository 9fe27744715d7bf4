#include "analyzer/driver/nvcc_args.h"

#include <gmock/gmock.h>

#include "temp_folder.h"

namespace xfer::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> arguments(const std::vector<std::string>& words) {
  return translate_nvcc(words, "/nowhere").arguments;
}

TEST(NvccArgs, KeepsWhatTheParserNeeds) {
  EXPECT_THAT(arguments({"-I/a", "-I", "/b", "-isystem=/c", "-isystem", "/d", "-DX=1", "-D", "Y",
                         "-UZ", "-include", "p.h", "-std=c++17"}),
              ElementsAre("-I", "/a", "-I", "/b", "-isystem", "/c", "-isystem", "/d", "-D", "X=1",
                          "-D", "Y", "-U", "Z", "-include", "p.h", "-std=c++17"));
}

TEST(NvccArgs, LongAndTwoWordForms) {
  EXPECT_THAT(
      arguments({"--include-path=/a", "--define-macro", "X", "-std", "c++20", "--system-include=/s",
                 "--pre-include", "p.h"}),
      ElementsAre("-I", "/a", "-D", "X", "-std=c++20", "-isystem", "/s", "-include", "p.h"));
}

TEST(NvccArgs, DropsWhatClangRejectsOrMisreads) {
  EXPECT_THAT(arguments({"-gencode",
                         "arch=compute_80,code=sm_80",
                         "--generate-code=arch=a",
                         "-arch=sm_80",
                         "-use_fast_math",
                         "-lineinfo",
                         "-G",
                         "-t",
                         "4",
                         "--threads",
                         "2",
                         "-ccbin",
                         "g++",
                         "-Xptxas",
                         "-v",
                         "-Xcudafe",
                         "--diag_suppress=1",
                         "-rdc=true",
                         "-dc",
                         "-c",
                         "x.cu",
                         "-o",
                         "x.o",
                         "-MD",
                         "-MT",
                         "-I/not",
                         "-MF",
                         "-Dnot",
                         "-x",
                         "cu",
                         "--fmad=false",
                         "-forward-unknown-to-host-compiler",
                         "--Werror",
                         "all-warnings",
                         "-cudart",
                         "shared",
                         "--diag-suppress",
                         "-Dnot2"}),
              IsEmpty());
}

TEST(NvccArgs, UnpacksHostCompilerOptions) {
  const NvccTranslation result =
      translate_nvcc({"-Xcompiler=-fPIC,-Wall", "-Xcompiler", "-fopenmp", "--compiler-options",
                      "-DHOST,-march=native", "-fvisibility=hidden"},
                     "/nowhere");
  EXPECT_THAT(result.arguments, IsEmpty());
  EXPECT_THAT(result.host_arguments, ElementsAre("-fPIC", "-Wall", "-fopenmp", "-DHOST",
                                                 "-march=native", "-fvisibility=hidden"));
}

/// An option that only begins like one for the host compiler never gets to Clang, not even to be
/// refused.
TEST(NvccArgs, OptionsOfItsOwnAreNoHostOptions) {
  const auto host = [](const std::vector<std::string>& words) {
    return translate_nvcc(words, "/nowhere").host_arguments;
  };
  EXPECT_THAT(
      host({"-forward-unknown-to-host-compiler", "-forward-unknown-to-host-linker",
            "-forward-unknown-opts", "-fmad=false", "-ftz=true", "-maxrregcount=64", "-fatbin"}),
      IsEmpty());
  EXPECT_THAT(host({"-fopenmp", "-fno-exceptions", "-march=native", "-pthread"}),
              ElementsAre("-fopenmp", "-fno-exceptions", "-march=native", "-pthread"));
}

TEST(NvccArgs, ReadsOptionFiles) {
  const TempFolder folder;
  folder.write("includes.rsp", "-I/a -isystem=/b\n--options-file more.rsp\n");
  folder.write("more.rsp", "-DQ=\"two words\"");
  EXPECT_THAT(translate_nvcc({"--options-file", "includes.rsp"}, folder.path()).arguments,
              ElementsAre("-I", "/a", "-isystem", "/b", "-D", "Q=two words"));
  folder.write("loop.rsp", "--options-file=loop.rsp -DDONE");
  EXPECT_FALSE(translate_nvcc({"-optf=loop.rsp"}, folder.path()).arguments.empty());
}

TEST(NvccArgs, FeaturesBecomeTheirMacros) {
  EXPECT_THAT(
      arguments({"--extended-lambda", "--expt-relaxed-constexpr", "--default-stream=per-thread"}),
      ElementsAre("-D__CUDACC_EXTENDED_LAMBDA__", "-D__CUDACC_RELAXED_CONSTEXPR__",
                  "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"));
  EXPECT_THAT(arguments({"--default-stream", "legacy", "-DKEPT"}), ElementsAre("-D", "KEPT"));
}

TEST(NvccArgs, FolderListsAreSplitUnlessTheNameHasAComma) {
  EXPECT_THAT(arguments({"-I/a,/b"}), ElementsAre("-I", "/a", "-I", "/b"));
  const TempFolder folder;
  folder.write("x,y/h.h", "");
  EXPECT_THAT(translate_nvcc({"-Ix,y"}, folder.path()).arguments, ElementsAre("-I", "x,y"));
}

TEST(NvccArgs, EndsOfLine) {
  EXPECT_THAT(arguments({"-I"}), IsEmpty());
  EXPECT_THAT(arguments({"-o"}), IsEmpty());
  EXPECT_THAT(arguments({"-", "--"}), IsEmpty());
}

}  // namespace
}  // namespace xfer::lint
