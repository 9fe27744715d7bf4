#pragma once
// The functions of the emulated runtime, which was loaded with the program.

#include <dlfcn.h>

namespace xfer::emulator {

/// By names alone: dlopen would initialise it.
class EmulatedRuntime {
 public:
  EmulatedRuntime() : base_(base_of(dlsym(RTLD_DEFAULT, "xfer_emulator_observe"))) {}
  bool is_loaded() const { return base_ != nullptr; }
  /// Null: it has no such function.
  void* function(const char* name) const {
    void* const found = dlsym(RTLD_DEFAULT, name);
    return base_of(found) == base_ ? found : nullptr;
  }

 private:
  static void* base_of(void* function) {
    Dl_info its{};
    return function != nullptr && dladdr(function, &its) != 0 ? its.dli_fbase : nullptr;
  }

  void* base_;
};

}  // namespace xfer::emulator
