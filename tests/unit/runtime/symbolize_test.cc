#include "xfer/symbolize.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "nvcc_like.h"
#include "src/function_name.h"
#include "temp_file.h"
#include "xfer/stack.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

/// Through a trace file, as in real use.
std::vector<SymbolFrame> symbolized(const std::vector<std::uintptr_t>& frames) {
  const TempFile file;
  std::uint32_t site = 0;
  {
    auto writer = TraceWriter::open(file.path().c_str());
    site = writer->intern_stack(frames);
  }
  TraceReader trace(file.path());
  for (Event event; trace.next(event);) {
  }
  return Symbolizer().stack(trace, site);
}

struct Sample {
  std::vector<std::uintptr_t> frames;
  unsigned inner_line = 0;
  unsigned outer_line = 0;
};

template <class T>
inline __attribute__((always_inline)) void capture_inlined(Sample& sample, T) {
  sample.frames.resize(kMaxStackDepth);
  sample.inner_line = __LINE__ + 1;
  sample.frames.resize(capture_stack(sample.frames));
}

[[gnu::noinline]] void capture_outer(Sample& sample) {
  sample.outer_line = __LINE__ + 1;
  capture_inlined(sample, 1);
  asm volatile("" ::: "memory");
}

TEST(Symbolize, GivesInlinedCallsFramesOfTheirOwn) {
  Sample sample;
  capture_outer(sample);
  const std::vector<SymbolFrame> stack = symbolized(sample.frames);
  ASSERT_GT(stack.size(), 3u);
  EXPECT_THAT(stack[0].location.function, EndsWith("capture_inlined<int>"));
  EXPECT_THAT(stack[0].location.file, EndsWith("tests/unit/runtime/symbolize_test.cc"));
  EXPECT_EQ(stack[0].location.line, sample.inner_line);
  EXPECT_THAT(stack[1].location.function, EndsWith("capture_outer"));
  EXPECT_EQ(stack[1].location.line, sample.outer_line);
  EXPECT_EQ(stack[0].kind, FrameKind::kUser);
  EXPECT_EQ(user_frame(stack), &stack[0]);
}

TEST(Symbolize, MapsWhatNvccGeneratesToTheSource) {
  const std::vector<SymbolFrame> stack = symbolized(nvcc_like::run());
  ASSERT_GT(stack.size(), 2u);
  EXPECT_EQ(stack[0].location.function, "nvcc_like::Holder::upload");
  EXPECT_THAT(stack[0].location.file, EndsWith("/sample.cu"));
  EXPECT_EQ(stack[0].location.line, 9u);
  EXPECT_EQ(stack[1].location.function, "nvcc_like::run");
  EXPECT_THAT(stack[1].location.file, EndsWith("/sample.cu"));
  EXPECT_EQ(stack[1].location.line, 22u);
}

TEST(Symbolize, SaysWhenAModuleIsGoneOrChanged) {
  Symbolizer symbolizer;
  const TraceModule gone{"/no/such/library.so", "", 0};
  EXPECT_EQ(symbolizer.frames(&gone, 16).at(0).location.file, "");
  const TraceModule changed{"/proc/self/exe", "0123", 0};
  EXPECT_EQ(symbolizer.frames(&changed, 16).at(0).location.function, "");
  EXPECT_THAT(symbolizer.problems(),
              testing::ElementsAre(HasSubstr("/no/such/library.so is gone"),
                                   HasSubstr("has changed since the trace was recorded")));
}

TEST(Symbolize, AnAddressOfNoModuleIsAnEmptyFrame) {
  Symbolizer symbolizer;
  EXPECT_EQ(symbolizer.frames(nullptr, 16).size(), 1u);
  EXPECT_THAT(symbolizer.problems(), IsEmpty());
}

SymbolFrame frame(const char* function, const char* file, const char* module,
                  const char* project_root = "") {
  SymbolFrame frame;
  frame.location.function = function;
  frame.location.file = file;
  frame.module = module;
  frame.kind = frame_kind(frame, project_root);
  return frame;
}

TEST(UserFrame, IsTheProgramsOwnInnermostLine) {
  const std::vector<SymbolFrame> stack = {
      frame("", "", "/usr/lib/libxfertrace.so"),
      frame("cudaMemcpy", "", "/usr/local/cuda/lib64/libcudart.so.13"),
      frame("cudaMemcpyToSymbol<float [4]>", "/usr/local/cuda/include/cuda_runtime.h",
            "/home/a/app"),
      frame("tensorlib::Tensor::to", "/opt/include/tensorlib/tensor.h", "/home/a/app"),
      frame("tensorlib::detail::copy", "", "/opt/lib/libtensorlib.so"),
      frame("train_step", "/home/a/train.cc", "/home/a/app"),
      frame("main", "/home/a/main.cc", "/home/a/app"),
      frame("__libc_start_call_main", "", "/lib/x86_64-linux-gnu/libc.so.6")};
  EXPECT_EQ(user_frame(stack)->location.function, "train_step");
}

