#pragma once
// Matrices of small numbers, which every type of their elements holds exactly.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace xfer::kernels::testing {

/// Of the element type `f16`, `s4`...
unsigned bits_of(const std::string& type);
/// The bits below what tf32 has are noise.
std::uint64_t code_of(const std::string& type, double value);
double value_of(const std::string& type, std::uint64_t code);

struct Matrix {
  Matrix(unsigned rows, unsigned columns) : columns(columns), values(rows * columns) {}

  double& at(unsigned row, unsigned column) { return values[row * columns + column]; }
  double at(unsigned row, unsigned column) const { return values[row * columns + column]; }

  unsigned columns;
  std::vector<double> values;
};

Matrix random_matrix(unsigned rows, unsigned columns, const std::string& type,
                     std::mt19937& random);

/// a * b + c
Matrix product(const Matrix& a, const Matrix& b, const Matrix& c);

/// Elements of so many bits, packed as memory and registers have them.
class Packed {
 public:
  Packed(std::size_t count, unsigned bits) : bits_(bits), bytes_((count * bits + 7) / 8) {}

  void set(std::size_t index, std::uint64_t code);
  std::uint64_t get(std::size_t index) const;
  std::uint8_t* data() { return bytes_.data(); }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  unsigned bits_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace xfer::kernels::testing
