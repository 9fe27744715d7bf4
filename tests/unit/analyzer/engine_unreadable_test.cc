// Code that does not parse: what a statement with an error does to what it names is not known.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check_unparsed;

TEST(UnreadableTest, what_an_unknown_function_is_given) {
  check_unparsed(R"(
    using namespace torch;
    Tensor f(nn::Linear model) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      missing::upload(x, kCUDA);
      return model->forward(x);
    }
    Tensor g(nn::Linear model) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      x = missing_upload(x);
      return model->forward(x);
    }
    Tensor h(nn::Linear model) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      x = x.to(missing::device());
      return model->forward(x);
    }
    Tensor i(nn::Linear model) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      missing::Thing thing(x);
      thing.upload();
      return model->forward(x);
    })");
}

TEST(UnreadableTest, blocks_that_belong_to_what_cannot_be_read) {
  check_unparsed(R"(
    using namespace torch;
    Tensor f(nn::Linear model) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      if (missing::gpu()) { x = x.to(kCUDA); }
      return model->forward(x);
    }
    Tensor g(nn::Linear model) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      for (auto& part : missing::parts()) { x = x.cuda(); part.done({1, 2}); }
      return model->forward(x);
    }
    Tensor h(nn::Linear model, bool on) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      if (missing) x = x.cpu();
      else { x = x.cuda(); }
      return model->forward(x);
    }
    Tensor i(nn::Linear model, bool on) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      if (on) {
        x = x.cuda();
      } else {
        return missing::nothing();
      }
      return model->forward(x);
    })");
}

TEST(UnreadableTest, functions_with_such_statements_promise_nothing) {
  check_unparsed(R"(
    using namespace torch;
    Tensor move_it(Tensor x) { if (x.size(0) > 2) return missing::up(x); return x; }
    void move_there(Tensor& x) { x = missing::up(x); }
    struct Holder {
      Tensor x;
      void move() { missing_move(x); }
    };
    Tensor f(nn::Linear model) {
      model->to(kCUDA);
      return model->forward(move_it(randn({2, 2})));
    }
    Tensor g(nn::Linear model) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      move_there(x);
      return model->forward(x);
    }
    Tensor h(Holder& holder, nn::Linear model) {
      holder.x = randn({2, 2});
      model->to(kCUDA);
      holder.move();
      return model->forward(holder.x);
    })");
}

TEST(UnreadableTest, reads_that_cannot_be_seen) {
  check_unparsed(R"(
    using namespace torch;
    void f(Tensor x) {
      auto y = x.to(kCUDA);
      auto z = y * missing::pi;
    }
    void g(Tensor x) {
      auto y = x.to(kCUDA);
      missing::show(y);
    }
    Tensor h(Tensor big) {
      auto part = big;
      auto a = big.to(kCUDA);
      missing::change(part);
      auto b = big.to(kCUDA);
      return a + b;
    })",
                 {Rule::kUnusedTransfer, Rule::kRepeatedTransfer});
}

TEST(UnreadableTest, members_that_a_lost_statement_may_register) {
  check_unparsed(R"(
    using namespace torch;
    struct Net : nn::Module {
      Net() {
        mask = ones({2, 2});
        register_buffer("mask", missing::scaled(mask));
      }
      Tensor forward(Tensor x) { return x * mask; }
      Tensor mask;
    };
    void run() {
      Net net;
      net.to(kCUDA);
    })",
                 {Rule::kUnregisteredTensor});
}

TEST(UnreadableTest, what_the_errors_do_not_touch_is_judged) {
  check_unparsed(R"(
    using namespace torch;
    Tensor f(nn::Linear model, Tensor other) {
      model->to(kCUDA);
      auto x = randn({2, 2});
      missing::show(other);
      other.to(kCUDA);  // LINT: discarded-transfer
      return model->forward(x);  // LINT: missing-transfer
    }
    Tensor g(nn::Linear model) {
      model->to(kCUDA);
      return model->forward(randn({2, 2}));  // LINT: missing-transfer
    }
    int h(nn::Linear model) {
      model->to(kCUDA);
      missing::Camera camera(0);
      if (!camera.open()) return 1;
      auto y = model->forward(randn({2, 2}));  // LINT: missing-transfer
      return missing::show(y);
    })");
}

}  // namespace
}  // namespace xfer::analyzer
