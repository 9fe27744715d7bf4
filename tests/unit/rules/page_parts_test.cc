// The parts that a page is made of: the rules' Markdown, names that are too long, where sources
// are.

#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"
#include "src/html/long_name.h"
#include "src/html/markdown.h"
#include "src/source_cache.h"
#include "xfer/rules/docs.h"

namespace xfer::html {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string rendered(std::string_view text) {
  return render_markdown(text, [](std::string_view link) {
    return link == "here.md" ? std::string("#here") : std::string();
  });
}

TEST(Markdown, Blocks) {
  EXPECT_EQ(rendered("# title\n\nOne\ntwo.\n\n## Part\n\n- a\n  b\n- c\n"),
            "<p>One two.</p>\n<h4>Part</h4>\n<ul>\n<li>a b</li>\n<li>c</li>\n</ul>\n");
  EXPECT_EQ(rendered("```cpp\nif (a < b)\n\n  # c;\n```\nafter"),
            "<pre class=\"source\" tabindex=\"0\"><code>if (a &lt; b)\n\n  # c;\n</code></pre>\n"
            "<p>after</p>\n");
  EXPECT_EQ(rendered("    as it stands\n"),
            "<pre class=\"source\" tabindex=\"0\"><code>as it stands\n</code></pre>\n");
}

TEST(Markdown, Spans) {
  EXPECT_EQ(
      rendered("`a<b>` **is `x`** [one](here.md) [two](there.md) <b>"),
      "<p><code>a&lt;b&gt;</code> <strong>is <code>x</code></strong> <a href=\"#here\">one</a> "
      "two &lt;b&gt;</p>\n");
  EXPECT_EQ(rendered("a ` b ** c [d] (e)"), "<p>a ` b ** c [d] (e)</p>\n");
}

TEST(Markdown, EachRulesPageIsRendered) {
  for (const RuleInfo& rule : kRules) {
    const std::string page = rendered(docs(rule.rule));
    EXPECT_THAT(page, HasSubstr("<h4>When it stays silent</h4>")) << rule.slug;
    EXPECT_THAT(page, Not(HasSubstr("```"))) << rule.slug;
    EXPECT_THAT(page, Not(HasSubstr("]("))) << rule.slug;
  }
}

TEST(LongName, LosesItsArgumentsFirst) {
  const std::string arguments(100, 'x');
  EXPECT_EQ(shortened_name("short<int>(float)"), "short<int>(float)");
  EXPECT_EQ(shortened_name("a::b<" + arguments + ">::c(" + arguments + ") const"),
            "a::b<…>::c(…) const");
  EXPECT_EQ(shortened_name("f(" + arguments + ")->g()"), "f(…)->g()");
  EXPECT_EQ(shortened_name(arguments + "ü").size(), 79 + 3) << "cut where nothing else helps";
  EXPECT_EQ(shortened_name("operator<(" + arguments), "operator<(" + arguments.substr(0, 69) + "…");
}

TEST(LongName, IsWholeInTheTooltip) {
  const std::string name = "f<" + std::string(100, 'x') + ">";
  EXPECT_EQ(long_name("f<x>"), "f&lt;x&gt;");
  EXPECT_EQ(long_name(name), "<span class=\"long\" title=\"f&lt;" + std::string(100, 'x') +
                                 "&gt;\">f&lt;…&gt;</span>");
  EXPECT_THAT(prose_with_long_names("of `" + name + "` and `f`"),
              testing::EndsWith("</span></code> and <code>f</code>"));
}

TEST(SourceFolders, InTheirOrder) {
  const TempDir dir;
  dir.write("root/a.cc", "of the root\n");
  dir.write("project/a.cc", "of the project\n");
  dir.write("project/src/b.cc", "b\n");
  dir.write("folder/c.cc", "c\n");
  Report report = report_of({});
  report.runs.resize(1);
  report.runs[0].project = dir.path() / "project";
  report.runs[0].working_directory = dir.path() / "folder";
  SourceCache with_root(source_folders(report, dir.path() / "root"));
  EXPECT_EQ(with_root.line("a.cc", 1), "of the root");
  SourceCache sources(source_folders(report, {}));
  EXPECT_EQ(sources.line("a.cc", 1), "of the project");
  EXPECT_EQ(sources.line("c.cc", 1), "c");
  EXPECT_EQ(sources.line("/built/elsewhere/src/b.cc", 1), "b") << "the project was moved";
  EXPECT_EQ(sources.line("/built/elsewhere/a.cc", 1), "") << "a name alone may be another file's";
  EXPECT_EQ(sources.line("none.cc", 1), "");
}

TEST(WriteHtml, TheWorstComeFirstAndAreMarkedSo) {
  Report report =
      report_of({small_finding(Rule::kPageableAsync, "a", 1, Severity::kAdvice),
                 small_finding(Rule::kRoundTrip, "b", 2), small_finding(Rule::kRoundTrip, "c", 3),
                 small_finding(Rule::kHostAccess, "d", 4, Severity::kError)});
  report.findings[2].cost = Cost{1, 2, 3, 4};
  std::ostringstream out;
  write_html(report, out, {});
  const std::string page = out.str();
  std::size_t at = 0;
  for (const char* place : {"d:4:1", "c:3:1", "b:2:1", "a:1:1"}) {
    const std::size_t next = page.find(std::string("<span class=\"where\">") + place);
    ASSERT_NE(next, std::string::npos) << place;
    EXPECT_GT(next, at) << place;
    at = next;
  }
  EXPECT_THAT(page, HasSubstr("href=\"#rule-round-trip\""));
  EXPECT_THAT(page, HasSubstr("id=\"rule-round-trip\""));
  EXPECT_THAT(page, Not(HasSubstr("id=\"rule-leak\"")));
}

}  // namespace
}  // namespace xfer::html
