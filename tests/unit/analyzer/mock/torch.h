// Declarations in the shape of LibTorch's headers: what the engine's tests and the benchmark of the
// link step parse instead of the real ones, which cost seconds.
#pragma once

namespace std {
using size_t = decltype(sizeof(0));
using nullptr_t = decltype(nullptr);
template <class T>
struct remove_reference {
  using type = T;
};
template <class T>
struct remove_reference<T&> {
  using type = T;
};
template <class T>
struct remove_reference<T&&> {
  using type = T;
};
template <class T>
constexpr typename remove_reference<T>::type&& move(T&& t) noexcept {
  return static_cast<typename remove_reference<T>::type&&>(t);
}
template <class T>
constexpr T&& forward(typename remove_reference<T>::type& t) noexcept {
  return static_cast<T&&>(t);
}
template <class E>
class initializer_list {
  const E* begin_;
  size_t size_;
  initializer_list(const E* b, size_t s) : begin_(b), size_(s) {}

 public:
  initializer_list() : begin_(nullptr), size_(0) {}
  size_t size() const { return size_; }
  const E* begin() const { return begin_; }
  const E* end() const { return begin_ + size_; }
};
class string {
 public:
  string(const char*);
  ~string();
};
template <class T>
class shared_ptr {
 public:
  shared_ptr();
  shared_ptr(nullptr_t);
  explicit shared_ptr(T*);
  shared_ptr(const shared_ptr&);
  ~shared_ptr();
  template <class U>
  shared_ptr(const shared_ptr<U>&);
  T* operator->() const;
  T& operator*() const;
  T* get() const;
};
}  // namespace std

namespace c10 {
enum class DeviceType : signed char { CPU = 0, CUDA = 1 };
enum class ScalarType : signed char { Byte, Float = 6, Half = 5, Double = 7 };
struct Device {
  Device(DeviceType type, signed char index = -1);
  Device(const std::string& text);
  DeviceType type() const;
  bool is_cpu() const;
  bool operator==(const Device&) const;
  bool operator!=(const Device&) const;
};
struct TensorOptions {
  TensorOptions();
  TensorOptions(Device);
  TensorOptions(DeviceType);
  TensorOptions(ScalarType);
};
struct IntArrayRef {
  IntArrayRef(long);
  IntArrayRef(std::initializer_list<long>);
};
struct Scalar {
  Scalar(double);
  Scalar(int);
};
}  // namespace c10

namespace at {
using c10::IntArrayRef;
using c10::Scalar;
using c10::TensorOptions;
class Tensor {
 public:
  Tensor();
  Tensor(const Tensor&);
  Tensor(Tensor&&);
  ~Tensor();
  Tensor& operator=(const Tensor&) &;
  Tensor& operator=(Tensor&&) &;
  Tensor& operator=(const Tensor&) &&;
  Tensor to(TensorOptions options = {}, bool non_blocking = false, bool copy = false) const;
  Tensor to(c10::Device device, c10::ScalarType dtype, bool non_blocking = false,
            bool copy = false) const;
  Tensor to(c10::ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false) const;
  Tensor cuda() const;
  Tensor cpu() const;
  Tensor view(IntArrayRef) const;
  c10::Device device() const;
  bool is_cuda() const;
  Tensor matmul(const Tensor&) const;
  Tensor mean() const;
  Tensor relu() const;
  Tensor sum() const;
  Tensor operator[](long) const;
  template <class T>
  T item() const;
  long size(long) const;
};
Tensor operator+(const Tensor&, const Tensor&);
Tensor operator*(const Tensor&, const Tensor&);
Tensor operator+(const Tensor&, Scalar);
Tensor operator*(const Tensor&, Scalar);
Tensor relu(const Tensor&);
}  // namespace at

namespace torch {
using Tensor = at::Tensor;
using Device = c10::Device;
using c10::TensorOptions;
using namespace at;
constexpr c10::DeviceType kCPU = c10::DeviceType::CPU;
constexpr c10::DeviceType kCUDA = c10::DeviceType::CUDA;
constexpr c10::ScalarType kHalf = c10::ScalarType::Half;
Tensor randn(IntArrayRef, TensorOptions = {});
Tensor ones(IntArrayRef, TensorOptions = {});
Tensor zeros(IntArrayRef, TensorOptions = {});
namespace nn {
class Module {
 public:
  virtual ~Module();
  virtual void to(Device, bool non_blocking = false);
  virtual void to(c10::ScalarType, bool non_blocking = false);
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module);
  template <class H>
  H register_module(std::string name, H holder, typename H::ContainedType* = nullptr) {
    return holder;
  }
  Tensor& register_buffer(std::string name, Tensor tensor);
};
struct HolderTag {};
template <bool B>
struct enable_if {};
template <>
struct enable_if<true> {
  using type = int;
};
template <class Contained>
class ModuleHolder : HolderTag {
 protected:
  std::shared_ptr<Contained> impl_;

 public:
  using ContainedType = Contained;
  ModuleHolder(std::nullptr_t) {}
  template <class Head, class... Tail,
            typename enable_if<!__is_base_of(HolderTag,
                                             typename std::remove_reference<Head>::type)>::type = 0>
  explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(new Contained(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}
  ModuleHolder() : impl_(new Contained()) {}
  ModuleHolder(const ModuleHolder&) = default;
  ModuleHolder(ModuleHolder&) = default;
  ModuleHolder& operator=(const ModuleHolder&) = default;
  Contained* operator->() { return impl_.get(); }
  const Contained* operator->() const { return impl_.get(); }
};
class LinearImpl : public Module {
 public:
  LinearImpl(long in, long out);
  Tensor forward(const Tensor& input);
  Tensor weight;
};
struct Linear : ModuleHolder<LinearImpl> {
  using ModuleHolder<LinearImpl>::ModuleHolder;
  using Impl = LinearImpl;
};
}  // namespace nn
}  // namespace torch
