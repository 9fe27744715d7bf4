#pragma once
// Whether tests run on the machine's GPU, as $XFER_TEST_DEVICE says, in place of emulated devices.

#include <cstdlib>
#include <string_view>

namespace xfer::test {

inline bool on_gpu() {
  const char* wanted = std::getenv("XFER_TEST_DEVICE");
  return wanted != nullptr && std::string_view(wanted) == "gpu";
}

}  // namespace xfer::test
