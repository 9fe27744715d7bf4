// .cu files and nvcc's command lines, with the real toolkit.

#include <gmock/gmock.h>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kKernel =
    "#include <cuda_runtime.h>\n"
    "#include <torch/torch.h>\n"
    "#include <cooperative_groups.h>\n"
    "#ifndef __CUDA_ARCH__\n"
    "__global__ void scale(float* x, float f) { x[threadIdx.x] *= f; }\n"
    "void run(float* x, torch::Tensor t) {\n"
    "  scale<<<1, 32>>>(x, 2.0f);\n"
    "  t.to(torch::kCUDA);\n"
    "}\n"
    "#endif\n";

class LintCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(XFER_NVCC).empty()) GTEST_SKIP() << "no CUDA toolkit";
    project_.write("k.cu", kKernel);
  }

  Project project_;
};

TEST_F(LintCuda, NvccCommandLines) {
  project_.write("build/includes.rsp", "-isystem=" XFER_LINT_MOCK "\n");
  project_.commands(
      {{"k.cu", XFER_NVCC " -forward-unknown-to-host-compiler --options-file includes.rsp "
                          "-use_fast_math -lineinfo -G --expt-relaxed-constexpr -t 4 "
                          "--generate-code=arch=compute_90,code=[sm_90] -Xcompiler=-fPIC "
                          "-std=c++17 -x cu -rdc=true -c " +
                    (project_.path() / "k.cu").string() + " -o k.o"}});
  const Outcome outcome = project_.lint({"-p", "build"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("k.cu:8:"));
}

TEST_F(LintCuda, ClangCommandLines) {
  const std::string root = std::filesystem::path(XFER_NVCC).parent_path().parent_path();
  project_.commands(
      {{"k.cu", "clang++ -x cuda --cuda-path=" + root + " --cuda-gpu-arch=sm_80 -isystem " + root +
                    "/include/cccl -isystem " XFER_LINT_MOCK " -c " +
                    (project_.path() / "k.cu").string()}});
  EXPECT_THAT(project_.findings().at("findings"), SizeIs(1));
}

TEST_F(LintCuda, FlagsAfterTheDashes) {
  const Outcome outcome = project_.lint({"k.cu", "--", "-isystem", XFER_LINT_MOCK});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
}

TEST_F(LintCuda, AWrongToolkitIsSaid) {
  const Outcome outcome = project_.lint({"--cuda-path", "/nowhere", "k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace xfer::lint
