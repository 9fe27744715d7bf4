#include "xfer/rules/docs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace xfer {
namespace {

TEST(Docs, are_the_pages) {
  for (const RuleInfo& rule : kRules) {
    std::ifstream in(std::string(XFER_DOCS_DIR) + "/" + std::string(rule.slug) + ".md");
    std::ostringstream page;
    page << in.rdbuf();
    EXPECT_FALSE(page.str().empty()) << rule.slug;
    EXPECT_EQ(docs(rule.rule), page.str()) << rule.slug;
  }
}

}  // namespace
}  // namespace xfer
