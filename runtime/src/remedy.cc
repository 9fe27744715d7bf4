#include "finding_text.h"

namespace xfer {

std::string remedy_of(const EngineFinding& found) {
  switch (found.reason) {
    case Reason::kHeldAlready: return "copy it again only after it has changed";
    case Reason::kHeldElsewhere:
      return "use the buffer that already holds it, or copy from that buffer on the device";
    case Reason::kFreedUnchanged: return "keep the buffer on the device between its uses";
    case Reason::kSentAgain:
      return "upload it once and keep it on the device; if a kernel overwrites it, restore it from "
             "a second copy there";
    case Reason::kDownloadedBefore:
      return "use the host's copy; download again only after the device has changed it";
    case Reason::kSentAndReturned: return "skip the download: the host already has this data";
    case Reason::kReturnedInPlace: return "skip the upload: the device still has this data";
    case Reason::kReturnedElsewhere:
      return "keep it on the device; copy from buffer to buffer there if you need it twice";
    case Reason::kOverwritten: return "remove this copy";
    case Reason::kFreed:
    case Reason::kNeverRead:
      return "remove this copy, or make it only where the device uses the data";
    case Reason::kNobodyLooked: return "copy back only the results that the program reads";
    case Reason::kStagedUpload:
    case Reason::kWaitingDownload:
      return "pin the host memory once: cudaMallocHost or cudaHostRegister, in PyTorch pin_memory";
    case Reason::kNothingUnderWay: return "remove this sync: the device is idle";
    case Reason::kNothingToSee: return "remove this sync: the stream already orders the work";
    case Reason::kLookedAtLater: return "wait once, before the results are read";
    case Reason::kFreeWaits:
      return "reuse the memory, or free it in stream order: cudaMallocAsync and cudaFreeAsync";
    case Reason::kUploadWaits:
      return "copy with cudaMemcpyAsync from pinned memory, so that the host can go on; prepare "
             "the next data in a second host buffer";
    case Reason::kSameSizeAgain:
      return "allocate it once and reuse it, or allocate from a pool: cudaMallocAsync";
    case Reason::kOneCopy: return "copy the whole range in one call";
    case Reason::kOneStridedCopy: return "copy them in one call: cudaMemcpy2DAsync";
    case Reason::kHostReads:
      return "copy it to the host first (cudaMemcpy), or allocate it as managed memory";
    case Reason::kHostWrites:
      return "fill it on the host and copy it there (cudaMemcpy), or let a kernel or cudaMemset "
             "write it";
    case Reason::kHostTouches:
      return "copy it to the host (cudaMemcpy), or allocate it as managed memory";
    case Reason::kCopiedToFreed:
    case Reason::kCopiedFromFreed:
    case Reason::kFilledFreed:
    case Reason::kHostTouchesFreed:
    case Reason::kLaunchedOnFreed: return "free it after its last use";
    case Reason::kFreedTwice: return "free it once";
    case Reason::kFreedPending: return "wait for that first, or free it on the same stream";
    case Reason::kReusedPending:
      return "give it back when its last use is over, or in that stream's order (PyTorch: "
             "record_stream)";
    case Reason::kNeverFreed: return "free it, or allocate it once and reuse it";
    case Reason::kHostReadsPending:
    case Reason::kHostWritesPending:
    case Reason::kSourceChanged:
      return "wait for it first: cudaStreamSynchronize, or cudaEventSynchronize of an event "
             "recorded after it";
    case Reason::kCopiedPending:
    case Reason::kOverwrittenPending:
    case Reason::kLaunchedPending:
    case Reason::kSourceOverwritten:
    case Reason::kLaunchedOver:
      return "record an event after it and let this stream wait for that: cudaStreamWaitEvent";
    case Reason::kStreamOfOther: return "make the stream's device current first: cudaSetDevice";
    case Reason::kMemoryOfOther:
      return "pass memory of its own device, or enable access: cudaDeviceEnablePeerAccess";
    case Reason::kReadBackEachStep:
      return "read it only every so many steps, or add it up on the device";
    case Reason::kOperandElsewhere: return "move the operand once, before it is used";
  }
  return {};
}

}  // namespace xfer
