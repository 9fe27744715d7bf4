// What layers with parameters share.
#pragma once

#include "tensorlib/factories.h"
#include "tensorlib/nn.h"

namespace tensorlib::nn {

// A layer's parameters and buffers: made by the library, so that no line of the user's is known for
// them.
inline Tensor make(IntArrayRef sizes, ScalarType type = kFloat) {
  return empty(sizes, type, CallSite::none());
}

// Both of a layer's parameters as PyTorch makes them: uniform within 1/sqrt(inputs of a unit).
void reset_uniform(const Tensor& weight, const Tensor& bias);

// "Net" for a class user::NetImpl: what a person calls it.
std::string short_name(const Module& module);

// How a layer prints a flag.
inline const char* text(bool value) { return value ? "true" : "false"; }

// What a layer returns: the input itself, changed, where that is asked for.
inline Tensor given_back(Tensor& input, Tensor result, bool inplace, CallSite site) {
  return inplace && !result.is_same(input) ? input.copy_(result, false, site) : result;
}

}  // namespace tensorlib::nn
