#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string written(const Report& report, const std::filesystem::path& root = {}) {
  std::ostringstream out;
  write_html(report, out, root);
  return out.str();
}

std::string data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(WriteHtml, shows_everything_that_a_finding_has) {
  const TempDir dir;
  dir.write("src/f.cc", kSampleSource);
  const std::string page = written(report_of({full_finding()}), dir.path());
  EXPECT_THAT(page, HasSubstr("the result of to is discarded: x stays where it is"));
  EXPECT_THAT(page, HasSubstr("src/f.cc:3:2"));
  EXPECT_THAT(page, HasSubstr("x was made here"));
  EXPECT_THAT(page, HasSubstr("12 times, 1.5 KiB, 1.2 ms on the host"));
  EXPECT_THAT(page, HasSubstr("\t<mark>x</mark>.to(torch::kCUDA);"));
  EXPECT_THAT(page,
              HasSubstr("<span class=\"line removed\"><span class=\"number\">-</span>\tx.to("));
  EXPECT_THAT(page,
              HasSubstr("<span class=\"line added\"><span class=\"number\">+</span>\tx = x.to("));
  EXPECT_THAT(page, HasSubstr("Call stack, 2 frames"));
}

TEST(WriteHtml, needs_nothing_from_outside) {
  const std::string page = written(report_of({full_finding()}));
  for (const char* attribute : {"src=", "href=\"http", "href=\"//", "href=\"/", "href=\"."})
    EXPECT_THAT(page, Not(HasSubstr(attribute)));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("url(")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(WriteHtml, hostile_texts_stay_texts) {
  const std::string hostile =
      "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;";
  const TempDir dir;
  dir.write("a.cc", hostile + "\n");
  Finding finding = full_finding();
  finding.message = finding.location.function = finding.fingerprint = hostile;
  finding.notes[0].message = finding.notes[0].location.file = hostile;
  finding.stack[0].function = finding.stack[1].file = hostile;
  finding.fix->description = finding.fix->replacements[0].text = hostile;
  finding.fix->replacements[0].file = finding.location.file = "a.cc";
  finding.fix->replacements[0].offset = 2;
  finding.location.line = 1;
  Report report = report_of({finding}, hostile);
  report.stats[hostile] = hostile;
  const std::string page = written(report, dir.path());
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  // The page's own: the data and the script.
  EXPECT_EQ(count(page, "</script>"), 2u);
  EXPECT_EQ(nlohmann::json::parse(data_of(page))["findings"][0]["message"], hostile);
}

TEST(WriteHtml, holds_the_report_as_data) {
  const Report report = report_of({full_finding(), small_finding(Rule::kRoundTrip, "a", 1)});
  std::istringstream in(data_of(written(report)));
  EXPECT_EQ(read_json(in, "data").findings.size(), 2u);
}

TEST(WriteHtml, an_empty_report_is_a_page_too) {
  const std::string page = written(report_of({}));
  EXPECT_THAT(page, HasSubstr("No findings."));
  EXPECT_THAT(page, Not(HasSubstr("id=\"controls\"")));
}

TEST(WriteHtml, names_in_backticks_are_code) {
  Finding finding = small_finding(Rule::kRoundTrip, "a", 1);
  finding.message = "`x<y>` is copied, `unfinished";
  EXPECT_THAT(written(report_of({finding})),
              HasSubstr("<code>x&lt;y&gt;</code> is copied, `unfinished"));
}

TEST(WriteHtml, a_stack_that_is_the_line_itself_is_not_shown) {
  Finding finding = small_finding(Rule::kRoundTrip, "a", 1);
  finding.stack = {finding.location};
  EXPECT_THAT(written(report_of({finding})), Not(HasSubstr("Call stack")));
  finding.stack[0].line = 2;
  EXPECT_THAT(written(report_of({finding})), HasSubstr("Call stack, 1 frame"));
}

TEST(WriteHtml, says_what_it_leaves_out) {
  const Report report =
      report_of(std::vector<Finding>(2003, small_finding(Rule::kRoundTrip, "a", 1)));
  EXPECT_THAT(written(report), HasSubstr("3 more findings are in this page's data only."));
}

}  // namespace
}  // namespace xfer
