#include "foreign/call_names.h"

#include <unordered_map>

namespace xfer::foreign {
namespace {

using std::string_view;

/// Without the library's prefix and the version's suffix: "MemcpyAsync" of "cudaMemcpyAsync_v3020".
string_view stem_of(string_view name) {
  for (const string_view prefix : {string_view("cuda"), string_view("hip"), string_view("cu")})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  while (true) {
    const std::size_t underscore = name.rfind('_');
    if (underscore == string_view::npos) return name;
    const string_view suffix = name.substr(underscore + 1);
    const bool is_version = suffix.size() > 1 && suffix[0] == 'v' &&
                            suffix.find_first_not_of("0123456789", 1) == string_view::npos;
    if (!is_version && suffix != "ptsz" && suffix != "ptds" && suffix != "spt") return name;
    name.remove_suffix(suffix.size() + 1);
  }
}

bool is_copy(string_view stem) { return stem.starts_with("Memcpy"); }

}  // namespace

CallKind kind_of_call(string_view name) {
  const string_view stem = stem_of(name);
  static const std::unordered_map<string_view, CallKind> kKinds{
      {"Malloc", CallKind::kAlloc},
      {"MallocPitch", CallKind::kAlloc},
      {"Malloc3D", CallKind::kAlloc},
      {"ExtMallocWithFlags", CallKind::kAlloc},
      {"MemAlloc", CallKind::kAlloc},
      {"MemAllocPitch", CallKind::kAlloc},
      {"MallocManaged", CallKind::kAlloc},
      {"MemAllocManaged", CallKind::kAlloc},
      {"MallocAsync", CallKind::kAllocAsync},
      {"MallocFromPoolAsync", CallKind::kAllocAsync},
      {"MemAllocAsync", CallKind::kAllocAsync},
      {"MemAllocFromPoolAsync", CallKind::kAllocAsync},
      {"MallocHost", CallKind::kAllocPinned},
      {"HostAlloc", CallKind::kAllocPinned},
      {"HostMalloc", CallKind::kAllocPinned},
      {"MemAllocHost", CallKind::kAllocPinned},
      {"MemHostAlloc", CallKind::kAllocPinned},
      {"FreeHost", CallKind::kFreePinned},
      {"HostFree", CallKind::kFreePinned},
      {"MemFreeHost", CallKind::kFreePinned},
      {"Free", CallKind::kFree},
      {"MemFree", CallKind::kFree},
      {"StreamSynchronize", CallKind::kSyncStream},
      {"DeviceSynchronize", CallKind::kSyncDevice},
      {"ThreadSynchronize", CallKind::kSyncDevice},
      {"CtxSynchronize", CallKind::kSyncDevice},
      {"EventSynchronize", CallKind::kSyncEvent},
      {"EventQuery", CallKind::kQuery},
      {"StreamQuery", CallKind::kQuery},
      {"EventElapsedTime", CallKind::kQuery},
      {"EventRecord", CallKind::kEventRecord},
      {"EventRecordWithFlags", CallKind::kEventRecord},
      {"StreamWaitEvent", CallKind::kStreamWait}};
  if (const auto found = kKinds.find(stem); found != kKinds.end()) return found->second;
  if (!is_copy(stem)) return CallKind::kOther;
  return stem.find("Async") != string_view::npos ? CallKind::kCopyAsync : CallKind::kCopy;
}

}  // namespace xfer::foreign
