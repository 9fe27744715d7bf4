#pragma once
// CUPTI's activity records, made from what the emulated devices did.

#include <cupti.h>

#include <cstddef>

#include "machine/hooks.h"

namespace xfer::emulator {

CUpti_ActivityMemcpy6 copy_record(const Activity& activity);
CUpti_ActivityMemcpyPtoP4 peer_copy_record(const Activity& activity);
CUpti_ActivityMemset4 fill_record(const Activity& activity);
CUpti_ActivityKernel10 kernel_record(const Activity& activity, CUpti_ActivityKind kind);
CUpti_ActivitySynchronization2 sync_record(const Activity& activity);
CUpti_ActivityAPI api_record(const ApiCallEvent& event);

/// Bytes of a record of this kind; 0 when the emulator makes none.
std::size_t record_bytes(CUpti_ActivityKind kind);

}  // namespace xfer::emulator
