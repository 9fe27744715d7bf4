// Every operation x element type x layout, printed: compiled once with tensorlib and once with
// LibTorch, and compared by operations.py. A line is "operation | types and layout | result": the
// result's shape, type and elements, or "error".

#include <torch/torch.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "operations_composed.h"
#include "operations_loss.h"

namespace {

using torch::Tensor;
using Tensors = std::vector<Tensor>;

torch::Device place = torch::kCPU;

const std::pair<torch::Dtype, const char*> kTypes[] = {
    {torch::kByte, "uint8"},    {torch::kChar, "int8"},         {torch::kShort, "int16"},
    {torch::kInt, "int32"},     {torch::kLong, "int64"},        {torch::kHalf, "float16"},
    {torch::kFloat, "float32"}, {torch::kBFloat16, "bfloat16"}, {torch::kDouble, "float64"},
    {torch::kBool, "bool"}};

void show(const Tensor& tensor) {
  std::printf(" [");
  for (int64_t i = 0; i < tensor.dim(); ++i)
    std::printf("%s%lld", i ? "," : "", static_cast<long long>(tensor.size(i)));
  std::printf("] %s", toString(tensor.scalar_type()));
  const Tensor plain = tensor.detach().to(torch::kCPU).to(torch::kDouble).contiguous();
  for (int64_t i = 0; i < plain.numel(); ++i) std::printf(" %.9g", plain.data_ptr<double>()[i]);
}

void run(const char* name, const std::string& what, const std::function<Tensors()>& operation) {
  std::printf("%s | %s |", name, what.c_str());
  try {
    for (const Tensor& tensor : operation()) show(tensor);
  } catch (const std::exception& error) {
    // What LibTorch has no code for is no error of the caller's.
    std::printf("%s", std::strstr(error.what(), "not implemented for") ? " unsupported" : " error");
  }
  std::printf("\n");
}

// The same elements in another layout.
struct Layout {
  const char* name;
  Tensor (*make)(const Tensor&);
};
const Layout kLayouts[] = {
    {"plain", [](const Tensor& t) { return t; }},
    {"transposed",
     [](const Tensor& t) { return t.transpose(0, -1).contiguous().transpose(0, -1); }},
    {"gaps", [](const Tensor& t) {
       Tensor wide = torch::cat({t, t}, -1);
       const int64_t n = t.size(-1);
       wide = torch::zeros_like(wide);
       wide.slice(-1, 0, 2 * n, 2).copy_(t);
       return wide.slice(-1, 0, 2 * n, 2);
     }}};

// Small numbers with fractions, some below 0, in the shape; without either where the type has none.
Tensor numbers(std::vector<int64_t> shape, torch::Dtype type, int64_t start) {
  int64_t n = 1;
  for (const int64_t size : shape) n *= size;
  const Tensor index = torch::arange(start, start + n, torch::kDouble);
  Tensor values = (index * 7 - torch::floor(index * 7 / 13) * 13 - 5) / 4;
  if (type == torch::kByte || type == torch::kBool) values = values.abs();
  const bool whole = type == torch::kByte || type == torch::kChar || type == torch::kShort ||
                     type == torch::kInt || type == torch::kLong;
  if (whole) values = (values * 2).floor();
  return values.to(type).view(shape).to(place);
}

// LibTorch's has one parameter more.
Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias) {
#ifdef TENSORLIB_API
  return torch::batch_norm(x, weight, bias, {}, {}, true, 0.1, 1e-5);
#else
  return torch::batch_norm(x, weight, bias, {}, {}, true, 0.1, 1e-5, false);
#endif
}

struct Operation {
  const char* name;
  std::vector<std::vector<int64_t>> shapes;
  std::function<Tensors(const Tensors&)> call;
  bool floating_only = false;
};

#define ONE(op)                                                              \
  Operation {                                                                \
    #op, {{4, 6}}, [](const Tensors& x) { return Tensors{torch::op(x[0])}; } \
  }
#define TWO(op)                                                                            \
  Operation {                                                                              \
    #op, {{4, 6}, {4, 6}}, [](const Tensors& x) { return Tensors{torch::op(x[0], x[1])}; } \
  }

