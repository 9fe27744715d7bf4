// Printing: numbers in columns and a footer that names type and shape, as LibTorch prints.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

namespace {

// How the numbers of one tensor are written: alike, so that they line up.
struct NumberFormat {
  int width = 1;
  int precision = 0;
  bool scientific = false;
};

NumberFormat format_of(const double* values, int64_t count) {
  double largest = 0, smallest = INFINITY;
  bool integers = true, negative = false;
  for (int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) continue;
    const double size = std::fabs(values[i]);
    negative = negative || std::signbit(values[i]);
    integers = integers && values[i] == std::ceil(values[i]);
    largest = std::max(largest, size);
    if (size > 0) smallest = std::min(smallest, size);
  }
  const int digits = largest >= 1 ? static_cast<int>(std::floor(std::log10(largest))) + 1 : 1;
  NumberFormat format;
  if (integers && digits <= 15) {
    format.width = digits + (negative ? 1 : 0);
  } else if (digits > 5 || (smallest < INFINITY && largest < 1e-3)) {
    format = {11, 4, true};
  } else {
    format.width = digits + 5 + (negative ? 1 : 0);
    format.precision = 4;
  }
  return format;
}

void print_number(std::ostream& out, double value, const NumberFormat& format) {
  std::ostringstream text;
  text << (format.scientific ? std::scientific : std::fixed) << std::setprecision(format.precision)
       << value;
  out << std::setw(format.width) << text.str();
}

void print_matrix(std::ostream& out, const double* values, int64_t rows, int64_t columns) {
  const NumberFormat format = format_of(values, rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      out << (column == 0 ? " " : "  ");
      print_number(out, values[row * columns + column], format);
    }
    out << '\n';
  }
}

void print_values(std::ostream& out, const double* values, const Dims& sizes) {
  const int rank = sizes.size();
  if (rank == 0) {
    out << values[0] << '\n';
  } else if (rank == 1) {
    print_matrix(out, values, sizes[0], 1);
  } else if (rank == 2) {
    print_matrix(out, values, sizes[0], sizes[1]);
  } else {
    const int64_t matrix = sizes[rank - 2] * sizes[rank - 1];
    const int64_t count = product(sizes) / std::max<int64_t>(1, matrix);
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) out << '\n';
      std::string index;
      int64_t rest = i;
      for (int d = rank - 3; d >= 0; --d) {
        index = str_cat(rest % sizes[d] + 1, ",", index);
        rest /= sizes[d];
      }
      out << '(' << index << ".,.) = \n";
      print_matrix(out, values + i * matrix, sizes[rank - 2], sizes[rank - 1]);
    }
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  if (!tensor.defined()) return out << "[ Tensor (undefined) ]";
  const TensorImpl& impl = *tensor.impl();
  if (impl.numel > 0) {
    const Tensor host = tensor.cpu().to(kDouble).contiguous();
    print_values(out, host.data_ptr<double>(), impl.sizes);
  }
  out << "[ " << tensor.toString() << '{';
  for (int i = 0; i < impl.sizes.size(); ++i) out << (i == 0 ? "" : ",") << impl.sizes[i];
  return out << "} ]";
}

}  // namespace tensorlib
