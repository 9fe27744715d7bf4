// From an address in a kernel's code to the line of its PTX.

#include <gtest/gtest.h>

#include <csetjmp>
#include <memory>
#include <string>

#include "kernels/kernels.h"

namespace xfer::kernels {
namespace {

constexpr const char* kText = R"(.version 9.0
.target sm_80
.address_size 64
.visible .func (.param .b32 v) twice(.param .b32 x) {
  .reg .b32 %r;
  .loc 2 70 3
  ld.param.b32 %r, [x];
  add.s32 %r, %r, %r;
  st.param.b32 [v], %r;
  ret;
}
.visible .entry loud(.param .u64 out) {
  .reg .b64 %p;
  .reg .b32 %r<4>;
  .reg .pred %p1;
  .loc 1 30 5
  ld.param.u64 %p, [out];
  mov.u32 %r1, %tid.x;
  { .param .b32 x; st.param.b32 [x], %r1;
    .param .b32 v; call.uni (v), twice, (x);
    ld.param.b32 %r2, [v]; }
  st.u32 [%p], %r2;
  bar.sync 0;
  .loc 1 34 9
  setp.gt.u32 %p1, %r2, 3;
  @%p1 trap;
  ret;
}
.visible .entry plain(.param .u64 out) {
  trap;
  ret;
}
.file 1 "loud.cu"
.file 2 "twice.cuh"
)";

std::jmp_buf back;
const void* stopped = nullptr;

void trap(Thread*) {
  stopped = static_cast<const std::byte*>(__builtin_return_address(0)) - 1;
  std::longjmp(back, 1);  // NOLINT(cert-err52-cpp): what runs has no destructors
}

class Place : public testing::Test {
 protected:
  Place() {
    std::string why;
    program_.reset(load_program({".version 9.0\n.target sm_80\n", kText}, &why));
    services_.trap = trap;
    services_.barrier = [](Thread*, std::uint32_t, std::uint32_t) {};
    block_.services = &services_;
    block_.parameters = reinterpret_cast<const std::byte*>(&parameter_);
  }

  std::string place_of_trap(const std::string& kernel, const Code& code) {
    Thread thread;
    thread.block = &block_;
    thread.index[0] = 2;
    stopped = nullptr;
    if (setjmp(back) == 0) code.run(&thread);
    return program_->place(kernel, stopped);
  }

  std::unique_ptr<Program> program_;
  std::string why_;

 private:
  int result_ = 0;
  void* parameter_ = &result_;
  Services services_;
  Block block_;
};

TEST_F(Place, LineOfThePtxAndOfItsSource) {
  const Code* const loud = program_->code("loud", Extra::kNone, &why_);
  ASSERT_NE(loud, nullptr) << why_;
  EXPECT_EQ(place_of_trap("loud", *loud), "line 26 of its PTX (loud.cu:34)");
  const Code* const plain = program_->code("plain", Extra::kNone, &why_);
  ASSERT_NE(plain, nullptr) << why_;
  EXPECT_EQ(place_of_trap("plain", *plain), "line 30 of its PTX");
}

TEST_F(Place, OfNoCodeIsUnknown) {
  const Code* const loud = program_->code("loud", Extra::kNone, &why_);
  ASSERT_NE(loud, nullptr) << why_;
  EXPECT_EQ(program_->place("loud", &why_), "");
  EXPECT_EQ(program_->place("plain", reinterpret_cast<const void*>(loud->run)), "");
  EXPECT_EQ(program_->place("none", nullptr), "");
  const auto* const begin = reinterpret_cast<const std::byte*>(loud->run);
  EXPECT_EQ(program_->place("loud", begin + 100000), "");
}

TEST_F(Place, OfWarps) {
  const RunWarp warp = program_->warp_code("loud", Extra::kNone, WarpShape::kRows, &why_);
  ASSERT_NE(warp, nullptr) << why_;
  // Behind the beginning of the function is what reads the kernel's parameters.
  std::string place;
  for (std::size_t at = 0; at < 400 && place.empty(); ++at)
    place = program_->place("loud", reinterpret_cast<const std::byte*>(warp) + at);
  EXPECT_NE(place, "");
}

}  // namespace
}  // namespace xfer::kernels
