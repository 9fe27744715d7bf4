// Convolution: oneDNN for float; for other types the image's windows become columns of a matrix,
// and one product with the weights does the rest.
//
// oneDNN's primitives are costly to make, so they are kept by shape. They want their own memory
// layouts ("any"); the reorders in and out are cheaper than convolving plain layouts.
#include <map>
#include <memory>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <tuple>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/parallel.h"
#include "backend/dispatch.h"
#include "kernels/window.h"

namespace tensorlib::cpu {

namespace {

using dnnl::memory;

struct OneDnn {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

OneDnn& onednn() {
  thread_local OneDnn instance;
  return instance;
}

// A convolution of one shape, with what it needs to take plain tensors.
struct Convolution {
  dnnl::convolution_forward::primitive_desc desc;
  dnnl::convolution_forward primitive;
  memory::desc plain_input, plain_weight, plain_output, bias;
  memory input, weight, output;  // in oneDNN's layouts; unused where the plain one is wanted
  std::mutex mutex;              // the buffers above serve one call at a time
};

using ConvKey = std::array<int64_t, 17>;

ConvKey key_of(const Conv2dShape& s, bool has_bias) {
  const Window2d& w = s.window;
  return {s.n,          s.c,          s.h,           s.w,           s.out_c,     s.out_h,
          s.out_w,      s.groups,     w.kernel[0],   w.kernel[1],   w.stride[0], w.stride[1],
          w.padding[0], w.padding[1], w.dilation[0], w.dilation[1], has_bias};
}

std::shared_ptr<Convolution> make_convolution(const Conv2dShape& s, bool has_bias) {
  using tag = memory::format_tag;
  constexpr auto kFloat = memory::data_type::f32;
  const Window2d& w = s.window;
  const memory::dims in{s.n, s.c, s.h, s.w}, out{s.n, s.out_c, s.out_h, s.out_w};
  memory::dims weight{s.out_c, s.c / s.groups, w.kernel[0], w.kernel[1]};
  if (s.groups > 1)
    weight = {s.groups, s.out_c / s.groups, s.c / s.groups, w.kernel[0], w.kernel[1]};
  // Padding at the far end, as much as the output's size asks for.
  const auto far = [&](int d, int64_t size, int64_t out_size) {
    return (out_size - 1) * w.stride[d] + (w.kernel[d] - 1) * w.dilation[d] + 1 - size -
           w.padding[d];
  };
  auto made = std::make_shared<Convolution>();
  made->plain_input = memory::desc(in, kFloat, tag::nchw);
  made->plain_weight = memory::desc(weight, kFloat, s.groups > 1 ? tag::goihw : tag::oihw);
  made->plain_output = memory::desc(out, kFloat, tag::nchw);
  if (has_bias) made->bias = memory::desc({s.out_c}, kFloat, tag::x);
  const dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      memory::desc(in, kFloat, tag::any), memory::desc(weight, kFloat, tag::any), made->bias,
      memory::desc(out, kFloat, tag::any), {w.stride[0], w.stride[1]},
      {w.dilation[0] - 1, w.dilation[1] - 1}, {w.padding[0], w.padding[1]},
      {far(0, s.h, s.out_h), far(1, s.w, s.out_w)});
  const dnnl::engine& engine = onednn().engine;
  made->desc = dnnl::convolution_forward::primitive_desc(desc, engine);
  made->primitive = dnnl::convolution_forward(made->desc);
  const auto buffer = [&](const memory::desc& wanted, const memory::desc& plain) {
    return wanted == plain ? memory() : memory(wanted, engine);
  };
  made->input = buffer(made->desc.src_desc(), made->plain_input);
  made->weight = buffer(made->desc.weights_desc(), made->plain_weight);
  made->output = buffer(made->desc.dst_desc(), made->plain_output);
  return made;
}

// Made convolutions, the least recently made ones dropped.
class ConvolutionCache {
 public:
  std::shared_ptr<Convolution> get(const Conv2dShape& shape, bool has_bias) {
    constexpr size_t kCapacity = 256;
    const std::lock_guard lock(mutex_);
    const ConvKey key = key_of(shape, has_bias);
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
    if (made_.size() == kCapacity) {
      made_.erase(order_.front());
      order_.erase(order_.begin());
    }
    order_.push_back(key);
    return made_[key] = make_convolution(shape, has_bias);
  }

