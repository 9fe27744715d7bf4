#include <gmock/gmock.h>
#include <zlib.h>

#include <fstream>

#include "../temp_file.h"
#include "kineto_text.h"
#include "lines_of.h"
#include "xfer/report_builder.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

void write_file(const TempFile& file, const std::string& text) {
  std::ofstream(file.path(), std::ios::binary) << text;
}

Report report_of(const std::string& text) {
  const TempFile file;
  write_file(file, text);
  return build_report({file.path()});
}

std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(report_of(text));
  } catch (const TraceError& error) {
    return error.what();
  }
  return {};
}

/// Uploads with non_blocking=True from pageable memory, step after step.
KinetoText pageable_uploads(int steps = 4) {
  KinetoText text;
  text.wait("Context Sync", 900, -1).call("cudaDeviceSynchronize", 10, 5, 900);
  for (int i = 0; i < steps; ++i) {
    const double at = 1000 * (i + 1);
    const auto id = static_cast<unsigned>(10 * (i + 1));
    text.scope("user_annotation", "ProfilerStep#" + std::to_string(i + 3), at, 900)
        .scope("cpu_op", "aten::to", at + 10, 300)
        .scope("cpu_op", "aten::_to_copy", at + 11, 298)
        .scope("cpu_op", "aten::copy_", at + 20, 280)
        .call("cudaMemcpyAsync", at + 30, 250, id)
        .copy("HtoD (Pageable -> Device)", 1 << 20, at + 60, 200, id)
        .call("cudaLaunchKernel", at + 400, 10, id + 1)
        .kernel("scale", at + 415, 100, id + 1);
  }
  return text;
}

TEST(Kineto, AFindingNamesTheOperatorAndTheStep) {
  const Report report = report_of(pageable_uploads().json());
  EXPECT_THAT(
      lines_of(report),
      ElementsAre("aten::to in ProfilerStep#3: an asynchronous copy of 1 MiB to cuda:0 uses "
                  "pageable memory: the host waits while the driver copies it to a "
                  "staging buffer (4 times)"));
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_THAT(report.runs[0].device_names, ElementsAre("NVIDIA H100"));
  const auto& uploads = report.stats["copies"]["host-to-device"];
  EXPECT_EQ(uploads["count"], 4);
  EXPECT_EQ(uploads["bytes"], 4 << 20);
  EXPECT_EQ(uploads["device_ns"], 4 * 200'000);
  EXPECT_EQ(report.stats["scopes"]["ProfilerStep#3"]["count"], 1);
}

TEST(Kineto, APythonLineIsBetterThanAnOperator) {
  KinetoText text = pageable_uploads();
  for (int i = 0; i < 4; ++i)
    text.scope("python_function", "train.py(34): step", 1000 * (i + 1) + 5, 890)
        .scope("python_function", "torch/_tensor.py(12): to", 1000 * (i + 1) + 6, 880);
  const Report report = report_of(text.json());
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].location.file, "train.py");
  EXPECT_EQ(report.findings[0].location.line, 34u);
  EXPECT_EQ(report.findings[0].location.function, "step");
}

TEST(Kineto, AScopeThatEndsTooLateIsNoPlaceOfTheNext) {
  KinetoText text = pageable_uploads();
  for (int i = 0; i < 4; ++i) text.scope("cpu_op", "aten::item", 1000 * (i + 1) + 700, 350);
  EXPECT_THAT(lines_of(report_of(text.json())),
              ElementsAre(testing::StartsWith("aten::to in ProfilerStep#3: ")));
}

TEST(Kineto, WithoutScopesTheCallIsThePlace) {
  KinetoText text;
  for (unsigned i = 1; i <= 4; ++i)
    text.call("cudaMemcpyAsync", 1000 * i, 250, i)
        .copy("HtoD (Pageable -> Device)", 1 << 20, 1000 * i + 20, 200, i)
        .call("cudaLaunchKernel", 1000 * i + 400, 10, i + 10)
        .kernel("scale", 1000 * i + 415, 100, i + 10);
  text.call("cudaDeviceSynchronize", 9000, 5, 900);
  const Report report = report_of(text.json());
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].location.function, "cudaMemcpyAsync");
}

