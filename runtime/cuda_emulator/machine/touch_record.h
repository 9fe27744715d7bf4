#pragma once
// The bytes that a kernel run from PTX read and wrote, recorded for the watcher: see Touches in
// kernels/frame.h. Not thread-safe.
//
// Cost: code that records takes about twice its time; a launch as much as it takes to look at the
// marks of what it touched. Memory: two bytes for each word of four that kernels touch.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/frame.h"
#include "machine/device_memory.h"
#include "machine/host_marks.h"
#include "machine/host_memory.h"
#include "machine/touched.h"

namespace xfer::emulator {

class TouchRecord {
 public:
  TouchRecord() = default;
  TouchRecord(const TouchRecord&) = delete;
  TouchRecord& operator=(const TouchRecord&) = delete;
  ~TouchRecord();

  /// Of all machines. Before there is one, too.
  static void enable(bool on);
  /// Whether kernels shall record: not where the marks would take too much of the machine.
  bool wanted(const DeviceMemory& memory);

  /// Where the launch that comes next leaves its marks. It was wanted before.
  kernels::Touches& begin(const HostMemory& host);
  /// The launch is over. Takes the marks away. `tells_others`: what it did with host memory says
  /// nothing, as it may have spoken with the host meanwhile.
  void finish(const DeviceMemory& memory, std::uint32_t correlation,
              std::span<const std::byte> parameters, bool tells_others = false);
  /// The launch of this correlation touches that, whenever it runs.
  void tell(std::uint32_t correlation, std::vector<Touched> touched);
  /// The launch that is under way freed blocks itself: what is in none says nothing.
  void freed_by_kernel() { tells_gaps_ = false; }
  /// From now on nothing is known: a kernel waits for the host, and others run meanwhile.
  void give_up() { gave_up_ = true; }
  /// The last launch told others nothing before it ended.
  bool was_plain() const { return was_plain_; }
  /// The ranges that the last launch of all touched; null where it was another, or is not known.
  const std::vector<Touched>* of(std::uint32_t correlation) const {
    return correlation != 0 && correlation == correlation_ ? &touched_ : nullptr;
  }
  /// The ranges that the launches of one call, a graph's, touched so far, except launches that may
  /// have spoken with the host; null where that call was not the last, or is not known.
  const std::vector<Touched>* of_all(std::uint32_t correlation);

 private:
  bool map(std::uint64_t span);
  void collect(const DeviceMemory& memory);
  void clear(std::uint64_t first_page, std::uint64_t last_page);
  void collect_range(const DeviceMemory& memory, std::uintptr_t first, std::uintptr_t last);
  void collect_host();
  void keep_last();
  void add_given(const DeviceMemory& memory, std::span<const std::byte> parameters);

  bool gave_up_ = false;
  bool tells_gaps_ = true;
  std::uint64_t most_bytes_ = 0;  ///< of device memory
  std::uint64_t span_ = 0;        ///< that is mapped for
  kernels::Touches touches_;
  HostMarks host_;
  std::uint32_t correlation_ = 0;
  bool was_plain_ = false;
  std::vector<Touched> touched_;
  std::uint32_t all_correlation_ = 0;
  std::vector<Touched> all_touched_;
  bool is_last_in_all_ = true;  ///< what the last launch touched is in there
};

}  // namespace xfer::emulator
