// Any bytes as a JPEG or PNG image. One that is refused is fine; a crash, a hang or memory beyond
// the input's size is not.

#include <cstddef>
#include <cstdint>

#include "tensorlib/error.h"
#include "tensorlib/io/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    static_cast<void>(tensorlib::io::decode_image(data, size, "input"));
  } catch (const tensorlib::Error&) {
  }
  return 0;
}
