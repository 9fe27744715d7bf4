// Findings of Python programs: which calls are the program's to change, and which a library's own.
// The stacks are those of PyTorch; its operators are functions of this program with their names.

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "temp_file.h"
#include "text_trace.h"
#include "xfer/report_builder.h"
#include "xfer/stack.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace at::_ops {
struct _foreach_norm_Scalar {
  [[gnu::noinline]] static void call(std::vector<std::uintptr_t>& frames) {
    frames.resize(xfer::kMaxStackDepth);
    frames.resize(xfer::capture_stack(frames));
    frames.resize(1);  // this very function
  }
};
struct to_dtype_layout {
  [[gnu::noinline]] static void call(std::vector<std::uintptr_t>& frames) {
    frames.resize(xfer::kMaxStackDepth);
    frames.resize(xfer::capture_stack(frames));
    frames.resize(1);
  }
};
}  // namespace at::_ops

namespace torch::autograd {
struct Engine {
  [[gnu::noinline]] static void evaluate_function(std::vector<std::uintptr_t>& frames) {
    frames.resize(xfer::kMaxStackDepth);
    frames.resize(xfer::capture_stack(frames));
    frames.resize(1);
  }
};
}  // namespace torch::autograd

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kTorch = "/p/venv/lib/python3.11/site-packages/torch/";
const std::string kOther = "/p/venv/lib/python3.11/site-packages/transformers/";

struct PythonCall {
  std::string function;
  std::string file;
  unsigned line;
};

struct Stack {
  std::vector<PythonCall> python;  ///< innermost first
  std::vector<std::uintptr_t> native{};
};

const PythonCall kTrain{"train", "/p/train.py", 30};

/// Of a text trace whose call sites have these stacks.
std::vector<Finding> findings(const std::string& text,
                              const std::map<std::uint32_t, Stack>& stacks) {
  const TempFile file;
  {
    auto writer = TraceWriter::open(file.path().c_str());
    for (Event event : parse_trace(text)) {
      const auto stack = stacks.find(event.site);
      std::vector<PythonFrameRef> calls;
      if (stack != stacks.end())
        for (const PythonCall& call : stack->second.python)
          calls.push_back(
              {writer->intern_python_frame(call.function, call.file, call.line), false});
      event.site = stack != stacks.end() ? writer->intern_stack(stack->second.native, calls) : 0;
      writer->add(event);
    }
  }
  TraceReader trace(file.path());
  return build_report(trace).findings;
}

/// Rule and line of each.
std::vector<std::string> found(const std::string& text,
                               const std::map<std::uint32_t, Stack>& stacks) {
  std::vector<std::string> places;
  for (const Finding& finding : findings(text, stacks))
    places.push_back(std::string(info(finding.rule).slug) + ' ' +
                     std::to_string(finding.location.line));
  return places;
}

std::vector<std::string> messages(const std::string& text,
                                  const std::map<std::uint32_t, Stack>& stacks) {
  std::vector<std::string> all;
  for (const Finding& finding : findings(text, stacks)) all.push_back(finding.message);
  return all;
}

// A line uploads the same content in each of ten steps; the host makes it anew each time.
constexpr const char* kConstant = R"(alloc P 65536
repeat 10
  alloc P+8192 512 block
  h2d P+8192 t{i} 216 #t at=1
  launch all
  free P+8192 block
end)";

TEST(PythonFindings, AnOperatorsOwnListIsNobodys) {
  std::vector<std::uintptr_t> norm;
  at::_ops::_foreach_norm_Scalar::call(norm);
  EXPECT_THAT(found(kConstant, {{1, {{kTrain}, norm}}}), IsEmpty());
  const PythonCall clip{"_get_total_norm", kTorch + "nn/utils/clip_grad.py", 95};
  EXPECT_THAT(found(kConstant, {{1, {{clip, kTrain}, norm}}}), IsEmpty());
}

TEST(PythonFindings, MemoryThatAnOperatorAllocatesIsTheProgramsOwn) {
  std::vector<std::uintptr_t> norm;
  at::_ops::_foreach_norm_Scalar::call(norm);
  EXPECT_THAT(found("alloc A 256\nrepeat 8\nalloc T 4096 at=1\nlaunch rw=T r=A\nfree T\nend",
                    {{1, {{kTrain}, norm}}}),
              ElementsAre("alloc-in-loop 30"));
}