template <class Pair>
Tensors both(const Pair& pair) {
  return {std::get<0>(pair), std::get<1>(pair)};
}

std::vector<Operation> operations() {
  std::vector<Operation> all{ONE(abs),         ONE(neg),        ONE(sign),        ONE(square),
                             ONE(relu),        ONE(exp),        ONE(sin),         ONE(cos),
                             ONE(erf),         ONE(tanh),       ONE(isnan),       ONE(logical_not),
                             TWO(logical_and), TWO(logical_or), TWO(logical_xor), ONE(sigmoid),
                             ONE(floor),       ONE(ceil),       ONE(round),       TWO(mul),
                             TWO(eq),          TWO(ne),         TWO(lt),          TWO(le),
                             TWO(gt),          TWO(ge),         TWO(maximum),     TWO(minimum)};
  const auto add = [&](const char* name, std::vector<std::vector<int64_t>> shapes,
                       std::function<Tensors(const Tensors&)> call, bool floating_only = false) {
    all.push_back({name, std::move(shapes), std::move(call), floating_only});
  };
  using X = const Tensors&;
  add("log", {{4, 6}}, [](X x) { return Tensors{torch::log(x[0].abs() + 1)}; });
  add("sqrt", {{4, 6}}, [](X x) { return Tensors{torch::sqrt(x[0].abs() + 1)}; });
  add("rsqrt", {{4, 6}}, [](X x) { return Tensors{torch::rsqrt(x[0].abs() + 1)}; });
  add("reciprocal", {{4, 6}}, [](X x) { return Tensors{torch::reciprocal(x[0].abs() + 1)}; });
  add("log1p", {{4, 6}}, [](X x) { return Tensors{torch::log1p(x[0].abs())}; });
  add("add", {{4, 6}, {4, 6}}, [](X x) { return Tensors{x[0] + x[1]}; });
  add("add alpha", {{4, 6}, {6}}, [](X x) { return Tensors{x[0].add(x[1], 3)}; });
  add("sub", {{4, 6}, {4, 1}}, [](X x) { return Tensors{x[0] - x[1], torch::sub(x[0], x[1], 2)}; });
  add("div", {{4, 6}, {4, 6}}, [](X x) { return Tensors{x[0] / (x[1].abs() + 1), x[0].div(4)}; });
  add("pow of a number", {{4, 6}}, [](X x) { return Tensors{torch::pow(2, x[0].abs())}; });
  add("pow", {{4, 6}}, [](X x) { return Tensors{x[0].pow(3)}; });
  add("add number", {{4, 6}}, [](X x) { return Tensors{x[0] + 2, x[0] * 3, 1 - x[0]}; });
  add("add fraction", {{4, 6}}, [](X x) { return Tensors{x[0] + 2.5, x[0] * 0.5}; });
  add("remainder", {{4, 6}, {4, 6}},
      [](X x) { return Tensors{x[0] % (x[1].abs() + 1), x[0].remainder(3)}; });
  add("remainder of negative", {{4, 6}, {4, 6}},
      [](X x) { return Tensors{x[0] % (-1 - x[1].abs()), x[0] % -2}; });
  add("bitwise", {{4, 6}, {4, 6}}, [](X x) {
    return Tensors{x[0] & x[1],
                   x[0] | x[1],
                   x[0] ^ x[1],
                   ~x[0],
                   x[0].bitwise_and(x[1]),
                   x[0].bitwise_or(x[1]),
                   x[0].bitwise_xor(x[1]),
                   torch::bitwise_not(x[1])};
  });
  add("where", {{4, 6}, {6}}, [](X x) { return Tensors{torch::where(x[0] > 0, x[0], x[1])}; });
  add("where broadcast", {{4, 1}, {6}, {4, 6}},
      [](X x) { return Tensors{torch::where(x[0] > 0, x[1], x[2])}; });
  add("masked_fill", {{4, 6}, {6}}, [](X x) {
    return Tensors{x[0].masked_fill(x[1] > 0, 2), x[0].clone().masked_fill_(x[0] == 1, 3)};
  });
  add("index_put_ mask", {{4, 6}, {4}}, [](X x) {
    Tensor y = x[0].clone();
    y.index_put_({x[1] > 0}, 1);
    Tensor z = x[0].clone();
    z.index_put_({torch::indexing::Slice(1), x[0][0] > 0}, 2);
    return Tensors{y, z};
  });
  add("tril", {{4, 6}},
      [](X x) { return Tensors{x[0].tril(), x[0].tril(2), x[0].triu(-1), x[0].triu(1)}; });
  add("cumsum", {{4, 6}},
      [](X x) { return Tensors{x[0].cumsum(0), x[0].cumsum(1), x[0].cumsum(-1, torch::kDouble)}; });
  add("sort", {{4, 6}},
      [](X x) { return Tensors{std::get<0>(x[0].sort()), std::get<0>(x[0].sort(0, true))}; });
  add("argsort", {{4, 6}}, [](X x) {  // of equal elements any may come first
    return Tensors{x[0].gather(1, x[0].argsort(int64_t{1})),
                   x[0].gather(0, x[0].argsort(int64_t{0}, true))};
  });
  add("argmax", {{4, 6}}, [](X x) {
    return Tensors{x[0].argmax(), x[0].argmax(1), x[0].argmin(0, true), x[0].argmin()};
  });
  add("nonzero", {{4, 6}}, [](X x) { return Tensors{x[0].nonzero(), torch::where(x[0] > 0)[1]}; });
  add(
      "var", {{4, 6}},
      [](X x) {
        return Tensors{x[0].var(), x[0].var(0), x[0].std(1), x[0].std(false),
                       x[0].var(std::vector<int64_t>{0, 1}, false, true)};
      },
      true);
  add("gelu", {{4, 6}}, [](X x) { return Tensors{torch::gelu(x[0]), torch::silu(x[0])}; }, true);
  add("clamp_", {{4, 6}},
      [](X x) { return Tensors{x[0].clone().clamp_(0, 2), x[0].clone().clamp_(1)}; });
  add("clamp", {{4, 6}}, [](X x) {
    return Tensors{x[0].clamp(0, 2),           x[0].clip(1),
                   x[0].clamp_max(1),          x[0].clamp_min(1),
                   x[0].clone().clamp_max_(2), x[0].clone().clamp_min_(2)};
  });
  add("changed in place", {{4, 6}, {4, 1}}, [](X x) {
    return Tensors{x[0].clone().sub_(x[1]), x[0].clone().fill_(1), x[0].clone().zero_(),
                   x[0].clone().t_(), x[0].detach().clone().detach_()};
  });
  add("sum", {{4, 6}}, [](X x) { return Tensors{x[0].sum(), x[0].sum(0), x[0].sum(1, true)}; });
  add("mean", {{4, 6}}, [](X x) { return Tensors{x[0].mean(), x[0].mean(0), x[0].mean(1, true)}; });
  add("amax", {{4, 6}}, [](X x) { return Tensors{x[0].amax(0), x[0].amin(1, true)}; });
  add("max", {{4, 6}}, [](X x) { return Tensors{x[0].max(), x[0].min()}; });
  add("max dim", {{4, 6}},
      [](X x) { return Tensors{std::get<0>(x[0].max(1)), std::get<0>(x[0].min(0))}; });
  add("all", {{4, 6}},
      [](X x) { return Tensors{x[0].all(), x[0].any(), x[0].all(1), x[0].any(0, true)}; });
  add("norm", {{4, 6}}, [](X x) { return Tensors{x[0].norm(), x[0].norm(1)}; }, true);
  add(
      "softmax", {{4, 6}},
      [](X x) { return Tensors{x[0].softmax(1), x[0].log_softmax(0), x[0].logsumexp(1)}; }, true);
  add("topk", {{4, 6}},
      [](X x) { return Tensors{std::get<0>(x[0].topk(3)), std::get<0>(x[0].topk(2, 0, false))}; });
  add("matmul", {{4, 6}, {6, 3}}, [](X x) { return Tensors{x[0].matmul(x[1]), x[0].mm(x[1])}; });
  add("matmul batch", {{2, 4, 3}, {3, 5}}, [](X x) { return Tensors{x[0].matmul(x[1])}; });
  add("bmm", {{2, 4, 3}, {2, 3, 5}}, [](X x) { return Tensors{x[0].bmm(x[1])}; });
  add("mv", {{4, 3}, {3}}, [](X x) { return Tensors{x[0].mv(x[1])}; });
  add("dot", {{5}, {5}}, [](X x) { return Tensors{x[0].dot(x[1])}; });
  add("outer", {{3}, {4}}, [](X x) { return Tensors{x[0].outer(x[1])}; });
  add("addmm", {{5}, {4, 3}, {3, 5}}, [](X x) { return Tensors{x[0].addmm(x[1], x[2], 2, 3)}; });
  add(
      "linear", {{2, 4, 3}, {5, 3}, {5}},
      [](X x) { return Tensors{torch::nn::functional::linear(x[0], x[1], x[2])}; }, true);
  add("cat", {{2, 3}, {2, 2}},
      [](X x) { return Tensors{torch::cat({x[0], x[1]}, 1), torch::concat({x[1], x[0]}, -1)}; });
  add("stack", {{2, 3}, {2, 3}}, [](X x) { return Tensors{torch::stack({x[0], x[1]}, 1)}; });
  add("gather", {{3, 4}},
      [](X x) { return Tensors{x[0].gather(1, torch::tensor({{0, 3}, {1, 1}}).to(place))}; });
  add("index_select", {{3, 4}},
      [](X x) { return Tensors{x[0].index_select(1, torch::tensor({3, 0, 3}).to(place))}; });
  add("index", {{3, 4, 2}}, [](X x) {
    using namespace torch::indexing;
    return Tensors{x[0].index({Slice(1), None, -1, Ellipsis}),
                   x[0].index({Ellipsis, Slice(None, None, 2)}),
                   x[0].index({torch::tensor({2, -3}).to(place)}), x[0].index({0, Slice(), 1})};
  });
  add("index by several", {{3, 4, 2}}, [](X x) {
    using namespace torch::indexing;
    const Tensor rows = torch::tensor({2, -3, 0}).to(place);
    const Tensor columns = torch::tensor({1, 3, -1}).to(place), last = rows.abs() % 2;
    const Tensor mask = torch::tensor({true, false, true}).to(place);
    return Tensors{x[0].index({rows, columns}),
                   x[0].index({rows, Slice(1), last}),
                   x[0].index({Slice(), columns, last}),
                   x[0].index({rows.unsqueeze(1), columns}),
                   x[0].index({mask, rows.slice(0, 0, 2)}),
                   x[0].index({None, rows, 1, last}),
                   x[0].index({torch::tensor(1), Slice(), last})};
  });
  add("index_put_", {{3, 4, 2}, {2}, {2, 4, 2}}, [](X x) {
    using namespace torch::indexing;
    const Tensor rows = torch::tensor({2, -3}).to(place);
    const Tensor columns = torch::tensor({1, 3}).to(place);
    const auto put = [&](std::vector<TensorIndex> indices, const Tensor& values) {
      return x[0].clone().index_put_(indices, values);
    };
    return Tensors{put({rows}, x[2]),
                   put({rows, columns}, x[1]),
                   put({rows, Slice(), 1}, x[2].select(2, 0)),
                   put({Slice(1), columns}, x[2]),
                   put({x[0] > 0}, x[1][0]),
                   put({torch::tensor({true, false, true}).to(place)}, x[2]),
                   x[0].clone().index_put_({rows, columns}, 1)};
  });
  add("roll", {{3, 4}}, [](X x) {
    return Tensors{x[0].roll(2), x[0].roll({1, -1}, {0, 1}), torch::roll(x[0], -9, 1)};
  });
  add("diag", {{3, 4}}, [](X x) {
    return Tensors{x[0].diag(), torch::diag(x[0], -1), x[0].diag(3), x[0][0].diag(1)};
  });
  add("prod", {{4, 6}}, [](X x) {
    return Tensors{x[0].slice(1, 0, 3).prod(1), x[0].slice(1, 0, 3).prod(1, true, torch::kDouble),
                   x[0].slice(0, 0, 2).prod(0), x[0][1].slice(0, 0, 3).prod()};
  });
  add("einsum", {{2, 3, 4}, {2, 4, 3}}, [](X x) {
    return Tensors{torch::einsum("bij,bjk->ikb", {x[0], x[1]}),
                   torch::einsum("bij,bki", {x[0], x[1]}),
                   torch::einsum("...ij,kj->...ik", {x[0], x[0][0]}),
                   torch::einsum("bij->ji", {x[0]}),
                   torch::einsum("bii->b", {x[0].slice(2, 0, 3)}),
                   torch::einsum("i,j", {x[0][0][0], x[1][0][1]})};
  });
  add("index mask", {{3, 4}}, [](X x) { return Tensors{x[0].index({x[0].gt(0)})}; });
  add("masked_select", {{3, 4}}, [](X x) {
    return Tensors{x[0].masked_select(x[0].gt(0)), x[0].masked_select(x[0][0].gt(0))};
  });
  add("scatter", {{3, 4}},
      [](X x) { return Tensors{x[0].scatter(1, torch::tensor({{0, 3}, {1, 1}}).to(place), 2)}; });
  add("repeat", {{3, 4}}, [](X x) { return Tensors{x[0].repeat({2, 1, 3})}; });
  add("flip", {{3, 4}}, [](X x) { return Tensors{x[0].flip({0}), x[0].flip({0, -1})}; });
  add("split", {{5, 2}}, [](X x) { return x[0].split(2); });
  add("chunk", {{5, 4}}, [](X x) { return x[0].chunk(3, 1); });
  add("unbind", {{3, 2}}, [](X x) { return x[0].unbind(1); });
  add("views", {{2, 3, 4}}, [](X x) {
    return Tensors{x[0].permute({2, 0, 1}),
                   x[0].transpose(0, 2),
                   x[0].reshape({4, 6}),
                   x[0].flatten(1),
                   x[0].select(1, 2),
                   x[0].narrow(2, 1, 2),
                   x[0].unsqueeze(1).expand({2, 3, 3, 4}),
                   x[0].slice(2, 3, 0),
                   x[0].select(0, 0).unsqueeze(0).expand_as(x[0]),
                   x[0].reshape({4, 6}).view_as(x[0].reshape({4, 6})),
                   x[0].unsqueeze(1).squeeze(),
                   x[0].unsqueeze(1).squeeze(1),
                   x[0].contiguous().as_strided({2, 5}, {3, 4}, 1)};
  });
  add("meshgrid", {{3}, {2}}, [](X x) { return torch::meshgrid({x[0], x[1]}, "ij"); });
  add("embedding", {{5, 3}}, [](X x) {
    return Tensors{torch::embedding(x[0], torch::tensor({{4, 0}, {4, 1}}).to(place))};
  });
  add(
      "conv1d", {{2, 4, 9}, {6, 2, 3}, {6}},
      [](X x) { return Tensors{torch::conv1d(x[0], x[1], x[2], 2, 1, 1, 2)}; }, true);
  add(
      "conv2d", {{2, 4, 7, 6}, {6, 2, 3, 2}, {6}},
      [](X x) { return Tensors{torch::conv2d(x[0], x[1], x[2], {2, 1}, {1, 0}, {1, 2}, 2)}; },
      true);
  add(
      "conv_transpose2d", {{2, 4, 3, 4}, {4, 3, 3, 2}, {3}},
      [](X x) {
        return Tensors{torch::conv_transpose2d(x[0], x[1], x[2], {2, 1}, {1, 0}, {1, 0})};
      },
      true);
  add(
      "max_pool2d", {{2, 3, 7, 6}},
      [](X x) { return Tensors{torch::max_pool2d(x[0], 3, 2, 1, 1, true)}; }, true);
  add(
      "avg_pool2d", {{2, 3, 7, 6}},
      [](X x) {
        return Tensors{torch::avg_pool2d(x[0], 3, 2, 1, true, true),
                       torch::avg_pool2d(x[0], 3, 2, 1, false, false)};
      },
      true);
  add(
      "adaptive_avg_pool2d", {{2, 3, 7, 5}},
      [](X x) { return Tensors{torch::adaptive_avg_pool2d(x[0], {3, 2})}; }, true);
  add(
      "batch_norm", {{4, 3, 5}, {3}, {3}},
      [](X x) { return Tensors{batch_norm(x[0], x[1], x[2])}; }, true);
  add(
      "layer_norm", {{4, 3, 5}, {3, 5}, {3, 5}},
      [](X x) { return Tensors{torch::layer_norm(x[0], {3, 5}, x[1], x[2])}; }, true);
  add_losses(add, place);
  add_composed(add, place);
  return all;
}

