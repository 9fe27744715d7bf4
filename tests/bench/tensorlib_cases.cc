// The measured operations, the same source for tensorlib and (XFER_BENCH_TORCH) LibTorch.
// usage: tensorlib_cases THREADS; prints "name<TAB>microseconds", the best of several runs.
#include <tensorlib/models/resnet.h>

#include <cstdlib>

#include "measure.h"

namespace {

// Into memory that is there, so that what is measured is the copy and not how memory is come by.
void transpose(const char* name, const torch::Tensor& turned) {
  const torch::Tensor target = torch::empty(turned.sizes(), turned.options());
  measure(name, [&] { target.copy_(turned); });
}

void transposes() {
  const torch::Tensor large = torch::rand({4096, 4096}), square = torch::rand({2048, 2048});
  const torch::Tensor images = torch::rand({32, 64, 56, 56}),
                      colors = torch::rand({32, 3, 224, 224});
  transpose("transposed copy, 2048x2048", square.t());
  transpose("transposed copy, 4096x4096", large.t());
  transpose("transposed copy, 1000x3000", torch::rand({1000, 3000}).t());
  transpose("transposed copy, 8192x512", torch::rand({8192, 512}).t());
  transpose("transposed copy, 2048x2048 double", square.to(torch::kDouble).t());
  transpose("transposed copy, 2048x2048 half", square.to(torch::kHalf).t());
  transpose("NCHW to NHWC copy, 32x64x56x56", images.permute({0, 2, 3, 1}));
  transpose("NCHW to NHWC copy, 32x3x224x224", colors.permute({0, 2, 3, 1}));
  transpose("reversed copy, 64x128x256", torch::rand({64, 128, 256}).permute({2, 1, 0}));
}

}  // namespace

int main(int argc, char** argv) {
  torch::set_num_threads(argc > 1 ? std::atoi(argv[1]) : 1);
  const torch::NoGradGuard no_grad;
  torch::manual_seed(0);
  torch::Tensor out;

  const torch::Tensor one = torch::ones({1}), other = torch::ones({1});
  measure("add, 1 element", [&] { out = one + other; });
  measure("to(cpu), already there", [&] { out = one.to(torch::kCPU); });
  measure("empty, 1024 floats", [&] { out = torch::empty({1024}); });
  measure("view and slice", [&] { out = one.view({1, 1}).slice(0, 0, 1); });

  const torch::Tensor large = torch::rand({1 << 22}), also = torch::rand({1 << 22});
  measure("add, 4 Mi floats", [&] { out = large + also; });
  measure("exp, 4 Mi floats", [&] { out = large.exp(); });
  measure("sum, 4 Mi floats", [&] { out = large.sum(); });
  const torch::Tensor square = torch::rand({2048, 2048});
  measure("transpose to contiguous, 2048x2048", [&] { out = square.t().contiguous(); });
  transposes();
  measure("softmax, 2048x2048", [&] { out = square.softmax(1); });

  const torch::Tensor a = torch::rand({512, 512}), b = torch::rand({1024, 1024});
  measure("matmul, 512", [&] { out = a.matmul(a); });
  measure("matmul, 1024", [&] { out = b.matmul(b); });
  const torch::Tensor images = torch::rand({8, 64, 56, 56}), kernel = torch::rand({64, 64, 3, 3});
  measure("conv 3x3, 8x64x56x56", [&] { out = torch::conv2d(images, kernel, {}, 1, 1); });

  torch::nn::Sequential mlp(torch::nn::Linear(784, 256), torch::nn::ReLU(),
                            torch::nn::Linear(256, 10));
  const torch::Tensor digits = torch::rand({64, 784});
  measure("MLP 784-256-10 forward, batch 64", [&] { out = mlp->forward(digits); });

  auto resnet = tensorlib::models::resnet18();
  resnet->eval();
  const torch::Tensor image = torch::rand({1, 3, 224, 224});
  measure("ResNet-18 forward, 1x3x224x224", [&] { out = resnet->forward(image); });
}
