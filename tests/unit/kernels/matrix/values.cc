#include "unit/kernels/matrix/values.h"

#include <bit>
#include <map>
#include <stdexcept>

#include "kernels/small_float.h"

namespace xfer::kernels::testing {
namespace {

struct Type {
  unsigned bits;
  int least, most;  ///< of random numbers
};

const std::map<std::string, Type> kTypes = {
    {"f64", {64, -1000, 1000}}, {"f32", {32, -8, 8}}, {"tf32", {32, -8, 8}}, {"bf16", {16, -8, 8}},
    {"f16", {16, -4, 4}},       {"e4m3", {8, -4, 4}}, {"e5m2", {8, -4, 4}},  {"s8", {8, -128, 127}},
    {"u8", {8, 0, 255}},        {"s4", {4, -8, 7}},   {"u4", {4, 0, 15}},    {"b1", {1, 0, 1}},
    {"s32", {32, -1000, 1000}},
};

const std::map<std::string, SmallFloat> kSmall = {{"f16", SmallFloat::kF16},
                                                  {"bf16", SmallFloat::kBf16},
                                                  {"e4m3", SmallFloat::kE4m3},
                                                  {"e5m2", SmallFloat::kE5m2}};

}  // namespace

unsigned bits_of(const std::string& type) { return kTypes.at(type).bits; }

std::uint64_t code_of(const std::string& type, double value) {
  if (type == "f64") return std::bit_cast<std::uint64_t>(value);
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "tf32") return std::bit_cast<std::uint32_t>(static_cast<float>(value)) | 0x1ABC;
  if (const auto small = kSmall.find(type); small != kSmall.end())
    return encode(value, small->second, Rounding::kNearest, false);
  const std::uint64_t all = (std::uint64_t{1} << bits_of(type)) - 1;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & all;
}

double value_of(const std::string& type, std::uint64_t code) {
  if (type == "f64") return std::bit_cast<double>(code);
  if (type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(code));
  if (type == "f16") return decode(static_cast<std::uint32_t>(code), SmallFloat::kF16);
  if (type == "s32") return static_cast<std::int32_t>(static_cast<std::uint32_t>(code));
  throw std::runtime_error("no type of a sum");
}

Matrix random_matrix(unsigned rows, unsigned columns, const std::string& type,
                     std::mt19937& random) {
  std::uniform_int_distribution<int> number(kTypes.at(type).least, kTypes.at(type).most);
  Matrix matrix(rows, columns);
  for (double& value : matrix.values) value = number(random);
  return matrix;
}

Matrix product(const Matrix& a, const Matrix& b, const Matrix& c) {
  Matrix d = c;
  for (unsigned i = 0; i < d.values.size() / d.columns; ++i)
    for (unsigned j = 0; j < d.columns; ++j)
      for (unsigned k = 0; k < a.columns; ++k) d.at(i, j) += a.at(i, k) * b.at(k, j);
  return d;
}

void Packed::set(std::size_t index, std::uint64_t code) {
  for (unsigned bit = 0; bit < bits_; ++bit) {
    const std::size_t at = index * bits_ + bit;
    const auto mask = static_cast<std::uint8_t>(1U << at % 8);
    bytes_[at / 8] = static_cast<std::uint8_t>((code >> bit & 1) != 0 ? bytes_[at / 8] | mask
                                                                      : bytes_[at / 8] & ~mask);
  }
}

std::uint64_t Packed::get(std::size_t index) const {
  std::uint64_t code = 0;
  for (unsigned bit = 0; bit < bits_; ++bit) {
    const std::size_t at = index * bits_ + bit;
    code |= std::uint64_t{bytes_[at / 8] >> at % 8 & 1U} << bit;
  }
  return code;
}

}  // namespace xfer::kernels::testing
