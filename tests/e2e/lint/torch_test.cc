// The real LibTorch headers, once without and once with a precompiled header. Takes half a minute.

#include <gmock/gmock.h>

#include <filesystem>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::Contains;
using testing::SizeIs;

constexpr const char* kNet = R"(#include "net.h"
#include <iostream>

void train(torch::Device device) {
  auto net = std::make_shared<Net>();
  net->to(device);
  auto x = torch::randn({4, 8});
  x.to(device);
  std::cout << net->forward(x);
}

int main() { train(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU); }
)";

constexpr const char* kNetHeader = R"(#pragma once
#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(8, 2)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc->forward(x)); }
  torch::nn::Linear fc{nullptr};
};
)";

TEST(LintTorch, FindingsDoNotDependOnThePrecompiledHeader) {
  if (std::string(XFER_TORCH_INCLUDE).empty()) GTEST_SKIP() << "no LibTorch headers";
  Project project;
  project.write("net.h", kNetHeader);
  std::map<std::string, std::string> commands;
  for (const char* file : {"a.cc", "b.cc"}) {
    project.write(file, kNet);
    commands[file] =
        "c++ -std=gnu++17 -isystem " XFER_TORCH_INCLUDE " -c " + (project.path() / file).string();
  }
  project.commands(commands);
  const nlohmann::json plain = project.findings({"--no-pch", "-j", "1", "a.cc"});
  EXPECT_THAT(places(plain), Contains("discarded-transfer a.cc:8"));
  EXPECT_THAT(plain.at("stats").at("parse_failures"), SizeIs(0));
  const nlohmann::json both = project.findings({"-j", "1", "--no-stored-facts"});
  EXPECT_EQ(both.at("stats").at("pch_used"), 2);
  const nlohmann::json fast = project.findings({"-j", "1", "--no-stored-facts", "a.cc"});
  EXPECT_EQ(fast.at("stats").at("pch_used"), 1);
  EXPECT_EQ(fast.at("findings"), plain.at("findings"));
}

TEST(LintTorch, CudaHeadersOfACpuOnlyPackageParse) {
  if (std::string(XFER_TORCH_INCLUDE).empty()) GTEST_SKIP() << "no LibTorch headers";
  if (std::string(XFER_NVCC).empty()) GTEST_SKIP() << "no CUDA toolkit";
  const std::string toolkit = std::filesystem::path(XFER_NVCC).parent_path().parent_path();
  Project project;
  project.write("a.cc",
                "#include <ATen/ATen.h>\n"
                "#include <c10/cuda/CUDAFunctions.h>\n"
                "#include <c10/cuda/CUDAStream.h>\n"
                "void wait() { c10::cuda::getCurrentCUDAStream().synchronize(); }\n");
  const Outcome outcome =
      project.lint({"a.cc", "--", "-std=c++17", "-isystem", toolkit + "/include"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

}  // namespace
}  // namespace xfer::lint
