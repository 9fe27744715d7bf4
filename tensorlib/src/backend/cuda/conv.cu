// Convolution by products: the windows of the images become the columns of matrices. As many images
// at a time as a bounded buffer holds.
#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/vision.cuh"

namespace tensorlib::cuda {

namespace {

constexpr int64_t kBufferBytes = int64_t{256} << 20;

struct Sizes {
  Sizes(ScalarType type, const Conv2dShape& s)
      : element(static_cast<int64_t>(elementSize(type))),
        group_c(s.c / s.groups),
        group_out(s.out_c / s.groups),
        rows(group_c * s.window.kernel[0] * s.window.kernel[1]),
        places(s.out_h * s.out_w) {
    for (int d = 0; d < 2; ++d) {
      is_plain = is_plain && s.window.kernel[d] == 1 && s.window.stride[d] == 1 &&
                 s.window.padding[d] == 0;
    }
  }
  int64_t images_at_once(int64_t elements_each, int64_t n) const {
    return std::clamp<int64_t>(kBufferBytes / (elements_each * element), 1, n);
  }
  char* at(const void* data, int64_t index) const {
    return static_cast<char*>(const_cast<void*>(data)) + index * element;
  }

  int64_t element, group_c, group_out, rows, places;
  bool is_plain = true;  // a 1x1 window: the image is its own column matrix
};

// Memory of one device for the length of a scope; the stream orders its reuse.
class Scratch {
 public:
  Scratch(Allocator& memory, int64_t nbytes)
      : memory_(memory),
        nbytes_(static_cast<size_t>(nbytes)),
        data_(nbytes == 0 ? nullptr : memory.allocate(nbytes_)) {}
  ~Scratch() {
    if (data_ != nullptr) memory_.release(data_, nbytes_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void* data() const { return data_; }

 private:
  Allocator& memory_;
  size_t nbytes_;
  void* data_;
};

// The columns of some images: written to `buffer`, or the images themselves.
const void* columns_of(cudaStream_t on, ScalarType type, const Conv2dShape& s, const Sizes& z,
                       const void* image, int64_t images, void* buffer) {
  if (z.is_plain) return image;
  const auto stream = [on] { return on; };
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(
        images * z.rows * z.places,
        (static_cast<T*>(buffer), static_cast<const T*>(image), images, z.rows, s.c * s.h * s.w,
         s.h, s.w, s.out_h, s.out_w, TENSORLIB_WINDOW_ARGUMENTS(s.window)),
        kernels::columns<T>);
  });
  return buffer;
}

}  // namespace

void CudaBackend::conv2d(ScalarType type, const Conv2dShape& s, void* out, const void* input,
                         const Weight& weight, const void* bias) {
  const DeviceScope scope(device_);
  const Sizes z(type, s);
  if (bias != nullptr) {  // the product is added to it
    Geometry<2> spread;
    spread.ndim = 3;
    spread.numel = s.n * s.out_c * z.places;
    const int64_t sizes[3] = {s.n, s.out_c, z.places};
    const int64_t out_strides[3] = {s.out_c * z.places, z.places, 1}, bias_strides[3] = {0, 1, 0};
    for (int d = 0; d < 3; ++d) {
      spread.sizes[d] = sizes[d];
      spread.strides[0][d] = out_strides[d];
      spread.strides[1][d] = bias_strides[d];
    }
    convert(spread, out, type, bias, type);
  }
  const int64_t at_once = z.is_plain ? s.n : z.images_at_once(z.rows * z.places, s.n);
  const Scratch buffer(*this, z.is_plain ? 0 : at_once * z.rows * z.places * z.element);
  for (int64_t n = 0; n < s.n; n += at_once) {
    const int64_t images = std::min(at_once, s.n - n);
    for (int64_t g = 0; g < s.groups; ++g) {
      const void* const image = z.at(input, (n * s.c + g * z.group_c) * s.h * s.w);
      const void* const columns = columns_of(stream(), type, s, z, image, images, buffer.data());
      const GemmShape product{images,
                              z.group_out,
                              z.places,
                              z.rows,
                              false,
                              false,
                              z.rows,
                              z.places,
                              z.places,
                              0,
                              z.is_plain ? s.c * z.places : z.rows * z.places,
                              s.out_c * z.places,
                              1.0,
                              bias != nullptr ? 1.0 : 0.0};
      gemm(type, product, z.at(out, (n * s.out_c + g * z.group_out) * z.places),
           z.at(weight.data, g * z.group_out * z.rows), columns);
    }
  }
}

void CudaBackend::conv2d_to_input(ScalarType type, const Conv2dShape& s, void* image,
                                  const void* grad, const Weight& weight) {
  const DeviceScope scope(device_);
  const Sizes z(type, s);
  const int64_t at_once = z.is_plain ? s.n : z.images_at_once(z.rows * z.places, s.n);
  const Scratch buffer(*this, z.is_plain ? 0 : at_once * z.rows * z.places * z.element);
  for (int64_t n = 0; n < s.n; n += at_once) {
    const int64_t images = std::min(at_once, s.n - n);
    for (int64_t g = 0; g < s.groups; ++g) {
      void* const target = z.at(image, (n * s.c + g * z.group_c) * s.h * s.w);
      const GemmShape product{images,
                              z.rows,
                              z.places,
                              z.group_out,
                              true,
                              false,
                              z.rows,
                              z.places,
                              z.places,
                              0,
                              s.out_c * z.places,
                              z.is_plain ? s.c * z.places : z.rows * z.places,
                              1.0,
                              0.0};
      gemm(type, product, z.is_plain ? target : buffer.data(),
           z.at(weight.data, g * z.group_out * z.rows),
           z.at(grad, (n * s.out_c + g * z.group_out) * z.places));
      if (z.is_plain) continue;
      dispatch_floating(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        TENSORLIB_LAUNCH(
            images * z.group_c * s.h * s.w,
            (static_cast<T*>(target), static_cast<const T*>(buffer.data()), images, z.group_c,
             s.c * s.h * s.w, s.h, s.w, s.out_h, s.out_w, TENSORLIB_WINDOW_ARGUMENTS(s.window)),
            kernels::image_of_columns<T>);
      });
    }
  }
}

