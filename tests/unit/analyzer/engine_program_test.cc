// Where operands are over a whole program: what all calls give a parameter, what all writers leave
// in a field, what any of the overriders does.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check_program;

const std::string kModel = R"(
    using namespace torch;
    struct NetImpl : nn::Module {
      NetImpl() : fc(register_module("fc", nn::Linear(8, 8))) {}
      Tensor forward(Tensor x) { return fc->forward(x); }
      nn::Linear fc;
    };
    TORCH_MODULE(Net);
    void train(Net net);
    void test(Net net, Tensor x, Device device);
    )";

TEST(ProgramTest, a_module_that_main_moves) {
  check_program({kModel + R"(
    void train(Net net) {
      auto batch = torch::ones({8, 8});
      net->forward(batch);  // expect: missing-transfer
    }
    void test(Net net, Tensor x, Device device) {
      net->forward(x.to(device));
      net->forward(x);
    })",
                 kModel + R"(
    int main() {
      Device device = cuda::is_available() ? kCUDA : kCPU;
      Net net;
      net->to(device);
      train(net);
      test(net, torch::ones({8, 8}).to(device), device);
      test(net, torch::ones({8, 8}), device);  // expect: missing-transfer
      return 0;
    })"});
}

TEST(ProgramTest, a_module_that_not_every_call_moves) {
  check_program({kModel + R"(
    void train(Net net) {
      net->forward(torch::ones({8, 8}));
    }
    void test(Net net, Tensor x, Device device) {
      if (x.is_cuda()) return;
      net->forward(x);
    })",
                 kModel + R"(
    int main() {
      Device device = cuda::is_available() ? kCUDA : kCPU;
      Net one, other;
      one->to(device);
      test(one, torch::ones({8, 8}), device);
      train(other);
      return 0;
    })"});
}

const std::string kTrainer = kModel + R"(
    class Trainer {
     public:
      explicit Trainer(Device device);
      void reset();
      Tensor step(Tensor x);
      Tensor mean_;
      Net net_;
      Device device_;
    };
    void touch(Trainer& trainer);
    )";

TEST(ProgramTest, a_field_that_nobody_moves) {
  check_program({kTrainer + R"(
    Trainer::Trainer(Device device) : device_(device) {
      net_->to(device_);
      reset();
    }
    void Trainer::reset() { mean_ = torch::zeros({8, 8}); }
    Tensor Trainer::step(Tensor x) {
      return net_->forward(x.to(device_)) + mean_;
    })",
                 kTrainer + R"(
    int main() {
      Trainer trainer(cuda::is_available() ? kCUDA : kCPU);
      trainer.step(torch::ones({8, 8}));  // expect: missing-transfer
      return 0;
    })"});
}

TEST(ProgramTest, a_field_that_another_file_moves) {
  check_program({kTrainer + R"(
    Trainer::Trainer(Device device) : device_(device) {
      net_->to(device_);
      reset();
    }
    void Trainer::reset() { mean_ = torch::zeros({8, 8}); }
    Tensor Trainer::step(Tensor x) { return net_->forward(x.to(device_)) + mean_; })",
                 kTrainer + R"(
    void touch(Trainer& trainer) { trainer.mean_ = trainer.mean_.to(trainer.device_); }
    int main() {
      Trainer trainer(cuda::is_available() ? kCUDA : kCPU);
      touch(trainer);
      trainer.step(torch::ones({8, 8}));
      return 0;
    })"});
}

TEST(ProgramTest, a_field_whose_address_is_taken) {
  check_program({kTrainer + R"(
    void fill(Tensor* where);
    Trainer::Trainer(Device device) : device_(device) {
      net_->to(device_);
      reset();
    }
    void Trainer::reset() { mean_ = torch::zeros({8, 8}); fill(&mean_); }
    Tensor Trainer::step(Tensor x) { return net_->forward(x.to(device_)) + mean_; })",
                 kTrainer + R"(
    int main() {
      Trainer trainer(cuda::is_available() ? kCUDA : kCPU);
      trainer.step(torch::ones({8, 8}));
      return 0;
    })"});
}

