#include <gmock/gmock.h>

#include "run_program.h"

namespace xfer::test {
namespace {

Outcome run_graphs(const std::string& act, const std::string& schedule = "eager") {
  return run_emulated({XFER_GRAPH_PROGRAM, act}, {"XFERCHECK_OPTIONS=emulate_schedule=" + schedule +
                                                  ":emulate_kernels=" XFER_PROGRAM_KERNELS});
}

TEST(Graph, ALaunchDoesWhatWasCaptured) {
  for (const char* schedule : {"eager", "lazy", "random:emulate_seed=3"}) {
    EXPECT_EQ(run_graphs("replay", schedule).out,
              "end: cudaSuccess\ncapturing: 1, nodes: 3, out: 0\ninstantiate: cudaSuccess\n"
              "out: 2\nout: 10\nupdate: cudaSuccess\nout: 15\n"
              "destroy: cudaSuccess\nlaunch: cudaErrorInvalidValue\n")
        << schedule;
  }
}

TEST(Graph, AStreamThatWaitsForAnEventOfTheCaptureTakesPart) {
  for (const char* schedule : {"eager", "lazy"}) {
    EXPECT_EQ(run_graphs("fork", schedule).out,
              "end: cudaSuccess\ninstantiate: cudaSuccess\n"
              "out: 7\nout: 7\ncalls: 2\nother: cudaSuccess\n")
        << schedule;
  }
  EXPECT_EQ(run_graphs("unjoined").out,
            "end: cudaErrorStreamCaptureUnjoined\ncalls: 0\nother: cudaSuccess\n");
}

TEST(Graph, WhatACaptureDoesNotAllowBreaksIt) {
  EXPECT_EQ(run_graphs("asked").out,
            "event: cudaErrorCapturedEvent\nend: cudaErrorStreamCaptureInvalidated\ncalls: 0\n"
            "other: cudaSuccess\n");
  EXPECT_EQ(run_graphs("forbidden").out,
            "wait: cudaErrorStreamCaptureUnsupported\nend: cudaErrorStreamCaptureInvalidated\n"
            "default stream: cudaErrorStreamCaptureImplicit\n"
            "device: cudaErrorStreamCaptureUnsupported\nend: cudaErrorStreamCaptureInvalidated\n"
            "no capture: cudaErrorIllegalState\n"
            "default stream: cudaErrorStreamCaptureUnsupported\nafterwards: cudaSuccess\nout: 2\n");
}

}  // namespace
}  // namespace xfer::test