// Each image's share of the gradient first, then their sum: one product of a batch and one
// reduction instead of a product for each image.
void CudaBackend::conv2d_to_weight(ScalarType type, const Conv2dShape& s, void* weight,
                                   const void* grad, const void* input) {
  const DeviceScope scope(device_);
  const Sizes z(type, s);
  const int64_t own = z.group_out * z.rows;
  const int64_t column_elements = z.is_plain ? 0 : z.rows * z.places;
  const int64_t at_once = z.images_at_once(column_elements + own, s.n);
  const Scratch buffer(*this, at_once * column_elements * z.element);
  const Scratch shares(*this, at_once * own * z.element), sum(*this, own * z.element);
  for (int64_t n = 0; n < s.n; n += at_once) {
    const int64_t images = std::min(at_once, s.n - n);
    for (int64_t g = 0; g < s.groups; ++g) {
      const void* const image = z.at(input, (n * s.c + g * z.group_c) * s.h * s.w);
      const void* const columns = columns_of(stream(), type, s, z, image, images, buffer.data());
      const GemmShape product{images,
                              z.group_out,
                              z.rows,
                              z.places,
                              false,
                              true,
                              z.places,
                              z.places,
                              z.rows,
                              s.out_c * z.places,
                              z.is_plain ? s.c * z.places : z.rows * z.places,
                              own,
                              1.0,
                              0.0};
      gemm(type, product, shares.data(), z.at(grad, (n * s.out_c + g * z.group_out) * z.places),
           columns);
      void* const target = z.at(weight, g * own);
      const bool first = n == 0;
      reduce(ReduceOp::sum, type, {1, images, own}, first ? target : sum.data(), shares.data(), 1);
      if (first) continue;
      Geometry<3> flat;
      flat.ndim = 1;
      flat.numel = flat.sizes[0] = own;
      for (auto& strides : flat.strides) strides[0] = 1;
      binary(BinaryOp::add, type, flat, target, {target, {}}, {sum.data(), {}}, 1);
    }
  }
}

}  // namespace tensorlib::cuda
