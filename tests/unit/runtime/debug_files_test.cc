// Stripped libraries, with their debug information in files of its own, as distributions and
// release builds have them.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "temp_file.h"
#include "xfer/stack.h"
#include "xfer/symbolize.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

unsigned marked_line(const std::string& name) {
  std::ifstream source(XFER_SAMPLE_SOURCE);
  std::string line;
  for (unsigned number = 1; std::getline(source, line); ++number)
    if (line.ends_with("// LINE: " + name)) return number;
  return 0;
}

std::vector<std::uintptr_t> captured;
void capture() {
  captured.assign(kMaxStackDepth, 0);
  captured.resize(capture_stack(captured));
}

class DebugFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "xfer-debug-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    library_ = folder_ / "lib" / "libsample.so";
    fs::create_directories(library_.parent_path());
    fs::copy_file(XFER_SAMPLE_LIBRARY, library_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void run(const std::string& command) { ASSERT_EQ(system(command.c_str()), 0) << command; }
  fs::path take_debug_information(const std::string& name) {
    const fs::path debug = folder_ / name;
    fs::create_directories(debug.parent_path());
    run("objcopy --only-keep-debug " + library_.string() + " " + debug.string());
    return debug;
  }
  void strip() { run("strip --strip-all " + library_.string()); }

  /// Runs the library and reads the trace.
  void record() {
    void* const handle = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    reinterpret_cast<void (*)(void (*)())>(dlsym(handle, "sample_entry"))(&capture);
    {
      auto writer = TraceWriter::open(file_.path().c_str());
      site_ = writer->intern_stack(captured);
    }
    dlclose(handle);
    trace_ = std::make_unique<TraceReader>(file_.path());
    for (Event event; trace_->next(event);) {
    }
    build_id_ = trace_->module(trace_->stack(site_)[1].module)->build_id;
    ASSERT_GE(build_id_.size(), 8u);
  }

  void expect_symbolized(const fs::path& debug_folder = {}) {
    Symbolizer symbolizer({}, debug_folder);
    const std::vector<SymbolFrame> stack = symbolizer.stack(*trace_, site_);
    EXPECT_THAT(symbolizer.problems(), IsEmpty());
    ASSERT_GE(stack.size(), 4u);
    const char* const functions[] = {"inlined", "local_function", "sample_entry"};
    for (std::size_t i = 0; i < 3; ++i) {
      const Location& location = stack[i + 1].location;
      EXPECT_THAT(location.function, HasSubstr(functions[i]));
      EXPECT_THAT(location.file, testing::EndsWith("debug_files_sample.cc"));
      EXPECT_EQ(location.line, marked_line(functions[i])) << functions[i];
      EXPECT_EQ(stack[i + 1].module, library_);
    }
  }
  void expect_names_only() {
    const std::vector<SymbolFrame> stack = Symbolizer().stack(*trace_, site_);
    ASSERT_GE(stack.size(), 3u);
    EXPECT_EQ(stack[1].location.file, "");
    EXPECT_EQ(stack[2].location.function, "sample_entry") << "which the library exports";
  }

  fs::path folder_;
  fs::path library_;
  TempFile file_;
  std::uint32_t site_ = 0;
  std::unique_ptr<TraceReader> trace_;
  std::string build_id_;
};

TEST_F(DebugFiles, InTheLibrary) {
  record();
  expect_symbolized();
}

TEST_F(DebugFiles, Nowhere) {
  strip();
  record();
  expect_names_only();
}

TEST_F(DebugFiles, BesideItByLink) {
  const fs::path debug = take_debug_information("lib/libsample.so.debug");
  strip();
  run("objcopy --add-gnu-debuglink=" + debug.string() + " " + library_.string());
  record();
  expect_symbolized();
  fs::create_directories(library_.parent_path() / ".debug");
  fs::rename(debug, library_.parent_path() / ".debug" / debug.filename());
  expect_symbolized();
}

TEST_F(DebugFiles, OfAnotherBuildAreNotUsed) {
  const fs::path debug = take_debug_information("lib/libsample.so.debug");
  strip();
  run("objcopy --add-gnu-debuglink=" + debug.string() + " " + library_.string());
  record();
  std::ofstream(debug, std::ios::app) << "other";  // the link holds a checksum
  run("objcopy --remove-section=.note.gnu.build-id " + debug.string());
  expect_names_only();
}

TEST_F(DebugFiles, InAFolderByBuildId) {
  const fs::path debug = take_debug_information("taken.debug");
  strip();
  record();
  expect_names_only();
  const fs::path place = folder_ / "store" / ".build-id" / build_id_.substr(0, 2);
  fs::create_directories(place);
  fs::rename(debug, place / (build_id_.substr(2) + ".debug"));
  expect_symbolized(folder_ / "store");
  const fs::path here = fs::current_path();
  fs::current_path(folder_);
  expect_symbolized("store");
  fs::current_path(here);
}

// As when the trace is reported on another machine.
TEST_F(DebugFiles, OfALibraryThatIsNotThere) {
  const fs::path debug = take_debug_information("taken.debug");
  strip();
  record();
  fs::remove(library_);
  EXPECT_EQ(Symbolizer().stack(*trace_, site_).at(1).location.function, "");
  const fs::path place = folder_ / "store" / ".build-id" / build_id_.substr(0, 2);
  fs::create_directories(place);
  fs::rename(debug, place / (build_id_.substr(2) + ".debug"));
  expect_symbolized(folder_ / "store");
}

}  // namespace
}  // namespace xfer::test
