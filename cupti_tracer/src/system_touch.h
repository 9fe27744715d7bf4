#pragma once
// A function of the C library is about to hand memory of the program's to the system. Pages that
// are closed, because a device is using them, would make the call fail: they are open while this
// lives, and bytes that are watched count as touched by the program.

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

namespace xfer::tracer {

enum class SystemDoes : std::uint8_t { kReads, kWrites };

class SystemTouch {
 public:
  /// `caller`: where the program made the call.
  SystemTouch(const iovec& part, SystemDoes what, const void* caller) noexcept;
  SystemTouch(const iovec* parts, std::size_t count, SystemDoes what, const void* caller) noexcept;
  ~SystemTouch();
  SystemTouch(const SystemTouch&) = delete;
  SystemTouch& operator=(const SystemTouch&) = delete;

 private:
  void note(const iovec& part, SystemDoes what, const void* caller) noexcept;

  bool open_ = false;
};

}  // namespace xfer::tracer
