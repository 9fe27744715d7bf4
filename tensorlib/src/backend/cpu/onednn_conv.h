// Convolution of float images by oneDNN, and its two gradients.
#pragma once

#include "backend/backend.h"

namespace tensorlib::cpu {

enum class ConvWork {
  result,    // from image and weight
  to_image,  // its transposed: from result and weight
  to_weight  // the weight's gradient: from image and result
};

// Computes the one that `work` names from the other two; `bias` (may be null) is of
// ConvWork::result.
void onednn_conv2d(ConvWork work, const Conv2dShape& shape, float* image, const Weight& weight,
                   float* result, const float* bias);

}  // namespace tensorlib::cpu
