// Objects of the program's that live as long as the graphs that use them.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <thread>

#include "cudart/graph/graphs.h"
#include "cudart/graph/user_object.h"

namespace xfer::emulator {

// It is the program's code, which must not meet the machine's lock: in a thread of its own, as
// CUDA does.
UserObject::~UserObject() { std::thread(destroy, pointer).detach(); }

bool give_up_references(UserObject& object, unsigned count) {
  if (count == 0 || count > object.references) return false;
  object.references -= count;
  if (object.references == 0) object.self.reset();
  return true;
}

}  // namespace xfer::emulator

using namespace xfer::emulator;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out, void* ptr, cudaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags) {
  return XFER_CALL(cudaUserObjectCreate_v11030, object_out, ptr, destroy, initialRefcount, flags)
      .run([&](Session&) {
        if (object_out == nullptr || destroy == nullptr || initialRefcount == 0 ||
            flags != cudaUserObjectNoDestructorSync)
          return cudaErrorInvalidValue;
        const auto object = std::make_shared<UserObject>(ptr, destroy);
        object->references = initialRefcount;
        object->self = object;
        *object_out = reinterpret_cast<cudaUserObject_t>(object.get());
        return cudaSuccess;
      });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return XFER_CALL(cudaUserObjectRetain_v11030, object, count).run([&](Session&) {
    UserObject* const found = UserObject::find(object);
    if (found == nullptr || count == 0) return cudaErrorInvalidValue;
    found->references += count;
    found->self = found->shared_from_this();
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return XFER_CALL(cudaUserObjectRelease_v11030, object, count).run([&](Session&) {
    UserObject* const found = UserObject::find(object);
    return found != nullptr && give_up_references(*found, count) ? cudaSuccess
                                                                 : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  return XFER_CALL(cudaGraphRetainUserObject_v11030, graph, object, count, flags)
      .run([&](Session&) {
        Graph* const holder = Graph::find(graph);
        UserObject* const found = UserObject::find(object);
        if (holder == nullptr || found == nullptr || count == 0 ||
            (flags & ~static_cast<unsigned>(cudaGraphUserObjectMove)) != 0 ||
            (flags != 0 && count > found->references))
          return cudaErrorInvalidValue;
        holder->user_objects.insert(holder->user_objects.end(), count, found->shared_from_this());
        if (flags != 0) give_up_references(*found, count);
        return cudaSuccess;
      });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count) {
  return XFER_CALL(cudaGraphReleaseUserObject_v11030, graph, object, count).run([&](Session&) {
    Graph* const holder = Graph::find(graph);
    const UserObject* const found = UserObject::find(object);
    if (holder == nullptr || found == nullptr || count == 0) return cudaErrorInvalidValue;
    auto& held = holder->user_objects;
    const auto is_it = [&](const auto& its) { return its.get() == found; };
    if (std::ranges::count_if(held, is_it) < static_cast<std::ptrdiff_t>(count))
      return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i) held.erase(std::ranges::find_if(held, is_it));
    return cudaSuccess;
  });
}
}
