#include "cudart/runnable_ptx.h"

#include <algorithm>
#include <vector>

#include "cudart/driver_seam.h"
#include "machine/machine.h"
#include "src/device_image.h"

namespace xfer::emulator {

std::optional<std::string> runnable_ptx(const Options& options, std::string_view image,
                                        std::string* why) {
  auto text = ptx_to_run(image, options.capability(), why);
  if (text || options.capability_is_asked_for) return text;
  std::vector<int> architectures = architectures_of(image);
  std::ranges::sort(architectures);
  for (const int newer : architectures)
    if (newer > options.capability())
      if (auto its = ptx_to_run(image, newer, nullptr)) {
        if (why != nullptr) why->clear();
        return its;
      }
  return std::nullopt;
}

}  // namespace xfer::emulator

bool xfer_emulator_ptx_to_run(std::string_view image, std::string* text, std::string* why) {
  using namespace xfer::emulator;
  auto its = runnable_ptx(Machine::instance().options(), image, why);
  if (its) *text = std::move(*its);
  return its.has_value();
}