TEST(PythonFindings, ATensorThatTheProgramMovesIsTheProgramsOwn) {
  std::vector<std::uintptr_t> move;
  at::_ops::to_dtype_layout::call(move);
  EXPECT_THAT(found(kConstant, {{1, {{kTrain}, move}}}), ElementsAre("repeated-transfer 30"));
  EXPECT_THAT(found(kConstant, {{1, {{kTrain}}}}), ElementsAre("repeated-transfer 30"));
  const PythonCall collate{"send", kOther + "trainer.py", 9};
  EXPECT_THAT(found(kConstant, {{1, {{collate, kTrain}, move}}}),
              ElementsAre("repeated-transfer 30"));
}

// A stop test on every step.
constexpr const char* kReadBack = R"(alloc L 4096
alloc A 256
launch w=L
repeat 20
  launch rw=A w=L
  d2h loss{i} L 1 ns=50000 at=1
end)";

TEST(PythonFindings, AValueThatTheProgramLooksAt) {
  const PythonCall format{"Tensor.__format__", kTorch + "_tensor.py", 1130};
  EXPECT_THAT(found(kReadBack, {{1, {{kTrain}}}}), ElementsAre("sync-in-loop 30"));
  const PythonCall log{"LogRecord.getMessage", "/usr/lib/python3.11/logging/__init__.py", 377};
  EXPECT_THAT(found(kReadBack, {{1, {{format, kTrain}}}}), ElementsAre("sync-in-loop 30"));
  EXPECT_THAT(found(kReadBack, {{1, {{log, kTrain}}}}), ElementsAre("sync-in-loop 30"));
}

TEST(PythonFindings, AValueThatALibraryLooksAtIsTheLibrarys) {
  const PythonCall contains{"Tensor.__contains__", kTorch + "_tensor.py", 1286};
  const PythonCall generate{"GenerationMixin.generate", kOther + "generation/utils.py", 2862};
  EXPECT_THAT(found(kReadBack, {{1, {{generate, kTrain}}}}), IsEmpty());
  EXPECT_THAT(found(kReadBack, {{1, {{contains, generate, kTrain}}}}), IsEmpty());
}

// Weights that are sent and then overwritten, all of them.
constexpr const char* kOverwritten = R"(alloc W 4096
alloc A 256
launch w=A
h2d W w 4096 #made at=1
h2d W saved 4096 #loaded at=2
launch r=W
launch r=W)";

TEST(PythonFindings, AModelIsMovedBeforeItsWeightsAreLoaded) {
  const std::string module = kTorch + "nn/modules/module.py";
  const PythonCall load{"Module._load_from_state_dict", module, 2500};
  EXPECT_THAT(found(kOverwritten, {{1, {{kTrain}}}, {2, {{load, kTrain}}}}),
              ElementsAre("unused-transfer 30"));
  for (const char* mover :
       {"Module.to.<locals>.convert", "convert", "Module.cuda.<locals>.<lambda>"})
    EXPECT_THAT(
        found(kOverwritten, {{1, {{{mover, module, 1374}, kTrain}}}, {2, {{load, kTrain}}}}),
        IsEmpty())
        << mover;
  // Loaded twice.
  EXPECT_THAT(found(kOverwritten, {{1, {{load, kTrain}}}, {2, {{load, kTrain}}}}),
              ElementsAre("unused-transfer 30"));
}

// Each step downloads the same bytes twice; the device does not change them in between.
constexpr const char* kDownloadedTwice = R"(alloc W 4096
repeat 4
  launch w=W
  d2h x W 4096 #w{i} at=1
  d2h y W 4096 #w{i} at=2
end)";

TEST(PythonFindings, SavedTwiceIsNoWaste) {
  const PythonCall storage{"_StorageBase.cpu", kTorch + "storage.py", 273};
  const PythonCall save{"save", kTorch + "serialization.py", 967};
  const PythonCall best{"train", "/p/train.py", 31};
  EXPECT_THAT(found(kDownloadedTwice, {{1, {{kTrain}}}, {2, {{best}}}}),
              ElementsAre("repeated-transfer 31"));
  EXPECT_THAT(
      found(kDownloadedTwice, {{1, {{storage, save, kTrain}}}, {2, {{storage, save, best}}}}),
      IsEmpty());
}

// By the host to another device, on each step.
constexpr const char* kThroughHost = R"(alloc A 4096 dev=0
alloc B 4096 dev=1
repeat 4
  launch rw=A dev=0
  d2h x A 4096 #h{i} at=1
  h2d B x 4096 #h{i} at=2
  launch r=B dev=1
