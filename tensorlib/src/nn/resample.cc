// Layers that change shapes: borders, sizes, the order of elements; and the similarity of vectors.
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

#define TENSORLIB_PADDING(Name, kind)                                                    \
  Tensor Name##Impl::forward(const Tensor& input, CallSite site) const {                 \
    return pad(input, options.padding(), kind, 0, site);                                 \
  }                                                                                      \
  void Name##Impl::pretty_print(std::ostream& out) const {                               \
    out << "tensorlib::nn::" #Name "(padding=" << IntArrayRef(options.padding()) << ")"; \
  }
TENSORLIB_PADDING(ZeroPad2d, kConstant)
TENSORLIB_PADDING(ReflectionPad1d, kReflect)
TENSORLIB_PADDING(ReflectionPad2d, kReflect)
TENSORLIB_PADDING(ReplicationPad1d, kReplicate)
TENSORLIB_PADDING(ReplicationPad2d, kReplicate)
#undef TENSORLIB_PADDING
#define TENSORLIB_CONSTANT_PADDING(Name)                                         \
  Tensor Name##Impl::forward(const Tensor& input, CallSite site) const {         \
    return pad(input, options.padding(), kConstant, options.value(), site);      \
  }                                                                              \
  void Name##Impl::pretty_print(std::ostream& out) const {                       \
    out << "tensorlib::nn::" #Name "(padding=" << IntArrayRef(options.padding()) \
        << ", value=" << options.value() << ")";                                 \
  }
TENSORLIB_CONSTANT_PADDING(ConstantPad1d)
TENSORLIB_CONSTANT_PADDING(ConstantPad2d)
#undef TENSORLIB_CONSTANT_PADDING

Tensor UpsampleImpl::forward(const Tensor& input, CallSite site) const {
  return interpolate(input, options.size(), options.scale_factor(), options.mode(),
                     options.align_corners(), std::nullopt, site);
}
void UpsampleImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Upsample(";
  if (options.scale_factor()) {
    out << "scale_factor=" << ArrayRef<double>(*options.scale_factor());
  } else if (options.size()) {
    out << "size=" << IntArrayRef(*options.size());
  }
  out << ", mode=" << name_of(static_cast<ResizeMode>(options.mode())) << ")";
}
Tensor PixelShuffleImpl::forward(const Tensor& input, CallSite site) const {
  return pixel_shuffle(input, options.upscale_factor(), site);
}
void PixelShuffleImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::PixelShuffle(upscale_factor=" << options.upscale_factor() << ")";
}
Tensor UnflattenImpl::forward(const Tensor& input, CallSite site) const {
  require_defined(input, "input", "Unflatten", site);
  const int64_t d = wrap_dim(options.dim(), input.dim(), "Unflatten", site);
  std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().begin() + d);
  sizes.insert(sizes.end(), options.sizes().begin(), options.sizes().end());
  if (input.dim() > 0) {
    sizes.insert(sizes.end(), input.sizes().begin() + d + 1, input.sizes().end());
  }
  return input.reshape(sizes, site);
}
void UnflattenImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Unflatten(dim=" << options.dim() << ", unflattened_size={";
  for (size_t i = 0; i < options.sizes().size(); ++i) {
    out << (i > 0 ? ", " : "") << options.sizes()[i];
  }
  out << "})";
}
Tensor CosineSimilarityImpl::forward(const Tensor& x1, const Tensor& x2, CallSite site) const {
  return cosine_similarity(x1, x2, options.dim(), options.eps(), site);
}
void CosineSimilarityImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::CosineSimilarity(dim=" << options.dim() << ", eps=" << options.eps()
      << ")";
}

}  // namespace tensorlib::nn
