#include "finding_text.h"

namespace xfer {

std::string remedy_of(const EngineFinding& found) {
  switch (found.reason) {
    case Reason::kHeldAlready: return "copy it once, and again only when it has changed";
    case Reason::kHeldElsewhere:
      return "use the buffer that has it, or copy from there on the device";
    case Reason::kFreedUnchanged: return "keep the buffer on the device between its uses";
    case Reason::kSentAgain:
      return "send it once and keep it on the device; where a kernel changes it there, copy from a "
             "second one on the device";
    case Reason::kDownloadedBefore:
      return "use what the host has, and download again only when the device has changed it";
    case Reason::kSentAndReturned:
      return "leave the way back out: the host has what it sent; where it needs a second copy, a "
             "copy on the host will do";
    case Reason::kReturnedInPlace: return "leave the way back out: the device still has it";
    case Reason::kReturnedElsewhere:
      return "keep it on the device, and copy from buffer to buffer there where it must be";
    case Reason::kOverwritten: return "leave the copy out";
    case Reason::kFreed:
    case Reason::kNeverRead:
      return "leave the copy out, or make it only where the device goes on to use it";
    case Reason::kNobodyLooked: return "copy back only those results that the program looks at";
    case Reason::kStagedUpload:
    case Reason::kWaitingDownload:
      return "pin the host's memory, once: cudaMallocHost or cudaHostRegister, in PyTorch "
             "pin_memory";
    case Reason::kNothingUnderWay: return "leave the wait out";
    case Reason::kNothingToSee:
      return "leave the wait out: what the device is given next comes after that work anyway";
    case Reason::kLookedAtLater: return "wait once, before the results are looked at";
    case Reason::kFreeWaits:
      return "keep the memory for the next time, or free it in stream order: cudaMallocAsync and "
             "cudaFreeAsync";
    case Reason::kUploadWaits:
      return "copy with cudaMemcpyAsync from pinned memory, so that the host can go on meanwhile; "
             "a second buffer on the host to prepare the next one in";
    case Reason::kSameSizeAgain:
      return "allocate it once and use it again; device memory can come from a pool, too: "
             "cudaMallocAsync";
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
    case Reason::kFreedPending: return "wait for the copy first, or free it on the copy's stream";
    case Reason::kNeverFreed: return "free it, or allocate it once and use it again";
    case Reason::kHostReadsPending:
    case Reason::kHostWritesPending:
      return "wait for the copy first: cudaStreamSynchronize, or cudaEventSynchronize of an event "
             "recorded after it";
    case Reason::kCopiedPending:
    case Reason::kOverwrittenPending:
    case Reason::kLaunchedPending:
    case Reason::kSourceOverwritten:
    case Reason::kLaunchedOver:
      return "record an event after the copy and let this stream wait for it: cudaStreamWaitEvent";
    case Reason::kStreamOfOther: return "make the stream's device current first: cudaSetDevice";
    case Reason::kMemoryOfOther:
      return "give it memory of its own device, or give that device access: "
             "cudaDeviceEnablePeerAccess";
    case Reason::kReadBackEachStep:
      return "look at it every so many steps only, or add it up on the device";
    case Reason::kOperandElsewhere: return "move the operand once, before it is used";
  }
  return {};
}

}  // namespace xfer