// What LibTorch refuses, and what it takes although it looks odd.
void edges() {
  const auto ones = [](std::vector<int64_t> shape, torch::Dtype type = torch::kFloat) {
    return torch::ones(shape, torch::TensorOptions(place).dtype(type));
  };
  const auto with = [](const Tensor& tensor) { return Tensors{tensor}; };
  const Tensor x = ones({2, 3});
#define EDGE(...) run("edge", #__VA_ARGS__, [&]() -> Tensors { return __VA_ARGS__; })
  EDGE(with(x + ones({2, 2})));
  EDGE(with(x.mm(x)));
  EDGE(with(x.mm(ones({3, 1}, torch::kDouble))));
  EDGE(with(x.view({4})));
  EDGE(with(x.t().view({6})));
  EDGE(with(x.view({-1, 0})));
  const auto at = [](std::vector<int64_t> places) { return torch::tensor(places).to(place); };
  EDGE(with(x.index_add(0, at({0}), ones({2, 3}))));
  EDGE(with(x.index_add(0, at({0}), ones({1, 3}, torch::kDouble))));
  EDGE(with(x.index_copy(1, at({0}), ones({2, 2}))));
  EDGE(with(x.index_fill(0, at({0, 1}).view({1, 2}), 2)));
  EDGE(with(x.scatter(0, at({0, 1}), ones({2}))));
  EDGE(with(x.scatter_add(1, at({0, 1}).view({2, 1}), ones({1, 1}))));
  EDGE(with(x.scatter(1, at({0, 1}).view({2, 1}), ones({2, 1}, torch::kDouble))));
  EDGE(with(x.repeat_interleave(-1)));
  EDGE(with(x.repeat_interleave(at({1, 2, 3}), 0)));
  EDGE(with(x.repeat_interleave(at({1, -2}), 0)));
  EDGE(with(x.unfold(1, 4, 1)));
  EDGE(with(x.unfold(1, 2, 0)));
  EDGE(with(x.unfold(1, 0, 1)));
  EDGE(with(x.diagonal(0, 1, 1)));
  EDGE(with(x.diagonal(-7)));
  EDGE(with(ones({2}).trace()));
  EDGE(with(x.clone().squeeze_(3)));
  EDGE(with(x.clone().unsqueeze_(4)));
  EDGE(with(x.clone().resize_({-1})));
  EDGE(with(ones({0}).median()));
  EDGE(with(std::get<0>(ones({0, 3}).median(0))));
  EDGE(with(torch::constant_pad_nd(x, {1})));
  EDGE(with(torch::constant_pad_nd(x, {-2, -2})));
  EDGE(with(torch::constant_pad_nd(x, {-1, -2})));
  EDGE(with(torch::constant_pad_nd(x, {0, 0, 0, 0, 0, 0})));
  EDGE(with(torch::reflection_pad1d(x, {3, 0})));
  EDGE(with(torch::reflection_pad1d(x, {0, 2})));
  EDGE(with(torch::replication_pad1d(ones({2, 0}), {1, 1})));
  EDGE(with(torch::upsample_nearest2d(ones({1, 1, 2, 2}), {0, 2})));
  EDGE(with(torch::upsample_nearest2d(x, {4, 4})));
  EDGE(with(torch::group_norm(ones({2, 3, 2}), 2)));
  EDGE(with(torch::group_norm(ones({2}), 1)));
  EDGE(with(torch::pixel_shuffle(ones({3, 2, 2}), 2)));
  EDGE(with(torch::glu(x)));
  EDGE(with(torch::prelu(x, ones({2}))));
  EDGE(with(torch::cdist(x, ones({2, 2}))));
  EDGE(with(torch::cross(ones({2, 2}), ones({2, 2}))));
  EDGE(with(torch::bincount(at({-1}))));
  EDGE(with(torch::bincount(at({1}), ones({2}))));
  EDGE(with(torch::bincount(x)));
  EDGE(with(torch::bincount(torch::empty({0}, torch::kLong).to(place))));
  EDGE(torch::broadcast_tensors({x, ones({2, 2})}));
  EDGE(with(torch::max_pool1d(x, 0)));
  EDGE(with(torch::max_pool1d(x, 4)));
  EDGE(with(torch::adaptive_avg_pool1d(x, 0)));
  EDGE(with(x.cumprod(2)));
  EDGE(with(x.clamp(ones({2}), ones({2}))));
  EDGE(with(x.softmax(2, torch::kDouble)));
  EDGE(with(x.select(2, 0)));
  EDGE(with(x.select(0, 2)));
  EDGE(with(x.narrow(1, 2, 2)));
  EDGE(with(x.permute({0, 0})));
  EDGE(with(x.expand({3, 3})));
  EDGE(with(x.slice(0, 5, 1)));
  EDGE(with(x.slice(0, 0, 2, 0)));
  EDGE(with(x.sum(2)));
  EDGE(with(x.sum(std::vector<int64_t>{0, 0})));
  EDGE(with(ones({0, 3}).sum(0)));
  EDGE(with(ones({0, 3}).mean()));
  EDGE(with(ones({0, 3}).max()));
  EDGE(with(ones({0, 3}).argmax()));
  EDGE(with(ones({0, 3}).softmax(0)));
  EDGE(with(ones({0, 3}).mm(ones({3, 2}))));
  EDGE(with(ones({2, 0}).mm(ones({0, 2}))));
  EDGE(both(x.topk(4)));
  EDGE(both(x.topk(-1)));
  EDGE(both(ones({}).topk(1)));
  EDGE(x.split(0));
  EDGE(x.split(-1));
  EDGE(x.split_with_sizes({1, 1, 1}, 0));
  EDGE(x.chunk(0));
  EDGE(ones({0, 2}).chunk(2));
  EDGE(ones({}).unbind());
  EDGE(with(x.index({0, 0, 0})));
  EDGE(with(x.index({2})));
  // On a GPU nobody can look at the index without a wait: there the kernel stops.
  EDGE(with(x.index_select(0, torch::tensor({2}))));
  EDGE(with(x.index({torch::tensor({0, 1}), torch::tensor({0, 1, 2})})));
  EDGE(with(x.clone().index_put_({torch::tensor({0, 1}).to(place)}, ones({4}))));
  EDGE(with(x.clone().index_put_({torch::tensor({0}).to(place)}, ones({1, 1, 3}))));
  EDGE(with(x.clone().index_put_({torch::tensor({0}).to(place)}, ones({3}, torch::kInt))));
  EDGE(with(ones({2, 2, 2}).diag()));
  EDGE(with(x.roll({1, 2}, 0)));
  EDGE(with(x.roll({})));
  EDGE(with(ones({0, 3}).prod(0)));
  EDGE(with(ones({}).prod()));
  EDGE(with(x.prod(2)));
  EDGE(with(torch::einsum("ij,jk", {x, x})));
  EDGE(with(torch::einsum("ij->ik", {x})));
  EDGE(with(torch::einsum("ij->ii", {x})));
  EDGE(with(torch::einsum("i", {x})));
  EDGE(with(torch::einsum("...->...", {x})));
  EDGE(with(torch::einsum("i...->...", {x})));
  EDGE(with(x.gather(1, torch::tensor({{0.5}}).to(place))));
  EDGE(with(torch::embedding(x, torch::tensor({0.5}).to(place))));
  EDGE(with(torch::cat({x, ones({2})}, 0)));
  EDGE(with(torch::stack({x, ones({2})}, 0)));
  EDGE(with(torch::conv1d(ones({1, 2, 2}), ones({1, 2, 3}))));
  EDGE(with(torch::conv1d(ones({1, 2, 5}), ones({1, 3, 3}))));
  EDGE(with(torch::conv2d(ones({1, 2, 5, 5}), ones({1, 2, 3, 3}), {}, 0)));
  EDGE(with(torch::max_pool2d(ones({1, 4, 4}), 2, 2, 2)));
  EDGE(with(torch::layer_norm(x, {2})));
  EDGE(with(torch::layer_norm(x, {3}, ones({2}))));
  EDGE(with(torch::nll_loss(x, torch::tensor({0}).to(place))));
  EDGE(with(torch::arange(0, 1, -1)));
  EDGE(with(torch::zeros({2, -1})));
  EDGE(with(torch::zeros({int64_t{1} << 40, int64_t{1} << 40})));
  EDGE(with(ones({2, 3}, torch::kBool).neg()));
  EDGE(with(ones({2, 3}, torch::kInt).add_(1.5)));
  EDGE(with(torch::full({2}, 1, torch::TensorOptions(place).dtype(torch::kChar)) +
            torch::full({2}, 255, torch::TensorOptions(place).dtype(torch::kByte))));
  EDGE(with(torch::full({2}, 127, torch::TensorOptions(place).dtype(torch::kChar)) + 1));
  EDGE(with(ones({2}, torch::kHalf) + ones({2}, torch::kBFloat16)));
  EDGE(with(ones({2}, torch::kBFloat16) + 1.5));
  EDGE(with(ones({2}, torch::kChar) / ones({2}, torch::kChar)));
  EDGE(with(torch::where(x, x, x)));
  EDGE(with(torch::where(x > 0, ones({4}), x)));
  EDGE(with(torch::where(x > 0, ones({3}, torch::kDouble), x)));
  EDGE(with(torch::where(x > 0, 1.5, 2.5)));
  EDGE(with(torch::where(x > 0, x, 7)));
  EDGE(with(x.masked_fill(x > 0, ones({2}))));
  EDGE(with(x.masked_fill(ones({2, 2}) > 0, 1)));
  EDGE(with(ones({2}, torch::kInt).masked_fill(ones({2}) > 0, 1.5)));
  EDGE(with(x.clone().masked_fill_(ones({2, 2, 3}) > 0, 1)));
  EDGE(with(x.tril(-7)));
  EDGE(with(ones({3}).tril()));
  EDGE(with(x.cumsum(2)));
  EDGE(with(ones({}).cumsum(0)));
  EDGE(with(ones({0, 3}).cumsum(0)));
  EDGE(both(ones({}).sort()));
  EDGE(both(ones({0, 3}).sort(0)));
  EDGE(with(ones({0, 3}).nonzero()));
  EDGE(with(ones({1}).var()));
  EDGE(with(ones({0}).var()));
  EDGE(with(ones({2}, torch::kInt).var()));
  EDGE(with(x & x));
  EDGE(with(ones({2}, torch::kBool) % ones({2}, torch::kBool)));
  EDGE(with(ones({2}) % 0));
  EDGE(with(torch::one_hot(torch::tensor({0, 2}).to(place))));
  EDGE(with(torch::one_hot(torch::tensor({0, 2}).to(place), 4)));
  EDGE(with(torch::one_hot(torch::tensor({0.5}).to(place))));
  EDGE(with(torch::nll_loss(
      ones({2, 3, 2}), torch::zeros({2, 3}, torch::TensorOptions(place).dtype(torch::kLong)))));
  // Of integers by 0: an error of the CPU's, of a GPU's elements nobody looks.
  EDGE(with(torch::ones({2}, torch::kInt) % torch::zeros({2}, torch::kInt)));
  EDGE(with(torch::ones({2}, torch::kInt) % 0));
  EDGE(with(torch::one_hot(torch::tensor({0, 2}), 2)));
  EDGE(with(torch::full({3}, std::numeric_limits<double>::quiet_NaN(), torch::TensorOptions(place))
                .max()));
#undef EDGE
}

}  // namespace

int main() {
  if (torch::cuda::is_available()) place = torch::Device(torch::kCUDA, 0);
  torch::NoGradGuard no_grad;
  for (const Operation& operation : operations()) {
    for (const auto& [type, type_name] : kTypes) {
      if (operation.floating_only && !torch::isFloatingType(type)) continue;
      for (const Layout& layout : kLayouts) {
        run(operation.name, std::string(type_name) + ", " + layout.name, [&, type = type] {
          Tensors operands;
          int64_t start = 0;
          for (const auto& shape : operation.shapes) {
            operands.push_back(layout.make(numbers(shape, type, start)));
            start += 5;
          }
          return operation.call(operands);
        });
      }
    }
  }
  edges();
}