TEST(Kineto, ReadsGzipAndAnArrayAlone) {
  const TempFile file;
  const std::string text = pageable_uploads().json();
  gzFile out = gzopen(file.path().c_str(), "wb");
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(out);
  EXPECT_THAT(build_report({file.path()}).findings, SizeIs(1));
  EXPECT_THAT(report_of(pageable_uploads().array()).findings, SizeIs(1));
  EXPECT_THAT(report_of("\xef\xbb\xbf" + pageable_uploads().json()).findings, SizeIs(1));
}

TEST(Kineto, WrongEscapesAndControlCharactersDoNotStopIt) {
  KinetoText text = pageable_uploads();
  text.raw(R"({"ph": "X", "cat": "cpu_op", "name": "C:\Users\me\x \u12 \ud83d", "ts": 1})")
      .raw("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"two\nlines\tand\x01more\", \"ts\": 1}")
      .raw(R"({"ph": "X", "cat": "cpu_op", "name": "\ud83d\ude00 \"quoted\"", "dur": NaN},)");
  EXPECT_THAT(report_of(text.json()).findings, SizeIs(1));
  EXPECT_THAT(report_of(text.json()).stats.contains("damaged"), false);
}

TEST(Kineto, TimesSince1970AreExact) {
  KinetoText text;
  text.raw(R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "tid": 1,
               "ts": 1712195495519689.123, "dur": 1.5, "args": {"correlation": 5}})")
      .raw(R"({"ph": "X", "cat": "kernel", "name": "k", "tid": 7, "ts": 1712195495519692.001,
               "dur": 0.777, "args": {"correlation": 5, "stream": 7, "device": 0}})");
  const Report report = report_of(text.json());
  EXPECT_EQ(report.stats["launches"]["device_ns"], 777);
  EXPECT_EQ(report.stats["run_ns"], 1500);
}

TEST(Kineto, HipIsRead) {
  KinetoText text;
  text.raw(R"json({"ph": "X", "cat": "cuda_runtime", "name": "hipMemcpyWithStream", "tid": 1,
               "ts": 100.5, "dur": 60, "args": {"stream": "0x55d0", "size": "2560",
               "correlation": 117}})json")
      .raw(R"json({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Host -> Device)",
               "tid": 0, "ts": 110, "dur": 22.4,
               "args": {"device": 2, "stream": 3, "correlation": 117}})json");
  const Report report = report_of(text.json());
  EXPECT_EQ(report.stats["copies"]["host-to-device"]["bytes"], 2560);
  EXPECT_EQ(report.stats["copies"]["host-to-device"]["device_ns"], 22'400);
}

TEST(Kineto, PyTorch18sCategoriesAreRead) {
  KinetoText text;
  text.raw(R"json({"ph": "X", "cat": "Runtime", "name": "cudaMemcpyAsync", "tid": "144", "ts": 100,
               "dur": 60, "args": {"correlation": 11}})json")
      .raw(R"json({"ph": "X", "cat": "Memcpy", "name": "Memcpy DtoH (Device -> Pinned)",
               "tid": "stream 7", "ts": 110, "dur": 20,
               "args": {"device": 0, "stream": 7, "correlation": 11, "bytes": 4000}})json");
  EXPECT_EQ(report_of(text.json()).stats["copies"]["device-to-host"]["bytes"], 4000);
}

TEST(Kineto, WorkWithoutItsCallCounts) {
  KinetoText text;
  text.copy("HtoD (Pageable -> Device)", 4096, 100, 5, 77).kernel("k", 110, 5, 0);
  const Report report = report_of(text.json());
  EXPECT_EQ(report.stats["copies"]["host-to-device"]["count"], 1);
  EXPECT_EQ(report.stats["launches"]["count"], 1);
}

