// Python's calls among native ones. The interpreter here is a function of this program that has the
// name of CPython's evaluation loop.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "temp_file.h"
#include "xfer/stack.h"
#include "xfer/symbolize.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

// No C++ name, and never inlined.
extern "C" __attribute__((noinline)) void _PyEval_EvalFrameDefault(void (*call)(void*),
                                                                   void* with) {
  call(with);
  asm volatile("" ::: "memory");
}

namespace xfer::test {
namespace {

using testing::ElementsAre;

struct Python {
  const char* function;
  const char* file;
  unsigned line;
  bool entered;
};

std::vector<SymbolFrame> symbolized(const std::vector<std::uintptr_t>& native,
                                    const std::vector<Python>& python,
                                    const std::filesystem::path& root = {}) {
  const TempFile file;
  std::uint32_t site = 0;
  {
    auto writer = TraceWriter::open(file.path().c_str());
    std::vector<PythonFrameRef> calls;
    for (const Python& call : python)
      calls.push_back(
          {writer->intern_python_frame(call.function, call.file, call.line), call.entered});
    site = writer->intern_stack(native, calls);
  }
  TraceReader trace(file.path());
  for (Event event; trace.next(event);) {
  }
  return Symbolizer(root).stack(trace, site);
}

/// Functions of the frames out to the test's own.
std::vector<std::string> functions(const std::vector<SymbolFrame>& stack) {
  std::vector<std::string> names;
  for (const SymbolFrame& frame : stack) {
    const std::string& name = frame.location.function;
    if (name.ends_with("TestBody")) break;
    names.push_back(name.substr(name.rfind(':') + 1));
  }
  return names;
}

[[gnu::noinline]] void look(void* frames) {
  auto& out = *static_cast<std::vector<std::uintptr_t>*>(frames);
  out.resize(kMaxStackDepth);
  out.resize(capture_stack(out));
}
[[gnu::noinline]] void extension(void* frames) {
  _PyEval_EvalFrameDefault(look, frames);
  asm volatile("" ::: "memory");
}

TEST(PythonCalls, StandWhereTheInterpreterMadeThem) {
  std::vector<std::uintptr_t> native;
  _PyEval_EvalFrameDefault(extension, &native);
  const auto stack = symbolized(native, {{"upload", "/p/a.py", 3, false},
                                         {"batch", "/p/a.py", 9, true},
                                         {"train", "/p/b.py", 20, true}});
  EXPECT_THAT(functions(stack), ElementsAre("look", "upload", "batch", "extension", "train"));
  EXPECT_EQ(stack[1].location.file, "/p/a.py");
  EXPECT_EQ(stack[1].location.line, 3u);
  EXPECT_EQ(stack[1].kind, FrameKind::kUser);
  EXPECT_TRUE(stack[1].python);
}

TEST(PythonCalls, ThatNoLoopStandsForComeLast) {
  std::vector<std::uintptr_t> native;
  look(&native);
  native.resize(1);
  EXPECT_THAT(
      functions(symbolized(native, {{"upload", "/p/a.py", 3, true}, {"main", "/p/a.py", 9, true}})),
      ElementsAre("look", "upload", "main"));
  EXPECT_THAT(functions(symbolized({}, {{"upload", "/p/a.py", 3, true}})), ElementsAre("upload"));
}

TEST(PythonCalls, ALoopWithoutCallsStays) {
  std::vector<std::uintptr_t> native;
  _PyEval_EvalFrameDefault(look, &native);
  EXPECT_THAT(functions(symbolized(native, {})), ElementsAre("look", "_PyEval_EvalFrameDefault"));
}

TEST(PythonCalls, FilesAreOfThePlaceWhereTheyWereStarted) {
  const std::string here = std::filesystem::current_path();
  const auto place = [](const char* file) {
    return symbolized({}, {{"f", file, 1, true}}).at(0).location.file;
  };
  EXPECT_EQ(place("../train.py"), std::filesystem::path(here).parent_path() / "train.py");
  EXPECT_EQ(place("/p/train.py"), "/p/train.py");
  EXPECT_EQ(place("<string>"), "<string>");
}

TEST(PythonCalls, TheUsersLineIsOnTop) {
  const std::vector<Python> calls = {
      {"copy_", "/p/venv/lib/python3.11/site-packages/torch/_tensor.py", 5, true},
      {"run", "/usr/lib/python3.11/threading.py", 9, true},
      {"helper", "/elsewhere/helper.py", 2, true},
      {"train", "/p/train.py", 30, true},
      {"_call", "<frozen importlib._bootstrap>", 1, true},
      {"main", "/p/train.py", 40, true},
      {"<module>", "/p/train.py", 44, true}};
  const auto stack = symbolized({}, calls, "/p");
  ASSERT_EQ(stack.size(), 7u);
  const std::vector<FrameKind> kinds = {
      FrameKind::kLibrary,  FrameKind::kLibrary, FrameKind::kOutside, FrameKind::kUser,
      FrameKind::kInternal, FrameKind::kUser,    FrameKind::kUser};
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(stack[i].kind, kinds[i]) << i;
  EXPECT_EQ(user_frame(stack), &stack[3]);
  EXPECT_THAT(functions(folded(stack)), ElementsAre("train", "main", "<module>"));
}

TEST(PythonCalls, TheInterpretersOwnFramesAreNobodys) {
  SymbolFrame frame;
  frame.location.function = "PyObject_Vectorcall";
  for (const char* module : {"/opt/bin/python3.11", "/usr/bin/python3", "/x/bin/python3.13t"}) {
    frame.module = module;
    EXPECT_EQ(frame_kind(frame), FrameKind::kInternal) << module;
  }
  frame.module = "/home/me/python_trainer";
  EXPECT_EQ(frame_kind(frame), FrameKind::kUser);
  frame.module = "/x/lib/python3.11/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so";
  EXPECT_EQ(frame_kind(frame), FrameKind::kLibrary);
  frame.location.file = "/build/Python-3.11.7/Modules/_ctypes/callproc.c";
  EXPECT_EQ(frame_kind(frame), FrameKind::kLibrary);
  EXPECT_EQ(frame_kind(frame, "/home/me/trainer"), FrameKind::kLibrary);
  EXPECT_EQ(frame_kind(frame, "/build/Python-3.11.7"), FrameKind::kUser) << "who works on it";
}

}  // namespace
}  // namespace xfer::test
