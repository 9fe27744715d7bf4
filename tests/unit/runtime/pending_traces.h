#pragma once
// Traces for the rules about copies that are touched before they have ended: two streams that do
// not wait for the default stream, two buffers with something in them, pinned memory. The lines
// that the test adds begin on line 8.

#include <string>
#include <vector>

namespace xfer::test {

/// `first` is line 7.
inline std::string pending_trace(const std::string& first, const std::string& rest) {
  return "alloc A 256\nalloc B 256\nalloc P 256 pinned\nstream 1 nonblocking\nstream 2 "
         "nonblocking\nlaunch w=A w=B stream=1 only\n" +
         first + "\n" + rest + "\n";
}
inline std::string while_downloading(const std::string& rest) {
  return pending_trace("d2h P A 256 async stream=1", rest);
}
inline std::string while_uploading(const std::string& rest) {
  return pending_trace("h2d A P 256 async stream=1", rest);
}

/// Each lets the host know that stream 1's work so far is over.
inline const std::vector<std::string> kWaitsForStream1 = {
    "sync stream=1",
    "sync device",
    "sync stream=1 async",
    "record 5 stream=1\nsync event=5",
    "record 5 stream=1\nsync event=5 async",
    "record 5 stream=1\nwait 5 stream=2\nsync stream=2",
};
/// Each may tell the host so in a way that is not seen.
inline const std::vector<std::string> kMayTellTheHost = {
    "hostfunc stream=1", "launch all stream=1", "launch w=P stream=1", "launch w=flag stream=1"};
/// Puts what stream 2 is given next in order after stream 1's work so far.
inline const std::string kStream2Waits = "record 5 stream=1\nwait 5 stream=2\n";

}  // namespace xfer::test
