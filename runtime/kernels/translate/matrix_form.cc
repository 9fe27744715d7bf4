#include "kernels/translate/matrix_form.h"

#include <algorithm>

namespace xfer::kernels {
namespace {

constexpr MatrixShape kMatrixShapes[] = {
    {"m8n8k4", 8, 8, 4, 64, true, true},       {"m16n8k4", 16, 8, 4, 64, true, false},
    {"m16n8k8", 16, 8, 8, 64, true, false},    {"m16n8k16", 16, 8, 16, 64, true, false},
    {"m16n8k4", 16, 8, 4, 32, true, false},    {"m16n8k8", 16, 8, 8, 32, true, false},
    {"m16n16k8", 16, 16, 8, 32, false, true},  {"m16n8k8", 16, 8, 8, 16, true, false},
    {"m16n8k16", 16, 8, 16, 16, true, false},  {"m16n16k16", 16, 16, 16, 16, false, true},
    {"m8n32k16", 8, 32, 16, 16, false, true},  {"m32n8k16", 32, 8, 16, 16, false, true},
    {"m8n8k16", 8, 8, 16, 8, true, false},     {"m16n8k16", 16, 8, 16, 8, true, false},
    {"m16n8k32", 16, 8, 32, 8, true, false},   {"m16n16k16", 16, 16, 16, 8, false, true},
    {"m8n32k16", 8, 32, 16, 8, false, true},   {"m32n8k16", 32, 8, 16, 8, false, true},
    {"m8n8k32", 8, 8, 32, 4, true, true},      {"m16n8k32", 16, 8, 32, 4, true, false},
    {"m16n8k64", 16, 8, 64, 4, true, false},   {"m8n8k128", 8, 8, 128, 1, true, true},
    {"m16n8k128", 16, 8, 128, 1, true, false}, {"m16n8k256", 16, 8, 256, 1, true, false},
};

}  // namespace

const MatrixShape& matrix_shape(const Form& form, unsigned bits) {
  const bool wmma = form.instruction().operation == "wmma";
  const auto found = std::ranges::find_if(kMatrixShapes, [&](const MatrixShape& shape) {
    return (wmma ? shape.wmma : shape.mma) && (bits == 0 || shape.bits == bits) &&
           form.has(shape.name);
  });
  if (found == std::end(kMatrixShapes)) form.refuse("cannot be run");
  return *found;
}

std::vector<matrix::Element> matrix_elements(const Form& form) {
  std::vector<matrix::Element> elements;
  for (const std::string_view modifier : form.instruction().modifiers) {
    const auto found =
        std::ranges::find(matrix::kElementKinds, modifier, &matrix::ElementKind::name);
    if (found != std::end(matrix::kElementKinds))
      elements.push_back(static_cast<matrix::Element>(found - std::begin(matrix::kElementKinds)));
  }
  return elements;
}

}  // namespace xfer::kernels
