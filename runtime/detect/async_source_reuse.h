#pragma once
// async-source-reuse
//
// Finds: memory that an asynchronous copy between pinned memory and a device still reads, or a
// kernel or graph whose bytes are known, and that is written to before that is known to have ended
//   by host code (proven): on emulated devices, which watch pinned and managed memory to the byte;
//   elsewhere by content: a source that is not what it was (at the copy's line; look-alike where a
//   kernel whose accesses are not known may have told the host)
//   by a copy or a fill on another stream that nothing puts in order after the first (proven)
//   by a kernel there that writes to those bytes (proven), or whose code writes to the buffer that
//   the copy reads all of (look-alike: it may not come to that)
//
// Does not find: writes by host code of what was there, where nobody watches; kernels whose code is
// not known, or that write to a buffer of which a part is read; what follows a kernel that may
// write where the host can look and tell it something, since the host may have been told that way;
// streams whose creation was not seen. Pageable memory has been read when the call returns.
//
// Cost: O(pending copies and kernels' ranges) a copy, fill or kernel argument.

#include "detect/too_early.h"

namespace xfer {

class AsyncSourceReuse : public TooEarly {
 public:
  explicit AsyncSourceReuse(Scene& scene)
      : TooEarly(scene, Rule::kAsyncSourceReuse, &PendingUse::source) {}

  void see(const Event& event) override;
  void source_changed(const Event& change) override;
};

}  // namespace xfer
