#pragma once
// Variables of the program's device code, __device__ and __constant__, that the host has copied to
// or from: memory of a device that no call allocates and that kernels reach without a parameter.
//
// Thread-safe.

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace xfer::tracer {

struct DeviceVariable {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  bool constant = false;  ///< kernels only read it
};

/// A place in a variable.
struct InVariable {
  DeviceVariable variable;
  std::uint64_t address = 0;
};

/// The place on the current device that belongs to a place in the variable's shadow on the host, by
/// which the program names it. Nothing: it is not known.
using VariableQuery = std::function<std::optional<InVariable>(std::uint64_t shadow)>;

class DeviceVariables {
 public:
  explicit DeviceVariables(VariableQuery query) : query_(std::move(query)) {}

  std::optional<InVariable> find(std::uint64_t shadow) const {
    return query_ ? query_(shadow) : std::nullopt;
  }
  /// True the first time.
  bool add(const DeviceVariable& variable, std::int16_t device);
  /// Those on the device.
  std::vector<DeviceVariable> on(std::int16_t device) const;

 private:
  const VariableQuery query_;
  mutable std::mutex mutex_;
  std::vector<std::pair<DeviceVariable, std::int16_t>> seen_;
};

}  // namespace xfer::tracer
