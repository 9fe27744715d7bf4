// What comes again on every step, in traces that have neither call stacks nor addresses.

#include <gmock/gmock.h>

#include <fstream>

#include "../temp_file.h"
#include "kineto_text.h"
#include "lines_of.h"
#include "xfer/report_builder.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Report report_of(const KinetoText& text) {
  const TempFile file;
  std::ofstream(file.path(), std::ios::binary) << text.json();
  return build_report({file.path()});
}

/// A training loop that moves a batch to the device, and waits for that, on every step; the device
/// is idle before. Times are microseconds.
struct Batches {
  std::string call = "cudaMemcpyAsync";
  std::string memory = "Pageable";
  double took = 600;
  double step = 5000;
  unsigned steps = 4;
  bool computes = true;
  std::uint64_t bytes = 4 << 20;
};

KinetoText training(const Batches& batches) {
  KinetoText text;
  unsigned id = 1;
  for (unsigned i = 1; i <= batches.steps; ++i) {
    const double at = batches.step * i;
    text.scope("user_annotation", "ProfilerStep#" + std::to_string(i), at, batches.step - 10)
        .scope("cpu_op", "aten::to", at + 1000, batches.took + 30)
        .call(batches.call, at + 1005, batches.took, id)
        .copy("HtoD (" + batches.memory + " -> Device)", batches.bytes, at + 1010,
              batches.took - 20, id)
        .wait("Stream Sync", id + 1, 7)
        .call("cudaStreamSynchronize", at + 1010 + batches.took, 5, id + 1);
    if (batches.computes)
      text.call("cudaLaunchKernel", at + 1100 + batches.took, 5, id + 2)
          .kernel("scale", at + 1110 + batches.took, 800, id + 2);
    id += 3;
  }
  return text;
}

