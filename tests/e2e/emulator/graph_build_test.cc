// Graphs that are built node by node.

#include <gmock/gmock.h>

#include "run_program.h"
#include "unit/runtime/temp_file.h"

namespace xfer::test {
namespace {

using ::testing::HasSubstr;

Outcome build(const std::string& act, const std::string& schedule = "eager") {
  return run_emulated({XFER_GRAPH_BUILD_PROGRAM, act},
                      {"XFERCHECK_OPTIONS=emulate_schedule=" + schedule +
                       ":emulate_kernels=" XFER_PROGRAM_KERNELS});
}

TEST(BuiltGraph, NodesRunAndCanBeChanged) {
  for (const char* schedule : {"eager", "lazy", "random:emulate_seed=3"}) {
    EXPECT_EQ(build("chain", schedule).out,
              "copy kernel copy, out: 2\nmade before: 2\nmade after: 3\nset: 5\n"
              "told: 3, 2 x 128\ndisabled: 1\nother source: -1\n"
              "other type: cudaErrorInvalidValue\nblock: cudaErrorInvalidConfiguration\n"
              "direction: cudaErrorInvalidValue\ndestroyed: cudaErrorInvalidValue\n"
              "its node: cudaErrorInvalidValue\n")
        << schedule;
  }
}

TEST(BuiltGraph, NodesRunInAnOrderThatTheirEdgesAllow) {
  EXPECT_EQ(build("order").out,
            "again: cudaErrorInvalidValue\nfirst middle last \n"
            "roots 1, edges 5, before 1, after 2\ncircle: cudaErrorInvalidValue\n"
            "edges 2, last first \n");
}

TEST(BuiltGraph, ClonesAndChildrenAreGraphsOfTheirOwn) {
  EXPECT_EQ(build("clones").out,
            "of another: cudaErrorInvalidValue\nfirst: 2\ncopy: 7\n"
            "graph of copy kernel copy: 2\nexchanged: 7\na child: cudaErrorInvalidValue\n");
}

TEST(BuiltGraph, AnUpdateFitsOrSaysWhatDoesNot) {
  EXPECT_EQ(build("updates").out,
            "update: cudaSuccess\nout: 4\nlonger: cudaErrorGraphExecUpdateFailure\ntopology: 1\n"
            "other type: cudaErrorGraphExecUpdateFailure\ntype: 1\n");
}

TEST(BuiltGraph, CopiesAndFillsOfAllForms) {
  EXPECT_EQ(build("copies").out,
            "fill copy copy copy: 0 3\ntold: 1 1024, 256 x 4\ntoo much: cudaErrorInvalidValue\n");
}

TEST(BuiltGraph, EventsMarkWhenNodesRan) {
  EXPECT_EQ(build("events").out, "copy kernel copy record record wait, took time: 1, told: 1\n");
}

TEST(BuiltGraph, ObjectsOfTheProgramLiveAsLongAsItsGraphs) {
  EXPECT_EQ(build("objects").out,
            "waits: cudaErrorInvalidValue\nmore: cudaErrorInvalidValue\nout: 2, ended: 0\n"
            "ended: 11\ngone: cudaErrorInvalidValue\n");
}

TEST(BuiltGraph, OneCallAddsNodesOfAllTypes) {
  const Outcome outcome = build("generic");
  EXPECT_EQ(outcome.out,
            "copy kernel copy: 2\nset: 6\nconditional: cudaErrorNotSupported\n"
            "handle: cudaErrorNotSupported\n");
  EXPECT_THAT(outcome.err, HasSubstr("cudaGraphAddNode for a conditional node is not emulated"));
  EXPECT_THAT(outcome.err, HasSubstr("cudaGraphConditionalHandleCreate is not emulated"));
}

TEST(BuiltGraph, MemoryOfAGraphIsInUseFromLaunchToFree) {
  for (const char* schedule : {"eager", "lazy"}) {
    EXPECT_EQ(build("memory", schedule).out,
              "another: cudaErrorNotSupported\nout: 3, used: 1\nagain: "
              "cudaErrorInvalidValue\nfreed twice: cudaErrorInvalidValue\n"
              "out: 3\nout: 3\nalloc fill copy free, out: 3, used: 0\n"
              "alloc fill kernel copy free, out: 1\nreserved: 0\n")
        << schedule;
  }
}

TEST(BuiltGraph, ACapturedGraphIsOneToo) {
  EXPECT_EQ(build("captured").out,
            "copy kernel kernel copy, edges 3, same: 1, out: 6\nfactor: 3\nout: 20\n"
            "copy kernel copy fill, edges 3, out: 0\n"
            "launch: cudaErrorStreamCaptureUnsupported\n"
            "end: cudaErrorStreamCaptureInvalidated\n");
}

TEST(BuiltGraph, CanBeDrawn) {
  const TempFile file;
  EXPECT_EQ(run_emulated({XFER_GRAPH_BUILD_PROGRAM, "dot"}, {"DOT=" + file.path().string()}).out,
            "nodes 3, edges 2\n");
}

}  // namespace
}  // namespace xfer::test
