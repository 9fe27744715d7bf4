#pragma once
// Libraries of this project that help a program's own on emulated devices: PyTorch's operators
// come as machine code alone, which no emulated device runs (see torch/).

namespace xfer::emulator {

/// Loads those that are needed since libraries came. Cheap where none came. With no lock held.
void load_helpers();

}  // namespace xfer::emulator
