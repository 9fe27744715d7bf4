// oneDNN's primitives are costly to make, so they are kept by shape. They want their own memory
// layouts ("any"); the reorders in and out are cheaper than convolving plain layouts.
#include "backend/cpu/onednn_conv.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "tensorlib/error.h"

namespace tensorlib::cpu {

namespace {

using dnnl::memory;
using Forward = dnnl::convolution_forward;
using ToImage = dnnl::convolution_backward_data;
using ToWeight = dnnl::convolution_backward_weights;

struct OneDnn {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

OneDnn& onednn() {
  thread_local OneDnn instance;
  return instance;
}

// One of a convolution's three tensors: as the library holds it and as oneDNN wants it.
struct Part {
  memory::desc plain, wanted;
  memory buffer;  // in the wanted layout; unused where that is the plain one
  bool is_plain() const { return wanted == plain; }
};

struct Convolution {
  dnnl::primitive primitive;
  Part image, weight, result;
  memory::desc bias;
  std::mutex mutex;  // the buffers serve one call at a time
};

// The arguments that each kind of primitive is made from, in layouts of its choice.
struct Description {
  memory::desc image, weight, result, bias;
  memory::dims stride, dilation, near, far;

  Forward::primitive_desc forward(dnnl::prop_kind kind, const dnnl::engine& engine) const {
    return {{kind, dnnl::algorithm::convolution_direct, image, weight, bias, result, stride,
             dilation, near, far},
            engine};
  }
  template <typename Gradient>
  typename Gradient::primitive_desc gradient(const dnnl::engine& engine) const {
    return {
        {dnnl::algorithm::convolution_direct, image, weight, result, stride, dilation, near, far},
        engine,
        forward(dnnl::prop_kind::forward_training, engine)};
  }
};

Description describe(const Conv2dShape& s, bool has_bias) {
  constexpr auto kFloat = memory::data_type::f32;
  constexpr auto kAny = memory::format_tag::any;
  const Window2d& w = s.window;
  memory::dims weight{s.out_c, s.c / s.groups, w.kernel[0], w.kernel[1]};
  if (s.groups > 1) {
    weight = {s.groups, s.out_c / s.groups, s.c / s.groups, w.kernel[0], w.kernel[1]};
  }
  // Padding at the far end, as much as the output's size asks for.
  const auto far = [&](int d, int64_t size, int64_t out_size) {
    return (out_size - 1) * w.stride[d] + (w.kernel[d] - 1) * w.dilation[d] + 1 - size -
           w.padding[d];
  };
  Description d;
  d.image = memory::desc({s.n, s.c, s.h, s.w}, kFloat, kAny);
  d.weight = memory::desc(weight, kFloat, kAny);
  d.result = memory::desc({s.n, s.out_c, s.out_h, s.out_w}, kFloat, kAny);
  if (has_bias) d.bias = memory::desc({s.out_c}, kFloat, memory::format_tag::x);
  d.stride = {w.stride[0], w.stride[1]};
  d.dilation = {w.dilation[0] - 1, w.dilation[1] - 1};
  d.near = {w.padding[0], w.padding[1]};
  d.far = {far(0, s.h, s.out_h), far(1, s.w, s.out_w)};
  return d;
}

std::shared_ptr<Convolution> make_convolution(ConvWork work, const Conv2dShape& s, bool has_bias) {
  using tag = memory::format_tag;
  const Description d = describe(s, has_bias);
  const dnnl::engine& engine = onednn().engine;
  auto made = std::make_shared<Convolution>();
  const auto take = [&](Part& part, const memory::desc& any, const memory::desc& wanted,
                        tag plain) {
    part.plain = memory::desc(any.dims(), memory::data_type::f32, plain);
    part.wanted = wanted;
    if (!part.is_plain()) part.buffer = memory(wanted, engine);
  };
  const auto take_all = [&](const memory::desc& image, const memory::desc& weight,
                            const memory::desc& result) {
    take(made->image, d.image, image, tag::nchw);
    take(made->weight, d.weight, weight, s.groups > 1 ? tag::goihw : tag::oihw);
    take(made->result, d.result, result, tag::nchw);
  };
  made->bias = d.bias;
  switch (work) {
    case ConvWork::result: {
      // oneDNN's choice for inference is the faster one for one image, and the slower for a batch.
      const auto desc = d.forward(
          s.n == 1 ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training,
          engine);
      take_all(desc.src_desc(), desc.weights_desc(), desc.dst_desc());
      made->primitive = Forward(desc);
      break;
    }
    case ConvWork::to_image: {
      const auto desc = d.gradient<ToImage>(engine);
      take_all(desc.diff_src_desc(), desc.weights_desc(), desc.diff_dst_desc());
      made->primitive = ToImage(desc);
      break;
    }
    case ConvWork::to_weight: {
      const auto desc = d.gradient<ToWeight>(engine);
      take_all(desc.src_desc(), desc.diff_weights_desc(), desc.diff_dst_desc());
      made->primitive = ToWeight(desc);
      break;
    }
  }
  return made;
}

using ConvKey = std::array<int64_t, 18>;

ConvKey key_of(ConvWork work, const Conv2dShape& s, bool has_bias) {
  const Window2d& w = s.window;
  return {s.n,           s.c,          s.h,
          s.w,           s.out_c,      s.out_h,
          s.out_w,       s.groups,     w.kernel[0],
          w.kernel[1],   w.stride[0],  w.stride[1],
          w.padding[0],  w.padding[1], w.dilation[0],
          w.dilation[1], has_bias,     static_cast<int64_t>(work)};
}

// Made convolutions, the least recently made ones dropped.
class ConvolutionCache {
 public:
  std::shared_ptr<Convolution> get(ConvWork work, const Conv2dShape& shape, bool has_bias) {
    constexpr size_t kCapacity = 256;
    const std::lock_guard lock(mutex_);
    const ConvKey key = key_of(work, shape, has_bias);
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
    if (made_.size() == kCapacity) {
      made_.erase(order_.front());
      order_.erase(order_.begin());
    }
    auto made = make_convolution(work, shape, has_bias);
    order_.push_back(key);
    return made_[key] = std::move(made);
  }

