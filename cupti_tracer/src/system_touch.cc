#include "system_touch.h"

#include <cerrno>

#include "in_flight.h"
#include "tracer.h"

namespace xfer::tracer {

SystemTouch::SystemTouch(const iovec& part, SystemDoes what, const void* caller) noexcept {
  if (InFlight::is_any()) note(part, what, caller);
}

SystemTouch::SystemTouch(const iovec* parts, std::size_t count, SystemDoes what,
                         const void* caller) noexcept {
  if (!InFlight::is_any()) return;
  for (std::size_t i = 0; i < count; ++i) note(parts[i], what, caller);
}

void SystemTouch::note(const iovec& part, SystemDoes what, const void* caller) noexcept {
  Tracer* const tracer = Tracer::current();
  if (tracer == nullptr || part.iov_len == 0) return;
  const int saved = errno;
  tracer->system_touches(part.iov_base, part.iov_len, what == SystemDoes::kWrites, caller);
  open_ = true;
  errno = saved;
}

SystemTouch::~SystemTouch() {
  if (!open_) return;
  const int saved = errno;
  if (Tracer* const tracer = Tracer::current()) tracer->system_touched();
  errno = saved;
}

}  // namespace xfer::tracer
