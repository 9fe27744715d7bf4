#include "torch/way.h"

#include <algorithm>
#include <array>

namespace xfer::emulated_torch {
namespace {

using Names = std::string_view;

constexpr std::array<Names, 25> kAsItIs = {
    "aten::view",
    "aten::as_strided",
    "aten::as_strided_",
    "aten::_reshape_alias",
    "aten::unfold",
    "aten::resize_",
    "aten::resize_as_",
    "aten::empty.memory_format",
    "aten::empty_strided",
    "aten::_local_scalar_dense",
    "aten::set_.source_Storage",
    "aten::set_.source_Storage_storage_offset",
    "aten::set_.source_Tensor",
    "aten::set_",
    "aten::is_set_to",
    "aten::cudnn_is_acceptable",
    "aten::view_as_real",
    "aten::view_as_complex",
    "aten::_efficientzerotensor",
    "aten::record_stream",
    "aten::_pin_memory",
    "aten::_nested_view_from_buffer",
    "aten::_copy_from",
    "aten::_copy_from_and_resize",
    "aten::_cudnn_init_dropout_state",
};

constexpr std::array<Names, 22> kDownload = {
    "aten::isin.Tensor_Tensor",
    "aten::isin.Tensor_Tensor_out",
    "aten::isin.Tensor_Scalar",
    "aten::isin.Scalar_Tensor",
    "aten::equal",
    "aten::nonzero",
    "aten::nonzero.out",
    "aten::masked_select",
    "aten::masked_select.out",
    "aten::_unique",
    "aten::_unique2",
    "aten::unique_dim",
    "aten::unique_consecutive",
    "aten::unique_dim_consecutive",
    "aten::bincount",
    "aten::repeat_interleave.Tensor",
    "aten::histogram.bin_ct",
    "aten::histc",
    "aten::histc.out",
    "aten::_ctc_loss.Tensor",
    "torchvision::nms",
    "aten::_segment_reduce_backward",
};

constexpr std::array<Names, 25> kDrawing = {
    "aten::bernoulli",
    "aten::normal",
    "aten::uniform",
    "aten::random_",
    "aten::rand",
    "aten::multinomial",
    "aten::poisson",
    "aten::binomial",
    "aten::cauchy",
    "aten::exponential",
    "aten::geometric",
    "aten::log_normal",
    "aten::native_dropout",
    "aten::_fused_dropout",
    "aten::rrelu_with_noise",
    "aten::_sample_dirichlet",
    "aten::_standard_gamma",
    "aten::fractional_max_pool",
    "aten::randperm",
    "aten::randint",
    "aten::randn",
    "aten::alpha_dropout",
    "aten::feature_dropout",
    "aten::dropout",
    "aten::_scaled_dot_product_",
};

constexpr std::array<Names, 16> kInsteadPrefixes = {"aten::linalg_",
                                                    "aten::_linalg",
                                                    "aten::_fft",
                                                    "aten::lu_",
                                                    "aten::cholesky",
                                                    "aten::_cholesky",
                                                    "aten::triangular_solve",
                                                    "aten::ormqr",
                                                    "aten::geqrf",
                                                    "aten::_lu_",
                                                    "aten::lstsq",
                                                    "aten::_lstsq",
                                                    "aten::orgqr",
                                                    "aten::_to_sparse",
                                                    "aten::_nested_",
                                                    "aten::_validate_compressed"};

// The rest of what sparse and nested tensors have calls these, or operators on their dense parts.
constexpr std::array<Names, 44> kOfParts = {
    "aten::_coalesce",
    "aten::_sparse_broadcast_to",
    "aten::_sparse_log_softmax",
    "aten::_sparse_log_softmax_backward_data",
    "aten::_sparse_softmax",
    "aten::_sparse_softmax_backward_data",
    "aten::_sparse_mask_projection",
    "aten::_sparse_sparse_matmul",
    "aten::_sparse_sum_backward",
    "aten::_sparse_csr_prod",
    "aten::_sparse_csr_sum",
    "aten::_spsolve",
    "aten::_to_dense",
    "aten::_to_sparse",
    "aten::_to_sparse_bsc",
    "aten::_to_sparse_bsr",
    "aten::_to_sparse_csc",
    "aten::_to_sparse_csr",
    "aten::add",
    "aten::add_",
    "aten::addmm",
    "aten::addmm_",
    "aten::addmv",
    "aten::baddbmm",
    "aten::bmm",
    "aten::hspmm",
    "aten::index_select",
    "aten::matmul",
    "aten::mm",
    "aten::mul",
    "aten::mul_",
    "aten::native_layer_norm",
    "aten::native_layer_norm_backward",
    "aten::sparse_mask",
    "aten::sparse_sampled_addmm",
    "aten::sspaddmm",
    "aten::sum",
    "aten::_softmax",
    "aten::_softmax_backward_data",
    "aten::to_padded_tensor",
    "aten::triangular_solve",
    "aten::_native_multi_head_attention",
    "aten::_transform_bias_rescale_qkv",
    "aten::_transformer_encoder_layer_fwd",
};

template <std::size_t kCount>
bool is_in(const std::array<Names, kCount>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Way way_of(std::string_view name) {
  if (name == "aten::copy_") return Way::kCopy;
  if (is_in(kAsItIs, name) || name.starts_with("aten::_use_")) return Way::kAsItIs;
  if (is_in(kDownload, name)) return Way::kDownload;
  if (name == "aten::index.Tensor") return Way::kIndex;
  if (name == "aten::convolution" || name == "aten::convolution_backward") return Way::kConvolution;
  const auto begins_as = [&](std::string_view prefix) { return name.starts_with(prefix); };
  if (std::ranges::any_of(kInsteadPrefixes, begins_as)) return Way::kInstead;
  const bool draws = std::ranges::any_of(kDrawing, begins_as);
  const bool is_backward = name.find("backward") != std::string_view::npos;
  return draws && !is_backward ? Way::kAtOnce : Way::kBeside;
}

bool is_computed_of_parts(std::string_view name) { return is_in(kOfParts, name); }

bool is_of_missing_library(std::string_view error) {
  constexpr std::array<Names, 9> kSigns = {"not supported", "NOT_SUPPORTED", "NOT_INITIALIZED",
                                           "CUSOLVER",      "cusolver",      "CUFFT",
                                           "cuFFT",         "CUSPARSE",      "MAGMA"};
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return error.find(sign) != std::string_view::npos; });
}

}  // namespace xfer::emulated_torch