/// A flag of the constructor's decides: it may be the same in every run.
TEST(ProgramTest, a_device_that_callers_decide_about) {
  check_program({R"(
    using namespace torch;
    struct Agent {
      explicit Agent(bool use_cuda) : net(8, 8) {
        Device device = use_cuda && cuda::is_available() ? kCUDA : kCPU;
        net->to(device);
      }
      Tensor act(Tensor x) { return net->forward(x); }
      nn::Linear net;
    };
    int main() {
      Agent agent(false);
      agent.act(torch::ones({8, 8}));
      return 0;
    })"});
}

const std::string kLoader = kModel + R"(
    struct Step {
      virtual void apply(const Tensor& in, Tensor& out) = 0;
    };
    struct Scale : Step { void apply(const Tensor& in, Tensor& out) override; };
    struct Loader {
      bool operator()(std::tuple<Tensor, Tensor>& batch);
      Step* step;
      int count = 0;
    };
    void learn(Net net, Loader& loader, Device device);
    )";

const std::string kLearn = R"(
    void learn(Net net, Loader& loader, Device device) {
      std::tuple<Tensor, Tensor> batch;
      Tensor image;
      while (loader(batch)) {
        image = std::get<0>(batch);
        net->forward(image.to(device));
        net->forward(image);  // expect: missing-transfer
      }
    }
    int main() {
      Device device = cuda::is_available() ? kCUDA : kCPU;
      Net net;
      Loader loader;
      net->to(device);
      learn(net, loader, device);
      return 0;
    })";

TEST(ProgramTest, a_batch_of_the_teams_own_loader) {
  check_program({kLoader + R"(
    void Scale::apply(const Tensor& in, Tensor& out) { out = in.clone(); }
    bool Loader::operator()(std::tuple<Tensor, Tensor>& batch) {
      if (count == 8) return false;
      Tensor* images = new Tensor[2];
      for (int i = 0; i < 2; ++i) {
        Tensor image;
        step->apply(torch::ones({8}), image);
        images[i] = image;
      }
      Tensor all = images[0].view({1, 8});
      for (int i = 1; i < 2; ++i) all = torch::cat({all, images[i].view({1, 8})});
      delete[] images;
      batch = std::make_tuple(all, torch::ones({8}));
      ++count;
      return true;
    })",
                 kLoader + kLearn});
}

TEST(ProgramTest, a_batch_that_some_step_moves) {
  std::string silent = kLearn;
  silent.replace(silent.find("  // expect: missing-transfer"), 29, "");
  check_program({kLoader + R"(
    void Scale::apply(const Tensor& in, Tensor& out) { out = in.clone(); }
    struct Upload : Step {
      void apply(const Tensor& in, Tensor& out) override { out = in.to(kCUDA); }
    };
    bool Loader::operator()(std::tuple<Tensor, Tensor>& batch) {
      if (count == 8) return false;
      Tensor image;
      step->apply(torch::ones({8}), image);
      batch = std::make_tuple(image, torch::ones({8}));
      return true;
    })",
                 kLoader + silent});
}

/// Without the program's start any class may derive from one that a header shows.
TEST(ProgramTest, overriders_that_may_be_elsewhere) {
  check_program({kLoader + R"(
    void Scale::apply(const Tensor& in, Tensor& out) { out = in.clone(); }
    void use(Step& step, nn::Linear net) {
      net->to(kCUDA);
      Tensor image;
      step.apply(torch::ones({8}), image);
      net->forward(image);
    })"});
}

/// Two programs in one database.
TEST(ProgramTest, functions_of_one_name) {
  check_program({R"(
    using namespace torch;
    Tensor run(nn::Linear net, Tensor x) { return net->forward(x); }
    int main() {
      nn::Linear net(8, 8);
      net->to(kCUDA);
      run(net, torch::ones({8, 8}).to(kCUDA));
      return 0;
    })",
                 R"(
    // The other one.
    using namespace torch;
    Tensor run(nn::Linear net, Tensor x) { return net->forward(x); }
    int main() {
      nn::Linear net(8, 8);
      run(net, torch::ones({8, 8}));
      return 0;
    })"});
}

/// Alias classes changed their numbers for ever: nothing was known of the function.
TEST(ProgramTest, a_loop_that_adds_to_what_it_took_from_an_array) {
  check_program({R"(
    using namespace torch;
    Tensor gather(Tensor* images, int n) {
      Tensor all, one;
      all = images[0].view({1, 8});
      for (int i = 1; i < n; ++i) {
        one = images[i].view({1, 8});
        all = torch::cat({all, one});
      }
      return torch::ones({8});
    }
    void use(Tensor* images, nn::Linear net) {
      net->to(kCUDA);
      net->forward(gather(images, 3));  // expect: missing-transfer
    })"});
}

}  // namespace
const std::string kBox = R"(
    using namespace torch;
    struct Box {
      void run();
      nn::Linear net{nullptr};
      Tensor x;
      bool ready = true;
    };
    )";

