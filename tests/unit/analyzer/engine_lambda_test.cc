// Lambdas that are called by their name are functions; others are not followed.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(LambdaTest, what_it_needs_of_what_it_captured) {
  check(R"(
    using namespace torch;
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto step = [&](Tensor x) { return model->forward(x); };
      step(torch::ones({8, 8}));  // expect: missing-transfer
      auto y = step(torch::ones({8, 8}, kCUDA));
      matmul(y, torch::ones({8, 8}));  // expect: missing-transfer
      auto copied = [model](Tensor x) mutable { return model->forward(x); };
      copied(torch::ones({8, 8}));  // expect: missing-transfer
    })");
}

TEST(LambdaTest, what_it_changes) {
  check(R"(
    using namespace torch;
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto x = torch::ones({8, 8});
      auto upload = [&] { x = x.to(kCUDA); };
      model->forward(x);  // expect: missing-transfer
      upload();
      model->forward(x);
      auto place = [&model](Device device) { model->to(device); };
      place(kCPU);
      model->forward(x);  // expect: missing-transfer
    })");
}

TEST(LambdaTest, what_somebody_else_may_call) {
  check(R"(
    using namespace torch;
    void later(std::function<void(int)> what);
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto x = torch::ones({8, 8});
      auto upload = [&](int) { x = x.to(kCUDA); };
      later(upload);
      model->forward(x);
    })");
}

TEST(LambdaTest, fields_of_the_object_around) {
  check(R"(
    using namespace torch;
    class Agent {
     public:
      explicit Agent(Device device) : device_(device), model_(8, 8) { model_->to(device_); }
      Tensor act(Tensor x) {
        auto forward = [this](Tensor y) { return model_->forward(y); };
        return forward(x);
      }
      Tensor right(Tensor x) {
        auto forward = [this](Tensor y) { return model_->forward(y.to(device_)); };
        return forward(x);
      }
     private:
      Device device_;
      nn::Linear model_;
    };
    void run() {
      Agent agent(kCUDA);
      agent.act(torch::ones({8, 8}));  // expect: missing-transfer
      agent.right(torch::ones({8, 8}));
    })");
}

TEST(LambdaTest, a_list_that_is_only_read) {
  check(R"(
    using namespace torch;
    void run() {
      std::vector<Tensor> parts;
      parts.push_back(torch::ones({8, 8}));
      auto count = [&] { return parts.size(); };
      count();
      matmul(parts[0], torch::ones({8, 8}, kCUDA));  // expect: missing-transfer
    })");
}

TEST(LambdaTest, objects_behind_pointers) {
  check(R"(
    using namespace torch;
    class Agent {
     public:
      explicit Agent(Device device) : model_(8, 8) { model_->to(device); }
      Tensor act(Tensor x) { return model_->forward(x); }
     private:
      nn::Linear model_;
    };
    void run() {
      auto agent = std::make_shared<Agent>(kCUDA);
      agent->act(torch::ones({8, 8}));  // expect: missing-transfer
      agent->act(torch::ones({8, 8}, kCUDA));
      std::unique_ptr<Agent> other(new Agent(kCPU));
      other->act(torch::ones({8, 8}));
    })");
}

}  // namespace
}  // namespace xfer::analyzer
