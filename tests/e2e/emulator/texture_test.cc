// CUDA arrays, and kernels that read textures and surfaces.

#include <gmock/gmock.h>

#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

std::string printed(const std::string& program, const std::string& act,
                    const std::string& options = "") {
  const Outcome outcome = run_emulated({program, act}, {"XFERCHECK_OPTIONS=" + options});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.exit_code, 0);
  return outcome.out;
}

TEST(Array, RectanglesAreCopied) {
  for (const char* schedule : {"eager", "lazy"}) {
    EXPECT_EQ(printed(XFER_ARRAY_PROGRAM, "planes", std::string("emulate_schedule=") + schedule),
              "array: cudaSuccess\narray: cudaSuccess\nin: cudaSuccess\n"
              "all: 0 1 2 3 5 6 7 8 10 11 12 13\npart: cudaSuccess\nsync: cudaSuccess\n"
              "all: 0 1 2 3 5 15 16 8 10 17 18 13\nbetween: cudaSuccess\nout: cudaSuccess\n"
              "part: 5 15 10 17\nfree: cudaSuccess\nfree again: cudaErrorInvalidValue\n");
  }
}

TEST(Array, RunsOfBytesGoFromRowToRow) {
  EXPECT_EQ(printed(XFER_ARRAY_PROGRAM, "runs"),
            "array: cudaSuccess\narray: cudaSuccess\nin: cudaSuccess\n"
            "all: 0 0 0 0 0 0 0 1 2 3 4 5\nbetween: cudaSuccess\nout: cudaSuccess\n"
            "run: 1 2 3 4 5\ntoo many: cudaErrorInvalidValue\n");
}

TEST(Array, CuboidsAreCopiedAndFilled) {
  EXPECT_EQ(printed(XFER_ARRAY_PROGRAM, "cuboids"),
            "array: cudaSuccess\nin: cudaSuccess\nvolume: cudaSuccess\nfill: cudaSuccess\n"
            "part: cudaSuccess\nout: cudaSuccess\nall: 0 0 0 0 4 5 0 0 0 0 10 11\n"
            "beyond the array: cudaErrorInvalidValue\n"
            "an array is no host memory: cudaErrorInvalidMemcpyDirection\n");
}

TEST(Array, SaysWhatItIs) {
  EXPECT_EQ(printed(XFER_ARRAY_PROGRAM, "asked"),
            "cube: cudaSuccess\ninfo: cudaSuccess\n16 16 1, 8 8 6, 6\nchannels: cudaSuccess\n"
            "mipmaps: cudaSuccess\nlevel 0: cudaSuccess 8 x 3\nlevel 1: cudaSuccess 4 x 1\n"
            "level 2: cudaSuccess 2 x 1\nlevel 3: cudaSuccess 1 x 1\n"
            "level 4: cudaErrorInvalidValue 1 x 1\n"
            "a level is not freed: cudaErrorInvalidValue\nfree: cudaSuccess\n"
            "after a reset: cudaErrorInvalidValue\n");
}

TEST(Array, BadArgumentsAreErrors) {
  const Outcome outcome = run_emulated({XFER_ARRAY_PROGRAM, "errors"});
  EXPECT_EQ(outcome.out,
            "empty: cudaErrorInvalidValue\nno address: cudaErrorInvalidValue\n"
            "too large: cudaErrorInvalidValue\nodd texels: cudaErrorInvalidChannelDescriptor\n"
            "oblong cube: cudaErrorInvalidValue\nsparse: cudaErrorNotSupported\n"
            "array: cudaSuccess\nrow: cudaErrorInvalidValue\nrows: cudaErrorInvalidValue\n"
            "pitch: cudaErrorInvalidPitchValue\nway: cudaErrorInvalidMemcpyDirection\n"
            "no array: cudaErrorInvalidValue\nnothing: cudaErrorInvalidValue\n");
  EXPECT_EQ(outcome.err,
            "xfercheck: cudaArraySparse is not emulated; it returns cudaErrorNotSupported\n");
}

#ifdef XFER_TEXTURE_PROGRAM

TEST(Texture, OfMemory) {
  EXPECT_EQ(printed(XFER_TEXTURE_PROGRAM, "memory"),
            "floats: 0 9 0 0\nbytes: 128 63\npitched: 65 32.5 194\n");
}

// 0.300781 is 77/256: weights have eight bits.
TEST(Texture, OfArrays) {
  EXPECT_EQ(printed(XFER_TEXTURE_PROGRAM, "arrays"),
            "nearest: 0 7 4\nlinear: 3.5 0.300781 7\ngather: 4510\nwrap: 1 7\n"
            "border: 50 51 100\nshorts: -2 -12\nnormalized: 0.2 0.1\ncuboid: 3.5 5\n");
}

TEST(Texture, OfLayersAndFaces) {
  EXPECT_EQ(printed(XFER_TEXTURE_PROGRAM, "layers"),
            "rows: 1.5 9.5\nplanes: 3.5 19.5\ncube: 0 1 2 3 4 5\ncubes: 6 7 8 9 10 11\n");
}

TEST(Texture, OfMipmaps) {
  EXPECT_EQ(printed(XFER_TEXTURE_PROGRAM, "mipmaps"),
            "nearest: 0 10 20\nlinear: 2.5 15\ngradients: 0 10\n");
}

TEST(Texture, SurfacesAreReadAndWritten) {
  EXPECT_EQ(printed(XFER_TEXTURE_PROGRAM, "surfaces"),
            "plane: 4 4 12 6 20 8 28 10\nlayers: 0 1 2 10 11 12\n"
            "cuboid: 0 0 0 -1 1 0 0 -1 0 0 1 -1 1 0 1 -1\n");
}

TEST(Texture, AnAccessBeyondASurfaceLosesTheDevice) {
  const Outcome outcome = run_emulated({XFER_TEXTURE_PROGRAM, "beyond"});
  EXPECT_EQ(outcome.out, "run: cudaErrorIllegalAddress\n");
  EXPECT_THAT(outcome.err, HasSubstr("an access beyond a surface's edge"));
}

TEST(Texture, AnObjectThatIsGoneLosesTheDevice) {
  const Outcome outcome = run_emulated({XFER_TEXTURE_PROGRAM, "destroyed"});
  EXPECT_EQ(outcome.out, "run: cudaErrorIllegalAddress\ngone: 0\n");
  EXPECT_THAT(outcome.err, HasSubstr("a texture object that does not exist is read"));
}

TEST(Texture, BadArgumentsAreErrors) {
  EXPECT_EQ(printed(XFER_TEXTURE_PROGRAM, "errors"),
            "integers between: cudaErrorInvalidFilterSetting\n"
            "ints normalized: cudaErrorInvalidNormSetting\n"
            "no array: cudaErrorInvalidResourceHandle\nno resource: cudaErrorInvalidValue\n"
            "no surface: cudaErrorInvalidValue\nnever made: cudaErrorInvalidValue\n");
}

#endif

}  // namespace
}  // namespace xfer::test
