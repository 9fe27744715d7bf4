#pragma once
// The few names of LibTorch that the tests of xferlint use, so that they parse in milliseconds.

namespace c10 {
enum class DeviceType : signed char { CPU = 0, CUDA = 1 };
struct Device {
  Device(DeviceType type, signed char index = -1);
  Device(const char* text);
};
enum class ScalarType : signed char { Float = 6, Half = 5 };
struct TensorOptions {
  TensorOptions();
  TensorOptions(Device device);
  TensorOptions(DeviceType type);
};
}  // namespace c10

namespace at {
class Tensor {
 public:
  Tensor();
  Tensor(const Tensor&);
  Tensor& operator=(const Tensor&) &;
  ~Tensor();
  Tensor to(c10::TensorOptions options = {}, bool non_blocking = false, bool copy = false) const;
  Tensor to(c10::Device device, c10::ScalarType type, bool non_blocking = false,
            bool copy = false) const;
  Tensor cuda() const;
  Tensor cpu() const;
  Tensor add(const Tensor& other) const;
  Tensor operator+(const Tensor& other) const;
  c10::Device device() const;
};
Tensor ones(int size, c10::TensorOptions options = {});
}  // namespace at

namespace torch {
using namespace at;
using c10::Device;
using c10::DeviceType;
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
namespace cuda {
bool is_available();
}
}  // namespace torch
