#pragma once
// A host touch of device memory dies by SIGSEGV as it would on a machine with a GPU, but says first
// what was touched. In a kernel's host version the same fault loses the device instead, as an
// illegal address does there.

namespace xfer::emulator {

/// To be called once. The handler that was there before is called after ours.
void install_fault_handler();

}  // namespace xfer::emulator
