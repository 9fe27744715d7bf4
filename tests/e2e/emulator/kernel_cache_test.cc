// Code of kernels that is kept from run to run.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

namespace fs = std::filesystem;
using testing::Not;
using testing::StartsWith;

constexpr const char* kNone = "launches seen, translated 0\n";
constexpr const char* kSome = "launches seen, translated ";

class KernelCache : public testing::Test {
 protected:
  KernelCache() {
    std::string name = std::string(P_tmpdir) + "/xfer-cache-XXXXXX";
    base_ = mkdtemp(name.data());
  }
  ~KernelCache() override { fs::remove_all(base_); }

  Outcome run(const std::string& options = "emulate_warps=never") const {
    return run_emulated({XFER_WARP_PROGRAM}, {"XFERCHECK_OPTIONS=" + options,
                                              "CUDA_INJECTION64_PATH=" XFER_TRANSLATION_COUNTER,
                                              "XDG_CACHE_HOME=" + base_.string()});
  }
  fs::path directory() const { return base_ / "xfercheck" / "kernels"; }

  fs::path base_;
};

TEST_F(KernelCache, ASecondRunTranslatesNothingAndGivesTheSame) {
  for (const char* options : {"emulate_warps=never", "emulate_warps=always"}) {
    const Outcome first = run(options);
    EXPECT_THAT(first.err, testing::AllOf(StartsWith(kSome), Not(kNone)));
    EXPECT_EQ(first.exit_code, 0);
    const Outcome second = run(options);
    EXPECT_EQ(second.err, kNone);
    EXPECT_EQ(second.out, first.out);
    EXPECT_EQ(second.exit_code, 0);
  }
}

TEST_F(KernelCache, DamagedFilesAreMadeAgain) {
  const Outcome first = run();
  for (const auto& file : fs::directory_iterator(directory())) {
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(fs::file_size(file) / 2));
    bytes << "damage";
  }
  const Outcome second = run();
  EXPECT_EQ(second.err, first.err);
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(run().err, kNone);
}

TEST_F(KernelCache, CanBeElsewhereOrNowhere) {
  const std::string elsewhere =
      "emulate_warps=never:emulate_cache=" + (base_ / "else where").string();
  run(elsewhere);
  EXPECT_EQ(run(elsewhere).err, kNone);
  EXPECT_FALSE(fs::exists(directory()));
  const std::string nowhere = "emulate_warps=never:emulate_cache=0";
  run(nowhere);
  EXPECT_THAT(run(nowhere).err, Not(kNone));
  EXPECT_FALSE(fs::exists(directory()));
}

TEST_F(KernelCache, ADirectoryThatCannotBeIsNoError) {
  std::ofstream(base_ / "xfercheck") << "a file";
  const Outcome outcome = run();
  EXPECT_THAT(outcome.err, testing::AllOf(StartsWith(kSome), Not(kNone)));
  EXPECT_EQ(outcome.exit_code, 0);
}

}  // namespace
}  // namespace xfer::test
