#pragma once
// A grid of translated code on a device: with the device's memory, heap and clock.

#include <cstdint>
#include <memory>

#include "grid/launch.h"
#include "machine/machine.h"

namespace xfer::emulator {

/// All with the machine's lock held, which may be let go between the parts.
class CodeRun {
 public:
  /// Fills in what the machine knows. `correlation`: of the launch.
  CodeRun(Machine& machine, int device, grid::Launch launch, bool cooperative,
          std::uint32_t correlation);
  CodeRun(const CodeRun&) = delete;
  CodeRun& operator=(const CodeRun&) = delete;
  ~CodeRun();

  /// As GridInParts.
  bool go_on(bool patient);
  const grid::Failure& failure() const;
  bool left_warps() const;
  std::uint64_t work() const;

 private:
  void note_touches(bool over);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xfer::emulator