TEST(PageableSteps, TheHostWaitsInEachUpload) {
  const Report report = report_of(training({}));
  EXPECT_THAT(lines_of(report),
              ElementsAre("aten::to in ProfilerStep#1: an asynchronous copy of 4 MiB to cuda:0 "
                          "uses pageable memory: the host waits in it on every step (4 times)"));
  ASSERT_TRUE(report.findings.at(0).step.has_value());
  EXPECT_EQ(report.findings[0].step->name, "ProfilerStep");
  EXPECT_EQ(report.findings[0].step->saving_ns, 4u * 605'000);
}
TEST(PageableStepsSilent, TheMemoryIsPinned) {
  EXPECT_THAT(lines_of(report_of(training({.memory = "Pinned"}))), IsEmpty());
}
TEST(PageableStepsSilent, TheProgramAskedForTheWait) {
  EXPECT_THAT(lines_of(report_of(training({.call = "cudaMemcpy"}))), IsEmpty());
}
TEST(PageableStepsSilent, ItIsLittleBesideTheStep) {
  EXPECT_THAT(lines_of(report_of(training({.step = 50'000}))), IsEmpty());
}
TEST(PageableStepsSilent, TheCopiesAreSmall) {
  EXPECT_THAT(lines_of(report_of(training({.bytes = 64 << 10}))), IsEmpty());
}
TEST(PageableStepsSilent, TwoAreFew) {
  EXPECT_THAT(lines_of(report_of(training({.steps = 2}))), IsEmpty());
}
TEST(PageableStepsSilent, NothingIsDoneBetweenThem) {
  EXPECT_THAT(lines_of(report_of(training({.computes = false}))), IsEmpty());
}
TEST(PageableStepsSilent, TheDeviceHasOtherWork) {
  KinetoText text = training({});
  text.call("cudaLaunchKernel", 10, 5, 900).kernel("other", 20, 40'000, 900, 9);
  EXPECT_THAT(lines_of(report_of(text)), IsEmpty());
}
TEST(PageableStepsSilent, ExposedCopyHasIt) {
  // The device works until just before each copy.
  KinetoText text = training({.step = 2600});
  for (unsigned i = 1; i <= 4; ++i)
    text.call("cudaLaunchKernel", 2600 * i + 10, 5, 900 + i)
        .kernel("before", 2600 * i + 20, 980, 900 + i);
  EXPECT_THAT(lines_of(report_of(text)),
              ElementsAre("aten::to in ProfilerStep#1: cuda:0 computes nothing during copies of 4 "
                          "MiB to cuda:0 (3 times)"));
}

/// Two kernels that follow each other, each with a wait after it; `pinned`: the program has pinned
/// memory.
struct Waits {
  std::string second = "fan2";
  double work = 100;  ///< of a kernel
  double gap = 20;
  unsigned times = 40;
  bool pinned = false;
};

KinetoText waits(const Waits& how) {
  KinetoText text;
  if (how.pinned) text.call("cudaMallocHost", 10, 5, 9000);
  unsigned id = 1;
  double at = 1000;
  for (unsigned i = 0; i < how.times; ++i)
    for (const std::string& name : {std::string("fan1"), how.second}) {
      text.call("cudaLaunchKernel", at, 5, id)
          .kernel(name, at + 6, how.work, id)
          .wait("Context Sync", id + 1, -1)
          .call("cudaDeviceSynchronize", at + 6, how.work + 1, id + 1);
      id += 2;
      at += how.work + 7 + how.gap;
    }
  return text.call("cudaMemcpy", at, 20, id).copy("DtoH (Device -> Pageable)", 4096, at + 5, 5, id);
}

TEST(NeedlessSyncOfProfilers, AWaitBetweenTwoKernels) {
  EXPECT_THAT(lines_of(report_of(waits({}))),
              ElementsAre("cudaDeviceSynchronize: the host waits for cuda:0, but no result reaches "
                          "the host before its next sync (79 times)"));
}
TEST(NeedlessSyncOfProfilersSilent, OneKernelAgainAndAgainMayBeTimed) {
  EXPECT_THAT(lines_of(report_of(waits({.second = "fan1"}))), IsEmpty());
}
TEST(NeedlessSyncOfProfilersSilent, TheHostMayReadPinnedMemory) {
  EXPECT_THAT(lines_of(report_of(waits({.pinned = true}))), IsEmpty());
}
TEST(NeedlessSyncOfProfilersSilent, TheyTakeNoTime) {
  EXPECT_THAT(lines_of(report_of(waits({.work = 2500, .gap = 0.5}))), IsEmpty());
}
TEST(NeedlessSyncOfProfilersSilent, AFewAreNoHabit) {
  EXPECT_THAT(lines_of(report_of(waits({.gap = 400, .times = 3}))), IsEmpty());
}

/// Steps that send a value of eight bytes behind a long kernel, and wait for that.
struct Values {
  std::string memory = "Pageable";
  double work = 2000;   ///< of the kernel
  double launch = 400;  ///< from the wait's end to the next kernel
  unsigned steps = 20;
};

KinetoText values(const Values& how) {
  KinetoText text;
  unsigned id = 1;
  double at = 1000;
  for (unsigned i = 0; i < how.steps; ++i) {
    text.call("cudaLaunchKernel", at, 5, id)
        .kernel("block", at + 6, how.work, id)
        .scope("cpu_op", "aten::to", at + 10, how.work + 20)
        .call("cudaMemcpyAsync", at + 12, 8, id + 1)
        .copy("HtoD (" + how.memory + " -> Device)", 8, at + how.work + 7, 1, id + 1)
        .wait("Stream Sync", id + 2, 7)
        .call("cudaStreamSynchronize", at + 22, how.work - 10, id + 2);
    id += 3;
    at += how.work + 12 + how.launch;
  }
  return text.call("cudaLaunchKernel", at, 5, id).kernel("block", at + 6, 1000, id);
}

TEST(DrainingUpload, AValueThatIsSentWaitsForAllWorkBefore) {
  const Report report = report_of(values({}));
  EXPECT_THAT(lines_of(report),
              ElementsAre("aten::to: a small copy of pageable memory to cuda:0 makes the host wait "
                          "for the pending work there (20 times)"));
  EXPECT_EQ(report.findings.at(0).severity, Severity::kAdvice);
}
TEST(DrainingUploadSilent, TheMemoryIsPinned) {
  EXPECT_THAT(lines_of(report_of(values({.memory = "Pinned"}))), IsEmpty());
}
TEST(DrainingUploadSilent, TheNextKernelComesAtOnce) {
  EXPECT_THAT(lines_of(report_of(values({.work = 9000, .launch = 2}))), IsEmpty());
}
TEST(DrainingUploadSilent, TheDeviceHadNothingToDo) {
  EXPECT_THAT(lines_of(report_of(values({.work = 15}))), IsEmpty());
}
TEST(DrainingUploadSilent, AFewAreTheStart) {
  EXPECT_THAT(lines_of(report_of(values({.steps = 6}))), IsEmpty());
}

/// Elements that are read one by one, by a method of a tensor; then the device computes for so
/// long.
KinetoText elements(double work) {
  KinetoText text;
  for (unsigned i = 1; i <= 80; ++i) {
    const double at = 1000 + 30 * i;
    text.scope("python_function", "train.py(6): main", at, 28)
        .scope("python_function", "<built-in method cpu of Tensor object at 0x7f7b>", at + 1, 26)
        .call("cudaMemcpyAsync", at + 2, 12, 2 * i)
        .copy("DtoH (Device -> Pageable)", 4, at + 10, 2, 2 * i)
        .wait("Stream Sync", 2 * i + 1, 7)
        .call("cudaStreamSynchronize", at + 15, 2, 2 * i + 1);
  }
  text.call("cudaLaunchKernel", 6000, 5, 900).kernel("scale", 6010, work, 900);
  return text.call("cudaDeviceSynchronize", 6020, work, 901);
}

TEST(SmallCopiesOfProfilers, ABuiltInMethodActsForItsCaller) {
  EXPECT_THAT(lines_of(report_of(elements(1000))),
              ElementsAre("main: 80 copies of 4 bytes from cuda:0 follow each other, where one "
                          "copy would do"));
}
TEST(SmallCopiesOfProfilersSilent, TheyCostNothingBesideTheRun) {
  EXPECT_THAT(lines_of(report_of(elements(2'000'000))), IsEmpty());
}

/// A loop without call stacks that reads a few bytes after two kernels; `set`: the call that sets
/// them before.
KinetoText reads(const std::string& set = "") {
  KinetoText text;
  unsigned id = 1;
  for (unsigned i = 1; i <= 30; ++i) {
    const double at = 1000 * i;
    if (!set.empty()) text.call(set, at, 5, id).fill(4, at + 6, 1, id);
    text.call("cudaLaunchKernel", at + 10, 5, id + 1)
        .kernel("reset", at + 20, 10, id + 1)
        .call("cudaLaunchKernel", at + 30, 5, id + 2)
        .kernel("solve", at + 40, 300, id + 2)
        .call("cudaMemcpy", at + 110, 250, id + 3)
        .copy("DtoH (Device -> Pageable)", 4, at + 345, 2, id + 3);
    id += 4;
  }
  return text;
}

/// Steps that read the loss after 2 ms of work; the next work comes `launch` microseconds later.
KinetoText losses(unsigned steps, double launch) {
  KinetoText text;
  unsigned id = 1;
  double at = 1000;
  for (unsigned i = 0; i < steps; ++i) {
    text.call("cudaLaunchKernel", at, 5, id)
        .kernel("loss", at + 6, 2000, id)
        .scope("cpu_op", "aten::item", at + 10, 2010)
        .call("cudaMemcpyAsync", at + 12, 2000, id + 1)
        .copy("DtoH (Device -> Pageable)", 4, at + 2007, 1, id + 1)
        .wait("Stream Sync", id + 2, 7)
        .call("cudaStreamSynchronize", at + 2013, 2, id + 2);
    id += 3;
    at += 2015 + launch;
  }
  return text.call("cudaLaunchKernel", at, 5, id).kernel("loss", at + 6, 1000, id);
}

TEST(SyncInLoopOfProfilers, AFewReadsThatDrainTheDevice) {
  EXPECT_THAT(lines_of(report_of(losses(8, 500))),
              ElementsAre("aten::item: the host downloads 4 bytes from cuda:0 on every step, and "
                          "waits each time (8 times)"));
}
TEST(SyncInLoopOfProfilersSilent, AFewReadsWithWorkRightAfterThem) {
  EXPECT_THAT(lines_of(report_of(losses(8, 20))), IsEmpty());
}
TEST(SyncInLoopOfProfilersSilent, FiveReads) {
  EXPECT_THAT(lines_of(report_of(losses(5, 500))), IsEmpty());
}
TEST(SyncInLoopOfProfilers, KernelsTellLaunchesApart) {
  EXPECT_THAT(lines_of(report_of(reads())),
              ElementsAre("cudaMemcpy: the host downloads 4 bytes from cuda:0 on every step, and "
                          "waits each time (30 times)"));
}
TEST(SyncInLoopOfProfilersSilent, TheHostMaySetAFlagBeforeEachStep) {
  EXPECT_THAT(lines_of(report_of(reads("cudaMemset"))), IsEmpty());
}
TEST(SyncInLoopOfProfilers, ALibrarysFillIsNoFlag) {
  EXPECT_THAT(lines_of(report_of(reads("cudaMemsetAsync"))).size(), 1u);
}
TEST(SyncInLoopOfProfilers, TheLayersOfAModelAreOnePlace) {
  KinetoText text;
  for (unsigned i = 1; i <= 20; ++i) {
    const double at = 1000 * i;
    text.scope("python_function", "nn.Module: Block_" + std::to_string(i), at, 900)
        .scope("python_function", "model.py(143): forward", at + 1, 890)
        .scope("cpu_op", "aten::is_nonzero", at + 100, 260)
        .call("cudaLaunchKernel", at + 10, 5, 3 * i)
        .kernel("isnan", at + 20, 300, 3 * i)
        .call("cudaMemcpyAsync", at + 110, 12, 3 * i + 1)
        .copy("DtoH (Device -> Pageable)", 1, at + 321, 2, 3 * i + 1)
        .wait("Stream Sync", 3 * i + 2, 7)
        .call("cudaStreamSynchronize", at + 125, 200, 3 * i + 2);
  }
  EXPECT_THAT(lines_of(report_of(text)),
              ElementsAre("forward: the host downloads 1 byte from cuda:0 on every step, and "
                          "waits each time (20 times)"));
}

}  // namespace
}  // namespace xfer::test
