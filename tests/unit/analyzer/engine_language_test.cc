// The ways in which people write programs that move tensors: each wrong once and right once.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(LanguageTest, operations_in_try_blocks) {
  check(R"(
    using namespace torch;
    void serve(Tensor x) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      Tensor late = torch::ones({8, 8});
      late.to(kCUDA);  // expect: discarded-transfer
      try {
        model->forward(late);  // expect: missing-transfer
      } catch (const std::exception& error) {
        error.what();
      }
      try {
        late = late.to(kCUDA);
        model->forward(late);
        model->forward(late);
      } catch (...) {
      }
      model->forward(late);
    })");
}

TEST(LanguageTest, what_a_callee_needs_in_its_loop) {
  check(R"(
    using namespace torch;
    void steps(nn::Linear model, Tensor x, int n) {
      for (int i = 0; i < n; ++i) {
        if (i == 7) break;
        model->forward(x);
      }
    }
    void seldom(nn::Linear model, Tensor x, int n) {
      for (int i = 0; i < n; ++i)
        if (i % 10 == 0) model->forward(x);
    }
    void early(nn::Linear model, Tensor x, int n) {
      while (n > 0) {
        model->forward(x);
        if (--n == 3) return;
      }
    }
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto x = torch::ones({8, 8});
      steps(model, x, 3);
      seldom(model, x, 3);
      early(model, x, 3);  // expect: missing-transfer
      early(model, x.to(kCUDA), 3);
    })");
}

TEST(LanguageTest, devices_in_structs) {
  check(R"(
    using namespace torch;
    struct Config { int epochs = 3; Device device = kCUDA; };
    struct Options { int epochs = 3; Device device = kCPU; };
    void literal() {
      Config config;
      nn::Linear model(8, 8);
      model->to(config.device);
      auto x = torch::ones({8, 8});
      model->forward(x);  // expect: missing-transfer
      model->forward(x.to(config.device));
    }
    void chosen() {
      Options options;
      if (torch::cuda::is_available()) options.device = kCUDA;
      nn::Linear model(8, 8);
      model->to(options.device);
      auto x = torch::ones({8, 8});
      model->forward(x);  // expect: missing-transfer
      model->forward(x.to(options.device));
    }
    void braces() {
      Options options{1, Device(kCUDA)};
      nn::Linear model(8, 8);
      model->to(options.device);
      model->forward(torch::ones({8, 8}));  // expect: missing-transfer
    }
    void given(Config config) {
      nn::Linear model(8, 8);
      model->to(config.device);
      auto x = torch::ones({8, 8});
      model->forward(x.to(config.device));
    })");
}

TEST(LanguageTest, devices_in_globals) {
  check(R"(
    using namespace torch;
    struct Options { int epochs = 3; Device device = kCPU; };
    static Options options;
    static Device place = kCPU;
    void reset();
    void set() { place = kCUDA; }
    void chosen() {
      if (torch::cuda::is_available()) options.device = kCUDA;
      nn::Linear model(8, 8);
      model->to(options.device);
      auto x = torch::ones({8, 8});
      model->forward(x);  // expect: missing-transfer
      model->forward(x.to(options.device));
    }
    void changed() {
      options.device = kCUDA;
      nn::Linear model(8, 8);
      model->to(options.device);
      reset();
      auto x = torch::ones({8, 8}, options.device);
      model->forward(x);
    }
    void changed_here() {
      place = kCPU;
      auto x = torch::ones({8, 8}, place);
      set();
      nn::Linear model(8, 8);
      model->to(place);
      model->forward(x.to(place));
    })");
}

TEST(LanguageTest, tuples_of_tuples) {
  check(R"(
    using namespace torch;
    struct NetImpl : nn::Module {
      NetImpl() : lstm(8, 8) { register_module("lstm", lstm); }
      std::tuple<Tensor, std::tuple<Tensor, Tensor>> forward(Tensor x,
                                                             std::tuple<Tensor, Tensor> hx) {
        Tensor output;
        std::tuple<Tensor, Tensor> state;
        std::tie(output, state) = lstm->forward(x, hx);
        return std::make_tuple(output, state);
      }
      nn::LSTM lstm;
    };
    TORCH_MODULE(Net);
    void run(Device device) {
      Net model;
      model->to(kCUDA);
      auto h = torch::zeros({1, 8}).to(kCUDA);
      auto c = torch::zeros({1, 8}).to(kCUDA);
      auto target = torch::ones({8, 8});
      for (int i = 0; i < 3; ++i) {
        auto data = torch::ones({8, 8}).to(kCUDA);
        Tensor output;
        std::forward_as_tuple(output, std::tie(h, c)) = model->forward(data, std::make_tuple(h, c));
        output + target;  // expect: missing-transfer
        h + target;  // expect: missing-transfer
        output + h;
      }
    })");
}

