// .cu files and nvcc's command lines, with the real toolkit.

#include <gmock/gmock.h>

#include <filesystem>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::HasSubstr;
using testing::Not;
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

// Nothing in device code is judged, so what Clang does not know there hides nothing.
TEST_F(LintCuda, DeviceCodeThatDoesNotParse) {
  project_.write(
      "k.cu",
      "#include <cuda_runtime.h>\n"
      "__global__ void store(float* x) { __stcs(x, isfinite(*x) ? __no_such_intrinsic(*x) : 0); }\n"
      "void run(int n) {\n"
      "  float* h = new float[n];\n"
      "  store<<<1, 1>>>(h);\n"
      "}\n");
  const Outcome outcome = project_.lint({"k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("k.cu:5:19: error: `store` dereferences `h` on the device"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("did not parse")));
}

TEST_F(LintCuda, HostCodeThatDoesNotParseIsSaid) {
  project_.write("k.cu", "#include <cuda_runtime.h>\nvoid run() { no_such_function(); }\n");
  EXPECT_EQ(project_.lint({"k.cu", "--"}).exit_code, 3);
}

// `d_M` is not `h_M`, however alike they are spelled.
TEST_F(LintCuda, ANameThatIsNotDeclaredIsNoOtherName) {
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "void run(int n) {\n"
                 "  float* h_M = new float[n];\n"
                 "  cudaMalloc((void**)&d_M, n);\n"
                 "  float* d_M;\n"
                 "  cudaMemcpy(d_M, h_M, n, cudaMemcpyHostToDevice);\n"
                 "}\n");
  const Outcome outcome = project_.lint({"k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("undeclared identifier 'd_M'"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("copy-kind")));
}

TEST_F(LintCuda, WhatDoesNotParseMayFillAVector) {
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "#include <vector>\n"
                 "void run(float* d, int n) {\n"
                 "  std::vector<float> values;\n"
                 "  fill_from_elsewhere(values, n);\n"
                 "  cudaMemcpy(d, values.data(), 128, cudaMemcpyHostToDevice);\n"
                 "}\n");
  EXPECT_THAT(project_.lint({"k.cu", "--"}).out, Not(HasSubstr("copy-size")));
}

TEST_F(LintCuda, APointerInBraces) {
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "struct State { float* values; int n; };\n"
                 "void use(State*);\n"
                 "void run(State* given, State* other) {\n"
                 "  State* held{given};\n"
                 "  State* list[2] = {{given}, {other}};\n"
                 "  use(held);\n"
                 "  use(list[0]);\n"
                 "}\n");
  EXPECT_EQ(project_.lint({"k.cu", "--"}).exit_code, 0);
}

TEST_F(LintCuda, ListsThatDoNotParse) {
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "#include <string>\n"
                 "#include <vector>\n"
                 "struct Case { std::string name; float* values; int n; };\n"
                 "void run(float* host) {\n"
                 "  std::vector<Case> cases = {{\"a\", host, 3}, {\"b\", nothing(host), 4}};\n"
                 "  cases.push_back({\"c\", missing{host}, 3});\n"
                 "  call_it(Case{\"x\", undefined, 3}, Case{.n = 3, .foo = 4});\n"
                 "  auto c = Case{\"x\", {undefined}, 3, 5, 6};\n"
                 "}\n");
  const Outcome outcome = project_.lint({"k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, Not(HasSubstr("crashed")));
}

TEST_F(LintCuda, WhatNewToolkitsRemoved) {
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "texture<float, 1, cudaReadModeElementType> table;\n"
                 "__global__ void look(float* out) { out[0] = tex1Dfetch(table, 3); }\n"
                 "void run(const float* d, float* out) {\n"
                 "  cudaDeviceProp properties;\n"
                 "  cudaGetDeviceProperties(&properties, 0);\n"
                 "  if (properties.clockRate > 0) cudaBindTexture(nullptr, table, d, 64);\n"
                 "  look<<<1, 1>>>(out);\n"
                 "  cudaThreadSynchronize();\n"
                 "}\n");
  const Outcome outcome = project_.lint({"k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(LintCuda, LaunchesAsVisualStudioFormatsThem) {
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "__global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n"
                 "void run() {\n"
                 "  float host[32];\n"
                 "  scale << <1, 32 >> > (host);\n"
                 "}\n");
  const Outcome outcome = project_.lint({"k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("k.cu:5:25: error: `scale` dereferences `host` on the device"));
}

TEST_F(LintCuda, TheHeadersOfTheSamplesThatAreNotThere) {
  project_.write("k.cu",
                 "#include <helper_cuda.h>\n"
                 "#include <helper_functions.h>\n"
                 "#include <helper_math.h>\n"
                 "__global__ void scale(float4* x) { x[threadIdx.x] *= 2.0f; }\n"
                 "int main(int argc, char** argv) {\n"
                 "  findCudaDevice(argc, const_cast<const char**>(argv));\n"
                 "  StopWatchInterface* timer = nullptr;\n"
                 "  sdkCreateTimer(&timer);\n"
                 "  const float4 host = make_float4(1.0f) * 2.0f;\n"
                 "  float4* x;\n"
                 "  checkCudaErrors(cudaMalloc(&x, sizeof(host)));\n"
                 "  checkCudaErrors(cudaMemcpy(x, &host, sizeof(host), cudaMemcpyDeviceToHost));\n"
                 "  scale<<<1, 1>>>(x);\n"
                 "  getLastCudaError(\"scale\");\n"
                 "  return checkCmdLineFlag(argc, const_cast<const char**>(argv), \"a\");\n"
                 "}\n");
  const Outcome outcome = project_.lint({"k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("k.cu:12:19: error: `cudaMemcpy` says"));
}

TEST_F(LintCuda, TheProjectsOwnHeaderComesBeforeTheSamples) {
  project_.write("helper_cuda.h",
                 "#define checkCudaErrors(call) own_check(call)\n"
                 "void own_check(int result);\n");
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "#include \"helper_cuda.h\"\n"
                 "void run() { own_check(3); checkCudaErrors(cudaDeviceSynchronize()); }\n");
  EXPECT_EQ(project_.lint({"k.cu", "--"}).exit_code, 0);
}

TEST_F(LintCuda, AStreamThatATemplateIsGiven) {
  project_.write("k.cu",
                 "#include <cuda_runtime.h>\n"
                 "template <class T> cudaStream_t stream_of(T);\n"
                 "template <class T> struct Worker {\n"
                 "  Worker(T* x) : x(x), stream(stream_of(x)) {}\n"
                 "  T* x;\n"
                 "  cudaStream_t stream;\n"
                 "};\n"
                 "void run(float* host, float* x, int n) {\n"
                 "  cudaMemcpyAsync(x, host, n, cudaMemcpyHostToDevice, Worker<float>(x).stream);\n"
                 "  cudaStreamSynchronize(nullptr);\n"
                 "}\n");
  const Outcome outcome = project_.lint({"k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

// A compiler of C++ makes nothing of `__device__`.
TEST_F(LintCuda, DeviceFunctionsInWhatACppFileIncludes) {
  project_.write("index.h",
                 "struct Index {\n"
                 "  explicit Index(int n) { cudaMalloc((void**)&table, n * sizeof(int)); }\n"
                 "  __device__ __forceinline__ int at(int i) const { return table[i]; }\n"
                 "  static __device__\n"
                 "  int first(const Index& index) { return index.table[0]; }\n"
                 "  __host__ __device__ int second() const { return table[1]; }\n"
                 "  int on_the_host() const { return table[2]; }\n"
                 "  int* table = nullptr;\n"
                 "};\n");
  project_.write("k.cc",
                 "#include <cuda_runtime.h>\n#include \"index.h\"\nint main() { return "
                 "Index(4).on_the_host(); }\n");
  const Outcome outcome = project_.lint(
      {"k.cc", "--",
       "-isystem" + (std::filesystem::path(XFER_NVCC).parent_path() / "../include").string()});
  EXPECT_THAT(outcome.out, HasSubstr("index.h:7:36: error: the host dereferences `table`"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("index.h:3")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("index.h:5")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("index.h:6")));
}

TEST_F(LintCuda, MemoryIsFollowedAcrossFiles) {
  project_.write("alloc.cu",
                 "#include <cuda_runtime.h>\n"
                 "float* make(int n) { float* p; cudaMalloc(&p, n * sizeof(float)); return p; }\n"
                 "__global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n"
                 "void launch(float* x, int n) { scale<<<1, n>>>(x); }\n");
  project_.write("use.cu",
                 "#include <cuda_runtime.h>\n"
                 "float* make(int n);\n"
                 "void launch(float* x, int n);\n"
                 "float run(int n) {\n"
                 "  float* h = new float[n];\n"
                 "  launch(h, n);\n"
                 "  return make(n)[0];\n"
                 "}\n");
  const std::string compile = XFER_NVCC " -c ";
  project_.commands({{"alloc.cu", compile + "alloc.cu"}, {"use.cu", compile + "use.cu"}});
  EXPECT_THAT(places(project_.findings()),
              testing::ElementsAre("host-pointer-to-kernel use.cu:6", "host-access use.cu:7"));
}

TEST_F(LintCuda, AWrongToolkitIsSaid) {
  const Outcome outcome = project_.lint({"--cuda-path", "/nowhere", "k.cu", "--"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace xfer::lint
