// The operations that tensorlib makes of others: cases for operations.cc, which says what a case
// is.
#pragma once

#include <torch/torch.h>

#include <tuple>
#include <vector>

// `add` takes a case's name, shapes, function and whether it is of floating types alone.
template <class Add>
void add_composed(const Add& add, const torch::Device& place) {
  using torch::Tensor;
  using Tensors = std::vector<Tensor>;
  using X = const Tensors&;
  namespace F = torch::nn::functional;
  const auto indices = [&place](std::vector<int64_t> places) {
    return torch::tensor(places).to(place);
  };
  add("unary", {{4, 6}}, [](X x) {
    return Tensors{torch::trunc(x[0]), torch::expm1(x[0]), torch::atan(x[0]),    torch::sinh(x[0]),
                   torch::cosh(x[0]),  torch::isinf(x[0]), torch::isfinite(x[0])};
  });
  add("unary of some", {{4, 6}}, [](X x) {
    const Tensor small = x[0].abs() / 4;
    return Tensors{torch::log2(small + 1), torch::log10(small + 1), torch::asin(small),
                   torch::acos(small), torch::tan(small)};
  });
  add("clamp by tensors", {{4, 6}, {6}, {4, 1}},
      [](X x) { return Tensors{x[0].clamp(x[1], x[2]), torch::max(x[0], x[1]), x[0].min(x[2])}; });
  add("addcmul", {{4, 6}, {4, 6}, {6}},
      [](X x) { return Tensors{x[0].addcmul(x[1], x[2], 2), x[0].clone().addcmul_(x[1], x[2])}; });
  add(
      "addcdiv", {{4, 6}, {4, 6}, {6}},
      [](X x) {
        return Tensors{x[0].addcdiv(x[1], x[2].abs() + 1, 2), x[0].lerp(x[1], 0.25),
                       x[0].lerp(x[1], x[1]), x[0].clone().addcdiv_(x[1], x[2].abs() + 1)};
      },
      true);
  add(
      "sum as", {{4, 6}},
      [](X x) {
        return Tensors{x[0].sum(torch::kDouble), x[0].softmax(-1, torch::kDouble),
                       x[0].log_softmax(0, torch::kDouble)};
      },
      true);
  add("median", {{5, 6}}, [](X x) {
    return Tensors{x[0].median(), std::get<0>(x[0].median(0)), std::get<0>(x[0].median(1, true))};
  });
  add("cumprod", {{3, 5}},
      [](X x) { return Tensors{x[0].cumprod(1), x[0].cumprod(0, torch::kDouble)}; });
  add("index_add", {{4, 3}, {2, 3}}, [=](X x) {
    return Tensors{x[0].index_add(0, indices({3, 0}), x[1]),
                   x[0].clone().index_add_(0, indices({1, 1}), x[1], 2)};
  });
  add("index_copy", {{4, 3}, {4, 2}}, [=](X x) {
    return Tensors{x[0].index_copy(1, indices({2, 0}), x[1]),
                   x[0].index_fill(0, indices({3, 0}), 1),
                   x[0].clone().index_copy_(1, indices({0, 1}), x[1]),
                   x[0].clone().index_fill_(1, indices({2}), 0),
                   x[0].index_put({indices({1, 3}), indices({2, 0})}, x[1][0])};
  });
  add("scatter of numbers", {{3, 4}, {2, 3}}, [=](X x) {
    const Tensor at = indices({0, 2, 1, 2, 0, 0}).view({2, 3});
    return Tensors{x[0].scatter(0, at, x[1]), x[0].scatter_add(0, at, x[1]),
                   x[0].clone().scatter_(1, at, x[1] + x[1]),
                   x[0].clone().scatter_add_(1, at.slice(1, 0, 2), x[1])};
  });
  add("take", {{3, 4}}, [=](X x) { return Tensors{x[0].take(indices({0, 11, -1}))}; });
  add("repeat_interleave", {{3, 4}}, [=](X x) {
    return Tensors{x[0].repeat_interleave(2), torch::repeat_interleave(x[0], 3, 1),
                   x[0].repeat_interleave(indices({2, 0, 1}), 0)};
  });
  add("unfold", {{3, 7}}, [](X x) { return Tensors{x[0].unfold(1, 3, 2), x[0].unfold(0, 2, 1)}; });
  add("diagonal", {{3, 4, 5}}, [](X x) {
    return Tensors{x[0].diagonal(),  x[0].diagonal(-1, 1, 2), torch::diagonal(x[0], 2, 0, -1),
                   x[0].diagonal(9), x[0].movedim(0, -1),     x[0].swapaxes(0, 2)};
  });
  add("trace", {{3, 4}}, [](X x) { return Tensors{x[0].trace(), x[0].clone().fill_diagonal_(1)}; });
  add("shapes in place", {{3, 1, 4}}, [](X x) {
    return Tensors{x[0].clone().squeeze_(), x[0].clone().squeeze_(1), x[0].clone().unsqueeze_(-1),
                   x[0].clone().transpose_(0, 2), x[0].contiguous().clone().resize_({2, 3})};
  });
  add("new", {{3, 4}}, [](X x) {
    return Tensors{x[0].new_zeros({2}),         x[0].new_ones({2, 1}),
                   x[0].new_full({1}, 2),       x[0].new_empty({3, 1}).zero_(),
                   x[0].toType(torch::kDouble), torch::zeros({2}).to(x[0].device()).type_as(x[0])};
  });
  add("pad", {{2, 3, 4, 5}}, [](X x) {
    return Tensors{F::pad(x[0], F::PadFuncOptions({1, 2})),
                   F::pad(x[0], F::PadFuncOptions({1, -2, 0, 3}).value(1)),
                   torch::constant_pad_nd(x[0], {0, 0, 0, 0, 1, 1}, 2)};
  });
  add(
      "pad by mirrors", {{2, 3, 4, 5}},
      [](X x) {
        return Tensors{F::pad(x[0], F::PadFuncOptions({1, 4, 3, 0}).mode(torch::kReflect)),
                       torch::replication_pad2d(x[0], {1, 7, 0, 2}),
                       torch::reflection_pad1d(x[0][0], {2, 3}),
                       torch::reflection_pad2d(x[0], {1, 0, 2, 3}),
                       F::pad(x[0], F::PadFuncOptions({2, 1, 0, 4}).mode(torch::kCircular))};
      },
      true);
  add(
      "interpolate nearest", {{2, 3, 4, 5}},
      [](X x) {
        using O = F::InterpolateFuncOptions;
        return Tensors{F::interpolate(x[0], O().scale_factor(std::vector<double>{2, 2})),
                       F::interpolate(x[0], O().size(std::vector<int64_t>{7, 3})),
                       F::interpolate(x[0], O().scale_factor(std::vector<double>{0.7, 1.9})),
                       F::interpolate(x[0][0], O().size(std::vector<int64_t>{8})),
                       torch::upsample_nearest1d(x[0][0], {8}),
                       torch::upsample_nearest2d(x[0], {8, 10})};
      },
      true);
  add(
      "interpolate between", {{2, 3, 4, 5}},
      [](X x) {
        using O = F::InterpolateFuncOptions;
        const auto o = [] { return O().mode(torch::kBilinear); };
        return Tensors{
            F::interpolate(x[0], o().scale_factor(std::vector<double>{2, 2}).align_corners(false)),
            F::interpolate(x[0], o().size(std::vector<int64_t>{7, 3}).align_corners(true)),
            F::interpolate(x[0], o().scale_factor(std::vector<double>{0.7, 1.9})
                                     .align_corners(false)
                                     .recompute_scale_factor(true)),
            F::interpolate(x[0], o().size(std::vector<int64_t>{1, 9}).align_corners(false)),
            F::interpolate(
                x[0][0],
                O().mode(torch::kLinear).size(std::vector<int64_t>{8}).align_corners(false)),
            torch::upsample_linear1d(x[0][0], {3}, false),
            torch::upsample_bilinear2d(x[0], {8, 9}, true)};
      },
      true);
  add(
      "activations", {{2, 4, 3}, {4}},
      [](X x) {
        return Tensors{
            torch::leaky_relu(x[0], 0.1), torch::elu(x[0]),
            torch::elu(x[0], 0.5),        torch::selu(x[0]),
            torch::softplus(x[0]),        F::softplus(x[0], F::SoftplusFuncOptions().beta(8)),
            F::relu6(x[0] * 4),           torch::hardtanh(x[0]),
            torch::log_sigmoid(x[0]),     torch::mish(x[0]),
            torch::glu(x[0], 1),          torch::prelu(x[0], x[1]),
            torch::gelu(x[0], "tanh")};
      },
      true);
  add(
      "group_norm", {{2, 4, 3, 2}, {4}, {4}},
      [](X x) {
        return Tensors{torch::group_norm(x[0], 2, x[1], x[2]),
                       torch::instance_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-5, false),
                       F::local_response_norm(x[0], F::LocalResponseNormFuncOptions(3))};
      },
      true);
  add(
      "normalize", {{3, 4}, {3, 4}},
      [](X x) {
        return Tensors{F::normalize(x[0]),
                       F::normalize(x[0], F::NormalizeFuncOptions().p(1).dim(0)),
                       torch::cosine_similarity(x[0], x[1]), torch::pairwise_distance(x[0], x[1])};
      },
      true);
  add("cdist", {{3, 4}, {5, 4}}, [](X x) { return Tensors{torch::cdist(x[0], x[1])}; }, true);
  add(
      "pool1d", {{2, 3, 9}},
      [](X x) {
        return Tensors{torch::max_pool1d(x[0], 3, 2, 1), torch::avg_pool1d(x[0], 3, 2, 1),
                       torch::adaptive_avg_pool1d(x[0], 4)};
      },
      true);
  add(
      "adaptive_max_pool2d", {{2, 3, 7, 5}},
      [](X x) {
        const auto [values, places] = torch::adaptive_max_pool2d(x[0], {3, 2});
        return Tensors{values, places};
      },
      true);
  add("pixel_shuffle", {{2, 8, 3, 2}}, [](X x) { return Tensors{torch::pixel_shuffle(x[0], 2)}; });
  add("vstack", {{4}, {4}},
      [](X x) { return Tensors{torch::vstack({x[0], x[1]}), torch::hstack({x[0], x[1]})}; });
  add("broadcast_tensors", {{4, 1}, {3}},
      [](X x) { return torch::broadcast_tensors({x[0], x[1]}); });
  add("cross", {{4, 3}, {4, 3}}, [](X x) { return Tensors{torch::cross(x[0], x[1])}; });
  // Random operations have certain results at the ends of their ranges.
  add(
      "random", {{4, 6}},
      [](X x) {
        const Tensor certain = x[0].gt(0).to(x[0].scalar_type());
        return Tensors{certain.bernoulli(),
                       x[0].clone().bernoulli_(1.0),
                       torch::dropout(x[0], 0, true),
                       torch::dropout(x[0], 1, true),
                       torch::dropout(x[0], 0.5, false),
                       torch::feature_dropout(x[0].unsqueeze(0), 0.5, false),
                       torch::randint_like(x[0], 3, 4),
                       x[0].clone().uniform_(2, 2)};
      },
      true);
  add("bincount", {{3}}, [=](X x) {
    return Tensors{torch::bincount(indices({4, 1, 1})),
                   torch::bincount(indices({0, 2, 2}), x[0], 5)};
  });
  add(
      "nan_to_num", {{4}},
      [](X x) {
        const Tensor odd = x[0] / torch::zeros_like(x[0]);
        return Tensors{torch::nan_to_num(odd, 1, 2, 3), odd.isnan(), odd.isinf(), odd.isfinite()};
      },
      true);
}
