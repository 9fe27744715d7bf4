// Initial values of parameters, in place.
#pragma once

#include "tensorlib/tensor.h"

namespace tensorlib {

namespace nn::init {
// Which side of a weight the variance is kept on, and what comes behind the layer.
enum class FanMode { In, Out };
enum class Nonlinearity {
  Linear,
  Conv1D,
  Conv2D,
  ConvTranspose2D,
  Sigmoid,
  Tanh,
  ReLU,
  LeakyReLU,
};
}  // namespace nn::init

constexpr nn::init::FanMode kFanIn = nn::init::FanMode::In;
constexpr nn::init::FanMode kFanOut = nn::init::FanMode::Out;
constexpr nn::init::Nonlinearity kLinear = nn::init::Nonlinearity::Linear;
constexpr nn::init::Nonlinearity kConv1D = nn::init::Nonlinearity::Conv1D;
constexpr nn::init::Nonlinearity kConv2D = nn::init::Nonlinearity::Conv2D;
constexpr nn::init::Nonlinearity kConvTranspose2D = nn::init::Nonlinearity::ConvTranspose2D;
constexpr nn::init::Nonlinearity kSigmoid = nn::init::Nonlinearity::Sigmoid;
constexpr nn::init::Nonlinearity kTanh = nn::init::Nonlinearity::Tanh;
constexpr nn::init::Nonlinearity kReLU = nn::init::Nonlinearity::ReLU;
constexpr nn::init::Nonlinearity kLeakyReLU = nn::init::Nonlinearity::LeakyReLU;

}  // namespace tensorlib

namespace tensorlib::nn::init {

// The factor of a layer's standard deviation that keeps that of its output; `param` is the slope
// of a leaky ReLU.
TENSORLIB_API double calculate_gain(Nonlinearity nonlinearity, double param = 0.01);

TENSORLIB_API Tensor uniform_(Tensor tensor, double low = 0, double high = 1,
                              CallSite site = CallSite::current());
TENSORLIB_API Tensor normal_(Tensor tensor, double mean = 0, double std = 1,
                             CallSite site = CallSite::current());
TENSORLIB_API Tensor constant_(Tensor tensor, Scalar value, CallSite site = CallSite::current());
TENSORLIB_API Tensor zeros_(Tensor tensor, CallSite site = CallSite::current());
TENSORLIB_API Tensor ones_(Tensor tensor, CallSite site = CallSite::current());
// He's initialisation, by the number of inputs (or outputs) and for what follows the layer: by
// default a leaky ReLU of slope `a`.
TENSORLIB_API Tensor kaiming_uniform_(Tensor tensor, double a = 0, FanMode mode = kFanIn,
                                      Nonlinearity nonlinearity = kLeakyReLU,
                                      CallSite site = CallSite::current());
TENSORLIB_API Tensor kaiming_normal_(Tensor tensor, double a = 0, FanMode mode = kFanIn,
                                     Nonlinearity nonlinearity = kLeakyReLU,
                                     CallSite site = CallSite::current());
// Glorot's, by the number of inputs and outputs.
TENSORLIB_API Tensor xavier_normal_(Tensor tensor, double gain = 1,
                                    CallSite site = CallSite::current());
TENSORLIB_API Tensor xavier_uniform_(Tensor tensor, double gain = 1,
                                     CallSite site = CallSite::current());
// Rows (or columns, of a wide matrix) at right angles to each other and `gain` long; made on the
// CPU. Dimensions behind the first count as one.
TENSORLIB_API Tensor orthogonal_(Tensor tensor, double gain = 1,
                                 CallSite site = CallSite::current());

}  // namespace tensorlib::nn::init