 private:
  std::mutex mutex_;
  std::map<ConvKey, std::shared_ptr<Convolution>> made_;
  std::vector<ConvKey> order_;
};

// The weight in oneDNN's layout: the one that is kept with it, where it is still that.
memory arranged_weight(const Convolution& conv, const Weight& weight, OneDnn& dnn) {
  memory plain(conv.plain_weight, dnn.engine, const_cast<void*>(weight.data));
  const memory::desc wanted = conv.desc.weights_desc();
  if (wanted == conv.plain_weight) return plain;
  const auto arrange = [&](memory target) {
    dnnl::reorder(plain, target).execute(dnn.stream, plain, target);
    return target;
  };
  if (weight.packed == nullptr) return arrange(conv.weight);
  const std::lock_guard lock(weight.packed->mutex);
  auto kept = std::static_pointer_cast<memory>(weight.packed->data);
  if (kept == nullptr || weight.packed->version != weight.version || kept->get_desc() != wanted) {
    // New memory: another thread may still compute with the old one.
    kept = std::make_shared<memory>(arrange(memory(wanted, dnn.engine)));
    weight.packed->data = kept;
    weight.packed->version = weight.version;
  }
  return *kept;
}

void onednn_conv2d(const Conv2dShape& shape, float* out, const float* input, const Weight& weight,
                   const float* bias) {
  static auto* const cache = new ConvolutionCache;
  const auto conv = cache->get(shape, bias != nullptr);
  const std::lock_guard lock(conv->mutex);
  OneDnn& dnn = onednn();
  const auto plain = [&](const memory::desc& desc, const float* data) {
    return memory(desc, dnn.engine, const_cast<float*>(data));
  };
  memory source = plain(conv->plain_input, input), result = plain(conv->plain_output, out);
  if (conv->input) {
    dnnl::reorder(source, conv->input).execute(dnn.stream, source, conv->input);
  }
  std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, conv->input ? conv->input : source},
                                            {DNNL_ARG_WEIGHTS, arranged_weight(*conv, weight, dnn)},
                                            {DNNL_ARG_DST, conv->output ? conv->output : result}};
  if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, plain(conv->bias, bias));
  conv->primitive.execute(dnn.stream, arguments);
  if (conv->output) dnnl::reorder(conv->output, result).execute(dnn.stream, conv->output, result);
  dnn.stream.wait();
}

template <class T>
void column_conv2d(Backend& backend, ScalarType type, const Conv2dShape& s, T* out, const T* input,
                   const T* weight, const T* bias) {
  const int64_t group_c = s.c / s.groups, group_out = s.out_c / s.groups;
  const int64_t rows = group_c * s.window.kernel[0] * s.window.kernel[1];
  const int64_t places = s.out_h * s.out_w;
  std::vector<T> columns(static_cast<size_t>(rows * places));
  const GemmShape product{
      1,      group_out, places, rows, false, false, rows,
      places, places,    0,      0,    0,     1,     bias != nullptr ? 1.0 : 0.0};
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t g = 0; g < s.groups; ++g) {
      const T* image = input + (n * s.c + g * group_c) * s.h * s.w;
      parallel_for(rows, std::max<int64_t>(1, kGrain / places), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          for (int64_t at = 0; at < places; ++at) {
            columns[row * places + at] = kernels::column_element(s, image, row, at);
          }
        }
      });
      T* target = out + (n * s.out_c + g * group_out) * places;
      if (bias != nullptr) {
        for (int64_t c = 0; c < group_out; ++c) {
          std::fill_n(target + c * places, places, bias[g * group_out + c]);
        }
      }
      backend.gemm(type, product, target, weight + g * group_out * rows, columns.data());
    }
  }
}

}  // namespace

void CpuBackend::conv2d(ScalarType type, const Conv2dShape& shape, void* out, const void* input,
                        const Weight& weight, const void* bias) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = static_cast<T*>(out);
    const T* in = static_cast<const T*>(input);
    const T* weights = static_cast<const T*>(weight.data);
    const T* biases = static_cast<const T*>(bias);
    if constexpr (std::is_same_v<T, float>) {
      onednn_conv2d(shape, to, in, weight, biases);
    } else {
      column_conv2d<T>(*this, type, shape, to, in, weights, biases);
    }
  });
}

}  // namespace tensorlib::cpu
