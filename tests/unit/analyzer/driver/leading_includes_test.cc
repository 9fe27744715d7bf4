#include "analyzer/driver/leading_includes.h"

#include <gmock/gmock.h>

#include "temp_folder.h"

namespace xfer::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LeadingIncludes : public testing::Test {
 protected:
  std::vector<std::string> scan(const std::string& text) {
    const auto file = project_.write("main.cc", text);
    const IncludeContext context{{project_.path() / "include", library_.path()},
                                 [this](const std::filesystem::path& path) {
                                   return path.string().starts_with(project_.path().string());
                                 }};
    return leading_includes(file, context);
  }

  TempFolder project_;
  TempFolder library_;
};

TEST_F(LeadingIncludes, HeavyHeadersBehindCommentsStandardOnesAndDeclarations) {
  EXPECT_THAT(scan("// x\n/* y\n z */\n#pragma once\n#include <vector>\n#include <torch/torch.h>\n"
                   "int x;\n#include <torch/script.h>\n#include <vector>\n"),
              ElementsAre("torch/torch.h", "torch/script.h"));
}

TEST_F(LeadingIncludes, NothingAfterAMacroThatSteersLibraries) {
  EXPECT_THAT(scan("#define _GLIBCXX_DEBUG\n#include <torch/torch.h>\n"), IsEmpty());
  EXPECT_THAT(scan("#ifdef X\n#define EIGEN_USE_GPU\n#endif\n#include <torch/torch.h>\n"),
              IsEmpty());
  EXPECT_THAT(scan("#undef NDEBUG\n#include <torch/torch.h>\n"), IsEmpty());
  EXPECT_THAT(scan("#define LIMIT 1\n#undef LIMIT\n#include <torch/torch.h>\n"),
              ElementsAre("torch/torch.h"));
}

TEST_F(LeadingIncludes, NothingUnderACondition) {
  EXPECT_THAT(scan("#ifdef X\n#include <torch/torch.h>\n#else\n#include <ATen/ATen.h>\n#endif\n"
                   "#include <c10/core/Device.h>\n"),
              ElementsAre("c10/core/Device.h"));
  EXPECT_THAT(scan("#if !defined(NET_H)\n#define NET_H\n#include <torch/torch.h>\n#endif\n"),
              ElementsAre("torch/torch.h"));
  EXPECT_THAT(scan("#include <ATen/ATen.h>\n#ifndef NET\n#define NET\n"
                   "#include <torch/torch.h>\n#endif\n"),
              ElementsAre("ATen/ATen.h"));
}

TEST_F(LeadingIncludes, HeaviestFirst) {
  EXPECT_THAT(heavy_ones({"Eigen/Dense", "fmt/core.h", "torch/torch.h"}),
              ElementsAre("torch/torch.h", "Eigen/Dense"));
}

TEST_F(LeadingIncludes, OtherLibrariesKeepTheirPlace) {
  EXPECT_THAT(scan("#include <fmt/core.h>\n#include <torch/torch.h>\n#include <zlib.h>\n"),
              ElementsAre("fmt/core.h", "torch/torch.h"));
  EXPECT_THAT(scan("#include <fmt/core.h>\n"), IsEmpty());
}

TEST_F(LeadingIncludes, FollowsTheProjectsOwnHeaders) {
  project_.write("net.h",
                 "#ifndef NET_H\n#define NET_H\n#include <torch/torch.h>\nstruct Net;\n#endif\n");
  EXPECT_THAT(scan("#include \"net.h\"\n#include <torch/script.h>\n"),
              ElementsAre("torch/torch.h", "torch/script.h"));
  project_.write("all.h", "#pragma once\n#include <torch/torch.h>\n");
  EXPECT_THAT(scan("#include \"all.h\"\n#include <torch/script.h>\n"),
              ElementsAre("torch/torch.h", "torch/script.h"));
  project_.write("include/own/x.h", "#include <ATen/ATen.h>\n");
  EXPECT_THAT(scan("#include <own/x.h>\nint y;\n"), ElementsAre("ATen/ATen.h"));
  project_.write("config.h", "#ifndef CONFIG_H\n#define CONFIG_H\n#define _DEBUG 1\n#endif\n");
  EXPECT_THAT(scan("#include \"config.h\"\n#include <torch/torch.h>\n"), IsEmpty());
}

TEST_F(LeadingIncludes, HeadersThatIncludeEachOtherEnd) {
  project_.write("a.h", "#include \"b.h\"\n");
  project_.write("b.h", "#include \"a.h\"\n#include <torch/torch.h>\n");
  EXPECT_THAT(scan("#include \"a.h\"\n"), ElementsAre("torch/torch.h"));
}

TEST_F(LeadingIncludes, OddText) {
  EXPECT_THAT(scan(""), IsEmpty());
  EXPECT_THAT(scan("#include"), IsEmpty());
  EXPECT_THAT(scan("#include <torch/torch.h"), IsEmpty());
  EXPECT_THAT(scan("/* never closed"), IsEmpty());
  EXPECT_THAT(scan("\xEF\xBB\xBF#include <torch/torch.h>\r\n"), ElementsAre("torch/torch.h"));
  EXPECT_THAT(scan("#if X\n#include <torch/torch.h>\n"), IsEmpty());
  EXPECT_THAT(scan("#include MACRO\n#include <torch/torch.h>\n"), IsEmpty());
}

}  // namespace
}  // namespace xfer::lint
