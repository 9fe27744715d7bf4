// Programs that keep the code of their kernels.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "kernels/cache/own_build.h"
#include "kernels/kernels.h"

namespace xfer::kernels {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTwice = R"(.version 8.0
.target sm_80
.address_size 64
.global .u32 factor = 2;
.visible .entry twice(.param .u64 to, .param .u32 number) {
  .reg .b32 %r<4>;
  .reg .b64 %a<3>;
  .shared .align 4 .b8 room[36];
  ld.param.u64 %a1, [to];
  ld.param.u32 %r1, [number];
  ld.global.u32 %r2, [factor];
  mul.lo.u32 %r3, %r1, %r2;
  st.global.u32 [%a1], %r3;
  st.shared.u32 [room], %r3;
  sqrt.approx.f32 %r3, %r3;
  bar.sync 0;
  ret;
}
.visible .entry broken() {
  nothing.like.this %r1;
}
)";

class CachedProgram : public testing::Test {
 protected:
  CachedProgram() {
    std::string name = std::string(P_tmpdir) + "/xfer-programs-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~CachedProgram() override { fs::remove_all(directory_); }

  std::unique_ptr<Program> load(const std::string& text = kTwice) const {
    std::string why;
    return std::unique_ptr<Program>(load_program({text}, &why, {.cache = directory_}));
  }
  /// What `twice` makes of a number.
  static std::uint32_t run(const Code& code, std::uint32_t number) {
    struct {
      std::uint32_t* to;
      std::uint32_t number;
    } parameters{nullptr, number};
    std::uint32_t result = 0, factor = 2;
    parameters.to = &result;
    const std::uintptr_t variables[] = {reinterpret_cast<std::uintptr_t>(&factor)};
    alignas(128) std::byte shared[128];
    Services services;
    services.barrier = [](Thread*, std::uint32_t, std::uint32_t) {};
    Block block;
    block.services = &services;
    block.parameters = reinterpret_cast<const std::byte*>(&parameters);
    block.variables = variables;
    block.shared = shared;
    Thread thread;
    thread.block = &block;
    code.run(&thread);
    return result;
  }

  std::string directory_;
};

TEST_F(CachedProgram, IsTranslatedOnce) {
  ASSERT_FALSE(own_build().empty());
  std::string why;
  const auto first = load();
  const std::uint64_t before = translations();
  const Code* const made = first->code("twice", Extra::kNone, &why);
  ASSERT_NE(made, nullptr) << why;
  EXPECT_NE(first->warp_code("twice", Extra::kNone, WarpShape::kRows, &why), nullptr) << why;
  EXPECT_EQ(translations(), before + 2);

  const auto second = load();
  const Code* const kept = second->code("twice", Extra::kNone, &why);
  ASSERT_NE(kept, nullptr) << why;
  EXPECT_NE(second->warp_code("twice", Extra::kNone, WarpShape::kRows, &why), nullptr) << why;
  EXPECT_EQ(translations(), before + 2);
  EXPECT_NE(kept->run, made->run);
  EXPECT_EQ(run(*made, 21), 42u);
  EXPECT_EQ(run(*kept, 21), 42u);
  EXPECT_EQ(kept->parameters.size(), 2u);
  EXPECT_EQ(kept->parameters.at(1).offset, 8u);
  EXPECT_EQ(kept->parameter_bytes, 12u);
  EXPECT_EQ(kept->shared_bytes, 48u);
  EXPECT_EQ(kept->variables, made->variables);
  EXPECT_EQ(kept->variables.size(), 1u);
  EXPECT_EQ(kept->weight, 9u);
  EXPECT_EQ(kept->bytes, 8u);
  EXPECT_TRUE(kept->waits);
  EXPECT_EQ(kept->approximate, std::vector<std::string>{"sqrt.approx"});
}

TEST_F(CachedProgram, KeepsWhyAKernelCannotRun) {
  std::string first, second;
  EXPECT_EQ(load()->code("broken", Extra::kNone, &first), nullptr);
  const std::uint64_t before = translations();
  EXPECT_EQ(load()->code("broken", Extra::kNone, &second), nullptr);
  EXPECT_EQ(translations(), before);
  EXPECT_THAT(first, testing::HasSubstr("line 20"));
  EXPECT_EQ(first, second);
}

TEST_F(CachedProgram, OtherTextIsAnotherProgram) {
  std::string why;
  load()->code("twice", Extra::kNone, &why);
  std::string text = kTwice;
  text.replace(text.find("mul.lo"), 6, "add   ");
  const std::uint64_t before = translations();
  const auto other = load(text);
  const Code* const code = other->code("twice", Extra::kNone, &why);
  ASSERT_NE(code, nullptr) << why;
  EXPECT_EQ(translations(), before + 1);
  EXPECT_EQ(run(*code, 21), 23u);
  EXPECT_NE(other->warp_code("twice", Extra::kNone, WarpShape::kRows, &why), nullptr);
  EXPECT_NE(other->warp_code("twice", Extra::kNone, WarpShape::kOther, &why), nullptr);
  EXPECT_EQ(translations(), before + 3);
}

TEST_F(CachedProgram, TranslatesAgainWhatWasDamaged) {
  std::string why;
  load()->code("twice", Extra::kNone, &why);
  for (const auto& file : fs::directory_iterator(directory_))
    fs::resize_file(file, fs::file_size(file) / 2);
  const std::uint64_t before = translations();
  const auto second = load();
  const Code* const code = second->code("twice", Extra::kNone, &why);
  ASSERT_NE(code, nullptr) << why;
  EXPECT_EQ(run(*code, 4), 8u);
  EXPECT_EQ(translations(), before + 1);
  load()->code("twice", Extra::kNone, &why);
  EXPECT_EQ(translations(), before + 1);
}

TEST_F(CachedProgram, WithoutADirectoryNothingIsKept) {
  std::string why;
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t before = translations();
    const std::unique_ptr<Program> program(load_program({kTwice}, &why));
    program->code("twice", Extra::kNone, &why);
    EXPECT_EQ(translations(), before + 1);
  }
}

}  // namespace
}  // namespace xfer::kernels