TEST(Kineto, TheOperatorStandsForACallThatWasNotRecorded) {
  KinetoText text;
  for (int i = 1; i <= 4; ++i) {
    const std::string at = std::to_string(4000 * i), id = std::to_string(i);
    text.raw(R"({"ph": "X", "cat": "cpu_op", "name": "aten::to", "tid": 7, "dur": 300, "ts": )" +
             at + R"(, "args": {"External id": )" + id + "}}")
        .raw(R"json({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)",
                 "dur": 300, "ts": )json" +
             std::to_string(4000 * i + 10) +
             R"(, "args": {"device": 0, "stream": 7, "bytes": 9999999,
                 "correlation": )" +
             std::to_string(50 + i) + R"(, "External id": )" + id + "}}")
        .kernel("scale", 4000 * i + 320, 3650, static_cast<unsigned>(100 + i));
  }
  EXPECT_THAT(lines_of(report_of(text.json())),
              ElementsAre("aten::to: cuda:0 computes nothing during copies of 9.5 MiB to cuda:0 (3 "
                          "times)"));
}

TEST(Kineto, SampledTracesDoNotSayWhetherACopyWasWaitedFor) {
  // Its waits were left out, so a blocking copy looks as if the program went on.
  KinetoText text;
  for (unsigned i = 1; i <= 4; ++i)
    text.call("cudaMemcpyAsync", 1000 * i, 250, i)
        .copy("DtoH (Device -> Pageable)", 1 << 20, 1000 * i + 20, 200, i)
        .call("cudaLaunchKernel", 1000 * i + 400, 10, i + 10)
        .kernel("scale", 1000 * i + 415, 100, i + 10);
  EXPECT_THAT(report_of(text.json()).findings, IsEmpty());
}

/// Thirty steps that each read the loss.
TEST(Kineto, ALossThatIsReadOnEachStep) {
  KinetoText text;
  for (unsigned i = 1; i <= 30; ++i) {
    const double at = 1000 * i;
    text.scope("cpu_op", "aten::item", at + 100, 400)
        .call("cudaLaunchKernel", at + 10, 5, 3 * i)
        .kernel("mse_loss", at + 20, 300, 3 * i)
        .call("cudaMemcpyAsync", at + 110, 12, 3 * i + 1)
        .copy("DtoH (Device -> Pageable)", 4, at + 321, 2, 3 * i + 1)
        .wait("Stream Sync", 3 * i + 2, 7)
        .call("cudaStreamSynchronize", at + 125, 200, 3 * i + 2);
  }
  EXPECT_THAT(lines_of(report_of(text.json())),
              ElementsAre("aten::item: the host downloads 4 bytes from cuda:0 on every step, and "
                          "waits each time (30 times)"));
}

/// Forty rows of a batch, one by one.
TEST(Kineto, SmallCopiesInARow) {
  KinetoText text;
  for (unsigned i = 0; i < 200; ++i) {
    const double at = 1000 + 30 * i + 1000 * (i / 40);
    text.scope("cpu_op", "aten::to", at, 25)
        .call("cudaMemcpyAsync", at + 1, 8, i + 1)
        .copy("HtoD (Pinned -> Device)", 512, at + 5, 2, i + 1);
    if (i % 40 == 39)
      text.call("cudaLaunchKernel", at + 40, 5, 1000 + i).kernel("scale", at + 50, 100, 1000 + i);
  }
  EXPECT_THAT(
      lines_of(report_of(text.json())),
      ElementsAre("aten::to: 200 copies of 512 bytes to cuda:0 follow each other, where one "
                  "copy of them together would do"));
}

/// Two waits in each of 20 ms, the second for nothing.
KinetoText idle_waits(double took) {
  KinetoText text;
  for (unsigned i = 1; i <= 20; ++i)
    text.call("cudaLaunchKernel", 1000 * i, 5, 3 * i)
        .kernel("scale", 1000 * i + 10, 100, 3 * i)
        .wait("Context Sync", 3 * i + 1, -1)
        .call("cudaDeviceSynchronize", 1000 * i + 20, 100, 3 * i + 1)
        .wait("Context Sync", 3 * i + 2, -1)
        .call("cudaDeviceSynchronize", 1000 * i + 130, took, 3 * i + 2);
  return text;
}

TEST(KinetoSilent, AWaitOfNoTimeMayBeThereForAClock) {
  EXPECT_THAT(report_of(idle_waits(5).json()).findings, IsEmpty());
}

