// Python programs under xfertrace: findings on the line of the script, by every CPython that is
// here.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// ctypes lets go of Python's lock for a function of a CDLL, and keeps it for one of a PyDLL.
constexpr const char* kScript = R"(import ctypes
import sys
import threading

library = getattr(ctypes, sys.argv[1])("libcudart.so.13")
size = 1 << 16


class Trainer:
    def __init__(self):
        self.device = ctypes.c_void_p()
        assert library.cudaMalloc(ctypes.byref(self.device), ctypes.c_size_t(size)) == 0
        self.host = ctypes.create_string_buffer(b"x" * size, size)

    def upload(self):
        return library.cudaMemcpy(self.device, self.host, ctypes.c_size_t(size), 1)  # HERE

    def train(self):
        for step in [self.upload for _ in range(3)]:
            assert step() == 0


trainer = Trainer()
if len(sys.argv) > 2:
    thread = threading.Thread(target=trainer.train)
    thread.start()
    thread.join()
else:
    trainer.train()
print("python done")
)";

class PythonTest : public TraceTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "its runtime cannot come into a program that was built without it";
#endif
    TraceTest::SetUp();
    std::ofstream(file("train.py")) << kScript;
  }

  void expect_found(const std::vector<std::string>& arguments, const std::string& outermost) {
    std::vector<std::string> program = {GetParam(), file("train.py")};
    program.insert(program.end(), arguments.begin(), arguments.end());
    const CommandResult result = trace(program);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "python done\n");
    ASSERT_EQ(findings(), 1U) << report_.dump(1);
    const json& finding = report_["findings"][0];
    EXPECT_EQ(finding["rule"], "repeated-transfer");
    EXPECT_EQ(finding["cost"]["count"], 2);
    const json& location = finding["location"];
    EXPECT_THAT(location["file"].get<std::string>(), EndsWith("train.py"));
    EXPECT_EQ(location["line"], 16);
    EXPECT_THAT(location["function"].get<std::string>(), EndsWith("upload"));
    const json& stack = finding["stack"];
    ASSERT_GE(stack.size(), 2U) << stack;
    EXPECT_EQ(stack[0], location);
    EXPECT_THAT(stack[1]["function"].get<std::string>(), EndsWith("train"));
    EXPECT_EQ(stack[1]["line"], 20);
    EXPECT_EQ(stack.back()["function"], outermost) << stack;
  }
};

TEST_P(PythonTest, WithoutTheLock) { expect_found({"CDLL"}, "<module>"); }
TEST_P(PythonTest, WithTheLock) { expect_found({"PyDLL"}, "<module>"); }

// The frames that call a thread's function are the library's, and not in the stack.
TEST_P(PythonTest, InAThread) {
  for (const char* way : {"CDLL", "PyDLL"}) {
    std::vector<std::string> program = {GetParam(), file("train.py"), way, "thread"};
    const CommandResult result = trace(program);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    ASSERT_EQ(findings(), 1U) << report_.dump(1);
    const json& stack = report_["findings"][0]["stack"];
    ASSERT_EQ(stack.size(), 2U) << stack;
    EXPECT_EQ(stack[0]["line"], 16);
    EXPECT_EQ(stack[1]["line"], 20);
  }
}

TEST_P(PythonTest, SuppressedByFunctionAndFile) {
  for (const char* row : {"repeated-transfer:train.py$", "*:upload$", "*:<module>"}) {
    std::ofstream(file("team.supp")) << row << '\n';
    const CommandResult result =
        xfertrace({"--emulate", "--fail-on", "any", "--suppressions", file("team.supp"), GetParam(),
                   file("train.py"), "CDLL"});
    EXPECT_EQ(result.exit_code, 0) << row << result.err;
    EXPECT_THAT(result.err, HasSubstr("suppressed: 1"));
  }
}

// As a backward pass of PyTorch's that is put away when a short script has ended.
TEST_P(PythonTest, AThreadComesLateWhilePythonEnds) {
  std::ofstream(file("late.py")) << R"(import ctypes
import sys
import time

library = ctypes.PyDLL(sys.argv[1])
call = ctypes.CFUNCTYPE(None)(lambda: None)


class Last:
    def __del__(self, now=library.call_now, sleep=time.sleep, keep=call):
        now()
        sleep(0.3)


library.call_late(call)
last = Last()
)";
  const CommandResult result = trace({GetParam(), file("late.py"), XFER_LATE_THREAD});
  EXPECT_EQ(result.exit_code, 0) << result.signal << result.err;
}

// Where the host's code faults it is the interpreter's, and the script's line is what a person
// changes.
TEST_P(PythonTest, TouchesMemoryTooEarly) {
  std::ofstream(file("early.py")) << R"(import ctypes

library = ctypes.CDLL("libcudart.so.13")
size = 1 << 16
device = ctypes.c_void_p()
host = ctypes.c_void_p()
stream = ctypes.c_void_p()
assert library.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(size)) == 0
assert library.cudaMallocHost(ctypes.byref(host), ctypes.c_size_t(size)) == 0
assert library.cudaStreamCreate(ctypes.byref(stream)) == 0
assert library.cudaMemset(device, 65, ctypes.c_size_t(size)) == 0


def look():
    return ctypes.string_at(host, 3)  # HERE


library.cudaMemcpyAsync(host, device, ctypes.c_size_t(size), 2, stream)
look()
library.cudaStreamSynchronize(stream)
print(look().decode())
)";
  const CommandResult result = trace({GetParam(), file("early.py")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "AAA\n");
  ASSERT_EQ(findings(), 1U) << report_.dump(1);
  const json& finding = report_["findings"][0];
  EXPECT_EQ(finding["rule"], "read-before-sync");
  EXPECT_THAT(finding["location"]["file"].get<std::string>(), EndsWith("early.py"));
  EXPECT_EQ(finding["location"]["line"], 15);
  EXPECT_EQ(finding["stack"][1]["line"], 19);
}

// A daemon thread is in the middle of its calls when Python ends.
TEST_P(PythonTest, EndsWithThreadsAtWork) {
  std::ofstream(file("daemons.py")) << R"(import ctypes
import threading
import time

library = ctypes.CDLL("libcudart.so.13")


def work(depth):
    if depth:
        return work(depth - 1)
    device = ctypes.c_void_p()
    while True:
        library.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(64))
        library.cudaFree(device)


for _ in range(4):
    threading.Thread(target=work, args=(5,), daemon=True).start()
time.sleep(0.2)
print("python done")
)";
  for (int i = 0; i < 3; ++i) {
    const CommandResult result = xfertrace({"--emulate", GetParam(), file("daemons.py")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "python done\n");
  }
}

std::vector<std::string> pythons() {
  std::vector<std::string> list;
  std::istringstream words(XFER_PYTHONS);
  for (std::string word; words >> word;) list.push_back(word);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Versions, PythonTest, testing::ValuesIn(pythons()),
                         [](const testing::TestParamInfo<std::string>& python) {
                           std::string name = fs::path(python.param).filename();
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return c == '.' || c == '-'; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace xfer::test
