#pragma once
// The meaning of the modifiers of mma and wmma.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/matrix/element.h"
#include "kernels/translate/form.h"

namespace xfer::kernels {

struct MatrixShape {
  std::string_view name;
  std::uint8_t m = 0;
  std::uint8_t n = 0;
  std::uint16_t k = 0;
  std::uint8_t bits = 0;  ///< of the elements of A and B
  bool mma = false;
  bool wmma = false;
};

/// The shape that an instruction names, for elements of so many bits; 0: of any, where only m and n
/// count. Refuses one that cannot be run.
const MatrixShape& matrix_shape(const Form& form, unsigned bits);

/// The types of elements, in the order in which they are written.
std::vector<matrix::Element> matrix_elements(const Form& form);

}  // namespace xfer::kernels
