#include "xfer/annotate.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace {

std::vector<std::string> told;

void scope_begin(const char* name) { told.push_back(std::string("begin ") + name); }
void scope_end() { told.emplace_back("end"); }
void allocated(const void*, size_t bytes, int device) {
  told.push_back("allocated " + std::to_string(bytes) + " on " + std::to_string(device));
}

}  // namespace

// The table that libxfertrace.so exports; an older one, which ends before `released`.
extern "C" {
extern __attribute__((visibility("default"))) const xfer_listener xfer_listener_v1;
const xfer_listener xfer_listener_v1 = {offsetof(xfer_listener, released),
                                        scope_begin,
                                        scope_end,
                                        nullptr,
                                        allocated,
                                        nullptr,
                                        nullptr,
                                        nullptr,
                                        nullptr};
}

namespace xfer::test {
namespace {

TEST(Annotate, TellsTheListener) {
  told.clear();
  {
    XFER_SCOPE("outer");
    XFER_SCOPE("inner");
    xfer_name(&told, 8, "weights");  // this listener does not want to know
    xfer_allocated(&told, 64, 1);
    xfer_released(&told);           // nor does it know what this is
    const ImplicitCopies implicit;  // nor of these
  }
  EXPECT_THAT(
      told, testing::ElementsAre("begin outer", "begin inner", "allocated 64 on 1", "end", "end"));
}

}  // namespace
}  // namespace xfer::test
