#pragma once
// A function of the library behind this one, of which this library stands in front.

#include <dlfcn.h>

#include <atomic>

namespace xfer::tracer {

template <typename Function>
class NextFunction {
 public:
  explicit constexpr NextFunction(const char* name) : name_(name) {}
  /// Null before get() has found it.
  Function* found() const noexcept { return found_.load(std::memory_order_relaxed); }
  /// Found at the first use; null when there is none.
  Function* get() noexcept {
    Function* found = found_.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      found_.store(found, std::memory_order_relaxed);
    }
    return found;
  }

 private:
  const char* name_;
  std::atomic<Function*> found_{nullptr};
};

}  // namespace xfer::tracer
