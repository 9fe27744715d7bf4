// Rules of element-wise operations of several operands: types, and numbers among tensors.
#pragma once

#include "autograd/elementwise.h"

namespace tensorlib {

using Side = BinarySide;

// The type in which the operation computes: numbers change it only to a higher category.
ScalarType common_type(const Side& a, const Side& b);
// A CPU tensor without dimensions that meets a CUDA tensor becomes a number; other mixes are
// errors.
void check_sides(const char* name, Side& a, Side& b, CallSite site);

}  // namespace tensorlib