TEST(UserFrame, WithoutDebugInformationIsTheProgramStill) {
  const std::vector<SymbolFrame> stack = {
      frame("cudaMemcpy", "", "/home/a/app"),  // the static runtime
      frame("upload", "", "/home/a/app"),
      frame("__libc_start_call_main", "", "/lib/x86_64-linux-gnu/libc.so.6")};
  EXPECT_EQ(user_frame(stack)->location.function, "upload");
  EXPECT_EQ(user_frame({}), nullptr);
}

std::vector<std::string> names(const std::vector<SymbolFrame>& stack) {
  std::vector<std::string> names;
  for (const SymbolFrame& frame : stack) names.push_back(frame.location.function);
  return names;
}

TEST(UserFrame, OfTheProjectComesBeforeOthersSources) {
  const char* const root = "/home/a";
  const std::vector<SymbolFrame> stack = {
      frame("copy", "/home/a/lib/platform.cc", "/home/a/build/libtensorlib.so", root),
      frame("rmm::upload", "/home/b/rmm/upload.h", "/home/a/app", root),
      frame("fetch", "/home/a/build/_deps/fetch/fetch.cc", "/home/a/app", root),
      frame("helper", "/home/c/header_only/helper.h", "/home/a/app", root),
      frame("train_step", "/home/a/train.cc", "/home/a/app", root),
      frame("std::function<void ()>::operator()", "/usr/include/c++/12/bits/std_function.h",
            "/home/a/app", root),
      frame("run_all", "/home/c/header_only/helper.h", "/home/a/app", root),
      frame("main", "/home/a/main.cc", "/home/a/app", root),
      frame("__libc_start_call_main", "", "/lib/x86_64-linux-gnu/libc.so.6", root)};
  EXPECT_EQ(user_frame(stack)->location.function, "train_step");
  EXPECT_THAT(names(folded(stack)), testing::ElementsAre("train_step", "main"));
}

TEST(UserFrame, OfAProjectElsewhereIsTheProgramsStill) {
  const std::vector<SymbolFrame> stack = {
      frame("tensorlib::Tensor::to", "/opt/tensorlib/tensor.cc", "/opt/libtensorlib.so", "/tmp"),
      frame("step", "/home/a/step.cc", "/home/a/app", "/tmp"),
      frame("main", "/home/a/main.cc", "/home/a/app", "/tmp")};
  EXPECT_THAT(names(folded(stack)), testing::ElementsAre("step", "main"));
}

TEST(UserFrame, AProgramWithoutDebugInformationComesBeforeALibraryWith) {
  const std::vector<SymbolFrame> stack = {
      frame("tensorlib::Tensor::to", "/opt/tensorlib/tensor.cc", "/opt/libtensorlib.so"),
      frame("step", "", "/home/a/app"), frame("main", "", "/home/a/app")};
  EXPECT_THAT(names(folded(stack)), testing::ElementsAre("step", "main"));
}

TEST(FrameKind, AProjectMayLieInALibrarysFolder) {
  const char* const root = "/src/third_party/mine";
  EXPECT_EQ(frame("f", "/src/third_party/mine/f.cc", "/a", root).kind, FrameKind::kUser);
  EXPECT_EQ(frame("f", "/src/third_party/mine/vendor/f.cc", "/a", root).kind, FrameKind::kLibrary);
  EXPECT_EQ(frame("f", "/src/third_party/other/f.cc", "/a", root).kind, FrameKind::kLibrary);
  EXPECT_EQ(frame("f", "/src/third_party/mine2/f.cc", "/a", root).kind, FrameKind::kLibrary);
}

TEST(FrameKind, FoldsWhatNvccGenerates) {
  EXPECT_EQ(frame("__device_stub__Z5scalePf", "/tmp/tmpxft_1-6_a.cudafe1.stub.c", "/a").kind,
            FrameKind::kInternal);
  EXPECT_EQ(frame("scale", "/a/a.cu", "/a/app").kind, FrameKind::kUser);
  EXPECT_EQ(frame("cudaHelper", "/a/a.cu", "/a/app").kind, FrameKind::kUser);
  EXPECT_EQ(frame("std::vector<int>::push_back", "/usr/include/c++/12/x.h", "/a/app").kind,
            FrameKind::kLibrary);
}

TEST(FunctionName, LosesParametersAndReturnType) {
  EXPECT_EQ(function_name("main"), "main");
  EXPECT_EQ(function_name("_ZN1a1bIiEEvT_"), "a::b<int>");
  EXPECT_EQ(function_name("_ZNK1a1cclEi"), "a::c::operator()");
  EXPECT_EQ(without_parameters("main::{lambda(int)#1}::operator()(int) const"),
            "main::{lambda(int)#1}::operator()");
  EXPECT_EQ(without_parameters("a::b<void (*)(int)>::c(std::pair<int, int>)"),
            "a::b<void (*)(int)>::c");
  EXPECT_EQ(without_parameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
  EXPECT_EQ(without_parameters("std::vector<int> a::f<int>(int, b)"), "a::f<int>");
  EXPECT_EQ(without_parameters("a::operator bool() const"), "a::operator bool");
  EXPECT_EQ(without_parameters("global_object"), "global_object");
  EXPECT_EQ(without_parameters("f(int) [clone .cold]"), "f");
}

}  // namespace
}  // namespace xfer::test
