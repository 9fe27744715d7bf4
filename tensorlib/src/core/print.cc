// Printing: numbers in columns and a footer that names type and shape, as LibTorch prints.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

namespace {

constexpr int64_t kLine = 80;  // characters; longer rows are printed in pieces of columns

// How the numbers of one matrix are written: alike, so that they line up. A width has room for a
// sign.
struct NumberFormat {
  int width = 2;
  int precision = -1;  // -1: as short as it can be
  bool scientific = false;
  double scale = 1;  // that the numbers are divided by
};

// How many digits stand before the point.
int digits_of(double size) {
  return size == 0 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
}

// LibTorch's largest number is the first one's size or a positive number: one far below 0 behind it
// is written in as little room as the others.
NumberFormat format_of(const double* values, int64_t count) {
  double largest = 0, smallest = INFINITY;
  bool integers = true, any = false;
  for (int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) continue;
    integers = integers && values[i] == std::ceil(values[i]);
    largest = any ? std::max(largest, values[i]) : std::fabs(values[i]);
    any = true;
    smallest = std::min(smallest, std::fabs(values[i]));
  }
  const int most = any ? digits_of(largest) : 1, least = any ? digits_of(smallest) : 1;
  if (integers) {
    if (most > 9) return {11, 4, true, 1};
    return {most + 1, -1, false, 1};
  }
  if (most - least > 4) {
    const bool wide = std::abs(most) > 99 || std::abs(least) > 99;
    return {wide ? 12 : 11, 4, true, 1};
  }
  if (most > 5 || most < 0) return {7, 4, false, std::pow(10.0, most - 1)};
  return {most == 0 ? 7 : most + 6, 4, false, 1};
}

void print_number(std::ostream& out, double value, const NumberFormat& format) {
  std::ostringstream text;
  if (format.precision >= 0) {
    text << (format.scientific ? std::scientific : std::fixed)
         << std::setprecision(format.precision);
  }
  text << value / format.scale;
  out << std::setw(format.width) << text.str();
}

void print_scale(std::ostream& out, const NumberFormat& format) {
  if (format.scale == 1) return;
  std::ostringstream text;
  text << std::setprecision(4) << format.scale;
  out << text.str() << " *\n";
}

void print_vector(std::ostream& out, const double* values, int64_t count) {
  const NumberFormat format = format_of(values, count);
  print_scale(out, format);
  for (int64_t i = 0; i < count; ++i) {
    print_number(out, values[i], format);
    out << '\n';
  }
}

void print_matrix(std::ostream& out, const double* values, int64_t rows, int64_t columns,
                  const char* indent) {
  const NumberFormat format = format_of(values, rows * columns);
  const int64_t at_once = std::max<int64_t>(
      1, (kLine - static_cast<int64_t>(std::strlen(indent))) / (format.width + 1));
  for (int64_t first = 0; first < columns; first += at_once) {
    const int64_t last = std::min(columns, first + at_once);
    if (at_once < columns) {
      if (first != 0) out << '\n';
      out << "Columns " << first + 1 << " to " << last << indent;
    }
    if (format.scale != 1 && at_once >= columns) out << indent;
    print_scale(out, format);
    for (int64_t row = 0; row < rows; ++row) {
      // LibTorch's own look: where there is a scale, rows after the first stand one further in.
      out << indent << (row > 0 && format.scale != 1 ? " " : "");
      for (int64_t column = first; column < last; ++column) {
        if (column != first) out << ' ';
        print_number(out, values[row * columns + column], format);
      }
      out << '\n';
    }
  }
}

void print_values(std::ostream& out, const double* values, const Dims& sizes) {
  const int rank = sizes.size();
  if (rank == 0) {
    out << values[0] << '\n';
  } else if (rank == 1) {
    print_vector(out, values, sizes[0]);
  } else if (rank == 2) {
    print_matrix(out, values, sizes[0], sizes[1], "");
  } else {
    const int64_t matrix = sizes[rank - 2] * sizes[rank - 1];
    const int64_t count = product(sizes) / std::max<int64_t>(1, matrix);
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) out << '\n';
      // The first index is the one that counts fastest.
      std::string index;
      int64_t rest = i, at = 0, stride = 1;
      for (int d = rank - 3; d > 0; --d) stride *= sizes[d];
      for (int d = 0; d <= rank - 3; ++d) {
        index += str_cat(rest % sizes[d] + 1, ",");
        at += rest % sizes[d] * stride;
        rest /= sizes[d];
        stride /= d < rank - 3 ? sizes[d + 1] : 1;
      }
      out << '(' << index << ".,.) = \n";
      print_matrix(out, values + at * matrix, sizes[rank - 2], sizes[rank - 1], " ");
    }
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Layout) { return out << "Strided"; }

std::ostream& operator<<(std::ostream& out, const TensorOptions& options) {
  const auto option = [&out](const char* name, const auto& value, bool given) {
    out << name << '=' << value << (given ? "" : " (default)") << ", ";
  };
  const auto text = [](bool value) { return value ? "true" : "false"; };
  out << "TensorOptions(";
  option("dtype", options.dtype(), options.has_dtype());
  option("device", options.device(), options.has_device());
  option("layout", kStrided, options.has_layout());
  option("requires_grad", text(options.requires_grad()), options.has_requires_grad());
  option("pinned_memory", text(options.pinned_memory()), options.has_pinned_memory());
  return out << "memory_format=(nullopt))";
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  if (!tensor.defined()) return out << "[ Tensor (undefined) ]";
  const TensorImpl& impl = *tensor.impl();
  if (impl.numel > 0) {
    const CauseScope cause(TransferCause::kRead);
    const Tensor host = tensor.cpu().to(kDouble).contiguous();
    print_values(out, host.data_ptr<double>(), impl.sizes);
  }
  out << "[ " << tensor.toString() << '{';
  for (int i = 0; i < impl.sizes.size(); ++i) out << (i == 0 ? "" : ",") << impl.sizes[i];
  return out << "} ]";
}

}  // namespace tensorlib
