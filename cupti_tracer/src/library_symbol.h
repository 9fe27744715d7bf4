#pragma once
// A symbol of a loaded library.

#include <dlfcn.h>

namespace xfer::tracer {

/// Null where there is no library, or it has no such symbol.
template <typename F>
F symbol(void* library, const char* name) {
  return library == nullptr ? nullptr : reinterpret_cast<F>(dlsym(library, name));
}

}  // namespace xfer::tracer
