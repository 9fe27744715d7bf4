// What constructors leave in fields, known in other methods and where objects are made.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(FieldTest, a_module_that_the_constructor_moved) {
  check(R"(
    using namespace torch;
    class Trainer {
     public:
      Trainer() : device_(torch::cuda::is_available() ? kCUDA : kCPU), model_(8, 8) {
        model_->to(device_);
      }
      Tensor wrong() {
        auto x = torch::ones({8, 8});
        return model_->forward(x);  // expect: missing-transfer
      }
      Tensor right() {
        auto x = torch::ones({8, 8});
        return model_->forward(x.to(device_));
      }
      Tensor made_there() { return model_->forward(torch::ones({8, 8}, device_)); }
     private:
      Device device_;
      nn::Linear model_;
    };)");
}

TEST(FieldTest, a_constructor_with_a_handler_ends_as_its_last_call_left_it) {
  check(R"(
    using namespace torch;
    nn::Linear read(int path);
    class Detector {
     public:
      Detector(int path, Device device) : device_(device), model_(8, 8) {
        try {
          model_ = read(path);
        } catch (int) {
          throw;
        }
        model_->to(device_);
        model_->eval();
      }
      Tensor right() { return model_->forward(torch::ones({8, 8}).to(device_)); }
      Tensor wrong() { return model_->forward(torch::ones({8, 8})); }  // expect: missing-transfer
     private:
      Device device_;
      nn::Linear model_;
    };
    Tensor moved(Tensor x) {
      try {
        return x.cuda();
      } catch (int) {
        throw;
      }
    }
    Tensor uses(Tensor x) {
      return moved(x) + torch::ones({8, 8});  // expect: missing-transfer
    })");
}

TEST(FieldTest, a_field_that_somebody_changes_is_not_known) {
  check(R"(
    using namespace torch;
    class Moves {
     public:
      Moves() : model_(8, 8) { model_->to(kCUDA); }
      void back() { model_->to(kCPU); }
      Tensor run() { return model_->forward(torch::ones({8, 8})); }
     private:
      nn::Linear model_;
    };
    class HandsOut {
     public:
      HandsOut() : model_(8, 8) { model_->to(kCUDA); }
      nn::Linear& model() { return model_; }
      Tensor run() { return model_->forward(torch::ones({8, 8})); }
     private:
      nn::Linear model_;
    };
    struct Open {
      Open() : model(8, 8) { model->to(kCUDA); }
      Tensor run() { return model->forward(torch::ones({8, 8})); }
      nn::Linear model;
    };
    void elsewhere(Open& open) { open.model = nn::Linear(8, 8); }
    class TwoWays {
     public:
      TwoWays() : model_(8, 8) { model_->to(kCUDA); }
      TwoWays(int) : model_(8, 8) {}
      Tensor run() { return model_->forward(torch::ones({8, 8})); }
     private:
      nn::Linear model_;
    };)");
}

TEST(FieldTest, a_device_that_the_caller_gave) {
  check(R"(
    using namespace torch;
    class Agent {
     public:
      explicit Agent(Device device) : device_(device), model_(8, 8) { model_->to(device); }
      Tensor wrong() { return model_->forward(torch::ones({8, 8})); }  // expect: missing-transfer
      Tensor act(Tensor x) { return model_->forward(x); }
      Tensor moves(Tensor x) { return model_->forward(x.to(device_)); }
     private:
      Device device_;
      nn::Linear model_;
    };
    void run() {
      Agent agent(torch::kCUDA);
      auto x = torch::ones({8, 8});
      agent.act(x);  // expect: missing-transfer
      agent.act(x.to(kCUDA));
      agent.moves(x);
      Agent host(torch::kCPU);
      host.act(x);
    })");
}

TEST(FieldTest, fields_of_fields_and_of_parameters) {
  check(R"(
    using namespace torch;
    struct Config { Device device = kCPU; int epochs = 3; };
    struct Worker {
      Tensor run(Tensor x) {
        nn::Linear model(8, 8);
        model->to(config.device);
        return model->forward(x);
      }
      Config config;
    };
    void use(nn::Linear model, const Config& config, Tensor x) {
      model->forward(x.to(config.device));
    }
    void run() {
      Config config;
      config.device = kCUDA;
      nn::Linear model(8, 8);
      use(model, config, torch::ones({8, 8}));  // expect: missing-transfer
      nn::Linear moved(8, 8);
      moved->to(config.device);
      use(moved, config, torch::ones({8, 8}));
    })");
}

