#include "api_call.h"

#include <cstring>

namespace xfer::tracer {

bool CopyCall::strided() const {
  const auto gaps = [this](const CopySide& side) {
    return (rows > 1 && side.pitch != 0 && side.pitch != width) ||
           (slices > 1 && side.slice_pitch != 0 && side.slice_pitch != side.pitch * rows);
  };
  return gaps(destination) || gaps(source);
}

std::uint64_t CopyCall::extent(const CopySide& side) const {
  if (bytes() == 0) return 0;
  const std::uint64_t pitch = side.pitch != 0 ? side.pitch : width;
  const std::uint64_t slice = side.slice_pitch != 0 ? side.slice_pitch : pitch * rows;
  return slice * (slices - 1) + pitch * (rows - 1) + width;
}

CopyCall::Steps CopyCall::steps(const CopySide& side) const {
  const std::uint64_t pitch = side.pitch != 0 ? side.pitch : width;
  const std::uint64_t slice = side.slice_pitch != 0 ? side.slice_pitch : pitch * rows;
  if (slices == 1 || slice == pitch * rows) return {rows * slices > 1 ? pitch : 0, 0};
  return rows == 1 ? Steps{slice, 0} : Steps{pitch, slice};
}

void CopyCall::put_side(const CopySide& side, Event* event) const {
  const bool has_gaps = extent(side) != bytes();
  event->address = side.address;
  event->bytes = bytes();
  event->flags &= static_cast<std::uint16_t>(~kStrided);
  if (has_gaps) event->flags |= kStrided;
  const Steps its = has_gaps ? steps(side) : Steps{};
  event->extent = has_gaps ? extent(side) : 0;
  event->pitch = its.pitch;
  event->slice_pitch = its.slice_pitch;
}

std::uint64_t ApiCall::made() const {
  std::uint64_t value = 0;
  if (out != nullptr) std::memcpy(&value, out, sizeof(value));
  return value;
}

}  // namespace xfer::tracer