TEST(LanguageTest, scripted_modules_and_their_inputs) {
  check(R"(
    using namespace torch;
    void moved() {
      jit::Module module = jit::load("m.pt");
      module.to(kCUDA);
      module.eval();
      std::vector<c10::IValue> inputs;
      inputs.push_back(torch::ones({1, 3}));
      module.forward(inputs);  // expect: missing-transfer
      std::vector<c10::IValue> right;
      right.push_back(torch::ones({1, 3}).to(kCUDA));
      right.push_back(7);
      auto scores = module.forward(right).toTensor();
      scores + torch::ones({1, 3});  // expect: missing-transfer
      module.forward({torch::ones({1, 3})});  // expect: missing-transfer
    }
    void loaded() {
      auto module = jit::load("m.pt", kCUDA);
      module.forward({torch::ones({1, 3})});  // expect: missing-transfer
      module.forward({torch::ones({1, 3}, kCUDA)});
    }
    void where_it_was_saved() {
      auto module = jit::load("m.pt");
      module.forward({torch::ones({1, 3})});
    })");
}

TEST(LanguageTest, elements_that_are_assigned) {
  check(R"(
    using namespace torch;
    void lists(int n) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      std::vector<Tensor> host(4);
      for (int i = 0; i < n; ++i) host[i] = torch::ones({8, 8});
      model->forward(host[1]);  // expect: missing-transfer
      std::vector<Tensor> moved(4);
      for (int i = 0; i < n; ++i) moved[i] = torch::ones({8, 8}, kCUDA);
      model->forward(moved[1]);
      std::vector<Tensor> mixed = {torch::ones({8, 8})};
      mixed[0] = mixed[0].to(kCUDA);
      model->forward(mixed[0]);
      auto whole = torch::ones({8, 8}, kCUDA);
      whole[0] = torch::ones({8});
      model->forward(whole);
    }
    void maps(int key) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      std::map<int, Tensor> host;
      host[key] = torch::ones({8, 8});
      model->forward(host.at(1));  // expect: missing-transfer
      std::map<int, Tensor> moved;
      moved[key] = torch::ones({8, 8}, kCUDA);
      model->forward(moved[1]);
    })");
}

TEST(LanguageTest, what_is_read_from_files) {
  check(R"(
    using namespace torch;
    void run(bool resume) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      if (resume) torch::load(model, "model.pt");
      auto x = torch::ones({8, 8});
      model->forward(x);  // expect: missing-transfer
      nn::Linear placed(8, 8);
      torch::load(placed, "model.pt", Device(kCUDA));
      placed->forward(x);  // expect: missing-transfer
      nn::Linear anywhere(8, 8);
      torch::load(anywhere, "model.pt");
      anywhere->forward(x.to(kCUDA));
      torch::load(x, "x.pt", Device(kCUDA));
      model->forward(x);
      torch::load(x, "x.pt");
      model->forward(x);
    })");
}

TEST(LanguageTest, the_first_iteration) {
  check(R"(
    using namespace torch;
    void hidden_state(int n) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      auto h = torch::zeros({8, 8});
      for (int i = 0; i < n; ++i) h = model->forward(h);  // expect: missing-transfer
      auto moved = torch::zeros({8, 8}, kCUDA);
      for (int i = 0; i < n; ++i) moved = model->forward(moved);
    }
    void later(int n, Tensor x) {
      auto previous = torch::zeros({8, 8});
      auto sum = torch::zeros({8, 8}, kCUDA);
      for (int i = 0; i < n; ++i) {
        if (i > 0) matmul(previous, sum);
        previous = torch::ones({8, 8}, kCUDA);
      }
      auto moves = torch::zeros({8, 8});
      for (int i = 0; i < n; ++i) moves = moves.to(kCUDA);
      matmul(moves, sum);
    }
    Tensor throws(bool good) {
      if (good) return torch::ones({8, 8});
      throw 1;
    }
    void uses() { matmul(throws(true), torch::ones({8, 8}, kCUDA)); }  // expect: missing-transfer
    )");
}

}  // namespace
}  // namespace xfer::analyzer
