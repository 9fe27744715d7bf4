// TensorImpl, to which a Tensor handle points (a shape over a block), and Storage, the block.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "backend/backend.h"
#include "core/dims.h"
#include "core/stream_order.h"
#include "tensorlib/call_site.h"
#include "tensorlib/device.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

struct GradMeta;

// How a block came to be on its device: the second half of every line of a mismatch error.
struct Placement {
  enum class How : uint8_t { kCreated, kMoved, kComputed, kWrapped };
  How how = How::kCreated;
  const char* operation = "";  // for kCreated and kComputed: the function's name, a literal
  CallSite site = CallSite::none();
  // Of a tensor made on the CPU because nothing said where: the line that chose a current CUDA
  // device before, and may have been meant to.
  CallSite device_guard = CallSite::none();
};

// The line that chose this thread's current CUDA device, where one did.
CallSite chooser_of_current_device();

// Memory of one device, freed with its last owner.
struct Storage {
  Storage(Allocator& allocator, size_t nbytes, Device device, bool pinned, Placement placement);
  Storage(void* data, size_t nbytes, Device device, std::function<void(void*)> deleter,
          Placement placement);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  void* data = nullptr;
  size_t nbytes = 0;
  Device device;
  bool pinned = false;
  // Code outside the library has a pointer to the memory, and may write there unseen.
  bool exposed = false;
  // How often operations wrote to it.
  uint64_t version = 0;
  // The tensor through which a recorded operation changed it last, and when: views that are older
  // have a record that does not know of the change.
  const TensorImpl* rewritten_through = nullptr;
  uint64_t rewritten_at_version = 0;
  Placement placement;
  PackedWeight packed;
  // While streams are checked; null where nothing is known.
  std::unique_ptr<stream_order::Accesses> accesses;

 private:
  Allocator* allocator_ = nullptr;  // who frees it; null for memory that came from outside
  std::function<void(void*)> deleter_;
};

struct TensorImpl {
  std::shared_ptr<Storage> storage;
  int64_t offset = 0;
  Dims sizes;
  Dims strides;
  int64_t numel = 1;
  ScalarType dtype = kFloat;
  bool contiguous = true;
  bool is_view = false;                 // of another tensor, by slice(), view() and their kin
  uint64_t made_at_version = 0;         // of the storage
  std::string name;                     // "fc.weight" for a module's parameter
  std::shared_ptr<GradMeta> grad_meta;  // null while gradients do not concern it

  TensorImpl(std::shared_ptr<Storage> storage, int64_t offset, Dims sizes, Dims strides,
             ScalarType dtype);
  const void* data() const {
    if (stream_order::is_checked()) stream_order::note_read(*this);
    return address();
  }
  // To write: what was derived from the old elements is not valid any more.
  void* writable() const {
    ++storage->version;
    if (stream_order::is_checked()) stream_order::note_write(*this);
    return address();
  }
  void* address() const {
    return static_cast<char*>(storage->data) + offset * static_cast<int64_t>(elementSize(dtype));
  }
};

// The impl of a tensor that an operation was given, or an Error that says which argument is
// undefined.
const TensorImpl& require_defined(const Tensor& tensor, const char* argument, const char* operation,
                                  CallSite site);

// An uninitialised contiguous tensor; `device` may be "current", and then the result says which.
Tensor allocate(IntArrayRef sizes, ScalarType dtype, Device device, Placement placement,
                bool pinned = false);
// The result of an operation, allocated where its operand is.
inline Tensor allocate_result(IntArrayRef sizes, ScalarType dtype, const Tensor& like,
                              const char* operation, CallSite site) {
  if (stream_order::is_checked()) stream_order::note_call(operation, site);
  return allocate(sizes, dtype, like.device(), {Placement::How::kComputed, operation, site});
}
// A view of a tensor's storage.
Tensor make_view(const Tensor& base, Dims sizes, Dims strides, int64_t offset);

}  // namespace tensorlib
