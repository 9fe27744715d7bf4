#include "command_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xfer::launcher {
namespace {

using Words = std::vector<std::string>;

std::string complaint(const Words& words) {
  try {
    parse_command_line(words);
  } catch (const UsageError& error) {
    return error.what();
  } catch (const Information&) {
    return "information";
  }
  return "";
}

TEST(CommandLine, TheProgramIsTakenAsItStands) {
  const CommandLine line = parse_command_line({"./app", "--format", "-o", "--", "x"});
  EXPECT_EQ(line.mode, CommandLine::Mode::kRun);
  EXPECT_EQ(line.program, (Words{"./app", "--format", "-o", "--", "x"}));
  EXPECT_FALSE(line.emulate.has_value());
  EXPECT_EQ(line.report.format, Format::kText);
}

TEST(CommandLine, OptionsComeFirst) {
  const CommandLine line =
      parse_command_line({"--emulate=2", "--format", "json", "-o", "out.json", "--record=t.xft",
                          "--fail-on", "any", "--error-exitcode", "9", "--", "-odd", "-name"});
  EXPECT_EQ(line.emulate, 2U);
  EXPECT_EQ(line.report.format, Format::kJson);
  EXPECT_EQ(line.report.output, "out.json");
  EXPECT_EQ(line.record, "t.xft");
  EXPECT_FALSE(line.report.fail_on.empty());
  EXPECT_EQ(line.report.error_exitcode, 9);
  EXPECT_EQ(line.program, (Words{"-odd", "-name"}));
}

TEST(CommandLine, EmulateWithoutANumberIsOneDevice) {
  const CommandLine line = parse_command_line({"--emulate", "./app", "2"});
  EXPECT_EQ(line.emulate, 1U);
  EXPECT_EQ(line.program, (Words{"./app", "2"}));
}

TEST(CommandLine, TheNumberOfEmulatedDevicesMayStandByItself) {
  const CommandLine line = parse_command_line({"--emulate", "2", "./app", "3"});
  EXPECT_EQ(line.emulate, 2U);
  EXPECT_EQ(line.program, (Words{"./app", "3"}));
  const CommandLine path = parse_command_line({"--emulate", "./2"});
  EXPECT_EQ(path.emulate, 1U);
  EXPECT_EQ(path.program, (Words{"./2"}));
  const CommandLine dashes = parse_command_line({"--emulate", "--", "2"});
  EXPECT_EQ(dashes.emulate, 1U);
  EXPECT_EQ(dashes.program, (Words{"2"}));
  EXPECT_EQ(complaint({"--emulate", "2"}),
            "no program given; usage: xfertrace [OPTIONS] [--] PROGRAM [ARGS] (a program named 2: "
            "./2)");
}

TEST(CommandLine, ANumberOfDevicesIsFrom1To64) {
  for (const char* number : {"abc", "0", "65", "-1", "2x"})
    EXPECT_EQ(complaint({"--emulate=" + std::string(number), "./app"}),
              "--emulate: expected 1 to 64 devices, got '" + std::string(number) + "'");
  EXPECT_EQ(complaint({"--emulate", "65", "./app"}),
            "--emulate: expected 1 to 64 devices, got '65'");
}

TEST(CommandLine, Report) {
  const CommandLine line =
      parse_command_line({"report", "a.xft", "--format", "html", "-o", "r.html", "b.xft"});
  EXPECT_EQ(line.mode, CommandLine::Mode::kReport);
  EXPECT_EQ(line.traces.size(), 2U);
  EXPECT_EQ(line.report.format, Format::kHtml);
  EXPECT_EQ(parse_command_line({"--", "report"}).program, (Words{"report"}));
}

TEST(CommandLine, Diff) {
  const CommandLine line = parse_command_line({"diff", "a.xft", "--format", "json", "b.json"});
  EXPECT_EQ(line.mode, CommandLine::Mode::kDiff);
  EXPECT_EQ(line.diff.before, "a.xft");
  EXPECT_EQ(line.diff.after, "b.json");
  EXPECT_EQ(line.diff.format, "json");
  EXPECT_EQ(parse_command_line({"--", "diff", "a", "b"}).program, (Words{"diff", "a", "b"}));
}

TEST(CommandLine, WhatIsNotThereIsRefused) {
  EXPECT_NE(complaint({"--suppressions", "/no/f", "./app"}).find("--suppressions: /no/f"),
            std::string::npos);
  EXPECT_NE(complaint({"diff", "a"}).find("diff"), std::string::npos);
  EXPECT_NE(complaint({"diff", "a", "b", "--format", "sarif"}).find("sarif"), std::string::npos);
  EXPECT_NE(complaint({"--fail-on", "h2d<1M", "./app"}).find("budget"), std::string::npos);
}

TEST(CommandLine, AWindowOfATrace) {
  const CommandLine line =
      parse_command_line({"report", "--window", "7:10:20", "--about", "warning", "t.xft"});
  EXPECT_EQ(line.mode, CommandLine::Mode::kWindow);
  EXPECT_EQ(line.window.window.thread, 7U);
  EXPECT_EQ(line.window.window.begin_ns, 10U);
  EXPECT_EQ(line.window.window.end_ns, 20U);
  for (const char* window : {"", "7", "7:10", "7:10:", "7:10:20:", "a:1:2", "7:10:20 "})
    EXPECT_NE(
        complaint({"report", "--window", window, "--about", "warning", "t.xft"}).find("THREAD"),
        std::string::npos)
        << window;
  EXPECT_NE(complaint({"report", "--window", "7:1:2", "--about", "x", "t.xft"}).find("'x'"),
            std::string::npos);
}

TEST(CommandLine, Mistakes) {
  for (const Words& words :
       {Words{}, Words{"--"}, Words{"--bogus", "./app"}, Words{"--format", "xml", "./app"},
        Words{"--emulate=0", "./app"}, Words{"--emulate=two", "./app"}, Words{"--format"},
        Words{"--error-exitcode", "300", "./app"}, Words{"report"}, Words{"report", "--bogus", "x"},
        Words{"--fail-on", "nonsense", "./app"}, Words{""}}) {
    const std::string text = complaint(words);
    EXPECT_FALSE(text.empty()) << testing::PrintToString(words);
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

TEST(CommandLine, HelpAndVersion) {
  EXPECT_EQ(complaint({"--help"}), "information");
  EXPECT_EQ(complaint({"--version"}), "information");
  EXPECT_EQ(complaint({"report", "--help"}), "information");
}

}  // namespace
}  // namespace xfer::launcher