/// A program that does without CUDA says nothing of another one that shares its functions.
TEST(ProgramTest, one_of_two_programs_goes_wrong) {
  check_program({kBox + R"(
    void Box::run() {
      if (ready) net->forward(x);  // expect: missing-transfer
    })",
                 kBox + R"(
    int main() {
      Box box;
      box.net = nn::Linear(8, 8);
      box.x = torch::ones({8, 8});
      box.run();
      return 0;
    })",
                 kBox + R"(
    // The other one.
    int main() {
      Box box;
      box.net = nn::Linear(8, 8);
      box.net->to(kCUDA);
      box.x = torch::ones({8, 8});
      box.run();
      return 0;
    })"});
}

/// A tensor is filled by a list that a loop made, of parts that a callee put there.
TEST(ProgramTest, a_list_that_a_callee_fills) {
  const std::string fill = R"(
    using namespace torch;
    void fill(std::vector<Tensor>& parts);
    )";
  check_program({fill + R"(
    void fill(std::vector<Tensor>& parts) {
      for (int i = 0; i < 2; ++i) parts.push_back(torch::ones({8, 8}));
    })",
                 fill + R"(
    int main() {
      nn::Linear net(8, 8);
      net->to(kCUDA);
      std::vector<Tensor> parts;
      fill(parts);
      net->forward(torch::cat(parts, 0));  // expect: missing-transfer
      return 0;
    })"});
}

/// The elements of a captured tensor are written where nobody follows: it stays where it is.
TEST(ProgramTest, a_tensor_whose_elements_a_lambda_writes) {
  check_program({R"(
    using namespace torch;
    void enqueue(std::function<void()> job);
    int main() {
      nn::Linear net(8, 8);
      net->to(kCUDA);
      Tensor x = torch::zeros({8, 8});
      enqueue([&x] { x[0] = torch::ones({8}); });
      net->forward(x);  // expect: missing-transfer
      Tensor y = torch::zeros({8, 8});
      enqueue([&y] { y = y.cuda(); });
      net->forward(y);
      return 0;
    })"});
}

/// The result of an operation that fails is not on the CPU: what follows it is no second fault.
TEST(ProgramTest, what_a_failed_operation_gives_is_said_once) {
  check_program({R"(
    using namespace torch;
    int main() {
      Device device(kCPU);
      if (cuda::is_available()) device = Device(kCUDA);
      nn::Linear net(8, 8);
      net->to(device);
      Tensor target = torch::ones({8, 8}).to(device);
      Tensor out = net->forward(torch::ones({8, 8}));  // expect: missing-transfer
      out = out + target;
      return 0;
    })"});
}

/// To walk over what a call returns changes no field.
TEST(ProgramTest, a_module_whose_parameters_are_walked_over) {
  check_program({R"(
    using namespace torch;
    struct Agent {
      Agent() { net->to(kCUDA); x = torch::ones({8, 8}); }
      void reset() {
        for (auto& weight : net->parameters()) weight.zero_();
      }
      void act() {
        if (ready) net->forward(x);  // expect: missing-transfer
      }
     private:
      nn::Linear net{8, 8};
      Tensor x;
      bool ready = true;
    };
    int main() {
      Agent agent;
      agent.reset();
      agent.act();
      return 0;
    })"});
}

}  // namespace xfer::analyzer
