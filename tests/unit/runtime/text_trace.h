#pragma once
// Traces written as text, for tests of the engine. One event a line; a line's number is its call
// site.
//
// clang-format off
//   alloc A 256 [dev=1] [managed | pinned [registered]]
//                                 device memory named A; the same name gets the same address again
//   free A [reset | all] | reset  freed by a reset of the device, or only shared; the reset's end
//   h2d A+16 x 64 #a [options]    destination, source, bytes, content; without # it is not hashed
//   d2h x A 64 #a                     names that were never allocated are host buffers
//   d2d B A 64                        also between devices
//   set A 64
//   launch [r=A] [w=B] [rw=C] [r=A:64] [w=A:64:extent:pitch] [all] [skipped] [plain]
//                                 parameters, optionally with their bytes, or rows of bytes; plain:
//                                 it touched these very bytes
//   launch [names=A] [uses=B]     a graph, a node of which gives A to a kernel, or copies to B
//   sync device | sync stream=1 | sync event=5
//   stream 1 [nonblocking] | destroy 1 | record 5 stream=1 | wait 5 stream=2
//   time ID 500 [until ID+80] | content ID #a   device time of what has id=ID (it ended 80 ns after
//                                 a call had begun); content of a copy
//   read A+16 | write A | touch A     by the host; id=1: bytes that what has id=1 uses
//   changed id=1                  the source of the copy with id=1, before it was known to be over
//   unread x 64 id=1              no host code looked at what the copy with id=1 brought there
//   hostfunc stream=1                 host code in stream order
//   peer 1 dev=0                      device 0 may reach the memory of device 1
//   enter 7 | leave 7             a scope whose name has that number
//   dropped 3
//   repeat 4 ... end                  the lines between, four times; {i} in them is the iteration
// clang-format on
//
// Options of all: dev=N stream=N async id=N ns=N (host time) at=N (call site) thread=N failed
// captured unchanged addresses implicit; extent=N sextent=N make a copy or set strided. `;` starts
// a comment.

#include <string>
#include <string_view>
#include <vector>

#include "xfer/engine.h"

namespace xfer::test {

/// Throws std::invalid_argument that names the line.
std::vector<Event> parse_trace(std::string_view text);

/// Runs the engine over it and prints each finding, in the order of call sites:
/// "4: repeated-transfer proven held-already 3x 192 B (2)".
std::vector<std::string> findings_of(std::string_view trace, Ending ending = Ending::kSucceeded,
                                     const EngineOptions& options = {});
std::vector<std::string> describe(const std::vector<EngineFinding>& findings);

}  // namespace xfer::test
