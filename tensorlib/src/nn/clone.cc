// The layers' clone(): each is made from its options, and takes the values.
#include "tensorlib/nn.h"

namespace tensorlib::nn {

namespace {

// A buffer that options hold is another tensor in the copy.
Tensor own(const Tensor& tensor) { return tensor.defined() ? tensor.clone() : tensor; }

}  // namespace

#define TENSORLIB_COPY(Name, ...)                                                        \
  std::shared_ptr<Module> Name##Impl::clone(const std::optional<Device>& device) const { \
    return clone_as(std::make_shared<Name##Impl>(__VA_ARGS__), device);                  \
  }
TENSORLIB_COPY(ReLU, options)
TENSORLIB_COPY(LeakyReLU, options)
TENSORLIB_COPY(Softmax, options)
TENSORLIB_COPY(LogSoftmax, options)
TENSORLIB_COPY(Dropout, options)
TENSORLIB_COPY(Dropout2d, options)
TENSORLIB_COPY(MaxPool2d, options)
TENSORLIB_COPY(AvgPool2d, options)
TENSORLIB_COPY(AdaptiveAvgPool2d, options)
TENSORLIB_COPY(LayerNorm, options)
TENSORLIB_COPY(Embedding, options)
TENSORLIB_COPY(Linear, options)
TENSORLIB_COPY(Flatten, options)
TENSORLIB_COPY(ELU, options)
TENSORLIB_COPY(SELU, options)
TENSORLIB_COPY(ReLU6, options)
TENSORLIB_COPY(Hardtanh, options)
TENSORLIB_COPY(Softplus, options)
TENSORLIB_COPY(PReLU, options)
TENSORLIB_COPY(GLU, options)
TENSORLIB_COPY(MaxPool1d, options)
TENSORLIB_COPY(AvgPool1d, options)
TENSORLIB_COPY(AdaptiveAvgPool1d, options)
TENSORLIB_COPY(AdaptiveMaxPool2d, options)
TENSORLIB_COPY(GroupNorm, options)
TENSORLIB_COPY(InstanceNorm1d, options)
TENSORLIB_COPY(InstanceNorm2d, options)
TENSORLIB_COPY(LocalResponseNorm, options)
TENSORLIB_COPY(PixelShuffle, options)
TENSORLIB_COPY(Upsample, options)
TENSORLIB_COPY(CosineSimilarity, options)
TENSORLIB_COPY(ZeroPad2d, options)
TENSORLIB_COPY(ConstantPad1d, options)
TENSORLIB_COPY(ConstantPad2d, options)
TENSORLIB_COPY(ReflectionPad1d, options)
TENSORLIB_COPY(ReflectionPad2d, options)
TENSORLIB_COPY(ReplicationPad1d, options)
TENSORLIB_COPY(ReplicationPad2d, options)
TENSORLIB_COPY(Unflatten, options)
TENSORLIB_COPY(MultiheadAttention, options)
TENSORLIB_COPY(TransformerEncoderLayer, options)
TENSORLIB_COPY(TransformerDecoderLayer, options)
TENSORLIB_COPY(RNN, options)
TENSORLIB_COPY(LSTM, options)
TENSORLIB_COPY(GRU, options)
TENSORLIB_COPY(RNNCell, options)
TENSORLIB_COPY(LSTMCell, options)
TENSORLIB_COPY(GRUCell, options)
TENSORLIB_COPY(Conv1d, options)
TENSORLIB_COPY(Conv2d, options)
TENSORLIB_COPY(ConvTranspose2d, options)
TENSORLIB_COPY(BatchNorm1d, options)
TENSORLIB_COPY(BatchNorm2d, options)
TENSORLIB_COPY(MSELoss, options)
TENSORLIB_COPY(L1Loss, options)
TENSORLIB_COPY(SmoothL1Loss, options)
TENSORLIB_COPY(HuberLoss, options)
TENSORLIB_COPY(KLDivLoss, options)
TENSORLIB_COPY(NLLLoss, NLLLossOptions(options).weight(own(options.weight())))
TENSORLIB_COPY(CrossEntropyLoss, CrossEntropyLossOptions(options).weight(own(options.weight())))
TENSORLIB_COPY(BCELoss, BCELossOptions(options).weight(own(options.weight())))
TENSORLIB_COPY(BCEWithLogitsLoss, BCEWithLogitsLossOptions(options)
                                      .weight(own(options.weight()))
                                      .pos_weight(own(options.pos_weight())))
TENSORLIB_COPY(Sigmoid)
TENSORLIB_COPY(Tanh)
TENSORLIB_COPY(GELU, options)
TENSORLIB_COPY(SiLU)
TENSORLIB_COPY(LogSigmoid)
TENSORLIB_COPY(Mish)
TENSORLIB_COPY(Identity)
TENSORLIB_COPY(Functional, *this)
#undef TENSORLIB_COPY

}  // namespace tensorlib::nn
