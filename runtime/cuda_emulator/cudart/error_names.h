#pragma once
// Names and texts of the runtime's errors. The names are read from the toolkit's header when this
// is built.

#include <driver_types.h>

namespace xfer::emulator {

struct ErrorText {
  const char* name;
  const char* description;
};

ErrorText error_text(cudaError_t error);

}  // namespace xfer::emulator
