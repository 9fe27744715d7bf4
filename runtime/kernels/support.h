#pragma once
// Functions that generated code calls by name: those of the C library, and those that would be long
// to generate.

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace xfer::kernels {

struct SupportFunction {
  std::string_view name;
  const void* address;
};

/// Of its code.
template <class Function>
const void* address_of(Function* function) {
  return std::bit_cast<const void*>(function);
}

std::span<const SupportFunction> support_functions();

/// Directed rounding: 1 to zero, 2 down, 3 up.
namespace rounding {
float add(float a, float b, std::uint32_t how);
double add(double a, double b, std::uint32_t how);
float mul(float a, float b, std::uint32_t how);
double mul(double a, double b, std::uint32_t how);
float div(float a, float b, std::uint32_t how);
double div(double a, double b, std::uint32_t how);
float fma(float a, float b, float c, std::uint32_t how);
double fma(double a, double b, double c, std::uint32_t how);
float sqrt(float a, std::uint32_t how);
double sqrt(double a, std::uint32_t how);
float to_f32(double a, std::uint32_t how);
float to_f32(std::int64_t a, std::uint32_t how);
float to_f32(std::uint64_t a, std::uint32_t how);
double to_f64(std::int64_t a, std::uint32_t how);
double to_f64(std::uint64_t a, std::uint32_t how);
/// Rounded to an odd mantissa, so that a second rounding is right.
double odd_f64(std::int64_t a);
double odd_f64(std::uint64_t a);
}  // namespace rounding

/// mbarrier: 64 bits in shared memory.
namespace mbarrier {
void init(std::uint64_t* barrier, std::uint32_t count);
/// Returns the phase that it arrives in. `drop`: later phases do without it.
std::uint64_t arrive(std::uint64_t* barrier, std::uint32_t count, std::uint32_t drop);
void expect(std::uint64_t* barrier, std::uint32_t bytes);
void complete(std::uint64_t* barrier, std::uint32_t bytes);
std::uint32_t passed(const std::uint64_t* barrier, std::uint64_t state);
std::uint32_t passed_parity(const std::uint64_t* barrier, std::uint32_t parity);
std::uint32_t pending(std::uint64_t state);
}  // namespace mbarrier

}  // namespace xfer::kernels
