// Batches of data loaders: where they are, and what becomes of them in training functions.

#include <cstdio>

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(LoaderTest, batches_of_a_library_dataset_are_on_the_cpu) {
  check(R"(
    using namespace torch;
    void run(Device device) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto set = data::datasets::MNIST("x")
                     .map(data::transforms::Normalize<>(0.1, 0.3))
                     .map(data::transforms::Stack<>());
      auto loader = data::make_data_loader(std::move(set), 32);
      for (auto& batch : *loader) {
        auto out = model->forward(batch.data);  // expect: missing-transfer
        auto right = model->forward(batch.data.to(kCUDA));
        auto loss = matmul(right, batch.target);  // expect: missing-transfer
        auto fine = matmul(right, batch.target.to(kCUDA));
        auto scalar = mse_loss(right, batch.target);
      }
    })");
}

TEST(LoaderTest, the_first_batch) {
  check(R"(
    using namespace torch;
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto loader = data::make_data_loader(data::datasets::MNIST("x"), 32);
      auto batch = *loader->begin();
      model->forward(batch.data);  // expect: missing-transfer
      model->forward(batch.data.to(kCUDA));
      auto first = loader->begin();
      auto other = *first;
      model->forward(other.target.to(kCUDA));
      model->forward(other.target);  // expect: missing-transfer
    }
    struct Mine { data::Example<> operator*(); };
    void unknown(Mine mine) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto batch = *mine;
      model->forward(batch.data);
    })");
}

TEST(LoaderTest, structured_bindings_and_copies_of_the_batch) {
  check(R"(
    using namespace torch;
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto loader = data::make_data_loader(data::datasets::MNIST("x"), 32);
      for (const auto& batch : *loader) {
        auto x = batch.data, y = batch.target;
        model->forward(x);  // expect: missing-transfer
        x = x.to(kCUDA);
        model->forward(x);
      }
      for (auto& [data, target] : *loader) {
        model->forward(data);  // expect: missing-transfer
        data = data.to(kCUDA);
        model->forward(data);
      }
    })");
}

TEST(LoaderTest, a_dataset_of_ones_own_is_where_its_get_says) {
  check(R"(
    using namespace torch;
    struct Files : data::datasets::Dataset<Files> {
      data::Example<> get(std::size_t index) override {
        auto image = torch::ones({3, 8, 8});
        auto label = torch::tensor(1.0);
        return {image.view({24, 8}), label};
      }
    };
    struct Resident : data::datasets::Dataset<Resident> {
      data::Example<> get(std::size_t index) override {
        return {images[index], torch::ones({1}, kCUDA)};
      }
      Tensor images = torch::ones({8, 8}).to(kCUDA);
    };
    struct OnTheGpu : data::datasets::Dataset<OnTheGpu> {
      data::Example<> get(std::size_t index) override {
        return {torch::ones({8, 8}, kCUDA), torch::ones({1}, kCUDA)};
      }
    };
    struct Elsewhere : data::datasets::Dataset<Elsewhere> {
      data::Example<> get(std::size_t index) override;
    };
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto files = data::make_data_loader(Files(), 32);
      for (auto& batch : *files) model->forward(batch.data);  // expect: missing-transfer
      auto resident = data::make_data_loader(Resident(), 32);
      for (auto& batch : *resident) model->forward(batch.data);
      auto gpu = data::make_data_loader(OnTheGpu(), 32);
      for (auto& batch : *gpu) model->forward(batch.data);
      auto elsewhere = data::make_data_loader(Elsewhere(), 32);
      for (auto& batch : *elsewhere) model->forward(batch.data);
    })");
}

TEST(LoaderTest, transforms_of_ones_own_may_move) {
  check(R"(
    using namespace torch;
    struct Flip : data::transforms::TensorTransform<Tensor> {
      Tensor operator()(Tensor x) override { return x.t(); }
    };
    struct Upload : data::transforms::TensorTransform<Tensor> {
      Tensor operator()(Tensor x) override { return x.to(kCUDA); }
    };
    void run(data::transforms::Lambda<Tensor> lambda) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto flipped = data::make_data_loader(data::datasets::MNIST("x").map(Flip()), 32);
      for (auto& batch : *flipped) model->forward(batch.data);  // expect: missing-transfer
      auto moved = data::make_data_loader(data::datasets::MNIST("x").map(Upload()), 32);
      for (auto& batch : *moved) model->forward(batch.data);
      auto unknown = data::make_data_loader(data::datasets::MNIST("x").map(lambda), 32);
      for (auto& batch : *unknown) model->forward(batch.data);
    })");
}

TEST(LoaderTest, the_usual_training_function) {
  const char* const program = R"(
    using namespace torch;
    struct Net : nn::Module {
      Net() : fc(8, 8) { register_module("fc", fc); }
      Tensor forward(Tensor x) { return relu(fc->forward(x)); }
      nn::Linear fc;
    };
    template <class Loader>
    void train(int epoch, Net& model, Device device, Loader& loader, optim::SGD& optimizer) {
      model.train();
      for (auto& batch : loader) {
        auto data = batch.data%s, target = batch.target.to(device);
        auto output = model.forward(data);%s
        auto loss = mse_loss(output, target);
        optimizer.step();
      }
    }
    int main() {
      c10::DeviceType type;
      if (torch::cuda::is_available()) type = kCUDA;
      else type = kCPU;
      Device device(type);
      Net model;
      model.to(device);
      auto loader = data::make_data_loader(
          data::datasets::MNIST("x").map(data::transforms::Stack<>()), 32);
      optim::SGD optimizer(model.parameters(), 0.1);
      for (int epoch = 0; epoch < 10; ++epoch) train(epoch, model, device, *loader, optimizer);
    })";
  char wrong[4096];
  char right[4096];
  std::snprintf(wrong, sizeof wrong, program, "", "  // expect: missing-transfer");
  std::snprintf(right, sizeof right, program, ".to(device)", "");
  check(wrong);
  check(right);
}

}  // namespace
}  // namespace xfer::analyzer