end)";

TEST(PythonFindings, OfTwoDevicesTheWayForwardIsTold) {
  std::vector<std::uintptr_t> backward;
  torch::autograd::Engine::evaluate_function(backward);
  EXPECT_THAT(found(kThroughHost, {{1, {{kTrain}}}, {2, {{kTrain}}}}),
              ElementsAre("round-trip 30"));
  EXPECT_THAT(found(kThroughHost, {{1, {{kTrain}, backward}}, {2, {{kTrain}, backward}}}),
              IsEmpty());
}

TEST(PythonFindings, AFileBetweenTwoDevices) {
  const PythonCall load{"load", kTorch + "serialization.py", 1500};
  EXPECT_THAT(found(kThroughHost, {{1, {{kTrain}}}, {2, {{load, kTrain}}}}), IsEmpty());
}

TEST(PythonFindings, AModelIsMovedPieceByPiece) {
  constexpr const char* kPieces = R"(alloc A 100000
repeat 4
  h2d A+512 a{i} 400 #a{i} at=1
  h2d A+1024 b{i} 400 #b{i} at=1
  h2d A+1536 c{i} 400 #c{i} at=1
  h2d A+2048 d{i} 400 #d{i} at=1
  h2d A+2560 e{i} 400 #e{i} at=1
  h2d A+3072 f{i} 400 #f{i} at=1
  h2d A+3584 g{i} 400 #g{i} at=1
  h2d A+4096 h{i} 400 #h{i} at=1
  launch r=A
end)";
  const PythonCall convert{"Module.to.<locals>.convert", kTorch + "nn/modules/module.py", 1374};
  const PythonCall collate{"collate", "/p/train.py", 12};
  const PythonCall fetch{"fetch", kTorch + "utils/data/_utils/fetch.py", 54};
  EXPECT_THAT(found(kPieces, {{1, {{convert, kTrain}}}}), IsEmpty());
  EXPECT_THAT(found(kPieces, {{1, {{collate, fetch, kTrain}}}}), ElementsAre("small-copies 12"));
}

// A blocking copy of a library's, and one that the program waits for itself.
TEST(PythonFindings, EachCopyFromPinnedMemoryIsWaitedFor) {
  constexpr const char* kWaited = R"(alloc A 100000
alloc P 100000 pinned
alloc Q 100000 pinned
repeat 5
  h2d A P 65536 #p{i} async at=1
  sync stream at=2
  launch r=A
  h2d A Q 65536 #q{i} async at=1
  sync stream at=2
  launch r=A
end)";
  std::vector<std::uintptr_t> move;
  at::_ops::to_dtype_layout::call(move);
  const PythonCall later{"train", "/p/train.py", 31};
  const PythonCall accelerate{"send", kOther + "trainer.py", 9};
  EXPECT_THAT(found(kWaited, {{1, {{kTrain}, move}}, {2, {{kTrain}, move}}}),
              ElementsAre("needless-sync 30"));
  EXPECT_THAT(found(kWaited, {{1, {{kTrain}, move}}, {2, {{later}, move}}}), IsEmpty());
  EXPECT_THAT(found(kWaited, {{1, {{kTrain}}}, {2, {{kTrain}}}}), IsEmpty()) << "CUDA's own calls";
  EXPECT_THAT(
      found(kWaited, {{1, {{accelerate, kTrain}, move}}, {2, {{accelerate, kTrain}, move}}}),
      IsEmpty());
}

// To the same place as before, or to another.
TEST(PythonFindings, OneWasteIsOneFinding) {
  constexpr const char* kTwice = R"(alloc W 4096
repeat 4
  launch w=W
  d2h x W 4096 #w{i} at=1
  d2h y W 4096 #w{i} at=2
end
repeat 6
  launch w=W
  d2h z W 4096 #z{i} at=1
  d2h z W 4096 #z{i} at=2
end)";
  const PythonCall report{"report", "/p/train.py", 31};
  const std::map<std::uint32_t, Stack> stacks = {{1, {{kTrain}}}, {2, {{report}}}};
  EXPECT_THAT(messages(kTwice, stacks),
              ElementsAre("the same 4 KiB are copied to the host again (10 times) although the "
                          "data did not change since its last download"));
}

}  // namespace
}  // namespace xfer::test
