#include "xfer/rules/parse_json.h"

#include <gtest/gtest.h>

#include <sstream>

namespace xfer {
namespace {

std::string complaint(const std::string& text) {
  try {
    parse_json(text, "base.json");
  } catch (const JsonSyntaxError& error) {
    return error.what();
  }
  return "";
}

TEST(ParseJson, ReadsJson) {
  EXPECT_EQ(parse_json("[1, {\"a\": null}]", "x").size(), 2U);
  std::istringstream in("{\"b\": 1, \"a\": 2}");
  EXPECT_EQ(parse_json(in, "x").begin().key(), "b") << "the order stays";
}

TEST(ParseJson, SaysWhereAndWhatInItsOwnWords) {
  EXPECT_EQ(complaint(""), "base.json: the file is empty");
  EXPECT_EQ(complaint(" \n"), "base.json: the file is empty");
  EXPECT_EQ(complaint("{\"a\": [1, 2"), "base.json:1:12: not JSON: the text ends too early");
  EXPECT_EQ(complaint("{\n  \"a\": }\n}"), "base.json:2:8: not JSON: unexpected '}'");
  EXPECT_EQ(complaint("{\n  \"a\": 1,\n}"), "base.json:3:1: not JSON: unexpected '}'");
  EXPECT_EQ(complaint("[1] x"), "base.json:1:5: not JSON: unexpected 'x'");
  EXPECT_EQ(complaint("[\"a\nb\"]"), "base.json:1:4: not JSON: unexpected end of line");
  EXPECT_EQ(complaint("<html>"), "base.json:1:1: not JSON: unexpected '<'");
  EXPECT_EQ(complaint("[1e999]"), "base.json: not JSON: a number is too large");
}

TEST(ParseJson, AComplaintIsOneLineWhateverTheFileHolds) {
  for (int byte = 0; byte < 256; ++byte)
    for (const char* around : {"", "[", "[\"", "[\"\\", "[1", "[tru", "\xEF\xBB"}) {
      const std::string said = complaint(around + std::string(1, static_cast<char>(byte)));
      EXPECT_EQ(said.find_first_of("\r\n\t\x1b"), std::string::npos) << around << byte;
      EXPECT_EQ(said.find("json.exception"), std::string::npos) << around << byte;
      EXPECT_EQ(said.find("syntax error"), std::string::npos) << around << byte;
    }
}

}  // namespace
}  // namespace xfer
