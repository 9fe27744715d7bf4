// Any bytes as an .npz archive. One that is refused is fine; a crash, a hang or memory beyond the
// input's size is not.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "tensorlib/error.h"
#include "tensorlib/io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    static_cast<void>(tensorlib::io::load_npz(in, "input"));
  } catch (const tensorlib::Error&) {
  }
  return 0;
}
