// MultiheadAttention.
#include "tensorlib/nn/modules/attention.h"

#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include "core/check.h"
#include "nn/layer.h"

namespace tensorlib::nn {

namespace functional {

namespace {

using Options = MultiheadAttentionForwardFuncOptions;

constexpr const char* kName = "multi_head_attention";

[[noreturn]] void refuse(const char* what, const Tensor& given, const std::string& wanted,
                         CallSite site) {
  throw ShapeError(str_cat(kName, ": ", what, " is ", given.sizes(), ", and not ", wanted), site);
}

void check_sizes(const char* what, const Tensor& given, IntArrayRef wanted, CallSite site) {
  if (given.defined() && given.sizes() != wanted) refuse(what, given, str_cat(wanted), site);
}

void check(const Tensor& query, const Tensor& key, const Tensor& value, const Options& o,
           CallSite site) {
  const Tensor& weight = o.use_separate_proj_weight() ? o.q_proj_weight() : o.in_proj_weight();
  const char* name = o.use_separate_proj_weight() ? "q_proj_weight" : "in_proj_weight";
  require_defined(weight, name, kName, site);
  check_together(kName, site,
                 {{"query", query},
                  {"key", key},
                  {"value", value},
                  {name, weight},
                  {"key_padding_mask", o.key_padding_mask()},
                  {"attn_mask", o.attn_mask()}});
  check_same_dtype(kName, site, {{"query", query}, {"key", key}, {"value", value}, {name, weight}});
  check_dim(kName, site, {"query", query}, 3);
  check_dim(kName, site, {"key", key}, 3);
  check_dim(kName, site, {"value", value}, 3);
  const int64_t batch = query.size(1), features = o.embed_dim_to_check();
  const int64_t steps = o.static_k().defined() ? o.static_k().size(1, site) : key.size(0);
  if (o.num_heads() <= 0 || features % o.num_heads() != 0) {
    throw ShapeError(str_cat(kName, ": the embedding's size ", features, " is not a multiple of ",
                             o.num_heads(), " heads"),
                     site);
  }
  const bool apart = o.use_separate_proj_weight();
  check_sizes("query", query, {query.size(0), batch, features}, site);
  check_sizes("key", key, {key.size(0), batch, apart ? o.k_proj_weight().size(1) : features}, site);
  check_sizes("value", value, {key.size(0), batch, apart ? o.v_proj_weight().size(1) : features},
              site);
  check_sizes("key_padding_mask", o.key_padding_mask(), {batch, steps}, site);
  if (o.key_padding_mask().defined() && o.key_padding_mask().dtype() != kBool) {
    throw DTypeMismatchError(
        str_cat(kName, ": key_padding_mask is ", name_of(o.key_padding_mask().dtype()),
                ", not bool\nhelp: compare it with 0: "
                "key_padding_mask.ne(0)"),
        site);
  }
  if (const Tensor& mask = o.attn_mask(); mask.defined()) {
    std::vector<int64_t> wanted = {query.size(0), steps};
    if (mask.dim() == 3) wanted.insert(wanted.begin(), batch * o.num_heads());
    check_sizes("attn_mask", mask, wanted, site);
  }
  if (o.bias_k().defined() != o.bias_v().defined()) {
    throw Error(str_cat(kName, ": bias_k and bias_v go together"), site);
  }
  if (o.bias_k().defined() && (o.static_k().defined() || o.static_v().defined())) {
    throw Error(str_cat(kName, ": bias_k and bias_v are not added to static keys and values"),
                site);
  }
}

struct Projected {
  Tensor query, key, value;
};

// The inputs by their weights; of one tensor by those of all that it is at once.
Projected project(const Tensor& query, const Tensor& key, const Tensor& value, const Options& o,
                  CallSite site) {
  const int64_t size = o.embed_dim_to_check();
  const auto rows = [&](const Tensor& stacked, int64_t first, int64_t count) {
    return stacked.defined() ? stacked.narrow(0, first * size, count * size, site) : stacked;
  };
  const Tensor& bias = o.in_proj_bias();
  if (o.use_separate_proj_weight()) {
    return {linear(query, o.q_proj_weight(), rows(bias, 0, 1), site),
            linear(key, o.k_proj_weight(), rows(bias, 1, 1), site),
            linear(value, o.v_proj_weight(), rows(bias, 2, 1), site)};
  }
  const auto by = [&](const Tensor& input, int64_t first, int64_t count) {
    return linear(input, rows(o.in_proj_weight(), first, count), rows(bias, first, count), site);
  };
  if (query.is_same(key) && key.is_same(value)) {
    const auto parts = linear(query, o.in_proj_weight(), bias, site).chunk(3, -1, site);
    return {parts[0], parts[1], parts[2]};
  }
  if (key.is_same(value)) {
    const auto parts = by(key, 1, 2).chunk(2, -1, site);
    return {by(query, 0, 1), parts[0], parts[1]};
  }
  return {by(query, 0, 1), by(key, 1, 1), by(value, 2, 1)};
}

// With one more place, or step, along a dimension: zeros of its kind.
Tensor with_zeros(const Tensor& tensor, int64_t dim, CallSite site) {
  if (!tensor.defined()) return tensor;
  std::vector<int64_t> sizes = tensor.sizes().vec();
  sizes[static_cast<size_t>(dim < 0 ? dim + tensor.dim() : dim)] = 1;
  return cat({tensor, zeros(sizes, tensor.options().requires_grad(false), site)}, dim, site);
}

// [steps, batch, features] as [batch * heads, steps, features / heads].
Tensor by_heads(const Tensor& tensor, int64_t heads, CallSite site) {
  const int64_t batch = tensor.size(1);
  return tensor.contiguous(site)
      .view({tensor.size(0), batch * heads, tensor.size(2) / heads}, site)
      .transpose(0, 1, site);
}

}  // namespace

std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query, const Tensor& key,
                                                        const Tensor& value, const Options& o,
                                                        CallSite site) {
  require_defined(query, "query", kName, site);
  require_defined(key, "key", kName, site);
  require_defined(value, "value", kName, site);
  check(query, key, value, o, site);
  const int64_t length = query.size(0), batch = query.size(1), size = o.embed_dim_to_check();
  const int64_t heads = o.num_heads(), head_size = size / heads;

  Projected p = project(query, key, value, o, site);
  p.query = p.query.mul(1 / std::sqrt(static_cast<double>(head_size)), site);
  Tensor hidden_keys = o.key_padding_mask(), mask = o.attn_mask();
  if (o.bias_k().defined()) {
    p.key = cat({p.key, o.bias_k().expand({1, batch, size}, site)}, 0, site);
    p.value = cat({p.value, o.bias_v().expand({1, batch, size}, site)}, 0, site);
    mask = with_zeros(mask, -1, site);
    hidden_keys = with_zeros(hidden_keys, -1, site);
  }
  const Tensor q = by_heads(p.query, heads, site);
  Tensor k = o.static_k().defined() ? o.static_k() : by_heads(p.key, heads, site);
  Tensor v = o.static_v().defined() ? o.static_v() : by_heads(p.value, heads, site);
  if (o.add_zero_attn()) {
    k = with_zeros(k, 1, site);
    v = with_zeros(v, 1, site);
    mask = with_zeros(mask, -1, site);
    hidden_keys = with_zeros(hidden_keys, -1, site);
  }
  const int64_t steps = k.size(1);
  check_sizes("static_k", k, {batch * heads, steps, head_size}, site);
  check_sizes("static_v", v, {batch * heads, steps, head_size}, site);

  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  Tensor weights = q.bmm(k.transpose(1, 2, site), site);
  if (mask.defined()) {
    weights = mask.dtype() == kBool ? weights.masked_fill(mask, kHidden, site)
                                    : weights.add_(mask, 1, site);
  }
  if (hidden_keys.defined()) {
    weights = weights.view({batch, heads, length, steps}, site)
                  .masked_fill(hidden_keys.view({batch, 1, 1, steps}, site), kHidden, site)
                  .view({batch * heads, length, steps}, site);
  }
  weights = dropout(weights.softmax(-1, site), o.dropout_p(), o.training(), site);
  const Tensor joined =
      weights.bmm(v, site).transpose(0, 1, site).contiguous(site).view({length, batch, size}, site);
  Tensor output = linear(joined, o.out_proj_weight(), o.out_proj_bias(), site);
  if (!o.need_weights()) return {output, Tensor()};
  weights = weights.view({batch, heads, length, steps}, site);
  if (o.average_attn_weights()) weights = weights.mean(1, false, site);
  return {output, weights};
}

}  // namespace functional

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& options)
    : options(options),
      _qkv_same_embed_dim(options.kdim() == options.embed_dim() &&
                          options.vdim() == options.embed_dim()) {
  const int64_t size = options.embed_dim();
  if (options.num_heads() <= 0 || size % options.num_heads() != 0) {
    throw ShapeError(str_cat("MultiheadAttention: embed_dim ", size, " is not a multiple of ",
                             options.num_heads(), " heads"),
                     CallSite::none());
  }
  head_dim = size / options.num_heads();
  if (_qkv_same_embed_dim) {
    in_proj_weight = register_parameter("in_proj_weight", make({3 * size, size}));
  } else {
    q_proj_weight = register_parameter("q_proj_weight", make({size, size}));
    k_proj_weight = register_parameter("k_proj_weight", make({size, options.kdim()}));
    v_proj_weight = register_parameter("v_proj_weight", make({size, options.vdim()}));
  }
  if (options.bias()) in_proj_bias = register_parameter("in_proj_bias", make({3 * size}));
  out_proj = register_module("out_proj", Linear(LinearOptions(size, size).bias(options.bias())));
  if (options.add_bias_kv()) {
    bias_k = register_parameter("bias_k", make({1, 1, size}));
    bias_v = register_parameter("bias_v", make({1, 1, size}));
  }
  _reset_parameters();
}

