#pragma once
// A kernel of one body, translated: it has `room` in shared memory, and in %a1 an address that it
// is given.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/kernels.h"

namespace xfer::kernels {

struct OneKernel {
  explicit OneKernel(const std::string& body) {
    std::string why;
    program.reset(load_program({R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 at) {
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .b64 %a<2>;
  .shared .align 16 .b8 room[64];
  ld.param.u64 %a1, [at];
)" + body + "  ret;\n}\n"},
                               &why));
    code = program->code("k", Extra::kNone, &why);
    EXPECT_NE(code, nullptr) << why;
  }

  std::unique_ptr<Program> program;
  const Code* code = nullptr;
};

}  // namespace xfer::kernels
