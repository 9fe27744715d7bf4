// Matrix products: matmul, mm, bmm, addmm, linear. All become one (batched) gemm, which reads a
// transposed view in place.
#include <algorithm>

#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "ops/geometry.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// The last two dimensions as gemm reads them.
struct Matrix {
  Tensor tensor;
  bool transpose = false;
  int64_t ld = 1;
};

Matrix as_matrix(const Tensor& tensor, CallSite site) {
  const TensorImpl& impl = *tensor.impl();
  const int rank = impl.sizes.size();
  const int64_t rows = impl.sizes[rank - 2], columns = impl.sizes[rank - 1];
  const int64_t row_stride = impl.strides[rank - 2], column_stride = impl.strides[rank - 1];
  if ((column_stride == 1 || columns == 1) &&
      (row_stride >= std::max<int64_t>(1, columns) || rows == 1)) {
    return {tensor, false, std::max<int64_t>({row_stride, columns, 1})};
  }
  if ((row_stride == 1 || rows == 1) &&
      (column_stride >= std::max<int64_t>(1, rows) || columns == 1)) {
    return {tensor, true, std::max<int64_t>({column_stride, rows, 1})};
  }
  return {tensor.contiguous(site), false, std::max<int64_t>(1, columns)};
}

// out = alpha * a . b + beta * out; out is contiguous, all are matrices or batches [batch, rows,
// columns].
void gemm_into(const Tensor& out, const Tensor& a, const Tensor& b, double alpha, double beta,
               CallSite site) {
  const TensorImpl& to = *out.impl();
  if (to.numel == 0) return;
  NoGradGuard raw;
  const Matrix left = as_matrix(a, site), right = as_matrix(b, site);
  const bool batched = to.sizes.size() == 3;
  const auto batch_stride = [&](const Matrix& m) {
    return batched ? m.tensor.impl()->strides[0] : int64_t{0};
  };
  const int rank = to.sizes.size();
  GemmShape shape{};
  shape.batch = batched ? to.sizes[0] : 1;
  shape.m = to.sizes[rank - 2];
  shape.n = to.sizes[rank - 1];
  shape.k = a.impl()->sizes[rank - 1];
  shape.transpose_a = left.transpose;
  shape.transpose_b = right.transpose;
  shape.lda = left.ld;
  shape.ldb = right.ld;
  shape.ldc = shape.n;
  shape.stride_a = batch_stride(left);
  shape.stride_b = batch_stride(right);
  shape.stride_c = shape.m * shape.n;
  shape.alpha = alpha;
  shape.beta = beta;
  if (shape.k == 0) {  // an empty sum
    beta == 0 ? out.zero_(site) : out.mul_(beta, site);
    return;
  }
  backend_for(to.storage->device)
      .gemm(to.dtype, shape, to.writable(), left.tensor.impl()->data(),
            right.tensor.impl()->data());
}

void check_operands(const char* name, CallSite site, Arguments arguments) {
  check_same_device(name, site, arguments);
  check_same_dtype(name, site, arguments);
  if (arguments.begin()->tensor.dtype() == kBool) {
    throw DTypeMismatchError(str_cat(name, ": not an operation of bool tensors"), site);
  }
}

void check_all_defined(const char* name, CallSite site, Arguments arguments) {
  for (const Argument& argument : arguments) {
    require_defined(argument.tensor, argument.name, name, site);
  }
  check_operands(name, site, arguments);
}

void check_inner(const char* name, const Tensor& a, const Tensor& b, int64_t inner_a,
                 int64_t inner_b, CallSite site) {
  if (inner_a == inner_b) return;
  throw ShapeError(str_cat(name, ": shapes ", a.sizes(), " and ", b.sizes(),
                           " do not multiply: the inner sizes are ", inner_a, " and ", inner_b),
                   site);
}

// result = a . b, of matrices or batches of them: da = g . b^T, db = a^T . g
Tensor record_product(Tensor result, const char* name, const Tensor& a, const Tensor& b,
                      CallSite site) {
  return recorded(std::move(result), name, site, {&a, &b}, [&] {
    return [=, a = SavedTensor(a), b = SavedTensor(b)](const Tensor& g, Needs needs) {
      Tensors grads(2);
      if (needs(0)) grads[0] = g.matmul(b.get().transpose(-2, -1, site), site);
      if (needs(1)) grads[1] = a.get().transpose(-2, -1, site).matmul(g, site);
      return grads;
    };
  });
}