void MultiheadAttentionImpl::_reset_parameters() {
  for (const Tensor& weight : {in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight}) {
    if (weight.defined()) init::xavier_uniform_(weight);
  }
  if (in_proj_bias.defined()) {
    init::zeros_(in_proj_bias);
    init::zeros_(out_proj->bias);
  }
  for (const Tensor& bias : {bias_k, bias_v}) {
    if (bias.defined()) init::xavier_normal_(bias);
  }
}

void MultiheadAttentionImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::MultiheadAttention";
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(
    const Operand& query, const Tensor& key, const Tensor& value, const Tensor& key_padding_mask,
    bool need_weights, const Tensor& attn_mask, bool average_attn_weights) const {
  return functional::multi_head_attention_forward(
      query.tensor, key, value,
      functional::MultiheadAttentionForwardFuncOptions(
          options.embed_dim(), options.num_heads(), in_proj_weight, in_proj_bias, bias_k, bias_v,
          options.add_zero_attn(), options.dropout(), out_proj->weight, out_proj->bias)
          .training(is_training())
          .key_padding_mask(key_padding_mask)
          .need_weights(need_weights)
          .attn_mask(attn_mask)
          .use_separate_proj_weight(!_qkv_same_embed_dim)
          .q_proj_weight(q_proj_weight)
          .k_proj_weight(k_proj_weight)
          .v_proj_weight(v_proj_weight)
          .average_attn_weights(average_attn_weights),
      query.site);
}

}  // namespace tensorlib::nn
