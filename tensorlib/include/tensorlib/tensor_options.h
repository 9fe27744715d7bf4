// TensorOptions: how a tensor is to be made, each part optional. Made implicitly from a device or a
// dtype.
#pragma once

#include <iosfwd>
#include <optional>
#include <type_traits>

#include "tensorlib/default_device.h"
#include "tensorlib/scalar_type.h"

namespace tensorlib {

// How elements lie in memory. There is one way.
enum class Layout { Strided };
constexpr Layout kStrided = Layout::Strided;
TENSORLIB_API std::ostream& operator<<(std::ostream& out, Layout layout);

class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : dtype_(dtype) {}
  TensorOptions(TypeMeta dtype) : dtype_(dtype) {}
  TensorOptions(Layout) : has_layout_(true) {}
  template <class T, class... Rest,
            std::enable_if_t<std::is_constructible_v<Device, T&&, Rest&&...> &&
                                 !std::is_same_v<std::decay_t<T>, TensorOptions>,
                             int> = 0>
  TensorOptions(T&& device, Rest&&... rest)
      : device_(Device(std::forward<T>(device), std::forward<Rest>(rest)...)) {}

  TENSORLIB_NODISCARD("options are values: this returns changed ones")
  TensorOptions device(std::optional<Device> device) const {
    TensorOptions changed = *this;
    changed.device_ = device;
    return changed;
  }
  TENSORLIB_NODISCARD("options are values: this returns changed ones")
  TensorOptions device(DeviceType type, DeviceIndex index = -1) const {
    return device(Device(type, index));
  }
  TENSORLIB_NODISCARD("options are values: this returns changed ones")
  TensorOptions dtype(std::optional<ScalarType> dtype) const {
    TensorOptions changed = *this;
    changed.dtype_ = dtype;
    return changed;
  }
  TENSORLIB_NODISCARD("options are values: this returns changed ones")
  TensorOptions pinned_memory(bool pinned) const {
    TensorOptions changed = *this;
    changed.pinned_ = pinned;
    return changed;
  }

  TENSORLIB_NODISCARD("options are values: this returns changed ones")
  TensorOptions requires_grad(bool on) const {
    TensorOptions changed = *this;
    changed.requires_grad_ = on;
    return changed;
  }

  TENSORLIB_NODISCARD("options are values: this returns changed ones")
  TensorOptions layout(Layout) const {
    TensorOptions changed = *this;
    changed.has_layout_ = true;
    return changed;
  }

  Device device() const { return device_ ? *device_ : default_device(); }
  TypeMeta dtype() const { return TypeMeta(dtype_.value_or(kFloat)); }
  bool pinned_memory() const { return pinned_.value_or(false); }
  bool requires_grad() const { return requires_grad_.value_or(false); }
  bool has_device() const { return device_.has_value(); }
  bool has_layout() const { return has_layout_; }
  bool has_requires_grad() const { return requires_grad_.has_value(); }
  bool has_pinned_memory() const { return pinned_.has_value(); }
  bool has_dtype() const { return dtype_.has_value(); }
  std::optional<Device> device_opt() const { return device_; }
  std::optional<ScalarType> dtype_opt() const { return dtype_; }

 private:
  std::optional<Device> device_;
  std::optional<ScalarType> dtype_;
  std::optional<bool> pinned_, requires_grad_;
  bool has_layout_ = false;
};

// Each option, and which of them are the defaults.
TENSORLIB_API std::ostream& operator<<(std::ostream& out, const TensorOptions& options);

inline TensorOptions device(Device device) { return TensorOptions(device); }
inline TensorOptions requires_grad(bool on = true) { return TensorOptions().requires_grad(on); }
inline TensorOptions layout(Layout layout) { return layout; }
inline TensorOptions dtype(ScalarType dtype) { return TensorOptions(dtype); }

}  // namespace tensorlib
