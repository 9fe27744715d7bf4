#include <gmock/gmock.h>

#include <fstream>

#include "../temp_file.h"
#include "lines_of.h"
#include "nsys_database.h"
#include "xfer/report_builder.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kMs = 1'000'000;
constexpr const char* kUpload = "1, 0, 2";

/// Uploads from pageable memory that claim to be asynchronous, step after step.
void pageable_uploads(NsysDatabase& database, int stack = 0, int failed = 0) {
  for (int i = 1; i <= 4; ++i)
    database.range("batch " + std::to_string(i), i * kMs, i * kMs + 900'000)
        .call("cudaMemcpyAsync", i * kMs + 30'000, i * kMs + 280'000, i, failed, stack)
        .copy(kUpload, 1 << 20, i * kMs + 60'000, i * kMs + 260'000, i)
        .call("cudaLaunchKernel", i * kMs + 400'000, i * kMs + 410'000, 100 + i)
        .kernel("scale(float*)", i * kMs + 415'000, i * kMs + 500'000, 100 + i);
  database.call("cudaDeviceSynchronize", 9 * kMs, 9 * kMs + 5000, 200);
}

Report report_of(void (*fill)(NsysDatabase&), bool later = true) {
  const TempFile file;
  {
    NsysDatabase database(file.path(), later);
    fill(database);
  }
  return build_report({file.path()});
}

TEST(Nsys, AFindingNamesTheNvtxRange) {
  for (const bool later : {true, false}) {
    const Report report =
        report_of([](NsysDatabase& database) { pageable_uploads(database); }, later);
    EXPECT_THAT(lines_of(report),
                ElementsAre("cudaMemcpyAsync in batch 1: an asynchronous copy of 1 MiB to cuda:0 "
                            "uses pageable memory: the host waits while the driver copies it to "
                            "a staging buffer (4 times)"));
    EXPECT_THAT(report.runs.at(0).device_names, ElementsAre("NVIDIA H100"));
    EXPECT_EQ(report.stats["copies"]["host-to-device"]["device_ns"], 800'000);
  }
}

TEST(Nsys, NumbersOfPyTorchsRangesAreNoNames) {
  const Report report = report_of([](NsysDatabase& database) {
    pageable_uploads(database);
    for (int i = 1; i <= 4; ++i)
      database.range("forward (layer.1), op_id = " + std::to_string(i), i * kMs, i * kMs + 800'000)
          .range("aten::to, seq = 3, op_id = 5" + std::to_string(i), i * kMs + 5'000,
                 i * kMs + 300'000);
  });
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].location.function, "aten::to in forward (layer.1)");
}

TEST(Nsys, ACallStackIsBetterThanARange) {
  const Report report = report_of([](NsysDatabase& database) {
    int depth = 0;
    for (const auto& [function, module] :
         {std::pair("cudaMemcpyAsync", "/usr/lib/libcudart.so.12"),
          std::pair("at::native::copy_", "/opt/libtorch_cuda.so"),
          std::pair("Trainer::step(Batch const&)", "/home/me/train"),
          std::pair("main", "/home/me/train")}) {
      const int symbol = database.text(function);
      database.run("INSERT INTO CUDA_CALLCHAINS VALUES (3, " + std::to_string(symbol) + ", " +
                   std::to_string(database.text(module)) + ", " + std::to_string(depth++) + ")");
    }
    pageable_uploads(database, 3);
  });
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].location.function, "Trainer::step(Batch const&)");
}

