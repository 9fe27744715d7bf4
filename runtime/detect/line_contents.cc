#include "detect/line_contents.h"

#include <algorithm>

namespace xfer {

std::uint64_t LineContents::key_of(const Transfer& transfer) {
  return std::uint64_t{transfer.event.site} << 16 |
         static_cast<std::uint16_t>(transfer.event.device);
}

LineContents::Content* LineContents::find(Line& line, const Transfer& transfer) {
  const Event& event = transfer.event;
  Content* const end = line.contents.data() + line.count;
  Content* const found = std::find_if(line.contents.data(), end, [&](const Content& content) {
    return content.hash_lo == event.hash_lo && content.hash_hi == event.hash_hi &&
           content.bytes == event.bytes;
  });
  return found != end ? found : nullptr;
}

LineContents::Content* LineContents::find(const Transfer& transfer) {
  const auto line = lines_.find(key_of(transfer));
  return line != lines_.end() && !line->second.varies ? find(line->second, transfer) : nullptr;
}

LineContents::Content* LineContents::sent(const Transfer& transfer, Time last_launch) {
  const Event& event = transfer.event;
  if (event.site == 0) return nullptr;
  Line& line = lines_[key_of(transfer)];
  if (line.varies) return nullptr;
  Content* const known = find(line, transfer);
  const bool little = transfer.hashed() && !transfer.strided() && event.bytes <= kMostBytes;
  if (!little || (known == nullptr && line.count == kMostContents) ||
      (known != nullptr && last_launch < known->last)) {
    line = {};
    line.varies = true;
    return nullptr;
  }
  if (known == nullptr) {
    line.contents[line.count++] = {event.hash_lo,       event.hash_hi, event.bytes,
                                   transfer.allocation, transfer.time, transfer.time};
    return nullptr;
  }
  known->last = transfer.time;
  if (transfer.allocation <= known->newest) return nullptr;
  known->newest = transfer.allocation;
  return known;
}

}  // namespace xfer
