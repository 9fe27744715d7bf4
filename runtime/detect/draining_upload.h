#pragma once
// hidden-sync, of small uploads
//
// Finds: a line that sends a little pageable memory, eight times or more
// (EngineOptions::least_in_a_row), and waits for it right away, as torch.tensor(x, device="cuda")
// does: in stream order that is a wait for all work before, so the host loses its lead and the
// device idles until it has new work (look-alike: the value may have come from the device just
// before). Its cost is that idle time, as far as the wait explains it: at least
// EngineOptions::least_worth_permille of the time that devices were in use.
//
// Does not find: waits during which the device was idle anyway; large uploads, whose own time
// counts.
//
// Cost: O(1) an event, O(log n) a wait. Memory: 32 bytes a wait, of the first million.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "detect/detector.h"

namespace xfer {

class DrainingUpload : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  bool upload(const CopyView& copy) override;
  void forget() override { last_.clear(); }
  void finish() override;

 private:
  struct Wait {
    Event copy;
    Span span;
  };
  std::map<std::uint32_t, Event> last_;  ///< by thread: the copy that it made just now
  std::map<std::pair<std::uint32_t, std::int16_t>, std::vector<Wait>> waits_;  ///< by line, device
  std::size_t kept_ = 0;
};

}  // namespace xfer
