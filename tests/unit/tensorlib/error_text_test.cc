// The errors' texts, to the letter: they are what a person sees.
#include <fmt/format.h>
#include <tensorlib/models/resnet.h>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

TEST(ErrorText, OperatorAcrossDevices) {
  TENSORLIB_REQUIRE_CUDA();
  const Tensor a = ones({2, 3});
  const int made = __LINE__ - 1;
  const Tensor b = ones({2, 3}).to(kCUDA);
  const int moved = __LINE__ - 1;
  int line = 0;
  const std::string text = error_of([&] {
    line = __LINE__ + 1;
    (void)(a + b);
  });
  EXPECT_EQ(text,
            fmt::format("add: operands are on different devices: cpu, cuda:0\n"
                        "  at {0}:{1}\n"
                        "  self   float32 [2, 3]  on cpu     made there by ones() at {0}:{2}\n"
                        "  other  float32 [2, 3]  on cuda:0  moved there at {0}:{3}\n"
                        "help: move self to where other is: self = "
                        "self.to(torch::Device(\"cuda:0\"))",
                        __FILE__, line, made, moved));
}

TEST(ErrorText, LayerMovedAndInputForgotten) {
  TENSORLIB_REQUIRE_CUDA();
  nn::Linear layer(100, 50);
  layer->to(kCUDA);
  const int moved = __LINE__ - 1;
  const Tensor input = rand({4, 100});
  const int made = __LINE__ - 1;
  int line = 0;
  const std::string text = error_of([&] {
    line = __LINE__ + 1;
    (void)layer(input);
  });
  EXPECT_EQ(
      text,
      fmt::format("linear: operands are on different devices: cpu, cuda:0\n"
                  "  at {0}:{1}\n"
                  "  input          float32 [4, 100]   on cpu     made there by rand() at {0}:{2}\n"
                  "  Linear.weight  float32 [50, 100]  on cuda:0  moved there at {0}:{3}\n"
                  "  Linear.bias    float32 [50]       on cuda:0  moved there at {0}:{3}\n"
                  "help: move input to where Linear.weight is: input = "
                  "input.to(torch::Device(\"cuda:0\"))",
                  __FILE__, line, made, moved));
}

TEST(ErrorText, InputMovedAndLayerForgotten) {
  TENSORLIB_REQUIRE_CUDA();
  nn::Linear layer(2, 2);
  const Tensor input = ones({1, 2}).to(kCUDA);
  const std::string text = error_of([&] { (void)layer(input); });
  EXPECT_NE(text.find("\nhelp: move the module of Linear.weight: "
                      "module->to(torch::Device(\"cuda:0\"))"),
            std::string::npos)
      << text;
  layer->to(kCUDA);
  layer->to(kCPU);  // meant to be there
  const std::string meant = error_of([&] { (void)layer(input); });
  EXPECT_NE(meant.find("\nhelp: move input to where Linear.weight is: "
                       "input = input.to(torch::Device(\"cpu\"))"),
            std::string::npos)
      << meant;
}

