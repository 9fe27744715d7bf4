#pragma once
// Contexts. All of a device share its memory, streams and modules; a context is what says which
// device is the thread's, and that is the runtime's current device.

#include "driver/driver.h"

namespace xfer::emulator::driver {

/// The object that a CUcontext points to. Lives as long as the process.
struct Context {
  CUdevice device = 0;
  bool primary = false;
  bool destroyed = false;
  unsigned flags = 0;
  unsigned long long id = 0;
};

/// Null: there is no such device.
Context* primary_context(CUdevice device);
/// The thread's: what was pushed or set last or, as the runtime has it, the primary context of the
/// current device. Null: there are no devices.
Context* current_context();
/// Null: it is none, or was destroyed.
Context* context_of(CUcontext handle);
inline CUcontext handle_of(Context* context) { return reinterpret_cast<CUcontext>(context); }

}  // namespace xfer::emulator::driver
