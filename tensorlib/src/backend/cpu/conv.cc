// Convolution: oneDNN for float; for other types the image's windows become columns of a matrix,
// and products with the weights do the rest.
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/onednn_conv.h"
#include "backend/cpu/parallel.h"
#include "backend/dispatch.h"
#include "kernels/window.h"

namespace tensorlib::cpu {

namespace {

// One group of one image at a time.
template <class T>
class ColumnConvolution {
 public:
  ColumnConvolution(Backend& backend, ScalarType type, const Conv2dShape& shape)
      : backend_(backend),
        type_(type),
        s_(shape),
        group_c_(s_.c / s_.groups),
        group_out_(s_.out_c / s_.groups),
        rows_(group_c_ * s_.window.kernel[0] * s_.window.kernel[1]),
        places_(s_.out_h * s_.out_w),
        columns_(static_cast<size_t>(rows_ * places_)) {}

  void result(T* out, const T* input, const T* weight, const T* bias) {
    for_each_group([&](int64_t n, int64_t g) {
      fill_columns(input + image_at(n, g));
      T* const target = out + result_at(n, g);
      if (bias != nullptr) {
        for (int64_t c = 0; c < group_out_; ++c) {
          std::fill_n(target + c * places_, places_, bias[g * group_out_ + c]);
        }
      }
      product(target, weight + weight_at(g), columns_.data(), group_out_, places_, rows_, false,
              false, bias != nullptr);
    });
  }

  void to_image(T* image, const T* grad, const T* weight) {
    for_each_group([&](int64_t n, int64_t g) {
      product(columns_.data(), weight + weight_at(g), grad + result_at(n, g), rows_, places_,
              group_out_, true, false, false);
      T* const target = image + image_at(n, g);
      parallel_for(group_c_ * s_.h, std::max<int64_t>(1, kGrain / (s_.w * 8)),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t row = begin; row < end; ++row) {
                       for (int64_t x = 0; x < s_.w; ++x) {
                         target[row * s_.w + x] = kernels::sum_of_columns(
                             s_, columns_.data(), row / s_.h, row % s_.h, x);
                       }
                     }
                   });
    });
  }

  void to_weight(T* weight, const T* grad, const T* input) {
    for_each_group([&](int64_t n, int64_t g) {
      fill_columns(input + image_at(n, g));
      product(weight + weight_at(g), grad + result_at(n, g), columns_.data(), group_out_, rows_,
              places_, false, true, n > 0);
    });
  }

 private:
  int64_t image_at(int64_t n, int64_t g) const { return (n * s_.c + g * group_c_) * s_.h * s_.w; }
  int64_t result_at(int64_t n, int64_t g) const {
    return (n * s_.out_c + g * group_out_) * places_;
  }
  int64_t weight_at(int64_t g) const { return g * group_out_ * rows_; }

  template <class F>
  void for_each_group(const F& f) {
    for (int64_t n = 0; n < s_.n; ++n) {
      for (int64_t g = 0; g < s_.groups; ++g) f(n, g);
    }
  }

  void fill_columns(const T* image) {
    parallel_for(rows_, std::max<int64_t>(1, kGrain / places_), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        for (int64_t at = 0; at < places_; ++at) {
          columns_[row * places_ + at] = kernels::column_element(s_, image, row, at);
        }
      }
    });
  }

  // c[m, n] (+)= a[m, k] . b[k, n], the operands transposed where said.
  void product(T* c, const T* a, const T* b, int64_t m, int64_t n, int64_t k, bool transpose_a,
               bool transpose_b, bool add) {
    const GemmShape shape{
        1, m, n, k, transpose_a, transpose_b,    transpose_a ? m : k, transpose_b ? k : n,
        n, 0, 0, 0, 1.0,         add ? 1.0 : 0.0};
    backend_.gemm(type_, shape, c, a, b);
  }

  Backend& backend_;
  ScalarType type_;
  const Conv2dShape& s_;
  int64_t group_c_, group_out_, rows_, places_;
  std::vector<T> columns_;
};

}  // namespace

void CpuBackend::conv2d(ScalarType type, const Conv2dShape& shape, void* out, const void* input,
                        const Weight& weight, const void* bias) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* const to = static_cast<T*>(out);
    const T* const in = static_cast<const T*>(input);
    if constexpr (std::is_same_v<T, float>) {
      onednn_conv2d(ConvWork::result, shape, const_cast<float*>(in), weight, to,
                    static_cast<const float*>(bias));
    } else {
      ColumnConvolution<T>(*this, type, shape)
          .result(to, in, static_cast<const T*>(weight.data), static_cast<const T*>(bias));
    }
  });
}

void CpuBackend::conv2d_to_input(ScalarType type, const Conv2dShape& shape, void* image,
                                 const void* grad, const Weight& weight) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* const to = static_cast<T*>(image);
    const T* const from = static_cast<const T*>(grad);
    if constexpr (std::is_same_v<T, float>) {
      onednn_conv2d(ConvWork::to_image, shape, to, weight, const_cast<float*>(from), nullptr);
    } else {
      ColumnConvolution<T>(*this, type, shape)
          .to_image(to, from, static_cast<const T*>(weight.data));
    }
  });
}

void CpuBackend::conv2d_to_weight(ScalarType type, const Conv2dShape& shape, void* weight,
                                  const void* grad, const void* input) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* const from = static_cast<const T*>(grad);
    const T* const in = static_cast<const T*>(input);
    if constexpr (std::is_same_v<T, float>) {
      onednn_conv2d(ConvWork::to_weight, shape, const_cast<float*>(in), Weight{weight, 0, nullptr},
                    const_cast<float*>(from), nullptr);
    } else {
      ColumnConvolution<T>(*this, type, shape).to_weight(static_cast<T*>(weight), from, in);
    }
  });
}

}  // namespace tensorlib::cpu
