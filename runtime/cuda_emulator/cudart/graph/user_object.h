#pragma once
// User objects, tied to graphs by a program: the destructor that it gave is called when neither the
// program nor a graph refers to the object any more. With the machine's lock held.

#include <driver_types.h>

#include <memory>

#include "cudart/graph/handled.h"

namespace xfer::emulator {

/// Its address is what a cudaUserObject_t points to.
struct UserObject : Handled<UserObject>, std::enable_shared_from_this<UserObject> {
  UserObject(void* its, cudaHostFn_t its_destroy) : pointer(its), destroy(its_destroy) {}
  ~UserObject();

  void* const pointer;
  const cudaHostFn_t destroy;
  /// That the program has, and so this one for itself.
  unsigned references = 0;
  std::shared_ptr<UserObject> self;
};

/// False: the program has fewer.
bool give_up_references(UserObject& object, unsigned count);

}  // namespace xfer::emulator