TEST(Nsys, ACopyOfTwoCallsWithItsNumberCountsOnce) {
  // The runtime's call, and the driver's within it.
  const Report report = report_of([](NsysDatabase& database) {
    database.call("cudaMemcpy", 1000, 90'000, 1)
        .call("cuMemcpyHtoD", 2000, 89'000, 1)
        .copy("1, 0, 2", 1 << 20, 5000, 85'000, 1);
  });
  EXPECT_EQ(report.stats["copies"]["host-to-device"]["count"], 1);
  EXPECT_EQ(report.stats["copies"]["host-to-device"]["bytes"], 1 << 20);
}

TEST(Nsys, CallsThatFailedDidNothing) {
  const Report report = report_of([](NsysDatabase& database) {
    database.call("cudaMalloc", 100, 200, 1, 2).call("cudaMalloc", 300, 400, 2);
  });
  EXPECT_EQ(report.stats["failed_calls"], 1);
  EXPECT_EQ(report.stats["allocations"]["count"], 1);
}

TEST(Nsys, MemoryThatIsFreedAndAllocatedAgain) {
  const Report report = report_of([](NsysDatabase& database) {
    for (int i = 1; i <= 8; ++i) {
      database.range("step", i * kMs, i * kMs + 900'000)
          .call("cudaMalloc", i * kMs + 1000, i * kMs + 90'000, i)
          .call("cudaLaunchKernel", i * kMs + 100'000, i * kMs + 110'000, 100 + i)
          .kernel("scale", i * kMs + 120'000, i * kMs + 130'000, 100 + i)
          .call("cudaFree", i * kMs + 200'000, i * kMs + 290'000, 50 + i);
      for (const int call : {i, 50 + i})
        database.run(
            "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (1, 16777216, 0, 4096000, "
            "65536, 2, " +
            std::to_string(call > 50) + ", " + std::to_string(call) + ")");
    }
  });
  EXPECT_THAT(lines_of(report),
              ElementsAre("cudaMalloc in step: 64 KiB on cuda:0 are freed and allocated again (7 "
                          "times)"));
}

/// A kernel of 500 us that the free waits for, or of 10 us that is over by then.
void frees(NsysDatabase& database, int kernel_ns, int count = 6) {
  for (int i = 1; i <= count; ++i)
    database.call("cudaLaunchKernel", i * kMs + 100'000, i * kMs + 110'000, 100 + i)
        .kernel("scale", i * kMs + 120'000, i * kMs + 120'000 + kernel_ns, 100 + i)
        .call("cudaFree", i * kMs + 200'000, i * kMs + 690'000, 50 + i);
}

TEST(Nsys, AFreeWaitsForAKernel) {
  EXPECT_THAT(lines_of(report_of([](NsysDatabase& database) { frees(database, 500'000); })),
              ElementsAre("cudaFree: freeing memory of cuda:0 makes the host wait for the pending "
                          "work there (6 times)"));
}
TEST(Nsys, AFreeLooksForNoCopyThatIsLongOver) {
  // A copy that the host did not wait for on another stream, at the start.
  const Report report = report_of([](NsysDatabase& database) {
    database.call("cudaMemcpy", 1'000, 9'000, 1)
        .run(
            "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (2000, 5000, 0, 9, 1, 16777216, 4, 1, "
            "0, 2)");
    for (int i = 1; i <= 6; ++i)
      database.call("cudaLaunchKernel", i * kMs + 100'000, i * kMs + 110'000, 100 + i)
          .kernel("scale", i * kMs + 120'000, i * kMs + 130'000, 100 + i)
          .call("cudaStreamSynchronize", i * kMs + 140'000, i * kMs + 150'000, 200 + i)
          .wait(3, 200 + i, 7)
          .call("cudaFree", i * kMs + 200'000, i * kMs + 690'000, 50 + i);
  });
  EXPECT_THAT(lines_of(report), IsEmpty());
}
TEST(Nsys, FewFreesMayBeALibrarysAtItsStart) {
  EXPECT_THAT(lines_of(report_of([](NsysDatabase& database) { frees(database, 500'000, 4); })),
              IsEmpty());
}
TEST(Nsys, AFreeThatFindsTheDeviceIdleWaitsForNothing) {
  EXPECT_THAT(lines_of(report_of([](NsysDatabase& database) { frees(database, 10'000); })),
              IsEmpty());
}

TEST(Nsys, ManagedMemoryThatMovesIsCountedAndNoCopyOfTheProgram) {
  const Report report = report_of([](NsysDatabase& database) {
    database.call("cudaLaunchKernel", 1000, 2000, 1).kernel("scale", 3000, 9000, 1);
    for (int i = 0; i < 30; ++i) database.copy("11, 0, 2", 65536, 4000 + i, 4100 + i, 0);
  });
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.stats["copies"]["host-to-device"]["count"], 0);
  EXPECT_THAT(report.runs.at(0).not_run,
              testing::Contains("managed memory moved by itself 30 times (1.9 MiB): no rule judges "
                                "that"));
}

std::string refusal_of(const TempFile& file) {
  try {
    static_cast<void>(build_report({file.path()}));
  } catch (const TraceError& error) {
    return error.what();
  }
  return {};
}

TEST(NsysBadInput, IsToldInOneLine) {
  const TempFile other;
  {
    NsysDatabase(other.path()).run("DROP TABLE StringIds");
  }
  EXPECT_THAT(refusal_of(other), HasSubstr("is a database, but not one of nsys"));
  const TempFile empty;
  {
    NsysDatabase made(empty.path());
  }
  EXPECT_THAT(refusal_of(empty), HasSubstr("has nothing of CUDA: record with nsys profile"));
  const TempFile broken;
  broken.write(std::string("SQLite format 3\0", 16) + "and nothing more");
  EXPECT_THAT(refusal_of(broken), HasSubstr("cannot be read: "));
}

TEST(NsysBadInput, ADamagedFileKeepsWhatCanBeRead) {
  const TempFile file;
  {
    NsysDatabase database(file.path());
    for (int i = 0; i < 50; ++i) pageable_uploads(database);
  }
  const auto size = std::filesystem::file_size(file.path());
  {
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(size) - 4096);
    bytes << std::string(4096, '\xff');
  }
  const Report report = build_report({file.path()});
  EXPECT_EQ(report.stats["damaged"], true);
  EXPECT_THAT(report.stats["problems"][0].get<std::string>(), HasSubstr("is damaged: "));
}

}  // namespace
}  // namespace xfer::test