 private:
  std::mutex mutex_;
  std::map<ConvKey, std::shared_ptr<Convolution>> made_;
  std::vector<ConvKey> order_;
};

// One call: the tensors in the layouts that the primitive wants.
class Call {
 public:
  explicit Call(Convolution& conv) : conv_(conv) {}

  void give(int argument, const memory& data) { arguments_.emplace(argument, data); }
  memory plain(const memory::desc& desc, const float* data) const {
    return memory(desc, dnn_.engine, const_cast<float*>(data));
  }
  void read(int argument, Part& part, const float* data) {
    memory source = plain(part.plain, data);
    give(argument, part.is_plain() ? source : reorder(source, part.buffer));
  }
  void write(int argument, Part& part, float* data) {
    written_ = &part;
    target_ = plain(part.plain, data);
    give(argument, part.is_plain() ? target_ : part.buffer);
  }
  // The weight in oneDNN's layout: the one that is kept with it, where it is still that.
  void read_weight(Part& part, const Weight& weight) {
    if (part.is_plain() || weight.packed == nullptr) {
      read(DNNL_ARG_WEIGHTS, part, static_cast<const float*>(weight.data));
      return;
    }
    const std::lock_guard lock(weight.packed->mutex);
    auto kept = std::static_pointer_cast<memory>(weight.packed->data);
    if (kept == nullptr || weight.packed->version != weight.version ||
        kept->get_desc() != part.wanted) {
      memory source = plain(part.plain, static_cast<const float*>(weight.data));
      // New memory: another thread may still compute with the old one.
      kept = std::make_shared<memory>(reorder(source, memory(part.wanted, dnn_.engine)));
      weight.packed->data = kept;
      weight.packed->version = weight.version;
    }
    give(DNNL_ARG_WEIGHTS, *kept);
  }
  void run() {
    conv_.primitive.execute(dnn_.stream, arguments_);
    if (!written_->is_plain()) reorder(written_->buffer, target_);
    dnn_.stream.wait();
  }

 private:
  memory reorder(memory from, memory to) {
    dnnl::reorder(from, to).execute(dnn_.stream, from, to);
    return to;
  }

  Convolution& conv_;
  OneDnn& dnn_ = onednn();
  std::unordered_map<int, memory> arguments_;
  Part* written_ = nullptr;
  memory target_;
};

void convolve(ConvWork work, const Conv2dShape& shape, float* image, const Weight& weight,
              float* result, const float* bias) {
  static auto* const cache = new ConvolutionCache;
  const auto conv = cache->get(work, shape, bias != nullptr);
  const std::lock_guard lock(conv->mutex);
  Call call(*conv);
  switch (work) {
    case ConvWork::result:
      call.read(DNNL_ARG_SRC, conv->image, image);
      call.read_weight(conv->weight, weight);
      if (bias != nullptr) call.give(DNNL_ARG_BIAS, call.plain(conv->bias, bias));
      call.write(DNNL_ARG_DST, conv->result, result);
      break;
    case ConvWork::to_image:
      call.read(DNNL_ARG_DIFF_DST, conv->result, result);
      call.read_weight(conv->weight, weight);
      call.write(DNNL_ARG_DIFF_SRC, conv->image, image);
      break;
    case ConvWork::to_weight:
      call.read(DNNL_ARG_SRC, conv->image, image);
      call.read(DNNL_ARG_DIFF_DST, conv->result, result);
      call.write(DNNL_ARG_DIFF_WEIGHTS, conv->weight,
                 static_cast<float*>(const_cast<void*>(weight.data)));
      break;
  }
  call.run();
}

}  // namespace

void onednn_conv2d(ConvWork work, const Conv2dShape& shape, float* image, const Weight& weight,
                   float* result, const float* bias) {
  try {
    convolve(work, shape, image, weight, result, bias);
  } catch (const dnnl::error& error) {
    // Strides, padding and dilations that nobody uses.
    throw Error(
        std::string("convolution: oneDNN cannot do one of this geometry (") + error.what() + ")",
        CallSite::none());
  }
}

}  // namespace tensorlib::cpu