TEST(ErrorText, TwoGpus) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  const Tensor a = ones({2, 2}).to(Device(kCUDA, 1));
  const Tensor b = ones({2, 2}).cuda();
  const std::string text = error_of([&] { (void)a.matmul(b); });
  EXPECT_NE(text.find("matmul: operands are on different devices: cuda:1, cuda:0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("other = other.to(torch::Device(\"cuda:1\"))"), std::string::npos) << text;
}

TEST(ErrorText, HelpLeavesWhatIsChangedOrIndexedWhereItIs) {
  TENSORLIB_REQUIRE_CUDA();
  const Tensor a = ones({2, 2}), b = ones({2, 2}).cuda();
  Tensor changed = a.clone();
  EXPECT_NE(error_of([&] {
              changed += b;
            }).find("help: move other to where self is: other = other.to(torch::Device(\"cpu\"))"),
            std::string::npos);
  const Tensor places = tensor({0, 1}).cuda();
  EXPECT_NE(error_of([&] {
              (void)a.index({places});
            }).find("help: move index to where self is: index = index.to(torch::Device(\"cpu\"))"),
            std::string::npos);
}

TEST(ErrorText, OfAListNamesThePlaceInIt) {
  TENSORLIB_REQUIRE_CUDA();
  const Tensor a = ones({2, 2}), b = ones({2, 2}).cuda();
  const std::string text = error_of([&] { (void)cat({a, a, b}); });
  EXPECT_NE(text.find("\n  tensors[2]  float32 [2, 2]  on cuda:0  moved there"), std::string::npos)
      << text;
}

TEST(ErrorText, ABatchOfALoaderNamesTheLineOfItsStack) {
  TENSORLIB_REQUIRE_CUDA();
  struct Rows : data::datasets::Dataset<Rows> {
    data::Example<> get(size_t) override { return {ones({2}), zeros({})}; }
    std::optional<size_t> size() const override { return 4; }
  };
  const int line = __LINE__ + 1;
  auto loader = data::make_data_loader(Rows().map(data::transforms::Stack<>()), 2);
  nn::Linear layer(2, 2);
  layer->to(kCUDA);
  const std::string text = error_of([&] { (void)layer(loader->begin()->data); });
  EXPECT_NE(text.find(fmt::format("result of stack at {}:{}\n", __FILE__, line)), std::string::npos)
      << text;
}

TEST(ErrorText, AModelOfTheLibraryNamesTheLineOfItsCall) {
  TENSORLIB_REQUIRE_CUDA();
  const NoGradGuard no_grad;
  const auto model = models::resnet18();
  model->to(kCUDA);
  const int line = __LINE__ + 1;
  const std::string text = error_of([&] { (void)model->forward(ones({1, 3, 32, 32})); });
  EXPECT_NE(text.find(fmt::format("\n  at {}:{}\n", __FILE__, line)), std::string::npos) << text;
}

TEST(ErrorText, ModuleSplitOverDevicesIsMovedAsAWhole) {
  TENSORLIB_REQUIRE_CUDA();
  nn::Sequential model(nn::Linear(2, 2));
  (*model)[0]->named_parameters()["bias"].set_data(zeros({2}).to(kCUDA));
  const std::string text = error_of([&] { (void)model(ones({1, 2}).to(kCUDA)); });
  EXPECT_NE(text.find("  0.weight  float32 [2, 2]  on cpu     made there with its module\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("help: move the whole module: module->to(torch::Device(\"cuda:0\"))"),
            std::string::npos)
      << text;
}

TEST(ErrorText, ElementTypes) {
  const Tensor input = ones({1, 2}, kDouble);
  const int made = __LINE__ - 1;
  nn::Linear layer(2, 2);
  int line = 0;
  const std::string text = error_of([&] {
    line = __LINE__ + 1;
    (void)layer(input);
  });
  EXPECT_EQ(text,
            fmt::format("linear: operands have different element types: float32, float64\n"
                        "  at {0}:{1}\n"
                        "  input          float64 [1, 2]  on cpu  made there by ones() at {0}:{2}\n"
                        "  Linear.weight  float32 [2, 2]  on cpu  made there with its module\n"
                        "  Linear.bias    float32 [2]     on cpu  made there with its module\n"
                        "help: convert input: input = input.to(torch::kFloat)",
                        __FILE__, line, made));
}

TEST(ErrorText, DeviceIndexOutOfRange) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  const int line = __LINE__ + 1;
  const std::string text = error_of([&] { (void)ones({1}).to(Device(kCUDA, 7)); });
  EXPECT_EQ(text,
            fmt::format("no cuda:7: the index is out of range, this machine has 2 CUDA devices "
                        "(cuda:0 to cuda:1)\n  at {}:{}",
                        __FILE__, line));
}

TEST(ErrorText, DeviceName) {
  EXPECT_EQ(
      error_of([] { (void)Device("gpu:0"); }),
      "Device: \"gpu:0\" is not a device\n"
      "help: the names are \"cpu\", \"cuda\" (the current CUDA device) and \"cuda:N\" (N from 0)");
}

TEST(ErrorText, HostAccessToADeviceTensor) {
  TENSORLIB_REQUIRE_CUDA();
  const Tensor x = ones({2}).to(kCUDA);
  const int line = __LINE__ + 1;
  const std::string text = error_of([&] { (void)x.accessor<float, 1>(); });
  EXPECT_EQ(text, fmt::format("accessor: the tensor is on cuda:0, and the host cannot touch its "
                              "elements\n  at {}:{}\nhelp: copy it first: .cpu()",
                              __FILE__, line));
}

TEST(ErrorText, Shapes) {
  const int line = __LINE__ + 1;
  const std::string product = error_of([] { (void)ones({2, 3}).matmul(ones({2, 3})); });
  const std::string index = error_of([] { (void)ones({2, 3})[5]; });
  const std::string undefined = error_of([] { (void)Tensor().relu(); });
  EXPECT_EQ(product,
            fmt::format("matmul: shapes [2, 3] and [2, 3] do not multiply: the inner sizes "
                        "are 3 and 2\n  at {}:{}",
                        __FILE__, line));
  EXPECT_EQ(index, fmt::format("select: index 5 of a dimension of size 2\n  at {}:{}", __FILE__,
                               line + 1));
  EXPECT_EQ(undefined,
            fmt::format("relu: self is an undefined tensor\n  at {}:{}", __FILE__, line + 2));
}

// Of each way to a loss of classes, the operation that the person called, the label and where it
// is.
TEST(ErrorText, ALabelThatNamesNoClass) {
  namespace F = nn::functional;
  const Tensor scores = rand({4, 3}), one = rand({3}), image = rand({1, 3, 2, 2});
  const Tensor labels = tensor({0, 1, -1, 2}), weight = ones({3});
  const Tensor pixels = tensor({0, 1, 2, 5}).view({1, 2, 2});
  const auto expect = [](const std::string& said, const char* start) {
    EXPECT_EQ(said.substr(0, std::string(start).size()), start);
    EXPECT_EQ(said.find("gather"), std::string::npos) << said;
  };
  const char* const third = "label -1 (element 2 of target) is out of range: there are 3 classes";
  const std::string cross = std::string("cross_entropy: ") + third;
  const std::string nll = std::string("nll_loss: ") + third;
  expect(error_of([&] { (void)F::cross_entropy(scores, labels); }), cross.c_str());
  expect(error_of([&] { (void)nn::CrossEntropyLoss()(scores, labels); }), cross.c_str());
  expect(error_of([&] { (void)cross_entropy_loss(scores, labels, weight); }), cross.c_str());
  expect(error_of([&] {
           (void)F::cross_entropy(scores, labels,
                                  F::CrossEntropyFuncOptions().label_smoothing(0.1));
         }),
         cross.c_str());
  expect(error_of([&] { (void)F::nll_loss(scores, labels); }), nll.c_str());
  expect(error_of([&] { (void)nn::NLLLoss()(scores, labels); }), nll.c_str());
  expect(error_of([&] { (void)nll_loss(scores, labels, weight); }), nll.c_str());
  expect(error_of([&] { (void)cross_entropy_loss(one, tensor(7)); }),
         "cross_entropy: label 7 (element 0 of target) is out of range: there are 3 classes");
  expect(error_of([&] { (void)cross_entropy_loss(image, pixels); }),
         "cross_entropy: label 5 (element 3 of target) is out of range: there are 3 classes");
  expect(error_of([&] { (void)cross_entropy_loss(scores, labels.to(kInt)); }),
         "cross_entropy: target is int32, not int64");
  EXPECT_NO_THROW((void)cross_entropy_loss(scores, labels, weight, Reduction::Mean, -1));
}

TEST(ErrorText, ClassesThatAreNotThere) {
  const Tensor scores = rand({2, 3});
  int line = 0;
  const std::string text = error_of([&] {
    line = __LINE__ + 1;
    (void)cross_entropy_loss(scores, tensor({1, 3}));
  });
  EXPECT_EQ(text,
            fmt::format("cross_entropy: label 3 (element 1 of target) is out of range: there are 3 "
                        "classes, 0 to 2\n  at {}:{}",
                        __FILE__, line));
  EXPECT_NE(error_of([&] {
              (void)cross_entropy_loss(scores, tensor({1.0, 2.0}));
            }).find("help: the numbers of classes are integers: target = target.to(torch::kLong)"),
            std::string::npos);
}

TEST(ErrorText, EveryErrorIsAnError) {
  EXPECT_THROW((void)(ones({2}).to(Device("nowhere"))), Error);
  EXPECT_THROW((void)ones({2}).view({3}), std::runtime_error);
}

}  // namespace
}  // namespace tensorlib::testing