Tensor matrix_product(const char* name, const Tensor& a, const Tensor& b, CallSite site) {
  check_inner(name, a, b, a.size(1), b.size(0), site);
  Tensor result = allocate_result({a.size(0), b.size(1)}, a.dtype(), a, name, site);
  gemm_into(result, a, b, 1, 0, site);
  return record_product(std::move(result), name, a, b, site);
}

Tensor batch_product(const char* name, const Tensor& a, const Tensor& b, CallSite site) {
  check_inner(name, a, b, a.size(2), b.size(1), site);
  Tensor result = allocate_result({a.size(0), a.size(1), b.size(2)}, a.dtype(), a, name, site);
  gemm_into(result, a, b, 1, 0, site);
  return record_product(std::move(result), name, a, b, site);
}

// matmul of operands of two or more dimensions, one of them a batch.
Tensor batched_matmul(const Tensor& a, const Tensor& b, CallSite site) {
  const Dims& x = a.impl()->sizes;
  const Dims& y = b.impl()->sizes;
  if (y.size() == 2 && a.is_contiguous()) {  // one large product instead of many small ones
    check_inner("matmul", a, b, x.back(), y[0], site);
    Dims sizes = x;
    sizes[sizes.size() - 1] = y[1];
    return matrix_product("matmul",
                          a.view({product(x) / std::max<int64_t>(1, x.back()), x.back()}, site), b,
                          site)
        .view(sizes, site);
  }
  check_inner("matmul", a, b, x.back(), y[y.size() - 2], site);
  const Tensor batch_a = a.select(-1, 0, site).select(-1, 0, site);
  const Tensor batch_b = b.select(-1, 0, site).select(-1, 0, site);
  const Dims batch = broadcast_sizes(batch_a, batch_b, "matmul", site);
  const auto spread = [&](const Tensor& tensor) {
    const Dims& own = tensor.impl()->sizes;
    Dims sizes = batch;
    sizes.push_back(own[own.size() - 2]);
    sizes.push_back(own.back());
    return tensor.expand(sizes, site)
        .reshape({product(batch), own[own.size() - 2], own.back()}, site);
  };
  Dims sizes = batch;
  sizes.push_back(x[x.size() - 2]);
  sizes.push_back(y.back());
  return batch_product("matmul", spread(a), spread(b), site).view(sizes, site);
}

}  // namespace

Tensor Tensor::mm(const Tensor& mat2, CallSite site) const {
  if (const Arguments all = {{"self", *this}, {"mat2", mat2}}; are_apart(all)) {
    const auto o = brought_together("mm", site, all);
    return o[0].mm(o[1], site);
  }
  check_all_defined("mm", site, {{"self", *this}, {"mat2", mat2}});
  check_dim("mm", site, {"self", *this}, 2);
  check_dim("mm", site, {"mat2", mat2}, 2);
  return matrix_product("mm", *this, mat2, site);
}

Tensor Tensor::bmm(const Tensor& mat2, CallSite site) const {
  if (const Arguments all = {{"self", *this}, {"mat2", mat2}}; are_apart(all)) {
    const auto o = brought_together("bmm", site, all);
    return o[0].bmm(o[1], site);
  }
  check_all_defined("bmm", site, {{"self", *this}, {"mat2", mat2}});
  check_dim("bmm", site, {"self", *this}, 3);
  check_dim("bmm", site, {"mat2", mat2}, 3);
  if (size(0) != mat2.size(0)) {
    throw ShapeError(str_cat("bmm: the batches have ", size(0), " and ", mat2.size(0), " matrices"),
                     site);
  }
  return batch_product("bmm", *this, mat2, site);
}

