#pragma once
// Types of values as the analyzer sees them.

#include "analyzer/facts/ids.h"

namespace xfer::analyzer {

enum class Role : std::uint8_t {
  kNone,  ///< not followed
  kTensor,
  kModule,  ///< a module, a handle of one, or a pointer to one
  kDevice,
  kOptions,
  kIndex,
  kScalarType,
  kList,
  kTuple,
  kRecord,   ///< a class with fields that are followed
  kMemory,   ///< a pointer to data, or what owns it: an array, a vector
  kDevices,  ///< a list of devices
};

/// Its elements are followed: tensors, modules and the like, or devices.
constexpr bool is_list(Role role) { return role == Role::kList || role == Role::kDevices; }

/// Where memory is by the type of what holds it, wherever that stands itself: the elements of a
/// std::vector are on the host, those of thrust's device_vector on a device.
enum class Elements : std::uint8_t { kAnywhere, kOnHost, kOnDevice };

struct ValueType {
  Role role = Role::kNone;
  bool handle = false;  ///< of kModule, kRecord and kMemory: copying it shares the object
  ClassId record;       ///< of kModule and kRecord: the object's class
  Elements elements = Elements::kAnywhere;  ///< of kMemory

  static ValueType of(Role role) {
    ValueType type;
    type.role = role;
    return type;
  }
};

}  // namespace xfer::analyzer