TEST(FieldTest, a_device_that_is_never_cuda) {
  check(R"(
    using namespace torch;
    class OnHost {
     public:
      OnHost() : model_(8, 8) { model_->to(device_); }
      Tensor run() { return model_->forward(torch::ones({8, 8})); }
     private:
      Device device_ = kCPU;
      nn::Linear model_;
    };
    static Device place = kCPU;
    Tensor everywhere() {
      nn::Linear model(8, 8);
      model->to(place);
      return model->forward(torch::ones({8, 8}));
    })");
}

TEST(FieldTest, members_of_pairs) {
  check(R"(
    using namespace torch;
    std::pair<Tensor, Tensor> read() { return {torch::ones({8, 8}), torch::ones({8, 8}, kCUDA)}; }
    std::pair<Tensor, Tensor> host() { return {torch::ones({8, 8}), torch::ones({8, 8})}; }
    void run() {
      auto made = std::make_pair(torch::ones({8, 8}), torch::ones({8, 8}, kCUDA));
      matmul(made.first, made.second);  // expect: missing-transfer
      matmul(made.second, made.second);
      auto both = host();
      matmul(both.first, made.second);  // expect: missing-transfer
      auto mixed = read();
      matmul(mixed.first, made.second);
    })");
}

TEST(FieldTest, a_module_that_every_method_leaves_on_the_device_of_the_class) {
  check(R"(
    using namespace torch;
    class Detector {
     public:
      void initialize(int gpu) {
        if (gpu >= 0) device = Device(kCUDA, gpu);
        model = nn::Linear(8, 8);
        model->to(device);
      }
      void reload(const char* path) {
        torch::load(model, path);
        model->to(device);
        model->eval();
      }
      Tensor right() { return model->forward(torch::ones({8, 8}).to(device)); }
      Tensor wrong() { return model->forward(torch::ones({8, 8})); }  // expect: missing-transfer
     private:
      Device device = Device(kCPU);
      nn::Linear model{nullptr};
    };)");
}

TEST(FieldTest, a_module_that_some_method_leaves_elsewhere_may_be_anywhere) {
  check(R"(
    using namespace torch;
    nn::Linear shared(8, 8);
    class LeftOnTheCpu {
     public:
      void initialize(int gpu) {
        if (gpu >= 0) device = Device(kCUDA, gpu);
        model = nn::Linear(8, 8);
        model->to(device);
      }
      void replace() { model = nn::Linear(8, 8); }
      Tensor run() { return model->forward(torch::ones({8, 8})); }
     private:
      Device device = Device(kCPU);
      nn::Linear model{nullptr};
    };
    class MovesTheDeviceAlone {
     public:
      void initialize() { model = nn::Linear(8, 8); model->to(device); }
      void use(int gpu) { device = Device(kCUDA, gpu); }
      Tensor run() { return model->forward(torch::ones({8, 8})); }
     private:
      Device device = Device(kCPU);
      nn::Linear model{nullptr};
    };
    class HandsItOut {
     public:
      void initialize(Device where) { device = where; model = nn::Linear(8, 8); model->to(device); }
      nn::Linear handle() { return model; }
      Tensor run() { return model->forward(torch::ones({8, 8})); }
     private:
      Device device = Device(kCPU);
      nn::Linear model{nullptr};
    };
    class MadeOnTheCpu {
     public:
      void move(Device where) { device = where; model->to(device); }
      Tensor run() { return model->forward(torch::ones({8, 8})); }
     private:
      Device device = Device(kCUDA);
      nn::Linear model{8, 8};
    };
    class InALambda {
     public:
      void initialize(Device where) { device = where; model = nn::Linear(8, 8); model->to(device); }
      void later() { auto run = [this] { model->to(kCPU); }; run(); }
      Tensor run() { return model->forward(torch::ones({8, 8})); }
     private:
      Device device = Device(kCPU);
      nn::Linear model{nullptr};
    };)");
}

TEST(FieldTest, while_such_a_method_runs_the_module_may_be_where_it_was) {
  check(R"(
    using namespace torch;
    class Detector {
     public:
      void initialize(Device where) {
        device = where;
        if (false) auto before = model->forward(torch::ones({8, 8}));
        model->to(device);
        auto after = model->forward(torch::ones({8, 8}));  // expect: missing-transfer
      }
      Tensor run(Device where) {
        initialize(where);
        auto x = torch::ones({8, 8}).to(device);
        return model->forward(x);
      }
     private:
      Device device = Device(kCPU);
      nn::Linear model{nullptr};
    };)");
}

}  // namespace
}  // namespace xfer::analyzer