Tensor Tensor::matmul(const Tensor& other, CallSite site) const {
  if (const Arguments all = {{"self", *this}, {"other", other}}; are_apart(all)) {
    const auto o = brought_together("matmul", site, all);
    return o[0].matmul(o[1], site);
  }
  check_all_defined("matmul", site, {{"self", *this}, {"other", other}});
  if (dim() == 0 || other.dim() == 0) {
    throw ShapeError("matmul: both operands must have a dimension at least\nhelp: multiply by *",
                     site);
  }
  if (dim() == 1 && other.dim() == 1) {
    return unsqueeze(0, site).matmul(other.unsqueeze(1, site), site).view({}, site);
  }
  if (dim() == 1) return unsqueeze(0, site).matmul(other, site).squeeze(-2, site);
  if (other.dim() == 1) return matmul(other.unsqueeze(1, site), site).squeeze(-1, site);
  if (dim() == 2 && other.dim() == 2) return matrix_product("matmul", *this, other, site);
  return batched_matmul(*this, other, site);
}

Tensor Tensor::addmm(const Tensor& mat1, const Tensor& mat2, Scalar beta, Scalar alpha,
                     CallSite site) const {
  if (const Arguments all = {{"self", *this}, {"mat1", mat1}, {"mat2", mat2}}; are_apart(all)) {
    const auto o = brought_together("addmm", site, all);
    return o[0].addmm(o[1], o[2], beta, alpha, site);
  }
  check_all_defined("addmm", site, {{"self", *this}, {"mat1", mat1}, {"mat2", mat2}});
  check_dim("addmm", site, {"mat1", mat1}, 2);
  check_dim("addmm", site, {"mat2", mat2}, 2);
  check_inner("addmm", mat1, mat2, mat1.size(1), mat2.size(0), site);
  Tensor result = allocate_result({mat1.size(0), mat2.size(1)}, mat1.dtype(), mat1, "addmm", site);
  {
    NoGradGuard raw;
    result.copy_(*this, false, site);
    gemm_into(result, mat1, mat2, alpha.toDouble(), beta.toDouble(), site);
  }
  return recorded(std::move(result), "addmm", site, {this, &mat1, &mat2}, [&] {
    return [=, sizes = impl_->sizes, a = SavedTensor(mat1), b = SavedTensor(mat2)](const Tensor& g,
                                                                                   Needs needs) {
      Tensors grads(3);
      if (needs(0)) grads[0] = sum_to(g, sizes, site).mul(beta, site);
      if (needs(1)) grads[1] = g.mm(b.get().t(site), site).mul(alpha, site);
      if (needs(2)) grads[2] = a.get().t(site).mm(g, site).mul(alpha, site);
      return grads;
    };
  });
}

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias, CallSite site) {
  require_defined(input, "input", "linear", site);
  require_defined(weight, "weight", "linear", site);
  if (const Arguments all = {{"input", input}, {"weight", weight}, {"bias", bias}};
      are_apart(all)) {
    const auto o = brought_together("linear", site, all);
    return linear(o[0], o[1], o[2], site);
  }
  check_operands("linear", site, {{"input", input}, {"weight", weight}, {"bias", bias}});
  check_dim("linear", site, {"weight", weight}, 2);
  if (input.dim() == 0) throw ShapeError("linear: the input has no dimension", site);
  const int64_t in_features = weight.size(1), out_features = weight.size(0);
  if (input.size(-1) != in_features) {
    throw ShapeError(str_cat("linear: the input's last size is ", input.size(-1), " (its shape is ",
                             input.sizes(), "), the layer takes ", in_features),
                     site);
  }
  Dims sizes = input.impl()->sizes;
  sizes[sizes.size() - 1] = out_features;
  Tensor result = allocate_result(sizes, input.dtype(), input, "linear", site);
  if (result.numel() > 0) {
    NoGradGuard raw;
    if (bias.defined()) result.copy_(bias, false, site);
    gemm_into(result.view({-1, out_features}, site), input.reshape({-1, in_features}, site),
              weight.t(site), 1, bias.defined() ? 1 : 0, site);
  }
  return recorded(std::move(result), "linear", site, {&input, &weight, &bias}, [&] {
    return [=, x = SavedTensor(input), w = SavedTensor(weight)](const Tensor& g, Needs needs) {
      Tensors grads(3);
      if (needs(0)) grads[0] = g.matmul(w.get(), site);
      const Tensor rows = g.reshape({-1, out_features}, site);
      if (needs(1)) {
        grads[1] = rows.t(site).mm(x.get().reshape({-1, in_features}, site), site);
      }
      if (needs(2)) grads[2] = rows.sum(0, false, site);
      return grads;
    };
  });
}

}  // namespace tensorlib
