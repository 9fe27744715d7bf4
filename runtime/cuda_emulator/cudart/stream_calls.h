#pragma once
// Calls that graphs make again: events and host functions in streams.

#include <driver_types.h>

#include "cudart/api_call.h"
#include "cudart/graph/graph.h"

namespace xfer::emulator {

cudaError_t record_event(Session& session, cudaEvent_t event, Stream* stream, unsigned flags);
cudaError_t wait_event(Session& session, cudaEvent_t event, Stream* stream, unsigned flags);
cudaError_t call_on_host(Session& session, Stream* stream, const HostWork& work);

}  // namespace xfer::emulator
