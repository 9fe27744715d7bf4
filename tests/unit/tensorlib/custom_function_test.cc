// Operations whose gradient the user writes, and the names of records.
#include <tensorlib/custom_function.h>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using autograd::AutogradContext;
using autograd::tensor_list;

struct Scale : autograd::Function<Scale> {
  static Tensor forward(AutogradContext* ctx, Tensor x, double factor, Tensor offset = {}) {
    ctx->saved_data["factor"] = factor;
    ctx->save_for_backward({x, offset});
    return offset.defined() ? x * factor + offset : x * factor;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    EXPECT_EQ(ctx->get_saved_variables().size(), 2u);
    return {grads[0] * ctx->saved_data["factor"].toDouble(), Tensor(), Tensor()};
  }
};

// Two results: the square and the cube.
struct Powers : autograd::Function<Powers> {
  static tensor_list forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor square = x * x;
    ctx->save_for_backward({x, square});
    return {square, square * x};
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    return {grads[0] * saved[0] * 2 + grads[1] * saved[1] * 3};
  }
};

struct Wrong : autograd::Function<Wrong> {
  static Tensor forward(AutogradContext*, const Tensor& x, const Tensor& y) { return x + y; }
  static tensor_list backward(AutogradContext*, tensor_list grads) { return {grads[0]}; }
};

TEST(CustomFunction, ItsBackwardIsTheGradient) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({1.0, 2.0}).to(device).requires_grad_();
    Tensor y = Scale::apply(x, 5.5);
    EXPECT_TRUE(near(elements(y), {5.5, 11}, 1e-6));
    y.sum().backward();
    EXPECT_TRUE(near(elements(x.grad()), {5.5, 5.5}, 1e-6));
    EXPECT_FALSE(Scale::apply(x.detach(), 2.0).requires_grad());
  }
}

TEST(CustomFunction, HasSeveralResults) {
  const Tensor x = tensor({2.0, 3.0}).requires_grad_();
  const tensor_list both = Powers::apply(x);
  (both[0] + both[1]).sum().backward();
  EXPECT_TRUE(near(elements(x.grad()), {4 + 12, 6 + 27}, 1e-5));
  // One alone: the other's gradient is zeros.
  x.mutable_grad() = Tensor();
  Powers::apply(x)[1].sum().backward();
  EXPECT_TRUE(near(elements(x.grad()), {12, 27}, 1e-5));
  // And asked for by themselves.
  const tensor_list again = Powers::apply(x);
  const auto grads = autograd::grad({(again[1] * 2).sum()}, {again[1]});
  EXPECT_TRUE(near(elements(grads[0]), {2, 2}, 0));
}

TEST(CustomFunction, ItsGradientHasAGradient) {
  const Tensor x = tensor({2.0}).requires_grad_();
  const Tensor first = autograd::grad({Powers::apply(x)[1]}, {x}, {}, std::nullopt, true)[0];
  EXPECT_EQ(first.item<double>(), 12);
  // 3 * square of the saved result, whose own gradient is 2 * x.
  EXPECT_EQ(autograd::grad({first}, {x})[0].item<double>(), 12);
}

TEST(CustomFunction, ErrorsNameIt) {
  const Tensor x = tensor({1.0}).requires_grad_();
  const std::string text = error_of([&] { Wrong::apply(x, x).backward(); });
  EXPECT_NE(text.find("Wrong"), std::string::npos) << text;
  EXPECT_NE(text.find("1 gradients for 2 arguments"), std::string::npos) << text;
  const Tensor y = x * 1;
  const Tensor z = Scale::apply(y, 2.0);
  {
    NoGradGuard no_grad;
    y.add_(1);
  }
  EXPECT_NE(error_of([&] { z.backward(); }).find("changed in place"), std::string::npos);
  EXPECT_NE(error_of([] { (void)IValue(3).toDouble(); }).find("is Int"), std::string::npos);
}

TEST(Records, HaveTheNamesOfLibTorch) {
  const Tensor x = ones({2, 2}, requires_grad()), y = ones({2, 2}, requires_grad());
  const auto name = [](const Tensor& t) { return t.grad_fn()->name(); };
  EXPECT_EQ(x.grad_fn(), nullptr);
  EXPECT_EQ(name(x + 2), "AddBackward1");
  EXPECT_EQ(name(x * y), "MulBackward0");
  EXPECT_EQ(name(x * 3), "MulBackward1");
  EXPECT_EQ(name(x - 1), "SubBackward1");
  EXPECT_EQ(name(x / 2), "DivBackward1");
  EXPECT_EQ(name(x.pow(2)), "PowBackward0");
  EXPECT_EQ(name(x.pow(y)), "PowBackward1");
  EXPECT_EQ(name(x.sum()), "SumBackward0");
  EXPECT_EQ(name(x.mean(0)), "MeanBackward1");
  EXPECT_EQ(name(x.max()), "MaxBackward1");
  EXPECT_EQ(name(x.log_softmax(0)), "LogSoftmaxBackward0");
  EXPECT_EQ(name(avg_pool2d(ones({1, 2, 2}, requires_grad()), 2)), "AvgPool2DBackward0");
  EXPECT_EQ(name(Scale::apply(x, 1.0)),
            "torch::autograd::CppNode<tensorlib::testing::(anonymous namespace)::Scale>");
}

}  // namespace
}  // namespace tensorlib::testing