TEST(Kineto, ASyncOfAnIdleDeviceIsAdviceSinceClocksAreNotSeen) {
  const Report report = report_of(idle_waits(20).json());
  EXPECT_THAT(lines_of(report), ElementsAre("cudaDeviceSynchronize: the host waits for cuda:0, "
                                            "which is idle (20 times)"));
  EXPECT_EQ(report.findings.at(0).severity, Severity::kAdvice);
}

TEST(KinetoSilent, GraphsAndCollectivesAndCopyStreams) {
  KinetoText text;
  for (unsigned i = 1; i <= 12; ++i) {
    const double at = 2000 * i;
    const unsigned id = 10 * i;
    text.scope("cpu_op", "record_param_comms", at, 50)
        .call("cudaGraphLaunch", at + 1, 20, id)
        .copy("HtoD (Pinned -> Device)", 1 << 20, at + 30, 60, id)
        .kernel("a", at + 95, 400, id)
        .kernel("b", at + 500, 400, id)
        .call("cudaLaunchKernel", at + 60, 5, id + 1)
        .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 100, 1500, id + 1, 24)
        .call("cudaMemcpyAsync", at + 70, 8, id + 2)
        .copy("HtoD (Pinned -> Device)", 1 << 22, at + 90, 300, id + 2, 31)
        .wait("Stream Sync", id + 3, 24)
        .call("cudaStreamSynchronize", at + 80, 1600, id + 3);
  }
  EXPECT_THAT(report_of(text.json()).findings, IsEmpty());
}

TEST(KinetoBadInput, IsToldInOneLine) {
  EXPECT_THAT(refusal_of("{}"), HasSubstr("has no traceEvents: it is no trace of torch.profiler"));
  EXPECT_THAT(refusal_of(R"({"findings": [{"rule": "leak"}]})"), HasSubstr("has no traceEvents"));
  EXPECT_THAT(refusal_of("{\"a\": tru}"), HasSubstr("is damaged at byte"));
  EXPECT_THAT(refusal_of(R"({"traceEvents": []})"),
              HasSubstr("has no GPU activity: profile with ProfilerActivity.CUDA"));
  EXPECT_THAT(refusal_of(KinetoText().scope("cpu_op", "aten::add", 1, 1).json()),
              HasSubstr("has no GPU activity"));
}

TEST(KinetoBadInput, ATraceThatIsCutOffKeepsItsEvents) {
  const std::string whole = pageable_uploads(8).json();
  const Report report = report_of(whole.substr(0, whole.size() * 3 / 4));
  EXPECT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.stats["damaged"], true);
  ASSERT_THAT(report.stats["problems"], SizeIs(testing::Ge(1u)));
  EXPECT_THAT(report.stats["problems"][0].get<std::string>(), HasSubstr("is cut off; "));
}

TEST(KinetoBadInput, GzipThatIsCutOffKeepsItsEvents) {
  const TempFile file;
  const std::string whole = pageable_uploads(400).json();
  gzFile out = gzopen(file.path().c_str(), "wb");
  ASSERT_GT(gzwrite(out, whole.data(), static_cast<unsigned>(whole.size())), 0);
  gzclose(out);
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
  const Report report = build_report({file.path()});
  EXPECT_THAT(report.findings, Not(IsEmpty()));
  EXPECT_EQ(report.stats["damaged"], true);
}

TEST(KinetoBadInput, ValuesOfTheWrongTypeAreLeftOut) {
  KinetoText text = pageable_uploads();
  text.raw(R"({"ph": 3, "cat": null, "name": {"a": [1]}, "ts": "x", "dur": {}, "args": 7})")
      .raw(R"({"ph": "X", "cat": "kernel", "name": [], "ts": -5, "dur": -1,
               "args": {"stream": "a", "device": 99999999, "correlation": -1}})")
      .raw(R"json({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy ) -> (", "ts": 1e300,
               "dur": 1e300, "args": [[{"bytes": 1}]]})json");
  EXPECT_THAT(report_of(text.json()).findings, SizeIs(1));
}

}  // namespace
}  // namespace xfer::test
