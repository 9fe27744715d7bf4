// Texts of PTX that are linked.

#include <gtest/gtest.h>

#include "ptx/joined.h"
#include "ptx/reader.h"

namespace xfer::ptx {
namespace {

std::string text_with(const std::string& declarations) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + declarations;
}

TEST(PtxJoined, HasTheFunctionsOfAll) {
  const Joined all = joined({text_with(".visible .entry first() { ret; }"),
                             text_with(".visible .entry second() { ret; }")});
  EXPECT_EQ(all.defined_twice, "");
  const std::vector<Module> modules = read_modules(all.text);
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_NE(modules[0].function("first"), nullptr);
  EXPECT_NE(modules[1].function("second"), nullptr);
}

TEST(PtxJoined, NamesWhatTwoDefine) {
  const std::string function = text_with(".visible .func f() { ret; }");
  EXPECT_EQ(joined({function, function}).defined_twice, "f");
  const std::string variable = text_with(".visible .global .u32 v;");
  EXPECT_EQ(joined({variable, variable}).defined_twice, "v");
  const std::string both = joined({function, variable}).text;
  EXPECT_EQ(joined({both, variable}).defined_twice, "v");
}

TEST(PtxJoined, SeveralMayHaveWhatIsWeakDeclaredOrTheirOwn) {
  for (const char* shared : {".weak .func f() { ret; }", ".extern .func f();", ".func f() { ret; }",
                             ".extern .global .u32 v;", ".global .u32 v;"})
    EXPECT_EQ(joined({text_with(shared), text_with(shared)}).defined_twice, "") << shared;
}

TEST(PtxJoined, ASingleTextIsLeftToItsReader) {
  EXPECT_EQ(joined({"no PTX"}).text, "no PTX\n");
  EXPECT_EQ(joined({}).text, "");
}

}  // namespace
}  // namespace xfer::ptx
